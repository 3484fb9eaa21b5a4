#!/usr/bin/env bash
# Installs what some tests use beyond the Rust toolchain; a test whose tool is missing says that it was skipped.
set -uo pipefail

have() { command -v "$1" > /dev/null 2>&1; }
as_root() { if [ "$(id -u)" = 0 ]; then "$@"; elif have sudo; then sudo -n "$@"; else return 1; fi; }

if ! have chromium && ! have chromium-browser && ! have google-chrome && have apt-get; then
    as_root apt-get update -qq > /dev/null 2>&1
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium > /dev/null 2>&1
fi
have chromium || have chromium-browser || have google-chrome || echo "tools: no Chromium, the test of the interactive page is skipped"
exit 0
