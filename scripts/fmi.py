"""Exports models, validates the FMUs with FMPy, simulates them and compares with `kairos run`; one line for each failure.

Usage: fmi.py [NAME...]   only models whose names contain one of these
"""

import csv
import glob
import itertools
import json
import os
import signal
import subprocess
import sys
import tempfile

import fmpy
import numpy
from fmpy.validation import validate_fmu

KAIROS = os.environ.get("KAIROS", "target/release/kairos")
# Where two runs of the same model may differ, relative to the largest value of a variable.
AGREE = {"CoSimulation": 2e-3, "ModelExchange": 2e-2}


def models():
    """Files and names of models, with the time at which their runs end."""
    for path in sorted(glob.glob("tests/suite/hybrid/*.json")):
        text = json.load(open(path))
        for case in text if isinstance(text, list) else [text]:
            file = path[:-5] + ".mo"
            if os.path.exists(file):
                yield file, case["model"], case["stop"], case
    for file in sorted(glob.glob("examples/*.mo")):
        yield file, None, None, {}


class TooLong(Exception):
    """An importer that goes from event to event without coming forward."""


def ring(*_):
    raise TooLong("no end in 30 s")


signal.signal(signal.SIGALRM, ring)


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    return done.returncode == 0, done.stderr.strip()


def reference(file, model, stop, folder):
    """The result of `kairos run`: times, and the columns by name."""
    out = os.path.join(folder, "r.csv")
    command = [KAIROS, "run", file, "-o", out, "-q", "--intervals", "100", "--tolerance", "1e-8"]
    command += ["--model", model] if model else []
    command += ["--stop", str(stop)] if stop else []
    fine, said = run(command)
    if not fine:
        return None
    rows = list(csv.reader(open(out)))
    return rows[0], [[float(x) if x not in ("true", "false") else float(x == "true") for x in row] for row in rows[1:]
                     if all(numeric(x) for x in row)]


def numeric(x):
    try:
        float(x)
        return True
    except ValueError:
        return x in ("true", "false")


def elements(variable):
    """The names of the scalars of a variable, which may be an array."""
    if not variable.dimensions:
        return [variable.name]
    stem, end = (variable.name[:-1], ")") if variable.name.startswith("der(") else (variable.name, "")
    places = itertools.product(*(range(1, int(d.start) + 1) for d in variable.dimensions))
    return [f"{stem}[{','.join(map(str, place))}]{end}" for place in places]


def judge(file, model, stop, case, folder, counts):
    found = []
    expected = reference(file, model, stop, folder)
    for version in ("2", "3"):
        fmu = os.path.join(folder, f"m{version}.fmu")
        command = [KAIROS, "fmu", "export", file, "--fmi", version, "-o", fmu, "-q"]
        command += ["--model", model] if model else []
        fine, said = run(command)
        if not fine:
            if expected is None:
                return found
            found.append(f"FMI {version}: export: {said}")
            continue
        problems = validate_fmu(fmu)
        counts["validated"] += not problems
        if problems:
            found.append(f"FMI {version}: validation: {problems[0]}")
            continue
        description = fmpy.read_model_description(fmu)
        if expected is None:
            continue
        names, rows = expected
        wanted = [v for v in description.modelVariables if v.type in ("Real", "Float64") and v.variability == "continuous"
                  and all(name in names for name in elements(v))]
        columns = [v.name for v in wanted]
        stop_time = rows[-1][0]
        for kind in ("CoSimulation", "ModelExchange"):
            if getattr(description, kind[0].lower() + kind[1:]) is None:
                continue
            said = []
            try:
                signal.alarm(30)
                result = fmpy.simulate_fmu(fmu, stop_time=stop_time, output_interval=stop_time / 100, output=columns,
                                           fmi_type=kind, relative_tolerance=1e-8,
                                           logger=lambda *words: said.append(str(words[-1])))
            except Exception as error:
                # Sliding and accumulating events are beyond what importers do with event indicators.
                if kind == "ModelExchange" and any("needs-co-simulation" in text for text in said):
                    counts["refused"] += 1
                    if os.environ.get("VERBOSE"):
                        print(f"{model or file}: FMI {version} {kind}: refused")
                else:
                    found.append(f"FMI {version} {kind}: {error}")
                continue
            finally:
                signal.alarm(0)
            wrong = []
            for variable in wanted:
                for name, got in zip(elements(variable), numpy.ravel(result[-1][variable.name])):
                    k = names.index(name)
                    size = max(max(abs(row[k]) for row in rows), 1e-3)
                    if not abs(got - rows[-1][k]) <= AGREE[kind] * size:
                        wrong.append(f"{name} {got:.6g} not {rows[-1][k]:.6g}")
            counts[kind] += not wrong
            if wrong:
                found.append(f"FMI {version} {kind}: {len(wrong)} of {len(columns)} differ: {wrong[0]}")
    return found


def main():
    counts = {"models": 0, "validated": 0, "CoSimulation": 0, "ModelExchange": 0, "refused": 0}
    failures = 0
    for file, model, stop, case in models():
        name = model or file
        if len(sys.argv) > 1 and not any(word in name for word in sys.argv[1:]):
            continue
        counts["models"] += 1
        with tempfile.TemporaryDirectory() as folder:
            for text in judge(file, model, stop, case, folder, counts):
                failures += 1
                print(f"{name}: {text}", flush=True)
    print(counts, failures, "failures")
    sys.exit(failures > 0)


main()
