// Requests waiting for a slot, linked through the requests themselves.
#pragma once

#include "driver/request.h"

namespace ncqlab::driver {

class RequestFifo {
 public:
  Request* front() const { return first_; }
  bool empty() const { return first_ == nullptr; }

  void push_back(Request& request) {
    request.driver.next = nullptr;
    if (first_ == nullptr) {
      first_ = &request;
    } else {
      last_->driver.next = &request;
    }
    last_ = &request;
  }

  void push_front(Request& request) {
    request.driver.next = first_;
    if (first_ == nullptr) last_ = &request;
    first_ = &request;
  }

  // Not on an empty FIFO.
  Request& pop_front() {
    Request& request = *first_;
    first_ = request.driver.next;
    request.driver.next = nullptr;
    return request;
  }

 private:
  Request* first_ = nullptr;
  Request* last_ = nullptr;  // meaningful while first_ isn't null
};

}  // namespace ncqlab::driver
