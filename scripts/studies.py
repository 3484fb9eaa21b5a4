"""Tries sensitivities and steady states on models of a library, with the wheel of `scripts/wheel.sh` installed.

usage: studies.py sensitivity|cost|steady --lib DIR --manifest FILE [--every N] [--first K] [--count N] [NAME ...]

For every n-th model of the manifest (a list of objects with "model", "stop"), until `count` have been judged:

sensitivity  derivatives of states by parameters, at ten times, against runs with other parameters: central differences of three widths,
             extrapolated twice. The scale is the greatest derivative, and at least a thousandth of the variable's size by the parameter's.
             Differences are judged where they tell something: their own error, from the last two levels, is below 1e-7 of the scale.
             A model agrees if all such values do within 1e-6 of it.
cost         the time of a run with sensitivities by one, three and ten parameters over the time of a plain run of the same model.
steady       a steady state is looked for and judged by a run that begins in it: no state may move by more than 1e-6 of its size before the
             first planned event, such as a step of a source. Models that a source moves from the start, or that nothing holds, have none.
"""

import argparse
import json
import random
import signal
import sys
import time

import numpy

import kairos

OPTIONS = {"machine": None}


class Late(Exception):
    """A model takes too long."""


def parameters(model, count, chance):
    """Names of Real parameters that can be set and are not zero, in random order."""
    names = [
        name
        for name, var in model.parameters.items()
        if var.type == "Real" and var.settable and isinstance(var.value, float) and abs(var.value) > 1e-12 and abs(var.value) < 1e12
    ]
    chance.shuffle(names)
    return names[:count]


def moving(model, found, names, by):
    """The parameters by which something changes."""
    return [p for p in by if any(numpy.abs(found[name, p]).max() > 0 for name in names)]


def states(model):
    return [name for name in model.states][:8]


def by_differences(model, names, p, times):
    """Derivatives by extrapolated differences of runs, and an estimate of their error."""
    value = model.parameters[p].value
    options = {"stop": times[-1], "tolerance": 1e-11, "at": times, "keep": names, "events": False}

    def course(moved):
        result = model.with_params({p: moved}).simulate(**options)
        rows = numpy.searchsorted(result.time, numpy.array(times) * (1 + 1e-13), side="right") - 1
        return numpy.stack([result[name][rows] for name in names])

    def level(h):
        return (course(value + h) - course(value - h)) / (2 * h)

    h = 2e-3 * abs(value)
    rows = [level(h), level(h / 2), level(h / 4)]
    first = [(4 * rows[1] - rows[0]) / 3, (4 * rows[2] - rows[1]) / 3]
    best = (16 * first[1] - first[0]) / 15
    return best, numpy.abs(best - first[1])


def sensitivity(model, entry, chance):
    names = states(model)
    if not names:
        return "no states"
    stop = entry["stop"]
    # Not at round instants, where sources switch.
    times = [stop * (k + 0.37) / 10.37 for k in range(10)] + [stop]
    by = parameters(model, 12, chance)
    if not by:
        return "no parameters"
    found = model.sensitivities(names, by, at=times, tolerance=1e-9)
    by = moving(model, found, names, by)[:3]
    if not by:
        return "nothing moves"
    rows = numpy.searchsorted(found.time, numpy.array(times) * (1 + 1e-13), side="right") - 1
    judged, worst, where = 0, 0.0, ""
    for p in by:
        wanted, error = by_differences(model, names, p, times)
        for i, name in enumerate(names):
            here = found[name, p][rows]
            natural = 1e-3 * numpy.abs(found.values[name]).max() / abs(model.parameters[p].value)
            scale = max(numpy.abs(found[name, p]).max(), numpy.abs(wanted[i]).max(), natural)
            if scale == 0 or not numpy.isfinite(scale):
                continue
            sure = error[i] <= 1e-7 * scale
            judged += int(sure.sum())
            off = numpy.where(sure, numpy.abs(here - wanted[i]) / scale, 0)
            if off.max() > worst:
                worst, where = off.max(), f"d({name})/d({p}) at {times[int(off.argmax())]:.6g}: {here[int(off.argmax())]:.9g}, by runs {wanted[i][int(off.argmax())]:.9g}"
    how = "by runs" if found.differences else "exact"
    if judged == 0:
        return f"differences tell nothing, {how}"
    verdict = "agrees" if worst <= 1e-6 else "differs"
    return f"{verdict}, {how}, {judged} values of {', '.join(by)}, worst {worst:.1e} {where if worst > 1e-6 else ''} {found.differences or ''}"


def least(work, times=3):
    best = float("inf")
    for _ in range(times):
        begun = time.process_time()
        work()
        best = min(best, time.process_time() - begun)
    return best


def cost(model, entry, chance):
    names = states(model)
    by = parameters(model, 60, chance)
    if not names or len(by) < 10:
        return "too small"
    options = {"stop": entry["stop"], "tolerance": 1e-6}
    found = model.sensitivities(names, by, intervals=100, **options)
    if found.differences:
        return f"by runs: {found.differences}"
    by = moving(model, found, names, by)[:10]
    if len(by) < 10:
        return "too small"
    run = least(lambda: model.simulate(intervals=100, keep=names, **options), 5)
    ratios = [least(lambda: model.sensitivities(names, by[:p], intervals=100, **options)) / run for p in (1, 3, 10)]
    shown = "  ".join(f"{p}: {ratio:.2f}" for p, ratio in zip((1, 3, 10), ratios))
    kind = "within" if ratios[0] <= 2 and ratios[1] <= 4 and ratios[2] <= 5.5 else "above"
    return f"{kind}, run {1e3 * run:.2f} ms, {len(model.states)} states, times of runs {shown}"


def steady(model, entry, chance):
    names = [name for name in model.states if name in model.variables]
    if not names:
        return "no states"
    try:
        rest = model.steady_state()
    except kairos.Error as error:
        return f"none: {error.code}"
    held = model.with_params({f"{name}.start": rest[name] for name in names})
    try:
        result = held.simulate(stop=entry["stop"], tolerance=1e-9, intervals=5000, keep=names)
    except kairos.Error as error:
        return f"not begun there: {error.message}"
    # What sources do later is no fault of the rest.
    begin = result.time[0]
    acts = [event["time"] for event in result.events if event["kind"] == "time" and event["time"] > begin]
    until = min(acts, default=result.time[-1])
    rows = int((result.time < until).sum()) if acts else len(result.time)
    if rows < 10:
        return "a source acts at once"
    for name in names:
        size = max(abs(rest[name]), 1.0)
        course = result[name][:rows]
        if abs(course[0] - rest[name]) > 1e-6 * size:
            return "not begun there: the start is determined otherwise"
        off = numpy.abs(course - rest[name])
        if off.max() > 1e-6 * size:
            k = int(numpy.argmax(off > 1e-6 * size))
            return f"moves: {name} by {off.max() / size:.1e}, first at {result.time[k]:.6g}"
    return f"rests, {len(names)} states, until {until:.6g}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["sensitivity", "cost", "steady"])
    parser.add_argument("--lib", required=True)
    parser.add_argument("--manifest", required=True)
    parser.add_argument("--every", type=int, default=4)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--limit", type=int, default=40, help="seconds for a model")
    parser.add_argument("names", nargs="*")
    args = parser.parse_intermixed_args()
    work = {"sensitivity": sensitivity, "cost": cost, "steady": steady}[args.what]
    counts = {}

    def late(*_):
        raise Late

    signal.signal(signal.SIGALRM, late)
    for entry in json.load(open(args.manifest))[args.first :: args.every]:
        if args.names and not any(name in entry["model"] for name in args.names):
            continue
        signal.alarm(args.limit)
        try:
            model = kairos.Model.from_library(entry["model"], lib=[args.lib])
            verdict = work(model, entry, random.Random(entry["model"]))
        except Late:
            verdict = "late"
        except KeyboardInterrupt:
            verdict = "late"
        except kairos.Error as error:
            verdict = f"failed: {error.code} {error.message}"
        signal.alarm(0)
        kind = verdict.split(",")[0].split(":")[0]
        counts[kind] = counts.get(kind, 0) + 1
        print(f"{entry['model']}: {verdict}", flush=True)
        if sum(counts.get(k, 0) for k in ("agrees", "differs", "within", "above", "rests", "moves")) >= args.count:
            break
    print(counts)
    sys.exit(counts.get("differs", 0) > 0)


main()
