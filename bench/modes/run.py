#!/usr/bin/env python3
"""Measures what mode changes cost, in CPU time of whole runs: run.py --kairos CMD"""
import argparse, pathlib, re, resource, subprocess, tempfile

HERE = pathlib.Path(__file__).resolve().parent


def cost(kairos, model, stop):
    """CPU seconds of a run, and its number of events."""
    with tempfile.TemporaryDirectory() as folder:
        argv = [kairos, "run", str(HERE / "Modes.mo"), "--model", f"Modes.{model}", "--stop", str(stop), "--output", "none"]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(argv, capture_output=True, text=True, cwd=folder)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    said = done.stdout + done.stderr
    if done.returncode:
        raise SystemExit(said)
    found = re.search(r"(\d+) state events, (\d+) time events", said)
    return after.ru_utime - before.ru_utime, int(found[1]) + int(found[2])


def slope(kairos, model, short, long):
    """CPU seconds per event beyond those of a short run, so that starting up does not count; the best of seven runs."""
    (a, m), (b, n) = (min(cost(kairos, model, stop) for _ in range(7)) for stop in (short, long))
    return max(b - a, 0.0) / max(n - m, 1)


def main():
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("--kairos", default="kairos")
    kairos = ask.parse_args().kairos
    one, fifty = slope(kairos, "One", 100, 400), slope(kairos, "Fifty", 100, 400)
    print(f"one body            {one * 1e6:9.1f} us per event")
    print(f"fifty bodies        {fifty * 1e6:9.1f} us per event, {fifty / max(one, 1e-9):.1f} times")
    print(f"chain, new mode     {slope(kairos, 'Chain', 0.05, 20) * 1e3:9.2f} ms per event")
    print(f"chain, known mode   {slope(kairos, 'Blinking', 0.1, 2) * 1e3:9.3f} ms per event")


if __name__ == "__main__":
    main()
