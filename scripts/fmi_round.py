"""Exports the cases of tests/suite/hybrid and the models of examples/, runs the FMUs with `kairos run`, and compares with the models.

Usage: fmi_round.py [NAME...]   only models whose names contain one of these
"""

import csv
import glob
import json
import os
import subprocess
import sys
import tempfile

KAIROS = os.path.abspath(os.environ.get("KAIROS", "target/release/kairos"))
# Where the end of both runs may differ, relative to the largest value of a variable.
AGREE = 1e-3


def models():
    for path in sorted(glob.glob("tests/suite/hybrid/*.json")):
        text = json.load(open(path))
        for case in text if isinstance(text, list) else [text]:
            if os.path.exists(path[:-5] + ".mo"):
                yield os.path.abspath(path[:-5] + ".mo"), case["model"], case["stop"], bool(case.get("requires"))
    for file in sorted(glob.glob("examples/*.mo")):
        yield os.path.abspath(file), None, None, False


def run(folder, *words):
    try:
        done = subprocess.run([KAIROS, *words], cwd=folder, capture_output=True, text=True, timeout=60)
    except subprocess.TimeoutExpired:
        return False, "no end in 60 s"
    return done.returncode == 0, (done.stderr or done.stdout).strip()


def columns(path):
    names, *rows = list(csv.reader(open(path)))
    found = {}
    for k, name in enumerate(names):
        try:
            found[name] = [{"true": 1.0, "false": 0.0}[r[k]] if r[k] in ("true", "false") else float(r[k]) for r in rows]
        except ValueError:
            pass
    return found


def judge(folder, file, model, stop, counts):
    named = ["--model", model] if model else []
    usual = ["-q", "--tolerance", "1e-8", "--intervals", "100", *(["--stop", str(stop)] if stop else [])]
    if not run(folder, "run", file, *named, *usual, "-o", "a.csv")[0]:
        return []
    expected, found = columns(os.path.join(folder, "a.csv")), []
    for version in "23":
        fine, said = run(folder, "fmu", "export", file, *named, "--fmi", version, "-o", "m.fmu", "-q")
        if not fine:
            found.append(f"FMI {version}: export: {said}")
            continue
        for kind in ("me", "cs"):
            fine, said = run(folder, "run", "m.fmu", "--kind", kind, *usual, "-o", "b.csv")
            if not fine:
                if "fmu-kind-missing" not in said:
                    found.append(f"FMI {version} {kind}: {said.splitlines()[0][:160]}")
                continue
            other = columns(os.path.join(folder, "b.csv"))
            wrong = [name for name, values in expected.items() if name in other
                     and abs(other[name][-1] - values[-1]) > AGREE * max(max(map(abs, values)), 1e-3)]
            counts[kind] += not wrong
            if wrong:
                name = wrong[0]
                found.append(f"FMI {version} {kind}: {len(wrong)} differ: {name} {other[name][-1]:.6g} not {expected[name][-1]:.6g}")
    return found


def main():
    counts, failures = {"me": 0, "cs": 0}, 0
    for file, model, stop, _ in models():
        name = model or file
        if len(sys.argv) > 1 and not any(word in name for word in sys.argv[1:]):
            continue
        with tempfile.TemporaryDirectory() as folder:
            for text in judge(folder, file, model, stop, counts):
                failures += 1
                print(f"{name}: {text}", flush=True)
    print(counts, failures, "failures")


main()
