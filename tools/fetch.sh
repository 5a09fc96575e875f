#!/bin/bash
# Fetches what the tests need where it is missing: Debian packages with
# apt-get, and the pinned parts of e2e/npm into a cache folder. Quiet and
# offline when all of it is there. Run it through make, from the repository.
#
# A compiler that cannot be had ends the script with exit code 1. Parts that
# cannot be had do not, unless TOOLREST_REQUIRE=all: the tests that want them
# are then skipped with a printed reason.
set -euo pipefail
cd "$(dirname "$0")/.."

cache=${TOOLREST_CACHE:-$PWD/.cache}

say() { printf 'fetch: %s\n' "$*" >&2; }

# debian installs packages, as root or with a sudo that asks no question.
debian() {
  local as=()
  if [ "$(id -u)" -ne 0 ]; then
    if ! sudo -n true 2>/dev/null; then
      say "missing; please run: sudo apt-get install $*"
      return 1
    fi
    as=(sudo -n)
  fi
  if ! command -v apt-get >/dev/null; then
    say "missing, and there is no apt-get here; please install what Debian calls: $*"
    return 1
  fi
  say "installing $*"
  local env=(env DEBIAN_FRONTEND=noninteractive)
  "${as[@]}" "${env[@]}" apt-get -qq update >/dev/null &&
    "${as[@]}" "${env[@]}" apt-get -qq install -y --no-install-recommends "$@" >/dev/null
}

compiler() {
  local missing=()
  command -v gcc >/dev/null || missing+=(gcc)
  [ -e /usr/include/stdio.h ] || missing+=(libc6-dev)
  [ "${#missing[@]}" -eq 0 ] || debian "${missing[@]}"
}

# parts installs e2e/npm as its lock file says. A stamp holds the sum of the
# files that decide what is installed, so that a second run does nothing. (Not
# npm ci: it refuses a lock file that lacks an optional package of Windows.)
parts() {
  local want stamp=$cache/npm/.stamp
  want=$(uname -m; sha256sum e2e/npm/package.json e2e/npm/package-lock.json)
  if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$want" ]; then
    return
  fi
  command -v npm >/dev/null || debian npm ca-certificates || return 1
  say "fetching Node, the MCP inspector and json5 into $cache/npm (about 300 MB, once)"
  rm -f "$stamp" &&
    cp e2e/npm/package.json e2e/npm/package-lock.json "$cache/npm/" &&
    npm install --prefix "$cache/npm" --ignore-scripts --no-audit --no-fund --loglevel=error >&2 &&
    printf '%s\n' "$want" >"$stamp"
}

mkdir -p "$cache/npm"
# Two makes in one checkout must not install over each other.
exec 9>"$cache/lock"
flock 9

compiler
if ! parts; then
  say "no Node, MCP inspector and json5: the tests that need them are skipped"
  [ "${TOOLREST_REQUIRE:-}" != all ]
fi
