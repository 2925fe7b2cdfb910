// Our own main(): see CMakeLists.txt beside the tests' folders.
#include <gtest/gtest.h>

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const int status = RUN_ALL_TESTS();
  if (testing::UnitTest::GetInstance()->test_to_run_count() == 0) {
    std::fprintf(stderr, "no test was run: wrong --gtest_filter?\n");
    return 1;
  }
  return status;
}
