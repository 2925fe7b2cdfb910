#!/bin/bash
# fuzz.sh [SECONDS [FOLDER]]: looks for new inputs that break the controller for so long (default 60), beginning with
# those of corpus/ and findings/, under AddressSanitizer and UndefinedBehaviorSanitizer. What it finds lies in FOLDER
# (default build/fuzz/found) as crash-*; make a test of it by copying it to findings/ under a name that says what it was.
#
# Exit status 77 where clang or its libFuzzer is missing (with CI=true that is a failure).
set -euo pipefail

root=$(cd -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/../.." && pwd)
seconds=${1:-60}
found=${2:-$root/build/fuzz/found}
# shellcheck source=testbench/packages.bash
source "$root/testbench/packages.bash"

probe() { echo 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }'; }
if ! probe | clang++ -x c++ -fsanitize=fuzzer - -o /dev/null 2>/dev/null; then
  echo "fuzz.sh: clang with libFuzzer is not installed"
  [[ ${CI:-} == true ]] && exit 1
  exit 77
fi

configure "$root" fuzz
ninja -C "$root/build/fuzz" ncqlab_fuzz_controller </dev/null
mkdir -p "$found/corpus"
cd "$found"
exec "$root/build/fuzz/testbench/fuzz/ncqlab_fuzz_controller" -max_total_time="$seconds" -max_len=4096 -timeout=20 \
  -rss_limit_mb=2048 -print_final_stats=1 corpus "$root/testbench/fuzz/corpus" "$root/testbench/fuzz/findings"
