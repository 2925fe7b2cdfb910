// Drives the disk library alone, without event queue, link or contents: keeps a number of commands outstanding and
// hands back each as soon as the disk allows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "model/drive/disk.h"
#include "model/sim/random.h"

namespace ncqlab::bench {

enum class Shape { random_reads, sequential_reads, random_writes };

class DiskLoad {
 public:
  DiskLoad(const drive::Profile& profile, Shape shape, unsigned outstanding)
      : profile_(profile),
        disk_(profile_, std::make_shared<drive::MechanicsTables>(profile_.mechanics, profile_.capacity_sectors,
                                                                 drive::Layout{1})),
        shape_(shape),
        addresses_(1, "bench/disk") {
    for (unsigned tag = 0; tag < outstanding; ++tag) submit(tag);
  }

  // Until so many more requests have been served.
  void serve(std::uint64_t requests) {
    const std::uint64_t until = served_ + requests;
    drive::Happening happening{};
    while (served_ < until) {
      const sim::Time next = disk_.next();
      const auto first = std::min_element(answers_.begin(), answers_.end(),
                                          [](const Answer& a, const Answer& b) { return a.when < b.when; });
      if (first != answers_.end() && first->when <= next) {
        answer(first);
        continue;
      }
      now_ = next;
      while (disk_.advance(now_, happening)) handle(happening);
    }
  }

  std::uint64_t served() const { return served_; }
  sim::Time now() const { return now_; }

 private:
  static constexpr std::uint32_t kSectors = 8;
  struct Answer {  // a read's data are all there
    sim::Time when;
    unsigned tag;
  };

  void submit(unsigned tag) {
    drive::Command command;
    command.tag = tag;
    command.queued = true;
    command.sectors = kSectors;
    if (shape_ == Shape::random_writes) command.operation = drive::Operation::write;
    const std::uint64_t blocks = profile_.capacity_sectors / kSectors;
    command.lba = kSectors * (shape_ != Shape::sequential_reads ? addresses_.below(blocks) : next_block_++ % blocks);
    disk_.submit(now_, command);
  }

  void handle(const drive::Happening& happening) {
    switch (happening.what) {
      case drive::Happening::What::data_scheduled:
        answers_.push_back({std::max(now_, disk_.available(happening.tag, kSectors)), happening.tag});
        break;
      case drive::Happening::What::buffer_ready:
        disk_.host_data_complete(now_, happening.tag);
        break;
      case drive::Happening::What::done:
        ++served_;
        submit(happening.tag);
        break;
      case drive::Happening::What::failed:
        break;  // the media give no trouble
    }
  }

  void answer(std::vector<Answer>::iterator which) {
    const Answer ready = *which;
    *which = answers_.back();
    answers_.pop_back();
    now_ = ready.when;
    disk_.transferred(now_, ready.tag);
    ++served_;
    submit(ready.tag);
  }

  drive::Profile profile_;
  drive::Disk disk_;
  Shape shape_;
  sim::Stream addresses_;
  sim::Time now_ = 0;
  std::vector<Answer> answers_;  // on their way: a few, whatever the number outstanding
  std::uint64_t next_block_ = 0;
  std::uint64_t served_ = 0;
};

}  // namespace ncqlab::bench
