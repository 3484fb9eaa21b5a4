#!/usr/bin/env python3
"""Runs the examples of a Modelica library and prints the scoreboard for docs/conformance.md, or writes it to a file.

usage: conformance.py --manifest M.json --lib DIR --ref DIR [--kairos CMD] [--jobs 2] [--timeout 60] [--memory 4]
                      [--filter REGEX] [--out FILE.md]

The manifest is a list of objects with model, start, stop, interval, tolerance, signals and csv (the reference file
below --ref, or null). A model is verified when `kairos compare` accepts every signal.
"""
import argparse, collections, json, pathlib, re, shlex, statistics, subprocess, sys, tempfile, time
from concurrent.futures import ThreadPoolExecutor


def limited(argv, folder, timeout, memory):
    shell = ["sh", "-c", 'ulimit -v "$0" && exec "$@"', str(int(memory * 2**20)), *argv]
    began = time.monotonic()
    try:
        done = subprocess.run(shell, cwd=folder, capture_output=True, text=True, errors="replace", timeout=timeout)
        return done.returncode, done.stderr + done.stdout, time.monotonic() - began
    except subprocess.TimeoutExpired:
        return None, f"stopped after {timeout:g} s", time.monotonic() - began


def reason(said):
    found = re.search(r"^error\[[^\n]*", said, re.M)
    return (found.group(0) if found else said.strip().splitlines()[-1] if said.strip() else "no message")[:160]


def run(entry, given):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        kairos = shlex.split(given.kairos)
        base = [*kairos, "run", entry["model"], "--lib", str(given.lib)]
        base += ["--start", repr(entry["start"]), "--stop", repr(entry["stop"]), "--interval", repr(entry["interval"])]
        base += ["--tolerance", repr(entry["tolerance"]), "--output", "result.mat", "--stats", "stats.json"]
        # Some examples have thousands of variables at hundreds of thousands of instants: what nobody compares is not written.
        # Some references are parameters, which a table by time has no place for.
        base += ["--no-states", *(word for signal in entry["signals"] for word in ("--vars", signal))]
        code, said, wall = limited(base, folder, given.timeout, given.memory)
        record = {"model": entry["model"], "wall": wall, "why": ""}
        try:
            record["stats"] = json.loads((folder / "stats.json").read_text())
        except (OSError, ValueError):
            record["stats"] = None
        if code != 0:
            return record | {"status": stage(record, entry, folder, given), "why": reason(said)}
        if not entry["csv"]:
            return record | {"status": "simulated"}
        (folder / "signals.txt").write_text("\n".join(entry["signals"]) + "\n")
        compare = [*kairos, "compare", str(given.ref / entry["csv"]), "result.mat", "--signals", "signals.txt"]
        code, said, _ = limited(compare, folder, given.timeout, given.memory)
        return record | {"status": "verified" if code == 0 else "simulated", "why": "" if code == 0 else differs(said)}


def stage(record, entry, folder, given):
    """How far a failed run came: the result file is opened when the model has been compiled."""
    if record["stats"] or (folder / "result.mat").exists():
        return "compiled"
    checked = limited([*shlex.split(given.kairos), "check", entry["model"], "--lib", str(given.lib)], folder, given.timeout, given.memory)
    return "flattened" if checked[0] == 0 else "failed"


def differs(said):
    """The signal that is worst off, and how many signals agree."""
    lines = [" ".join(line.split()) for line in said.splitlines() if line.strip()]
    outside = [line for line in lines if "outside from" in line]
    heights = lambda line: float(re.search(r"worst (\S+) heights", line).group(1))
    worst = max(outside, key=heights, default="")
    return f"differs from the reference: {worst.replace(' outside', ': outside', 1)}; {lines[-1] if lines else 'no comparison'}"


def reference_seconds(entry, ref):
    """The CPU time of the tool that made the reference, from its log beside the reference."""
    try:
        log = (ref / entry["csv"]).parent.joinpath("simulate_passed.log").read_text(errors="replace")
    except OSError:
        return None
    found = re.search(r"CPU-time for integration\s*:\s*([0-9.eE+-]+)", log)
    return float(found.group(1)) if found else None


def main():
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--kairos", default="target/release/kairos")
    ask.add_argument("--manifest", type=pathlib.Path, required=True)
    ask.add_argument("--lib", type=pathlib.Path, required=True)
    ask.add_argument("--ref", type=pathlib.Path, required=True)
    ask.add_argument("--jobs", type=int, default=2)
    ask.add_argument("--timeout", type=float, default=60)
    ask.add_argument("--memory", type=float, default=4)
    ask.add_argument("--filter", default="")
    ask.add_argument("--out", type=pathlib.Path)
    given = ask.parse_args()
    given.kairos = str(pathlib.Path(given.kairos).resolve())
    given.lib, given.ref = given.lib.resolve(), given.ref.resolve()
    entries = [e for e in json.loads(given.manifest.read_text()) if re.search(given.filter, e["model"])]
    began = time.monotonic()
    with ThreadPoolExecutor(given.jobs) as pool:
        records = list(pool.map(lambda e: run(e, given), entries))
    text = report(entries, records, time.monotonic() - began, given)
    if given.out:
        given.out.write_text(text)
        text = text.split("\n## What falls short")[0]
    print(text)
    return 0


def group_of(model):
    parts = model.split(".")
    deep = parts[1] in ("Electrical", "Mechanics", "Magnetic", "Thermal") and len(parts) > 3
    return ".".join(parts[1:3]) if deep and parts[1] != "Thermal" else parts[1]


CORE = {"Electrical.Analog", "Electrical.Spice3", "Electrical.PowerConverters", "Electrical.Machines",
        "Electrical.Polyphase", "Electrical.Batteries", "Electrical.Digital", "Blocks", "Mechanics.Rotational",
        "Mechanics.Translational", "Thermal", "Magnetic.FluxTubes", "StateGraph", "Clocked"}
STAGES = ["failed", "flattened", "compiled", "simulated", "verified"]


def times(records):
    """Compile and run times of what was compiled and of what ran to its end."""
    phases = [(r["status"], r["stats"]["seconds"]) for r in records if r["stats"]]
    compiled = [sum(t for phase, t in s.items() if phase != "simulate") for _, s in phases]
    ran = [s["simulate"] for status, s in phases if status in ("simulated", "verified")]
    show = lambda list: f"{statistics.median(list):.2f}" if list else "–"
    return show(compiled), show(ran)


def table(entries, records):
    groups = collections.defaultdict(list)
    for entry, record in zip(entries, records):
        groups[group_of(record["model"])].append((entry, record))

    def row(name, pairs):
        reached = lambda stage: sum(STAGES.index(r["status"]) >= STAGES.index(stage) for _, r in pairs)
        refs = sum(bool(e["csv"]) for e, _ in pairs)
        counts = " | ".join(str(reached(stage)) for stage in STAGES[1:])
        return f"| {name} | {len(pairs)} | {refs} | {counts} | " + " | ".join(times([r for _, r in pairs])) + " |"

    yield "| group | models | with reference | flattened | compiled | simulated | verified | compile s | run s |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for name, pairs in sorted(groups.items()):
        yield row(name, pairs)
    core = [pair for name, pairs in groups.items() if name in CORE for pair in pairs]
    if core:
        yield row("**fourteen core groups**", core)
    yield row("**all**", list(zip(entries, records)))


def report(entries, records, wall, given):
    ours = theirs = 0.0
    for entry, record in zip(entries, records):
        cpu = record["status"] == "verified" and reference_seconds(entry, given.ref)
        if cpu:
            ours, theirs = ours + record["stats"]["seconds"]["simulate"], theirs + cpu
    lines = ["# Conformance", "", "Examples of the Modelica Standard Library 4.1.0 against the official reference results.", "",
             "    scripts/conformance.py --manifest MANIFEST.json --lib MSL --ref REFERENCES", "",
             f"Limits: {given.timeout:g} s and {given.memory:g} GB a model, {given.jobs} at a time; all together {wall:.0f} s. "
             "Times are medians; compiling is everything from reading the text to the machine.", ""]
    lines += table(entries, records)
    if theirs > 0:
        lines += ["", f"Simulation of the verified models takes {ours:.1f} s, their reference logs (of 2020) say {theirs:.1f} s: "
                  f"{ours / theirs:.2f} times."]
    lines += ["", "The core groups are Electrical.{Analog, Spice3, PowerConverters, Machines, Polyphase, Batteries, Digital}, Blocks,",
              "Mechanics.{Rotational, Translational}, Thermal, Magnetic.FluxTubes, StateGraph and Clocked.",
              "", "## What falls short", ""]
    short = [r for r in records if r["why"]]
    lines += [f"- `{r['model']}` ({r['status']}): {r['why']}" for r in sorted(short, key=lambda r: r["model"])]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
