#!/bin/sh
# compile_porting_blocks.sh DOCUMENT ROOT WORK COMPILER [FLAGS ...]: compiles the ```cpp blocks of DOCUMENT, in their order
# and as one translation unit, with ROOT in the include path. WORK is a folder for the result.
set -eu
document=$1
root=$2
work=$3
shift 3

mkdir -p "$work"
source=$work/porting_blocks.cpp
awk '/^```cpp$/ { inside = 1; print "#line " NR + 1 " \"PORTING.md\""; next } /^```$/ { inside = 0; next } inside' \
  "$document" > "$source"
grep -q . "$source" || { echo "$document has no cpp block" >&2; exit 1; }
"$@" -I "$root" -c "$source" -o "$work/porting_blocks.o"
