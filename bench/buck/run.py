#!/usr/bin/env python3
"""Switchings of a buck converter beside the same modes written by hand on the same integrator.

usage: run.py [--kairos CMD] [--hand CMD] [--periods 10000] [--repeat 3]

The program of the hand-written modes is made by `cargo build --release -p kairos-numerics --example buck`. CPU times,
without those of starting the programs. Native code is the one that an earlier run has kept, or is made before the motion begins
(both from the start of a run of no length), or is made on the way, while the first milliseconds are interpreted.
"""
import argparse, csv, os, pathlib, resource, subprocess, tempfile

HERE = pathlib.Path(__file__).parent


def seconds(argv, kept=""):
    """CPU time of a command, and what it wrote. The sum is exact; the user's part of it is only estimated."""
    spent = lambda: sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
    before = spent()
    environment = {**os.environ, "KAIROS_CACHE": kept}
    done = subprocess.run(argv, check=True, capture_output=True, text=True, env=environment)
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
    least = lambda argv, kept: min(seconds(argv, kept)[0] for _ in range(given.repeat))
    beyond_start = lambda long, short, kept="": least(long, kept) - least(short, kept)
    run = lambda machine, stop: [*command, "--output", "none", "--machine", machine, "--stop", repr(stop)]
    ready, meanwhile = (beyond_start(run(machine, stop), run(machine, 0.0)) for machine in ("jit", "auto"))
    with tempfile.TemporaryDirectory() as folder:
        seconds(run("auto", 100 * stop), folder)
        again = beyond_start(run("auto", stop), run("auto", 0.0), folder)
    hand = beyond_start([given.hand, str(given.periods)], [given.hand, "1"])
    _, told = seconds([given.hand, str(given.periods)])
    with tempfile.TemporaryDirectory() as folder:
        table = f"{folder}/r.csv"
        seconds([*command, "--output", table, "--vars", "i,v", "--stop", repr(stop)])
        *_, last = csv.DictReader(open(table))
    switchings, i, v = told.split()
    print(f"{switchings} switchings by hand                {1e3 * hand:.1f} ms")
    print(f"Kairos, native code kept              {1e3 * again:.1f} ms: {again / hand:.2f} times")
    print(f"Kairos, native code made before       {1e3 * ready:.1f} ms: {ready / hand:.2f} times")
    print(f"Kairos, native code made on the way   {1e3 * meanwhile:.1f} ms: {meanwhile / hand:.2f} times")
    print(f"at the end i = {i} and {last['i']}, v = {v} and {last['v']}")


if __name__ == "__main__":
    main()
