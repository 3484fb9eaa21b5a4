#!/bin/sh
# Reads results of Kairos with the programs of others: MAT with DyMat, sdf and buildingspy, Parquet with pyarrow.
#
#     scripts/readers.sh KAIROS [FOLDER FOR THE VIRTUAL ENVIRONMENT]
#
# Without Python or a network the test is skipped, with a message.
set -eu
cd "$(dirname "$0")/.."
kairos=$1
venv=${2:-target/readers}
if [ ! -x "$venv/bin/python" ] || ! "$venv/bin/python" -c 'import DyMat, sdf, buildingspy, pyarrow' 2>/dev/null; then
    if ! { python3 -m venv "$venv" && "$venv/bin/pip" install --quiet --timeout 20 --retries 1 DyMat sdf buildingspy pyarrow; } >/dev/null 2>&1; then
        echo "skipped: the readers cannot be installed here"
        exit 0
    fi
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$kairos" run examples/BouncingBall.mo --quiet --output "$work/ball.mat"
"$kairos" run examples/BouncingBall.mo --quiet --output "$work/ball.csv"
"$kairos" run examples/BouncingBall.mo --quiet --output "$work/ball.parquet"
"$venv/bin/python" - "$work" <<'PYTHON'
import csv, pathlib, sys

folder = pathlib.Path(sys.argv[1])
rows = list(csv.DictReader(open(folder / "ball.csv")))
expected = {name: [float(row[name]) for row in rows] for name in ("time", "h", "v")}
failures = []


def check(tool, name, values):
    values = [float(value) for value in values]
    same = len(values) == len(rows) and all(abs(a - b) <= 1e-12 * max(1, abs(b)) for a, b in zip(values, expected[name]))
    print(f"{tool}: {name} {'agrees' if same else 'differs'} in {len(values)} rows")
    if not same:
        failures.append((tool, name))


import DyMat

result = DyMat.DyMatFile(str(folder / "ball.mat"))
for name in ("h", "v"):
    check("DyMat", name, result.data(name))
    check("DyMat", "time", result.abscissa(name, valuesOnly=True))

import sdf

group = sdf.load(str(folder / "ball.mat"))
for name in ("h", "v"):
    check("sdf", name, group[name].data)

from buildingspy.io.outputfile import Reader

reader = Reader(str(folder / "ball.mat"), "dymola")
for name in ("h", "v"):
    time, values = reader.values(name)
    check("buildingspy", name, values)
    check("buildingspy", "time", time)

import pyarrow.parquet

table = pyarrow.parquet.read_table(folder / "ball.parquet")
for name in ("time", "h", "v"):
    check("pyarrow", name, table[name].to_pylist())
sys.exit(bool(failures))
PYTHON
