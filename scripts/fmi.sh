#!/bin/sh
# Validates and simulates exported FMUs with FMPy: all cases of tests/suite/hybrid and all models of examples/, both
# versions and both kinds, compared with `kairos run`. Takes some minutes; FMPy is installed into target/fmpy.
set -e
cd "$(dirname "$0")/.."
cargo build --release -p kairos-cli
if [ ! -x target/fmpy/bin/python ]; then
  python3 -m venv target/fmpy
  target/fmpy/bin/pip install --quiet fmpy
fi
exec target/fmpy/bin/python scripts/fmi.py "$@"
