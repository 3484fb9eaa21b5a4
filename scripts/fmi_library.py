"""Exports examples of a library, simulates the FMUs with FMPy, and compares with the official results and with `kairos run`.

Usage: fmi_library.py MANIFEST LIB REFERENCES [COUNT]   COUNT examples (100), taken evenly from those with references
The manifest is that of conformance.py. Directional derivatives of the FMUs are compared with central differences.
"""

import csv
import json
import os
import random
import subprocess
import sys
import tempfile
import time

KAIROS = os.path.abspath(os.environ.get("KAIROS", "target/release/kairos"))
LIMIT = 90


def shell(command, folder, limit=LIMIT):
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", timeout=limit)
        return done.returncode == 0, (done.stderr or done.stdout).strip()
    except subprocess.TimeoutExpired:
        return False, f"no end in {limit} s"


def simulate(fmu, entry, out):
    """Runs in a process of its own: an importer may hang."""
    import fmpy
    description = fmpy.read_model_description(fmu)
    known = {variable.name for variable in description.modelVariables}
    wanted = [name for name in entry["signals"] if name in known]
    result = fmpy.simulate_fmu(fmu, start_time=entry["start"], stop_time=entry["stop"], output=wanted,
                               output_interval=max(entry["interval"], (entry["stop"] - entry["start"]) / 5000),
                               relative_tolerance=entry["tolerance"], fmi_type="CoSimulation", logger=lambda *said: None)
    with open(out, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(result.dtype.names)
        writer.writerows([[repr(float(x)) for x in row] for row in result])


def derivatives(fmu):
    """The largest difference between directional derivatives and central differences at the start, or nothing."""
    import fmpy
    from fmpy.fmi2 import FMU2Model
    description = fmpy.read_model_description(fmu)
    if description.modelExchange is None or not description.derivatives:
        return None
    folder = fmpy.extract(fmu)
    model = FMU2Model(guid=description.guid, unzipDirectory=folder, instanceName="d",
                      modelIdentifier=description.modelExchange.modelIdentifier)
    from ctypes import c_double
    model.instantiate()
    model.setupExperiment(startTime=0.0)
    model.enterInitializationMode()
    model.exitInitializationMode()
    model.enterContinuousTimeMode()
    count = len(description.derivatives)
    x = (c_double * count)()
    model.getContinuousStates(x, count)
    start, random_ = list(x), random.Random(1)
    slopes = [unknown.variable.valueReference for unknown in description.derivatives]
    states = [unknown.variable.derivative.valueReference for unknown in description.derivatives]

    def at(values):
        given, dx = (c_double * count)(*values), (c_double * count)()
        model.setContinuousStates(given, count)
        model.getDerivatives(dx, count)
        return list(dx)

    worst = 0.0
    for _ in range(3):
        seed = [random_.uniform(-1, 1) * max(abs(value), 1e-3) for value in start]
        at(start)
        exact = model.getDirectionalDerivative(slopes, states, seed)
        # Richardson: differences of two widths, whose errors of third order cancel.
        def central(width):
            plus = at([a + width * s for a, s in zip(start, seed)])
            minus = at([a - width * s for a, s in zip(start, seed)])
            return [(p - m) / (2 * width) for p, m in zip(plus, minus)]
        wide, fine = central(2e-3), central(1e-3)
        differences = [(4 * f - w) / 3 for f, w in zip(fine, wide)]
        base = at(start)
        size = max(max(map(abs, differences)), max(map(abs, base)) * 1e-3, 1e-9)
        worst = max(worst, max(abs(a - b) for a, b in zip(exact, differences)) / size)
    model.terminate()
    model.freeInstance()
    return worst


def judge(entry, lib, references):
    found = {"model": entry["model"]}
    with tempfile.TemporaryDirectory() as folder:
        began = time.monotonic()
        fine, said = shell([KAIROS, "fmu", "export", entry["model"], "--lib", lib, "-o", "m.fmu", "-q"], folder)
        found["seconds"] = time.monotonic() - began
        if not fine:
            return found | {"why": "export: " + said.splitlines()[0] if said else "export"}
        found["size"] = os.path.getsize(os.path.join(folder, "m.fmu"))
        with open(os.path.join(folder, "signals.txt"), "w") as file:
            file.write("\n".join(entry["signals"]) + "\n")
        compare = [KAIROS, "compare", os.path.join(references, entry["csv"]), "r.csv", "--signals", "signals.txt"]
        run = [KAIROS, "run", entry["model"], "--lib", lib, "-q", "-o", "r.csv", "--no-states", "--start", repr(entry["start"]),
               "--stop", repr(entry["stop"]), "--interval", repr(entry["interval"]), "--tolerance", repr(entry["tolerance"])]
        found["run"] = shell(run, folder)[0] and shell(compare, folder)[0]
        me = [sys.executable, os.path.abspath(__file__)]
        fine, said = shell([*me, "--simulate", "m.fmu", json.dumps(entry), "r.csv"], folder)
        agrees, words = shell(compare, folder) if fine else (False, said)
        found["fmu"] = agrees
        if not agrees:
            found["why"] = (words.splitlines() or ["?"])[-1][:150]
        fine, said = shell([*me, "--derivatives", "m.fmu"], folder)
        done = subprocess.run([*me, "--derivatives", "m.fmu"], cwd=folder, capture_output=True, text=True) if fine else None
        words = done.stdout.split() if done else []
        found["slopes"] = float(words[-1]) if words and words[-1] != "None" else None
        if not fine:
            found["slopes_why"] = (said.splitlines() or ["?"])[-1][:150]
    return found


def main():
    if sys.argv[1] == "--simulate":
        return simulate(sys.argv[2], json.loads(sys.argv[3]), sys.argv[4])
    if sys.argv[1] == "--derivatives":
        return print(derivatives(sys.argv[2]))
    manifest, lib, references = sys.argv[1:4]
    count = int(sys.argv[4]) if len(sys.argv) > 4 else 100
    entries = [entry for entry in json.load(open(manifest)) if entry["csv"]]
    entries = entries[:: max(1, len(entries) // count)][:count]
    results = []
    for entry in entries:
        result = judge(entry, lib, references)
        results.append(result)
        told = "agrees" if result.get("fmu") else "DIFFERS" if "run" in result else "FAILS"
        print(f"{told} run:{result.get('run')} {result['model']} {result.get('seconds', 0):.2f} s {result.get('size', 0) / 1e6:.1f} MB "
              f"slopes {result.get('slopes')} {result.get('why', '')} {result.get('slopes_why', '')}", flush=True)
    made = [result for result in results if "size" in result]
    slopes = [result["slopes"] for result in results if result.get("slopes") is not None]
    print(f"{len(results)} examples: {len(made)} exported, {sum(r.get('fmu', False) for r in made)} agree with the references in FMPy, "
          f"{sum(r.get('run', False) for r in made)} with `kairos run`")
    print(f"export: median {sorted(r['seconds'] for r in made)[len(made) // 2]:.2f} s, largest {max(r['seconds'] for r in made):.2f} s; "
          f"largest FMU {max(r['size'] for r in made) / 1e6:.1f} MB")
    print(f"derivatives: {sum(s <= 1e-6 for s in slopes)} of {len(slopes)} within 1e-6 of differences")


main()
