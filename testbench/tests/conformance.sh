#!/bin/bash
# conformance.sh PAGE PROGRAM...: whether docs/AHCI-CONFORMANCE.md keeps its word. Every section of the specification
# has a row; each row has four cells, a text that was read or is recalled with two witnesses, and tests, each of them in
# one of the GoogleTest programs, or the reason why there is none.
set -euo pipefail
export LC_ALL=C

page=$1
shift
(($#)) || { echo "conformance: no test programs" >&2; exit 2; }

# Sections of AHCI 1.3.1 that say something of their own.
sections="1.1 1.2 1.3 1.4 1.5 1.6 1.7 1.8 1.9
  2.1.1 2.1.2 2.1.3 2.1.4 2.1.5 2.1.6 2.1.7 2.1.8 2.1.9 2.1.10 2.1.11 2.1.12 2.1.13 2.1.14 2.1.15 2.1.16 2.1.17
  2.2.1 2.2.2 2.2.3 2.3.1 2.3.2 2.3.3 2.3.4 2.3.5 2.4.1 2.4.2 2.4.3 2.5
  3.1.1 3.1.2 3.1.3 3.1.4 3.1.5 3.1.6 3.1.7 3.1.8 3.1.9 3.1.10 3.1.11 3.2
  3.3.1 3.3.2 3.3.3 3.3.4 3.3.5 3.3.6 3.3.7 3.3.8 3.3.9 3.3.10 3.3.11 3.3.12 3.3.13 3.3.14 3.3.15 3.3.16 3.3.17 3.3.18
  4.1 4.2.1 4.2.2 4.2.3 4.2.3.1 4.2.3.2 4.2.3.3
  5.1 5.2.1 5.2.2 5.3.1 5.3.2 5.3.3 5.3.4 5.3.5 5.3.6 5.3.7 5.3.8 5.3.9 5.3.10 5.3.11 5.3.12 5.3.13 5.3.14 5.3.15 5.3.16
  5.4.1 5.4.2 5.5.1 5.5.2 5.5.3 5.6.1 5.6.2 5.6.3 5.6.4
  6.1.1 6.1.2 6.1.3 6.1.4 6.1.5 6.1.6 6.1.7 6.1.8 6.2.1 6.2.2.1 6.2.2.2 6.2.2.3
  7.1.1 7.1.2 7.2 7.3 7.3.1 7.4 8.1 8.2 8.3.1.1 8.3.1.2 8.3.1.3 8.3.1.4 8.3.2 8.3.3 8.4 8.5 9.1.1 9.1.2 9.2 9.3
  10.1.1 10.1.2 10.2 10.3.1 10.3.2 10.4.1 10.4.2 10.4.3 10.5 10.6.1 10.6.2 10.6.3 10.7.1.1 10.7.1.2 10.7.2.1 10.7.2.2
  10.7.3 10.8 10.9 10.10 10.11 10.12 10.13 10.14
  11.1 11.2 11.3 11.4 11.5 11.6 12.1 12.2 12.2.1 12.2.2 12.3 12.4"

# A parameterised test stands in the page without its instance and its parameter.
tests() {
  local program
  for program in "$@"; do
    "$program" --gtest_list_tests | awk '
      { sub(/ *#.*/, "") }
      /^[^ ]/ { suite = $1; sub(/^[^\/]*\//, "", suite); next }
      /^  / { name = $1; sub(/\/.*/, "", name); print suite name }'
  done | grep -v DISABLED_ | sort -u
}

awk -v sections="$sections" '
  function wrong(what) { printf "%s:%d: %s\n", FILENAME, FNR, what; failed = 1 }
  FILENAME != page { exists[$1] = 1; next }
  /^\| [0-9]/ {
    cells = split($0, cell, / *\| */)
    if (cells != 6) { wrong("a row has four cells: section, requirement, text, test"); next }
    rows[cell[2]]++
    if (cell[3] == "") wrong("no requirement")
    if (cell[5] != "informative" && cell[4] != "read" && cell[4] !~ /^recalled: [A-Za-z]+, [A-Za-z]+$/)
      wrong("the text is \"read\", or \"recalled: \" and two witnesses, not: " cell[4])
    count = split(cell[5], name, "`")
    for (i = 2; i <= count; i += 2) {
      named++
      if (!(name[i] in exists)) wrong("no test program has " name[i])
    }
    if (count < 3 && cell[5] != "informative" && cell[5] !~ /^not modelled: ./) wrong("neither a test nor a reason")
  }
  END {
    wanted = split(sections, section, /[ \n]+/)
    for (i = 1; i <= wanted; i++) if (!(section[i] in rows)) {
      printf "%s: section %s is missing\n", page, section[i]
      failed = 1
    }
    printf "%d sections, %d tests named\n", wanted, named
    exit failed
  }' page="$page" <(tests "$@") page="$page" "$page"
