#!/usr/bin/env bash
# Format, lints and all tests; ends with the totals.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/tools.sh
cargo fmt --all --check
cargo clippy --workspace --all-targets --quiet -- -D warnings
# Without native code and Parquet the library is for browsers, too.
if rustup target list --installed 2>/dev/null | grep -qx wasm32-unknown-unknown; then
  cargo build -p kairos --no-default-features --target wasm32-unknown-unknown --quiet
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
status=0
cargo test --workspace --no-fail-fast -- --show-output 2>&1 | tee "$log" || status=$?

awk '/^test result:/ { passed += $4; failed += $6; ignored += $8 }
     END { printf "total: %d passed, %d failed, %d ignored\n", passed, failed, ignored }' "$log"
grep -hE "^docs: " "$log" || true
exit "$status"
