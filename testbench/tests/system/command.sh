#!/bin/bash
# command.sh NCQLAB: exit statuses and messages of the command, as a user meets them. Errors go to standard error, one
# line each, and leave no file behind.
set -uo pipefail
ncqlab=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failures=0

complain() {
  echo "FAILED: $1" >&2
  failures=$((failures + 1))
}

# expect STATUS TEXT ARGUMENT...: that exit status, with TEXT in standard error and nothing on standard output.
expect() {
  local wanted=$1 text=$2
  shift 2
  "$ncqlab" "$@" >"$folder/out" 2>"$folder/err"
  local status=$?
  [[ $status == "$wanted" ]] || complain "ncqlab $*: exit status $status, expected $wanted"
  grep -qF -- "$text" "$folder/err" || complain "ncqlab $*: no '$text' in: $(cat "$folder/err")"
  [[ ! -s $folder/out ]] || complain "ncqlab $*: standard output is not empty"
}

# shows TEXT ARGUMENT...: exit status 0 and TEXT on standard output.
shows() {
  local text=$1
  shift
  "$ncqlab" "$@" >"$folder/out" 2>"$folder/err" || complain "ncqlab $*: exit status $?, $(cat "$folder/err")"
  grep -qF -- "$text" "$folder/out" || complain "ncqlab $*: no '$text' in its output"
}

shows "ncqlab 0." --version
for command in "" demo run profile "profile list" "profile show" "profile check" bug "bug names" "bug list" "bug check"; do
  # shellcheck disable=SC2086  # a subcommand may be two words
  shows "Usage:" $command --help
done
shows "st31000340as" profile list
shows '"capacity_sectors": 1953525168' profile show st31000340as
shows "valid drive profile" profile check st31000340as
shows "valid controller profile" profile check ich8

shows "cmd.opcode" bug names
shows "ignores-flush" bug list
shows "a valid fault program, 1 rule" bug check ignores-fua
shows "ignores-fua, fua: fired 50 times of 50" run --single --requests 50 --rw randwrite --fua --bug ignores-fua
shows "ignores-flush, flush: fired 0 times of 0" run --single --requests 50 --bug ignores-fua --bug ignores-flush
shows '"model": "HGST HUH728080ALE604"' profile from-hdparm testbench/tests/command/data/hdparm_8tb.txt
expect 2 "cannot be read" profile from-hdparm "$folder/none"
expect 2 "cannot be read" profile from-diskinfo "$folder/none"

expect 2 "subcommand is required"
expect 2 "nearest known name: run" rn
expect 2 "nearest known name: --iodepth" run --iodept 3
expect 2 "1 to 32" run --iodepth 0
expect 2 "1 to 32" run --iodepth 33
expect 2 "multiple of the sector's 512 bytes" run --bs 1000
expect 2 "expected BYTES such as 4k" run --bs 4q
expect 2 "beyond the disk" run --size 2t
expect 2 'nearest known name: "st31000340as"' run --drive st3100340as
expect 2 "no such controller profile" run --controller nothing
expect 2 "expected read, write, randread" run --rw ranread
expect 2 "excludes" run --requests 1 --time 1s
expect 2 'nearest known name: "ignores-flush"' run --bug ignores-flsh
expect 2 "cannot write" run --requests 1 --single --json "$folder/missing/x.json"
expect 2 "nearest known name: --seed" demo --sed 3

expect 2 "subcommand is required" serve
expect 2 "no such drive profile" serve qtest --drive nothing
expect 2 "RAM is 1 MiB to 1 TiB" serve qtest --ram 4k
expect 2 "more devices than" serve qtest --controller qemu-ich9 --drive image --drive image --drive image --drive image --drive image --drive image --drive image
expect 2 "cannot be opened" serve qtest --image "$folder/missing.img"
expect 2 "is no socket" serve qtest --socket "$0"
answers=$(printf 'outl 0xcf8 0x8000fa00\ninl 0xcfc' | "$ncqlab" serve qtest --fingerprint 2>"$folder/fingerprint")
[[ $answers == $'OK\nOK 0x29228086' ]] || complain "serve qtest answered '$answers'"
grep -q '^fingerprint [0-9a-f]\{16\} after 0.000200 s$' "$folder/fingerprint" || complain "serve qtest printed no fingerprint"

cat >"$folder/bad.json" <<'JSON'
{"title": "bad", "capacity_sectors": "many", "mechanics": {"rmp": 7200}}
JSON
expect 2 "bad.json: /capacity_sectors" run --drive "$folder/bad.json"
expect 2 "/mechanics/rmp" profile check "$folder/bad.json"
cat >"$folder/bug.json" <<'JSON'
{"title": "bad", "source": "none", "evidence": "made up", "rules": [{"on": "cmd.exec", "if": "cmd.opcod == 1", "do": [{"fail": {}}]}]}
JSON
expect 2 'column 1: found unknown name' bug check "$folder/bug.json"
printf '{"title": ' >"$folder/truncated.json"
expect 2 "truncated.json:1:" profile check "$folder/truncated.json"

"$ncqlab" run --requests 20 --single --json "$folder/result.json" >/dev/null || complain "run --json FILE failed"
grep -q '"fingerprint"' "$folder/result.json" || complain "no fingerprint in the JSON"
[[ -z $(find "$folder" -name '*.partial') ]] || complain "a partial file was left behind"

[[ $failures == 0 ]] || exit 1
echo "all messages and statuses as expected"
