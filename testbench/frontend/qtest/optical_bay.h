// A port with an optical drive: the drive, the disc in it, and a note of each movement of its tray.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/drive/media/image_contents.h"
#include "model/drive/optical/optical_drive.h"
#include "model/sata/link.h"

namespace ncqlab::qtest {

struct TrayMove {
  std::string id;
  bool open = false;
};

class OpticalBay final : private drive::TrayListener {
 public:
  // All references outlive the bay.
  struct Parts {
    sim::EventQueue& queue;
    sata::FramePool& frames;
    drive::OpticalProfile profile;
    std::string id;
    std::shared_ptr<drive::ImageContents> disc;  // null: none
    std::vector<TrayMove>& moves;
  };
  OpticalBay(const Parts& parts, sata::Link& link);
  ~OpticalBay();
  OpticalBay(const OpticalBay&) = delete;
  OpticalBay& operator=(const OpticalBay&) = delete;

  const std::string& id() const { return id_; }
  // A tray that the host has locked stays closed.
  void open_tray();
  void close_tray() { drive_.close_tray(); }
  // False while the tray is closed.
  bool insert(std::shared_ptr<drive::ImageContents> disc);
  bool remove();

 private:
  void tray_moved(bool open) override { moves_->push_back({id_, open}); }

  std::string id_;
  drive::OpticalProfile profile_;
  std::shared_ptr<drive::ImageContents> disc_;
  std::vector<TrayMove>* moves_;
  sata::Link* link_;
  drive::OpticalDrive drive_;
};

}  // namespace ncqlab::qtest
