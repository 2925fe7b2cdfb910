// AddressSanitizer and SystemC's coroutines. libsystemc tells it of every switch of stacks, but has no bounds to give
// for the main stack: after the first SC_THREAD has run, an exception on the main stack leaves the poison of the frames
// that it unwinds behind, and later calls are reported falsely. In other builds this does nothing.
#pragma once

namespace ncqlab::sim {

#if defined(__SANITIZE_ADDRESS__)
#define NCQLAB_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define NCQLAB_ADDRESS_SANITIZER 1
#endif
#endif

// Call on the main stack.
#ifdef NCQLAB_ADDRESS_SANITIZER
void tell_sanitizer_of_main_stack();
#else
inline void tell_sanitizer_of_main_stack() {}
#endif

}  // namespace ncqlab::sim
