#!/bin/bash
# determinism.sh BUILD...: the same run gives the same fingerprint twice, on both hosts of time, from every build folder;
# another seed gives another. Prints each fingerprint with where it came from.
set -euo pipefail

run=(run --drive st31000340as --rw randread --bs 4k --iodepth 31 --requests 20000 --json -)
mixed=(run --rw randrw --bs 16k --iodepth 8 --requests 1000 --fsync 100 --json -)
status=0

fingerprint() {  # BUILD ARGUMENT...
  local build=$1
  shift
  "$build/testbench/cli/ncqlab" "$@" | sed -n 's/^  "fingerprint": "\([0-9a-f]*\)".*/\1/p'
}

expect_same() {  # NAME EXPECTED FOUND
  printf '%-60s %s\n' "$1" "$3"
  [[ -n $3 && $3 == "$2" ]] || { echo "expected $2" >&2; status=1; }
}

first=$(fingerprint "$1" "${run[@]}" --seed 1)
first_mixed=$(fingerprint "$1" "${mixed[@]}")
expect_same "$1, again" "$first" "$(fingerprint "$1" "${run[@]}" --seed 1)"
for build in "$@"; do
  for host in bare systemc; do
    expect_same "$build, $host, random reads" "$first" "$(fingerprint "$build" "${run[@]}" --seed 1 --host "$host")"
    expect_same "$build, $host, mixed with flushes" "$first_mixed" "$(fingerprint "$build" "${mixed[@]}" --host "$host")"
  done
done
other=$(fingerprint "$1" "${run[@]}" --seed 2)
printf '%-60s %s\n' "$1, another seed" "$other"
if [[ -z $other || $other == "$first" ]]; then
  echo "another seed gave the same fingerprint" >&2
  status=1
fi
exit "$status"
