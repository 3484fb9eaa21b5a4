#!/usr/bin/env python3
"""Measures a sweep of the tutorial's circuit: one core, two cores, and as many processes of `kairos run`."""

import argparse
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--kairos", default="target/release/kairos")
parser.add_argument("--runs", type=int, default=1000)
parser.add_argument("--repeat", type=int, default=21, help="times each sweep is measured, in turn; medians count")
options = parser.parse_args()
kairos = str(pathlib.Path(options.kairos).resolve())
model = str(pathlib.Path(__file__).resolve().parents[2] / "examples" / "Circuit.mo")


def seconds(*arguments, folder):
    begun = time.perf_counter()
    subprocess.run([kairos, *arguments], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begun


def sweep(jobs, output):
    vary = f"R=lin(1,30,{options.runs})"
    return ["sweep", model, "--vary", vary, "--outcome", "max(v),max(i)", "--jobs", str(jobs), "--fresh",
            "--output", output]


def both(folder):
    """Two sweeps of one core each, at once: what the machine itself gives."""
    begun = time.perf_counter()
    running = [subprocess.Popen([kairos, *sweep(1, f"both-{k}.parquet")], cwd=folder, stdout=subprocess.DEVNULL)
               for k in range(2)]
    assert not any(process.wait() for process in running)
    return time.perf_counter() - begun


with tempfile.TemporaryDirectory() as folder:

    start = statistics.median(seconds("--version", folder=folder) for _ in range(20))
    single = statistics.median(
        seconds("run", model, "--output", "r.csv", folder=folder) for _ in range(20))
    rounds = [(seconds(*sweep(1, "1.parquet"), folder=folder), seconds(*sweep(2, "2.parquet"), folder=folder),
               both(folder)) for _ in range(options.repeat)]
    one, two, twice = (statistics.median(times[k] for times in rounds) for k in range(3))
    least = min(times[0] for times in rounds) / min(times[1] for times in rounds)
    begun = time.perf_counter()
    for k in range(options.runs):
        value = 1 + 29 * k / max(options.runs - 1, 1)
        seconds("run", model, "--set", f"R={value}", "--vars", "v,i", "--output", "r.csv", "--quiet", folder=folder)
    processes = time.perf_counter() - begun
    same = pathlib.Path(folder, "1.parquet").read_bytes() == pathlib.Path(folder, "2.parquet").read_bytes()

print(f"load of the machine     {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
print(f"start-up                {1e3 * start:.1f} ms (kairos --version)")
print(f"one run                 {1e3 * single:.1f} ms (kairos run, with its result)")
print(f"{options.runs} runs, one core    {one:.3f} s")
print(f"{options.runs} runs, two cores   {two:.3f} s, {one / two:.2f} times faster ({least:.2f} by the least times of each)")
print(f"                        {2 * one / twice:.2f} times is what two sweeps at once get of this machine")
print(f"{options.runs} processes         {processes:.3f} s, {processes / one:.1f} times slower than one core")
print(f"                        {processes / two:.1f} times slower than two cores")
print(f"datasets are {'equal' if same else 'DIFFERENT'}")
print(f"size of the program     {os.path.getsize(kairos) / 1e6:.1f} MB")
