#include "model/sim/systemc/sanitizer_stack.h"

#ifdef NCQLAB_ADDRESS_SANITIZER

#include <pthread.h>
#include <sanitizer/common_interface_defs.h>

#include <cstddef>

namespace ncqlab::sim {

namespace {

struct Stack {
  void* bottom = nullptr;
  std::size_t bytes = 0;
};

Stack stack_of_this_thread() {
  Stack stack;
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
    pthread_attr_getstack(&attributes, &stack.bottom, &stack.bytes);
    pthread_attr_destroy(&attributes);
  }
  return stack;
}

}  // namespace

void tell_sanitizer_of_main_stack() {
  static const Stack kStack = stack_of_this_thread();
  void* fake_stack = nullptr;
  __sanitizer_start_switch_fiber(&fake_stack, kStack.bottom, kStack.bytes);
  __sanitizer_finish_switch_fiber(fake_stack, nullptr, nullptr);
}

}  // namespace ncqlab::sim

#endif
