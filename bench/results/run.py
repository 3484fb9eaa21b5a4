#!/usr/bin/env python3
"""Peak memory of runs with ever more rows.

usage: run.py [KAIROS] [--rows 1e6,1e7,1e8]
"""
import argparse, os, pathlib, subprocess, tempfile, time

parser = argparse.ArgumentParser()
parser.add_argument("kairos", nargs="?", default="target/release/kairos")
parser.add_argument("--rows", default="1e6,1e7,1e8")
given = parser.parse_args()
kairos = os.path.abspath(given.kairos)
model = str(pathlib.Path(__file__).with_name("Wave.mo").resolve())

print("rows      format   seconds  peak MB  file MB")
with tempfile.TemporaryDirectory() as folder:
    for rows in (int(float(text)) for text in given.rows.split(",")):
        for kind in ("csv", "mat", "parquet"):
            out = os.path.join(folder, "wave." + kind)
            began = time.monotonic()
            process = subprocess.Popen([kairos, "run", model, "--quiet", "--intervals", str(rows), "--output", out])
            _, status, usage = os.wait4(process.pid, 0)
            wall = time.monotonic() - began
            assert status == 0, "the run failed"
            print(f"{rows:<9.0e} {kind:8} {wall:7.2f} {usage.ru_maxrss / 1024:8.0f} {os.path.getsize(out) / 1e6:8.0f}", flush=True)
            os.remove(out)
