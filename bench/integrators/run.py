#!/usr/bin/env python3
"""Kairos beside SUNDIALS: CPU time at equal achieved accuracy.

Each problem is solved at several tolerances by both; the time at the stated error is interpolated. The reference is
SUNDIALS at 1e-13 (1e-10 for the large problem), and Kairos at its tightest tolerance must agree with it.

    bench/integrators/run.py [--kairos target/release/kairos] [--sundials PREFIX]
"""

import argparse
import csv
import json
import math
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
# Problem, names of the states in the order of the C program, relative error at which times are compared, bar.
PROBLEMS = [
    ("VanDerPol", ["x", "y"], 1e-5, 0.5),
    ("Robertson", ["a", "b", "c"], 1e-5, 0.5),
    ("Hires", [f"y[{k}]" for k in range(1, 9)], 1e-5, 0.5),
    ("Pleiades", [f"{n}[{k}]" for n in "xyuv" for k in range(1, 8)], 1e-5, None),
    ("Brusselator", [f"{n}[{i},{j}]" for n in "uv" for i in range(1, 33) for j in range(1, 33)], 1e-5, 1.0),
]
TOLERANCES = [10.0**-k for k in range(3, 12)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kairos", default=os.path.join(HERE, "../../target/release/kairos"))
    parser.add_argument("--sundials", default="/usr", help="where include/ and lib/ of SUNDIALS are")
    parser.add_argument("--machine", default=None)
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("problems", nargs="*")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        peer = build(options.sundials, folder)
        print(f"{'problem':12} {'error':>8} {'SUNDIALS':>10} {'Kairos':>10} {'ratio':>7} {'bar':>5}   RHS calls")
        for name, states, target, bar in PROBLEMS:
            if options.problems and name not in options.problems:
                continue
            compare(name, states, target, bar, peer, options, folder)


def build(prefix, folder):
    libraries = os.path.join(prefix, "lib/x86_64-linux-gnu")
    libraries = libraries if os.path.isdir(libraries) else os.path.join(prefix, "lib")
    program = os.path.join(folder, "sundials")
    parts = ["cvode", "ida", "nvecserial", "sunmatrixdense", "sunmatrixsparse", "sunlinsoldense", "sunlinsolklu",
             "sunnonlinsolfixedpoint"]
    subprocess.run(
        ["cc", "-O2", f"-I{prefix}/include", f"-I{prefix}/include/suitesparse", "-o", program,
         os.path.join(HERE, "sundials.c"), f"-L{libraries}", f"-Wl,-rpath,{libraries}", "-Wl,--disable-new-dtags"]
        + [f"-lsundials_{part}" for part in parts]
        + ["-lklu", "-lamd", "-lcolamd", "-lbtf", "-lsuitesparseconfig", "-lm"],
        check=True,
    )
    return program


def compare(name, states, target, bar, peer, options, folder):
    large = len(states) > 100
    reference = sundials(peer, name, 1e-10 if large else 1e-13, 1)[2]
    repeats = 2 if large else options.repeats
    curves = {"SUNDIALS": [], "Kairos": []}
    for tolerance in TOLERANCES:
        seconds, calls, values = sundials(peer, name, tolerance, repeats)
        curves["SUNDIALS"].append((distance(values, reference), seconds, calls))
        if min(error for error, _, _ in curves["SUNDIALS"]) < target / 3:
            break
    for tolerance in TOLERANCES:
        seconds, calls, values = kairos(options, name, states, tolerance, repeats, folder)
        curves["Kairos"].append((distance(values, reference), seconds, calls))
        if min(error for error, _, _ in curves["Kairos"]) < target / 3:
            break
    (a, calls_a), (b, calls_b) = (at_error(curves[who], target) for who in ("SUNDIALS", "Kairos"))
    shown = "" if bar is None else f"{bar:5.1f}"
    print(f"{name:12} {target:8.0e} {a*1e3:8.3f}ms {b*1e3:8.3f}ms {b/a:7.2f} {shown:>5}   {calls_b/calls_a:.2f}")
    sys.stdout.flush()


def sundials(peer, name, tolerance, repeats):
    out = subprocess.run([peer, name, repr(tolerance), str(repeats)], capture_output=True, text=True, check=True).stdout
    seconds, _, calls, *values = out.split()
    return float(seconds), int(calls), [float(v) for v in values]


def kairos(options, name, states, tolerance, repeats, folder):
    result, stats = os.path.join(folder, "r.csv"), os.path.join(folder, "s.json")
    best = math.inf
    for _ in range(repeats):
        command = [options.kairos, "run", os.path.join(HERE, "models", name + ".mo"), "--intervals", "1",
                   "--tolerance", repr(tolerance), "--output", result, "--stats", stats, "--quiet"]
        command += ["--machine", options.machine] if options.machine else []
        subprocess.run(command, check=True)
        with open(stats) as file:
            summary = json.load(file)
        best = min(best, summary["seconds"]["simulate"])
    with open(result) as file:
        *_, last = csv.DictReader(file)
    return best, summary["evaluations"], [float(last[name]) for name in states]


def distance(values, reference):
    """The largest error, relative to the value."""
    return max(abs(v - r) / (abs(r) + 1e-12) for v, r in zip(values, reference))


def at_error(curve, target):
    """Time and calls at an error, between the neighbouring tolerances on a logarithmic scale."""
    curve = [(max(e, 1e-16), t, c) for e, t, c in curve]
    for (e0, t0, c0), (e1, t1, c1) in zip(curve, curve[1:]):
        if e1 <= target < e0:
            part = math.log(e0 / target) / math.log(e0 / e1)
            return t0 * (t1 / t0) ** part, c0 * (c1 / c0) ** part
    good = [point for point in curve if point[0] <= target]
    if not good:
        raise SystemExit(f"the error {target} was not reached: {curve}")
    return good[0][1], good[0][2]


main()
