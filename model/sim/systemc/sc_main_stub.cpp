// libsystemc.so has a main() of its own, which calls the user's sc_main(). Whoever links the library and has a main()
// that the linker did not take (gtest_main behind libsystemc, for example) ends up there, runs nothing and would exit
// with 0. This one speaks up instead.
#include <cstdio>
#include <systemc>

int sc_main(int, char**) {
  std::fprintf(stderr,
               "SystemC's own main() was started instead of yours, and nothing was run.\n"
               "libsystemc.so defines main(): put your main() into an object file of your program, or link the library "
               "that has it (gtest_main) before libsystemc.\n");
  return 4;
}
