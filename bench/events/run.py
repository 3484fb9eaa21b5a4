#!/usr/bin/env python3
"""Time events in a process without states, and beside a plant that does not see them.

usage: run.py [--kairos CMD] [--events 10000000] [--seconds 100] [--repeat 5]
"""
import argparse, pathlib, resource, subprocess, tempfile

HERE = pathlib.Path(__file__).parent


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
    ask.add_argument("--seconds", default="100", help="simulated time of the plant")
    ask.add_argument("--repeat", type=int, default=5)
    given = ask.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        heap = f"{folder}/heap"
        subprocess.run(["rustc", "-O", "-o", heap, str(HERE / "heap.rs")], check=True)
        plain = min(seconds([heap, str(given.events)]) for _ in range(given.repeat))
    stop = str(given.events)
    ours = simulated(given.repeat, given.kairos, "Calendar.mo", stop, "--set", f"nMax={given.events}")
    print(f"calendar: {given.events / ours:.3g} events/s; binary heap {plain:.2f} s, Kairos {ours:.2f} s: {ours / plain:.1f} times")
    plant = lambda model: simulated(given.repeat, given.kairos, "Plant.mo", given.seconds, "--model", model)
    alone, beside = plant("Plant.Alone"), plant("Plant.Sampled")
    print(f"plant of 1,000 states: {alone:.3f} s alone, {beside:.3f} s beside a 10 kHz sampler: {beside / alone:.2f} times")


if __name__ == "__main__":
    main()
