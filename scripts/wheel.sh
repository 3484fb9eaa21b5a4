#!/usr/bin/env bash
# Builds the Python wheel into target/wheels, and with `--test` runs its tests in a clean environment.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD

tools=$root/target/wheel-tools
[ -x "$tools/bin/maturin" ] || { python3 -m venv "$tools" && "$tools/bin/pip" install --quiet 'maturin>=1.7,<2'; }
export CARGO_TARGET_DIR=$root/target/python
rm -f target/wheels/*.whl
(cd crates/kairos-python && "$tools/bin/maturin" build --release --quiet --out "$root/target/wheels")
wheel=$(ls target/wheels/*.whl)
echo "$wheel: $(du -k "$wheel" | cut -f1) kB"

[ "${1:-}" = --test ] || exit 0
clean=$(mktemp -d)
trap 'rm -rf "$clean"' EXIT
python3 -m venv "$clean/env"
"$clean/env/bin/pip" install --quiet "$wheel" pytest pandas polars xarray pyarrow scipy
cp -r crates/kairos-python/tests "$clean/tests"
# With the program at hand models from FMUs are tested, too.
program=$root/target/release/kairos
if [ -x "$program" ]; then
  sed -n '/^```modelica file=Tank.mo/,/^```$/{/^```/d;p}' docs/fmi.md > "$clean/Tank.mo"
  (cd "$clean" && "$program" fmu export Tank.mo --quiet)
  export KAIROS_FMU=$clean/Tank.fmu
fi
(cd "$clean" && KAIROS_PAGE=$root/docs/python.md "$clean/env/bin/python" -m pytest -q tests)
