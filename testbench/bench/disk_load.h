// Drives the disk library alone, without event queue, link or contents: keeps a number of commands outstanding and
// hands back each as soon as the disk allows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>

#include "model/drive/disk.h"
#include "model/sim/random.h"

namespace ncqlab::bench {

enum class Shape { random_reads, sequential_reads };

class DiskLoad {
 public:
  DiskLoad(const drive::Profile& profile, Shape shape, unsigned outstanding)
      : profile_(profile),
        disk_(profile_, std::make_shared<drive::MechanicsTables>(profile_.mechanics, profile_.capacity_sectors,
                                                                 drive::Layout{1})),
        shape_(shape),
        outstanding_(outstanding),
        addresses_(1, "bench/disk") {
    for (unsigned tag = 0; tag < outstanding_; ++tag) submit(tag);
  }

  // Until so many more requests have been served.
  void serve(std::uint64_t requests) {
    const std::uint64_t until = served_ + requests;
    drive::Happening happening;
    while (served_ < until) {
      const sim::Time next = disk_.next();
      const sim::Time due = next_answer();
      if (due <= next) {
        now_ = due;
        answer();
        continue;
      }
      now_ = next;
      while (disk_.advance(now_, happening)) {
        if (happening.what == drive::Happening::What::data_scheduled) {
          ready_at_[happening.tag] = std::max(now_, disk_.available(happening.tag, kSectors));
        }
      }
    }
  }

  std::uint64_t served() const { return served_; }
  sim::Time now() const { return now_; }

 private:
  static constexpr std::uint32_t kSectors = 8;

  void submit(unsigned tag) {
    drive::Command command;
    command.tag = tag;
    command.queued = true;
    command.sectors = kSectors;
    const std::uint64_t blocks = profile_.capacity_sectors / kSectors;
    command.lba = kSectors * (shape_ == Shape::random_reads ? addresses_.below(blocks) : next_block_++ % blocks);
    ready_at_[tag] = sim::kNever;
    disk_.submit(now_, command);
  }

  sim::Time next_answer() {
    sim::Time earliest = sim::kNever;
    for (unsigned tag = 0; tag < outstanding_; ++tag) {
      if (ready_at_[tag] < earliest) {
        earliest = ready_at_[tag];
        next_tag_ = tag;
      }
    }
    return earliest;
  }

  void answer() {
    disk_.transferred(now_, next_tag_);
    ++served_;
    submit(next_tag_);
  }

  drive::Profile profile_;
  drive::Disk disk_;
  Shape shape_;
  unsigned outstanding_;
  sim::Stream addresses_;
  sim::Time now_ = 0;
  sim::Time ready_at_[drive::kTags] = {};
  unsigned next_tag_ = 0;
  std::uint64_t next_block_ = 0;
  std::uint64_t served_ = 0;
};

}  // namespace ncqlab::bench
