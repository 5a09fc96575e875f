#!/bin/bash
# Runs each fuzz target of the repository for a while, one after the other.
#
#   tools/fuzz.sh 30s [REGEXP]
#
# A target that finds something stops the script; the input that did it is
# then below testdata/fuzz of its package.
set -euo pipefail
cd "$(dirname "$0")/.."

fuzztime=${1:?usage: tools/fuzz.sh FUZZTIME [REGEXP]}
pattern=${2:-.}

folders=$(find . -name '*_test.go' -not -path './.*/*' -exec grep -lE '^func Fuzz[A-Z]' {} + |
  sed 's|/[^/]*$||' | sort -u)
for dir in $folders; do
  targets=$(sed -nE 's/^func (Fuzz[A-Za-z0-9_]*)\(.*/\1/p' "$dir"/*_test.go | grep -E "$pattern" || true)
  for target in $targets; do
    printf '%s %s\n' "$dir" "$target"
    go test -run '^$' -fuzz "^$target\$" -fuzztime "$fuzztime" "$dir"
  done
done
