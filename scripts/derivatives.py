"""Compares exact derivatives of library models with extrapolated differences: those of exported FMUs, and `kairos linearize`.

usage: derivatives.py --lib DIR --manifest FILE [--every N] [--most STATES] [NAME ...]      with target/fmpy/bin/python

For every n-th model of the manifest (a list of objects with "model") the FMU is exported and initialised by FMPy, and the
derivative of every state derivative with respect to every state is asked for and computed by central differences with
Richardson's extrapolation. Differences are judged where they tell something: their own error, from two steps, is below 1e-7 of
the column. A model agrees if all entries do within 1e-6 of the largest entry in their row or column.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile

import fmpy
import numpy
from fmpy.fmi2 import FMU2Model

KAIROS = os.environ.get("KAIROS", "target/release/kairos")


def exported(model, lib, folder):
    path = os.path.join(folder, "m.fmu")
    done = subprocess.run([KAIROS, "fmu", "export", model, "--lib", lib, "--fmi", "2", "-o", path, "-q"], capture_output=True,
                          text=True, timeout=120)
    return path if done.returncode == 0 else None


def linear(model, lib, folder):
    path = os.path.join(folder, "l.json")
    done = subprocess.run([KAIROS, "linearize", model, "--lib", lib, "-o", path, "-q"], capture_output=True, text=True, timeout=120)
    return json.load(open(path)) if done.returncode == 0 else None


def differences(fmu, x, nominal, time):
    """The matrix by extrapolated central differences, and an estimate of its error."""
    n = len(x)
    best, error = numpy.zeros((n, n)), numpy.full((n, n), numpy.inf)

    def slope(point):
        fmu.setTime(time)
        fmu.setContinuousStates((fmpy.fmi2.c_double * n)(*point), n)
        out = (fmpy.fmi2.c_double * n)()
        fmu.getDerivatives(out, n)
        return numpy.array(out)

    for j in range(n):
        size = max(abs(x[j]), nominal[j])
        # What terms that cancel leave of round-off is seen where the state moves by next to nothing.
        close = []
        for k in range(1, 7):
            point = x.copy()
            point[j] += k * 1e-12 * size
            close.append(slope(point))
        scatter = numpy.ptp(close, axis=0)
        for exponent in (-3, -4, -5):
            h = size * 10.0 ** exponent

            def column(step):
                up, down = x.copy(), x.copy()
                up[j] += step
                down[j] -= step
                return (slope(up) - slope(down)) / (up[j] - down[j])

            try:
                one, two = column(h), column(h / 2)
            except fmpy.fmi1.FMICallException:
                continue
            extrapolated = (4 * two - one) / 3
            # At a kink there is a derivative on either side, and the middle of both tells nothing.
            side = x.copy()
            side[j] += h
            ahead = (slope(side) - slope(x)) / (side[j] - x[j])
            kink = numpy.abs(ahead - two) > 1e-2 * (numpy.abs(two) + numpy.abs(ahead)) + 1e-12
            noise = (1e-15 * numpy.abs(slope(x)) + scatter) / h
            off = numpy.abs(extrapolated - two) / 10 + noise
            off[kink] = numpy.inf
            better = off < error[:, j]
            best[better, j], error[better, j] = extrapolated[better], off[better]
    slope(x)
    return best, error


def judge(model, args, folder):
    path = exported(model, args.lib, folder)
    if path is None:
        return "not exported"
    description = fmpy.read_model_description(path)
    if description.modelExchange is None:
        return "no model exchange"
    derivatives = [u.variable for u in description.derivatives]
    states = [v.derivative for v in derivatives]
    n = len(states)
    if n == 0 or n > args.most:
        return f"{n} states"
    unzipped = fmpy.extract(path)
    try:
        fmu = FMU2Model(guid=description.guid, unzipDirectory=unzipped, modelIdentifier=description.modelExchange.modelIdentifier,
                        instanceName="i")
        fmu.instantiate(callbacks=None)
        fmu.setupExperiment(startTime=0.0)
        fmu.enterInitializationMode()
        fmu.exitInitializationMode()
        fmu.newDiscreteStates()
        fmu.enterContinuousTimeMode()
        x = numpy.array((fmpy.fmi2.c_double * n)())
        holder = (fmpy.fmi2.c_double * n)()
        fmu.getContinuousStates(holder, n)
        x = numpy.array(holder)
        fmu.getNominalsOfContinuousStates(holder, n)
        found, error = differences(fmu, x, numpy.array(holder), 0.0)
        exact = numpy.zeros((n, n))
        for j, state in enumerate(states):
            exact[:, j] = fmu.getDirectionalDerivative([d.valueReference for d in derivatives], [state.valueReference], [1.0])
        fmu.terminate()
        fmu.freeInstance()
    finally:
        shutil.rmtree(unzipped, ignore_errors=True)
    scale = numpy.maximum(numpy.abs(exact).max(axis=0)[None, :], numpy.abs(exact).max(axis=1)[:, None])
    scale = numpy.maximum(scale, 1e-300)
    told = error <= 1e-7 * scale
    wrong = numpy.abs(exact - found) > 1e-6 * scale
    if (wrong & told).any():
        i, j = map(int, numpy.argwhere(wrong & told)[0])
        return (f"wrong: d({derivatives[i].name})/d({states[j].name}) is {exact[i, j]:.9g}, by differences {found[i, j]:.9g}")
    line = linear(model, args.lib, folder)
    if line is not None:
        place = {s["name"]: k for k, s in enumerate(line["states"])}
        if sorted(place) == sorted(s.name for s in states):
            order = [place[s.name] for s in states]
            a = numpy.array(line["A"])[numpy.ix_(order, order)]
            if (numpy.abs(a - exact) > 1e-6 * scale).any():
                # Where relations stand at their borders at the start, both are right, each on its side.
                return "agrees, linear on another side"
            return f"agrees, linear too, {told.mean():.2f} of {n * n} told"
    return f"agrees, {told.mean():.2f} of {n * n} told"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lib", required=True)
    parser.add_argument("--manifest", required=True)
    parser.add_argument("--every", type=int, default=4)
    parser.add_argument("--most", type=int, default=60)
    parser.add_argument("names", nargs="*")
    args = parser.parse_intermixed_args()
    counts = {}
    for entry in json.load(open(args.manifest))[:: args.every]:
        model = entry["model"]
        if args.names and not any(name in model for name in args.names):
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                verdict = judge(model, args, folder)
            except Exception as error:
                verdict = f"failed: {error}"
        kind = verdict.split(",")[0].split(":")[0]
        kind = ", ".join(verdict.split(", ")[:2]) if verdict.startswith("agrees, linear") else kind
        kind = "no states or many" if kind.endswith("states") else kind
        counts[kind] = counts.get(kind, 0) + 1
        if kind in ("wrong", "failed") or args.names:
            print(f"{model}: {verdict}", flush=True)
    print(counts)
    sys.exit(counts.get("wrong", 0) > 0)


main()
