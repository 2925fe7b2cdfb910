#!/usr/bin/env bash
# instructions.sh [BUILD [LOAD...]]: instructions per request as callgrind counts them, the same whatever else the
# machine does.
#
# BUILD is a build folder with -DNCQLAB_BENCH=ON (default build/release), LOAD one that ncqlab_once knows (default: all
# that the build has). Each load runs with few and with many requests; the difference of the two leaves making the
# machine and attaching the driver out.
set -euo pipefail

build=${1:-build/release}
loads=("${@:2}")
once=$build/testbench/bench/ncqlab_once
few=2000
many=12000

fail() {
  printf 'instructions.sh: %s\n' "$1" >&2
  exit 2
}
command -v valgrind >/dev/null || fail "valgrind is not installed"
[[ -x $once ]] || fail "no $once: configure with -DNCQLAB_BENCH=ON and build target ncqlab_once"

if ((${#loads[@]} == 0)); then
  loads=(disk-random-1 disk-random-32 disk-sequential disk-dirty-48 disk-dirty-4800 stack-bare)
  if grep -qs '^NCQLAB_SYSTEMC:BOOL=ON' "$build/CMakeCache.txt"; then loads+=(stack-systemc); fi
fi

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

count() {  # LOAD REQUESTS
  if ! valgrind --tool=callgrind --callgrind-out-file="$folder/out" "$once" "$1" "$2" >"$folder/talk" 2>&1; then
    cat "$folder/talk" >&2
    return 1
  fi
  sed -n 's/.*Collected : \([0-9]*\).*/\1/p' "$folder/talk"
}

printf '%-18s %s\n' load "instructions per request"
for load in "${loads[@]}"; do
  first=$(count "$load" "$few")
  second=$(count "$load" "$many")
  printf '%-18s %d\n' "$load" $(((second - first) / (many - few)))
done
