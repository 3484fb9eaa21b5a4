#!/usr/bin/env python3
"""Compares states and systems of equations with those in the translation logs beside reference results.

usage: statistics.py --ref DIR --lib DIR [--kairos CMD] [--filter REGEX] [--jobs 2] [--timeout 60] [--all]

Below --ref every model has a folder with a log that says "Continuous time states: 5 scalars" and "Sizes after
manipulation of the linear systems: {3}". `kairos explain --format json` says the same of our translation. A model
agrees when it has as many states and when its systems after tearing, the nonlinear ones and all of them, are at most
1.5 times as large as the reference's: the largest one, and all together. A system of the reference of size 0 was
solved by formula; it counts as one unknown. Prints a table of the models that do not agree (--all: of all models)
and the counts; ends with status 1 if a model does not agree.
"""
import argparse, json, pathlib, re, shlex, subprocess, sys
from concurrent.futures import ThreadPoolExecutor

MODELS = (r"Loops\.EngineV6$|FullRobot$|FourBitBinaryAdder$|^Modelica\.Thermal\.|Mechanics\.Rotational\."
          r"|Electrical\.Analog\.")
FACTOR = 1.5


def reference(log):
    """States, linear and nonlinear sizes after tearing of the system that is simulated."""
    text = log.read_text(encoding="utf-8-sig", errors="replace").split("Initialization problem")[0]
    states = re.search(r"Continuous time states: (\d+) scalars", text)

    def sizes(kind):
        found = re.search(rf"Sizes after manipulation of the {kind} systems: \{{([^}}]*)\}}", text)
        return [int(n) for n in found.group(1).split(",") if n.strip()] if found else []
    return int(states.group(1)) if states else 0, sizes("linear"), sizes("nonlinear")


def loops(blocks):
    for block in blocks:
        if "loop" in block:
            yield block["loop"]
        if "mixed" in block:
            yield from loops(block["mixed"]["continuous"])


def ours(model, given):
    command = [*shlex.split(given.kairos), "-q", "explain", model, "--lib", str(given.lib), "--format", "json"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=given.timeout)
    except subprocess.TimeoutExpired:
        return f"stopped after {given.timeout:g} s"
    if done.returncode != 0:
        return next((line for line in done.stderr.splitlines() if line.startswith("error")), "no message")
    told = json.loads(done.stdout)
    found = list(loops(told["blocks"]))
    return (len(told["states"]), [loop["torn"] for loop in found if loop["linear"]],
            [loop["torn"] for loop in found if not loop["linear"]])


def within(mine, theirs):
    theirs = [max(n, 1) for n in theirs]
    largest = max(mine, default=0) <= FACTOR * max(theirs, default=1)
    return largest and sum(mine) <= FACTOR * max(sum(theirs), 1)


def brief(sizes):
    """`3 2 2 2` as `3, 2 (3 times)`."""
    counts = sorted(((n, sizes.count(n)) for n in set(sizes)), reverse=True)
    return ", ".join(str(n) if k == 1 else f"{n} ({k} times)" for n, k in counts) or "-"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ref", type=pathlib.Path, required=True)
    parser.add_argument("--lib", type=pathlib.Path, required=True)
    parser.add_argument("--kairos", default="kairos")
    parser.add_argument("--filter", default=MODELS)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=float, default=60)
    parser.add_argument("--all", action="store_true")
    given = parser.parse_args()
    logs = {".".join(log.parent.relative_to(given.ref).parts): log for log in given.ref.rglob("translate*.log")}
    models = sorted(model for model in logs if re.search(given.filter, model))
    with ThreadPoolExecutor(given.jobs) as pool:
        results = list(pool.map(lambda model: ours(model, given), models))
    print("| model | states (reference) | linear (reference) | nonlinear (reference) |\n|---|---|---|---|")
    agree = same_states = 0
    for model, mine in zip(models, results):
        theirs = reference(logs[model])
        if isinstance(mine, str):
            print(f"| `{model}` | {mine} | | |")
            continue
        same_states += mine[0] == theirs[0]
        sizes = within(mine[2], theirs[2]) and within(mine[1] + mine[2], theirs[1] + theirs[2])
        good = mine[0] == theirs[0] and sizes
        agree += good
        if given.all or not good:
            cells = [f"{mine[0]} ({theirs[0]})", *(f"{brief(a)} ({brief(b)})" for a, b in zip(mine[1:], theirs[1:]))]
            print(f"| `{model}` | {' | '.join(cells)} |")
    print(f"\n{len(models)} models: {same_states} with as many states, {agree} that agree in all.")
    sys.exit(0 if agree == len(models) else 1)


if __name__ == "__main__":
    main()
