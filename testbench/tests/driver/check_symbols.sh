#!/bin/sh
# check_symbols.sh NM LIBRARY: fails unless everything that LIBRARY needs from outside itself is memcpy, memset, memmove
# or memcmp. docs/PORTING.md promises that. _GLOBAL_OFFSET_TABLE_ in position-independent code is the linker's own.
set -eu
nm=$1
library=$2

listing=$("$nm" --format=posix "$library")
defined=$(printf '%s\n' "$listing" | awk '$2 ~ /^[TtDdBbRrVvWw]$/ { print $1 }' | sort -u)
undefined=$(printf '%s\n' "$listing" | awk '$2 == "U" { print $1 }' | sort -u)
[ -n "$defined" ] || { echo "$library defines nothing: wrong file?" >&2; exit 1; }

foreign=$(printf '%s\n' "$undefined" | grep -vxF "$defined" | grep -vxE 'memcpy|memset|memmove|memcmp|_GLOBAL_OFFSET_TABLE_' || true)
if [ -n "$foreign" ]; then
  echo "the driver core needs foreign symbols:" >&2
  printf '%s\n' "$foreign" >&2
  exit 1
fi
