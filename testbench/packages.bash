# Sourced by testbench/ncqlab and testbench/check: the Debian packages that each needs, and how to get them.
# shellcheck shell=bash

# What building the ncqlab command takes on a bare Debian 12.
export COMMAND_PACKAGES="g++ cmake ninja-build pkg-config libsystemc-dev libspdlog-dev libcli11-dev nlohmann-json3-dev
  libvalijson-dev"
# What the tests take beyond that; the second list only widens what is checked.
export TEST_PACKAGES="libgtest-dev libgmock-dev libbenchmark-dev binutils"
export MORE_TEST_PACKAGES="ccache clang libclang-rt-14-dev python3 shellcheck valgrind"

say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }

# missing_packages NAME...: prints those that are not installed. Prints nothing where there is no dpkg: whoever has no
# Debian installs what is needed by other means, and CMake names what it does not find.
missing_packages() {
  command -v dpkg-query >/dev/null || return 0
  local name
  declare -A installed=()
  while read -r name status; do
    [[ $status == "install ok installed" ]] && installed[${name%%:*}]=1
  done < <(dpkg-query --show --showformat='${Package} ${Status}\n' "$@" 2>/dev/null)
  for name in "$@"; do
    [[ -n ${installed[$name]:-} ]] || printf '%s\n' "$name"
  done
}

# install_packages NAME...: installs those that are missing, as root or through sudo. All output goes to standard error.
# Returns 1, having said what to run, when it can't.
install_packages() {
  local missing as_root=()
  mapfile -t missing < <(missing_packages "$@")
  ((${#missing[@]})) || return 0
  say "installing with apt: ${missing[*]}"
  if ((EUID != 0)); then
    # Without a terminal sudo has nobody to ask.
    if ! command -v sudo >/dev/null || { ! sudo -n true 2>/dev/null && [[ ! -t 0 ]]; }; then
      say "this needs root; run this first: apt-get install --no-install-recommends ${missing[*]}"
      return 1
    fi
    say "sudo may ask for your password"
    as_root=(sudo)
  fi
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q)
  if ! { "${apt[@]}" update && "${apt[@]}" install -y --no-install-recommends "${missing[@]}"; } </dev/null >&2; then
    say "apt-get failed to install: ${missing[*]}"
    return 1
  fi
}

# configured ROOT BUILD: whether BUILD is a finished configuration of this very tree (a copied tree brings one of another).
configured() {
  [[ -f $2/build.ninja ]] && grep -qsxF "CMAKE_HOME_DIRECTORY:INTERNAL=$1" "$2/CMakeCache.txt"
}

# configure ROOT PRESET: once; CMake's own words are shown only when it fails.
configure() {
  local root=$1 build=$1/build/$2
  configured "$root" "$build" && return 0
  rm -rf "$build"
  mkdir -p "$build" || return 1
  if ! (cd "$root" && cmake --preset "$2") >"$build/configure.log" 2>&1; then
    cat "$build/configure.log" >&2
    return 1
  fi
}
