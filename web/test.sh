#!/bin/sh
# Tests the page in a real browser, with the local server and without a server: Chromium is installed if it is missing, the program is built if it is not there.
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
# The compiler for browsers is built if the page is to be tested without a server and it is not there.
transports="${TRANSPORT:-server browser}"
case "$transports" in
  *browser*) [ -f "$(dirname "$KAIROS")/kairos-web.wasm.gz" ] || ./compiler.sh ;;
esac
# One browser at a time.
for transport in $transports; do
  for file in ${*:-tests/*.browser.mjs}; do
    echo "$file, $transport"
    TRANSPORT="$transport" node --test --test-reporter=spec "$file"
  done
done
