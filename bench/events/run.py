#!/usr/bin/env python3
"""Time events in a process without states, and beside a plant that does not see them.

usage: run.py [--kairos CMD] [--events 10000000] [--repeat 3]
"""
import argparse, pathlib, resource, subprocess, tempfile

HERE = pathlib.Path(__file__).parent


def seconds(argv):
    """CPU time of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run(argv, check=True, stdout=subprocess.DEVNULL)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def simulated(kairos, model, stop, *options):
    """CPU time of a run without that of compiling, which a run to the start time takes."""
    command = [kairos, "run", str(HERE / model), "--output", "none", "--quiet", *options]
    return seconds([*command, "--stop", stop]) - seconds([*command, "--stop", "0"])


def main():
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--kairos", default="target/release/kairos")
    ask.add_argument("--events", type=int, default=10_000_000)
    ask.add_argument("--repeat", type=int, default=3)
    given = ask.parse_args()
    best = lambda measure: min(measure() for _ in range(given.repeat))
    with tempfile.TemporaryDirectory() as folder:
        heap = f"{folder}/heap"
        subprocess.run(["rustc", "-O", "-o", heap, str(HERE / "heap.rs")], check=True)
        plain = best(lambda: seconds([heap, str(given.events)]))
    stop = str(given.events)
    ours = best(lambda: simulated(given.kairos, "Calendar.mo", stop, "--set", f"nMax={given.events}"))
    print(f"calendar: {given.events / ours:.3g} events/s; binary heap {plain:.2f} s, Kairos {ours:.2f} s: {ours / plain:.1f} times")
    alone = best(lambda: simulated(given.kairos, "Plant.mo", "10", "--model", "Plant.Alone"))
    beside = best(lambda: simulated(given.kairos, "Plant.mo", "10", "--model", "Plant.Sampled"))
    print(f"plant of 1,000 states: {alone:.2f} s alone, {beside:.2f} s beside a 10 kHz sampler: {beside / alone:.2f} times")


if __name__ == "__main__":
    main()
