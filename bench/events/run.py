#!/usr/bin/env python3
"""Time events in a process without states, and beside plants that do not see them.

usage: run.py [--kairos CMD] [--events 10000000] [--repeat 5]
"""
import argparse, pathlib, resource, subprocess, tempfile

HERE = pathlib.Path(__file__).parent
# Plants with the time to simulate them.
PLANTS = [("Springs", "5"), ("Rod", "50"), ("Lags", "100")]


def seconds(argv):
    """CPU time of a command. The sum is exact; the user's part of it is only estimated."""
    spent = lambda: sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
    before = spent()
    subprocess.run(argv, check=True, stdout=subprocess.DEVNULL)
    return spent() - before


def simulated(repeat, kairos, model, stop, *options):
    """CPU time of a run without that of compiling, which a run to the start time takes; the least of each."""
    command = [kairos, "run", str(HERE / model), "--output", "none", "--quiet", *options]
    least = lambda stop: min(seconds([*command, "--stop", stop]) for _ in range(repeat))
    return least(stop) - least("0")


def main():
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--kairos", default="target/release/kairos")
    ask.add_argument("--events", type=int, default=10_000_000)
    ask.add_argument("--repeat", type=int, default=5)
    given = ask.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        heap = f"{folder}/heap"
        subprocess.run(["rustc", "-O", "-o", heap, str(HERE / "heap.rs")], check=True)
        plain = min(seconds([heap, str(given.events)]) for _ in range(given.repeat))
    stop = str(given.events)
    ours = simulated(given.repeat, given.kairos, "Calendar.mo", stop, "--set", f"nMax={given.events}")
    print(f"calendar: {given.events / ours:.3g} events/s; binary heap {plain:.2f} s, Kairos {ours:.2f} s: {ours / plain:.1f} times")
    for plant, stop in PLANTS:
        native = lambda model: simulated(given.repeat, given.kairos, "Plant.mo", stop, "--machine", "jit", "--model", model)
        alone, beside = native(f"Plant.{plant}"), native(f"Plant.Sampled{plant}")
        print(f"{plant.lower()} of 1,000 states: {1e3 * alone:.1f} ms alone, {1e3 * beside:.1f} ms beside a 10 kHz sampler: "
              f"{beside / alone:.2f} times")


if __name__ == "__main__":
    main()
