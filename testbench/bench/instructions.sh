#!/bin/bash
# instructions.sh [ONCE]: callgrind instructions per request, set-up taken off by the difference of two lengths.
# Repeatable for one binary, whatever else the machine does.
set -euo pipefail
once=${1:-build/release/testbench/bench/ncqlab_once}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

count() {  # WHICH REQUESTS
  valgrind --tool=callgrind --callgrind-out-file="$folder/out" "$once" "$1" "$2" 2>&1 |
    sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}

printf '%-18s %s\n' load "instructions per request"
for which in disk-random-1 disk-random-32 disk-sequential stack-bare; do
  few=$(count "$which" 2000)
  many=$(count "$which" 6000)
  printf '%-18s %d\n' "$which" $(((many - few) / 4000))
done
