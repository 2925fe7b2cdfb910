#!/bin/bash
# Looks for inputs that break the controller, under AddressSanitizer and UndefinedBehaviorSanitizer, beginning with those
# of corpus.txt and findings.txt.
#
#   fuzz.sh [SECONDS [FOLDER]]  for so long (default 60). What breaks it lies in FOLDER (default build/fuzz/found) as
#                               crash-*, what reaches new code in FOLDER/corpus. Make a test of a crash: add it to
#                               findings.txt in base64, under a line that says what it was.
#   fuzz.sh --keep [FOLDER]     writes corpus.txt anew: the fewest inputs of it and of FOLDER/corpus that reach as much
#
# Exit status 77 where clang or its libFuzzer is missing (with CI=true that is a failure).
set -euo pipefail
export LC_ALL=C

root=$(cd -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/../.." && pwd)
here=$root/testbench/fuzz
what=${1:-60}
found=${2:-$root/build/fuzz/found}
# shellcheck source=testbench/packages.bash
source "$root/testbench/packages.bash"

# unpack LIST FOLDER: every input of the list as a file.
unpack() {
  local line number=0
  mkdir -p "$2"
  while read -r line; do
    [[ $line == "#"* ]] && continue
    number=$((number + 1))
    base64 -d <<<"$line" >"$2/$number"
  done <"$1"
}

probe() { echo 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }'; }
if ! probe | clang++ -x c++ -fsanitize=fuzzer - -o /dev/null 2>/dev/null; then
  echo "fuzz.sh: clang with libFuzzer is not installed"
  [[ ${CI:-} == true ]] && exit 1
  exit 77
fi

configure "$root" fuzz
ninja -C "$root/build/fuzz" ncqlab_fuzz_controller </dev/null
fuzzer=("$root/build/fuzz/testbench/fuzz/ncqlab_fuzz_controller" -max_len=1024 -timeout=20 -rss_limit_mb=2048)
mkdir -p "$found/corpus"
cd "$found"
rm -rf seeds kept
unpack "$here/corpus.txt" seeds/corpus
unpack "$here/findings.txt" seeds/findings

if [[ $what == --keep ]]; then
  mkdir kept
  "${fuzzer[@]}" -merge=1 kept seeds/corpus corpus
  for file in kept/*; do
    base64 -w0 "$file"
    echo
  done >"$here/corpus.txt"
  exit 0
fi
exec "${fuzzer[@]}" -max_total_time="$what" -entropic=0 -print_final_stats=1 corpus seeds/corpus seeds/findings
