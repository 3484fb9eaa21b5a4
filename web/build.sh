#!/bin/sh
# Builds the page into the assets of the studio's crate (packages, types, bundle, unit tests), and the compiler for browsers beside the program.
#
#     web/build.sh          all of it
#     web/build.sh page     the page only
set -eu
cd "$(dirname "$0")"
npm ci --no-audit --no-fund
npx tsc --noEmit -p .
node bundle.mjs
node tests/unit.mjs
[ "${1:-}" = page ] || ./compiler.sh
