#!/bin/bash
# QEMU's own qtest program for AHCI, tests/qtest/ahci-test, against ncqlab-system-x86_64.
#
#   qemu_ahci_test.sh BINARY            builds ahci-test where that has not been done, and runs every case
#   qemu_ahci_test.sh BINARY PREFIX     the cases whose name begins with PREFIX, such as io/ncq
#
# ahci-test comes from Debian 12's qemu source package (7.2). It is built once into a folder of the user's cache, and
# again by whoever removes that folder. One line a case; the last line counts.
#
# Exit status: 0 all passed, 1 not all, 77 skipped: no Debian 12, no network, or packages that can't be installed. With
# CI=true what would be skipped fails.
set -euo pipefail
export LC_ALL=C DEBIAN_FRONTEND=noninteractive

binary=$(realpath -- "$1")
prefix=${2:-}
cache=${NCQLAB_TOOLS_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/ncqlab-tools}/qemu-ahci-test
limit_s=20      # of a case; most take a tenth of a second
case_root=/x86_64/ahci/
codename=bookworm
oldest_patch=7  # 7.2.7 last changed the program
log=$cache/build.log
program=$cache/ahci-test

root=$(cd "$(dirname -- "${BASH_SOURCE[0]}")/../../.." && pwd)
# shellcheck source=testbench/packages.bash
source "$root/testbench/packages.bash"

skip() {
  say "skipped: $*"
  [[ ${CI:-} == true ]] && exit 1
  exit 77
}

# What needs the network or another system's packages: when it fails the test is skipped.
attempt() {
  "${@:2}" >>"$log" 2>&1 || skip "$1 failed; $log tells more"
}

# One deb-src line for each of Debian 12's own archives that this machine's apt knows.
source_lines() {
  # shellcheck disable=SC2016  # apt expands these
  apt-get indextargets --format '$(ORIGIN) $(CODENAME) $(COMPONENT) $(REPO_URI) $(RELEASE)' 'Created-By: Packages' |
    awk -v name="$codename" '$1 == "Debian" && index($2, name) == 1 && $3 == "main" {
      print "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]", $4, $5, $3 }' | sort -u
}

# Unpacks the package's source as $1/source. apt works on lists of its own: the machine's configuration stays as it is.
fetch() {
  local lists=$1/apt
  mkdir -p "$lists/lists/partial" "$lists/cache/archives/partial" "$1/unpack"
  source_lines >"$lists/sources.list"
  [[ -s $lists/sources.list ]] || skip "apt knows no archive of Debian 12 ($codename)"
  local own=(apt-get -o Dir::Etc::SourceList="$lists/sources.list" -o Dir::Etc::SourceParts=/dev/null
    -o Dir::State::Lists="$lists/lists" -o Dir::Cache="$lists/cache" -o APT::Sandbox::User=root)
  attempt "updating the lists of sources" "${own[@]}" update
  attempt "fetching qemu's source" env -C "$1/unpack" "${own[@]}" source --only-source qemu
  mv "$1"/unpack/qemu-*/ "$1/source"
  local version
  version=$(<"$1/source/VERSION")
  [[ $version == 7.2.* && ${version##*.} -ge $oldest_patch ]] || skip "qemu's source is $version, not 7.2.$oldest_patch or later"
}

build_program() {
  mkdir -p "$cache"
  exec 9>"$cache/lock"
  flock 9
  [[ ! -x $program ]] || return 0
  : >"$log"
  say "building QEMU's ahci-test in $cache (once; a few minutes)"
  install_packages gcc libc6-dev dpkg-dev pkg-config python3 meson ninja-build libglib2.0-dev libpixman-1-dev libfdt-dev \
    >>"$log" 2>&1 || skip "packages that QEMU's build needs can't be installed"
  local work=$cache/work
  rm -rf "$work"
  mkdir -p "$work/build"
  fetch "$work"
  # The program is only declared for a system target with the tools; nothing else of QEMU is built.
  attempt "configuring qemu" env -C "$work/build" ../source/configure --target-list=x86_64-softmmu \
    --without-default-features --enable-tools --enable-fdt=system --disable-docs --disable-install-blobs \
    --with-git-submodules=ignore --meson=/usr/bin/meson --ninja=/usr/bin/ninja
  if ! nice ninja -C "$work/build" -j "$(nproc)" tests/qtest/ahci-test </dev/null >>"$log" 2>&1; then
    tail -n 25 "$log" >&2
    say "ahci-test can't be built"
    exit 1
  fi
  mv "$work/build/tests/qtest/ahci-test" "$program"
  rm -rf "$work"
}

# ahci-test has its images made by qemu-img; plain sparse files will do, whatever format is asked for.
make_image_maker() {
  # shellcheck disable=SC2016  # for the script that is written
  printf '#!/bin/sh\n# create -f FORMAT FILE SIZE\nexec truncate -s "$5" "$4"\n' >"$1"
  chmod +x "$1"
}

# run_case NAME: prints its line; false unless it passed.
run_case() {
  local name=$1 status=0 began=$EPOCHREALTIME result=ok why=
  rm -rf "$scratch/tmp"
  mkdir "$scratch/tmp"
  TMPDIR=$scratch/tmp QTEST_QEMU_BINARY=$binary QTEST_QEMU_IMG=$scratch/image-maker \
    timeout -k 5 "$limit_s" "$program" --tap -p "$case_root$name" </dev/null >"$scratch/output" 2>&1 || status=$?
  if ((status != 0)) || ! grep -q '^ok 1 ' "$scratch/output" || grep -q '^ok 1 .*# SKIP' "$scratch/output"; then
    result=FAILED
    why=$(grep -a -m1 -E 'ERROR:|Bail out!|ncqlab-system' "$scratch/output" || echo "status $status")
  fi
  printf '%-6s %4d ms  %s%s\n' "$result" $(((${EPOCHREALTIME/./} - ${began/./}) / 1000)) "$name" "${why:+: $why}"
  [[ $result == ok ]]
}

build_program
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
make_image_maker "$scratch/image-maker"
ulimit -c 0

mapfile -t cases < <(QTEST_QEMU_BINARY=any-system-x86_64 QTEST_QEMU_IMG=$scratch/image-maker TMPDIR=$scratch \
  "$program" -l | sed -n "s|^$case_root||p" | grep "^$prefix")
passed=0
for name in "${cases[@]}"; do
  if run_case "$name"; then passed=$((passed + 1)); fi
done
printf '%d of %d passed\n' "$passed" "${#cases[@]}"
((passed == ${#cases[@]} && passed > 0))
