"""Runs FMUs with `kairos run` and compares: co-simulation with published results, model exchange with FMPy.

Usage: fmi_import.py RESULTS FMU...   RESULTS has X_out.csv, and perhaps X_in.csv, in a folder X for the FMU X.fmu
Published results of co-simulation are those of the FMUs' own fixed steps, and are met exactly. Model exchange is left to
CVode by FMPy, and to our solvers, both with a tolerance of 1e-8.
"""

import csv
import os
import subprocess
import sys
import tempfile

import fmpy

KAIROS = os.environ.get("KAIROS", "target/release/kairos")
AGREE = {"me": 1e-4, "cs": 1e-9}


def number(text):
    return {"true": 1.0, "false": 0.0}[text] if text in ("true", "false") else float(text)


def table(path):
    """Columns by name; those that are no numbers are left out."""
    with open(path) as file:
        names, *rows = list(csv.reader(file))
    columns = {}
    for k, name in enumerate(names):
        try:
            columns[name] = [number(row[k]) for row in rows]
        except ValueError:
            pass
    return columns


def expected(results, fmu, kind):
    name = os.path.basename(fmu)[:-4]
    out, given = (os.path.join(results, name, f"{name}_{end}.csv") for end in ("out", "in"))
    given = given if os.path.exists(given) else None
    description = fmpy.read_model_description(fmu)
    if kind == "cs" and os.path.exists(out) and given is None:
        return table(out), None
    if getattr(description, {"me": "modelExchange", "cs": "coSimulation"}[kind]) is None:
        return None, None
    signals = fmpy.util.read_csv(given) if given else None
    if signals is not None:
        known = {variable.name for variable in description.modelVariables}
        signals = signals[[name for name in signals.dtype.names if name == "time" or name in known]]
    result = fmpy.simulate_fmu(fmu, fmi_type={"me": "ModelExchange", "cs": "CoSimulation"}[kind], input=signals,
                               relative_tolerance=1e-8, record_events=False, logger=lambda *said: None)
    return {name: [float(x) for x in result[name]] for name in result.dtype.names
            if result[name].ndim == 1 and result[name].dtype.kind in "fiub"}, given


def judge(results, fmu, kind):
    try:
        theirs, given = expected(results, fmu, kind)
    except Exception as error:
        return f"FMPy fails: {str(error)[:80]}"
    if theirs is None:
        return "is not offered"
    times = theirs.pop("time")
    with tempfile.TemporaryDirectory() as folder:
        mine = os.path.join(folder, "r.csv")
        command = [KAIROS, "run", fmu, "--kind", kind, "-q", "-o", mine, "--stop", repr(times[-1])]
        command += ["--at", ",".join(map(repr, sorted(set(times)))), "--intervals", "0", "--allow", "input-not-given"]
        command += ["--tolerance", "1e-8"] if kind == "me" else []
        command += ["--input", given] if given else []
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            return "FAILS: " + done.stderr.strip().splitlines()[0]
        ours = table(mine)
    # Both sides of events count as met where one of ours is.
    rows = {}
    for k, time in enumerate(ours["time"]):
        rows.setdefault(round(time, 9), []).append(k)
    worst, compared = (0.0, ""), 0
    for name, values in theirs.items():
        if name not in ours:
            continue
        size = max(max(map(abs, values)), 1e-9)
        for time, value in zip(times, values):
            compared += 1
            close = [ours[name][k] for k in rows.get(round(time, 9), [])]
            gap = min((abs(x - value) for x in close), default=float("inf")) / size
            worst = max(worst, (gap, f"{name} at {time}"))
    word = "agrees" if worst[0] <= AGREE[kind] and compared else "DIFFERS"
    return f"{word}: {compared} values, at most {worst[0]:.1e} of the largest ({worst[1]})"


def main():
    results, fmus = sys.argv[1], sys.argv[2:]
    for fmu in fmus:
        for kind in ("me", "cs"):
            print(f"{os.path.basename(fmu)} {kind}: {judge(results, fmu, kind)}", flush=True)


main()
