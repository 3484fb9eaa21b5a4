#!/usr/bin/env python3
"""Switchings of a buck converter beside the same modes written by hand on the same integrator.

usage: run.py [--kairos CMD] [--hand CMD] [--periods 10000] [--repeat 3]

The program of the hand-written modes is made by `cargo build --release -p kairos-numerics --example buck`. CPU times,
without those of starting the programs; by default Kairos interprets the first milliseconds and compiles meanwhile.
"""
import argparse, csv, pathlib, resource, subprocess, tempfile

HERE = pathlib.Path(__file__).parent


def seconds(argv):
    """CPU time of a command, and what it wrote. The sum is exact; the user's part of it is only estimated."""
    spent = lambda: sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
    before = spent()
    done = subprocess.run(argv, check=True, capture_output=True, text=True)
    return spent() - before, done.stdout


def main():
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--kairos", default="target/release/kairos")
    ask.add_argument("--hand", default="target/release/examples/buck")
    ask.add_argument("--periods", type=int, default=10_000)
    ask.add_argument("--repeat", type=int, default=3)
    given = ask.parse_args()
    stop = given.periods * 1e-4
    command = [given.kairos, "run", str(HERE / "Buck.mo"), "--quiet", "--method", "rk45"]
    least = lambda argv: min(seconds(argv)[0] for _ in range(given.repeat))
    beyond_start = lambda long, short: least(long) - least(short)
    run = lambda machine, stop: [*command, "--output", "none", "--machine", machine, "--stop", repr(stop)]
    ready, meanwhile = (beyond_start(run(machine, stop), run(machine, 0.0)) for machine in ("jit", "auto"))
    hand = beyond_start([given.hand, str(given.periods)], [given.hand, "1"])
    _, told = seconds([given.hand, str(given.periods)])
    with tempfile.TemporaryDirectory() as folder:
        table = f"{folder}/r.csv"
        seconds([*command, "--output", table, "--vars", "i,v", "--stop", repr(stop)])
        *_, last = csv.DictReader(open(table))
    switchings, i, v = told.split()
    print(f"{switchings} switchings by hand                {1e3 * hand:.1f} ms")
    print(f"Kairos, native code made before       {1e3 * ready:.1f} ms: {ready / hand:.2f} times")
    print(f"Kairos, native code made on the way   {1e3 * meanwhile:.1f} ms: {meanwhile / hand:.2f} times")
    print(f"at the end i = {i} and {last['i']}, v = {v} and {last['v']}")


if __name__ == "__main__":
    main()
