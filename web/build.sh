#!/bin/sh
# Builds the page into the assets of the studio's crate: packages, types, bundle, unit tests.
set -eu
cd "$(dirname "$0")"
npm ci --no-audit --no-fund
npx tsc --noEmit -p .
node bundle.mjs "$@"
node tests/unit.mjs
