#!/bin/bash
# check_install.sh SOURCE BUILD TRANSCRIPT: installs BUILD below a folder of its own, builds the example platform against
# nothing but that, once with CMake's package and once with pkg-config, runs both, and compares what they print with
# TRANSCRIPT's output. Then it runs the installed commands where the source tree cannot help them.
set -euo pipefail

source=$1
build=$2
transcript=$3
folder=$build/install-test
prefix=$folder/usr
example=$source/testbench/examples/tlm_platform

fail() {
  printf 'check_install.sh: %s\n' "$1" >&2
  exit 1
}

rm -rf "$folder"
mkdir -p "$folder"
cmake --install "$build" --prefix "$prefix" >"$folder/install.log"
grep -rIl --include='*.cmake' --include='*.pc' "$build" "$prefix" && fail "the installed packages name the build folder"

cp -r "$example" "$folder/example"
cmake -G Ninja -S "$folder/example" -B "$folder/cmake" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_BUILD_TYPE=Release \
  >"$folder/configure.log"
cmake --build "$folder/cmake" >"$folder/build.log" || { cat "$folder/build.log" >&2; fail "the example does not build"; }

export PKG_CONFIG_PATH
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name ncqlab-model.pc)")
read -ra flags < <(pkg-config --define-variable=prefix="$prefix" --cflags --libs ncqlab-model)
c++ -std=c++17 -O1 "$folder"/example/*.cpp "${flags[@]}" -o "$folder/by_pkg_config"

export NCQLAB_DATA=$prefix/share/ncqlab
"$transcript" >"$folder/lab.txt"
for program in "$folder/cmake/tlm_platform" "$folder/by_pkg_config"; do
  "$program" >"$folder/example.txt" || { cat "$folder/example.txt" >&2; fail "$program failed"; }
  diff -u "$folder/lab.txt" "$folder/example.txt" || fail "$program prints something else than the lab"
done
unset NCQLAB_DATA

if [[ -x $prefix/bin/ncqlab ]]; then
  cd /
  "$prefix/bin/ncqlab" profile show generic >/dev/null || fail "the installed command does not find its data"
  printf 'outl 0xcf8 0x8000fa00\ninl 0xcfc\n' | "$prefix/bin/ncqlab-system-x86_64" -machine q35 -qtest stdio \
    >"$folder/qtest.txt" || fail "the installed ncqlab-system-x86_64 does not run"
  grep -qx 'OK 0x29228086' "$folder/qtest.txt" || fail "the installed ncqlab-system-x86_64 does not find its data"
fi
echo "installed tree, package, pkg-config, example and command are right"
