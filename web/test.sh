#!/bin/sh
# Tests the page in a real browser: Chromium is installed if it is missing, the program is built if it is not there.
set -eu
cd "$(dirname "$0")"
if [ -z "${CHROMIUM:-}" ]; then
  CHROMIUM="$(command -v chromium || true)"
  if [ -z "$CHROMIUM" ]; then
    apt-get update && apt-get install -y --no-install-recommends chromium
    CHROMIUM="$(command -v chromium)"
  fi
fi
if [ -z "${KAIROS:-}" ]; then
  (cd .. && cargo build --release -p kairos-cli)
  KAIROS="$(cd .. && pwd)/target/release/kairos"
fi
export CHROMIUM KAIROS
[ -d node_modules ] || npm ci --no-audit --no-fund
# One browser at a time.
for file in ${*:-tests/*.browser.mjs}; do
  node --test --test-reporter=spec "$file"
done
