#!/usr/bin/env python3
"""Compile time and memory of an RC ladder and a 1-D heat pipe as they grow.

usage: run.py [--tool PATH] [--sizes 1000,10000,100000] [--rounds 3]

Prints one line for each model and size: processor seconds and peak memory of `kairos check` (source to program) and of
a short `kairos run --machine jit` (source to native code and the first steps, a Jacobian among them). Neither may grow
by more than twelve from decade to decade; the last column says by how much each of the four did. Each is measured
--rounds times, and the least counts.
"""
import argparse
import math
import os
import resource
import subprocess
import sys
import tempfile

LADDER = """model Ladder "RC ladder of n sections, written with components"
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  model Resistor
    Pin p, n;
    parameter Real R = 1;
  equation
    p.v - n.v = R*p.i;
    p.i + n.i = 0;
  end Resistor;
  model Capacitor
    Pin p, n;
    parameter Real C = 1;
    Real v(start=0, fixed=true);
  equation
    v = p.v - n.v;
    C*der(v) = p.i;
    p.i + n.i = 0;
  end Capacitor;
  model Source
    Pin p, n;
  equation
    p.v - n.v = 1;
    p.i + n.i = 0;
  end Source;
  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;
  parameter Integer n = {n};
  Resistor r[n](each R = 1);
  Capacitor c[n](each C = 1e-3);
  Source s;
  Ground g;
equation
  connect(s.n, g.p);
  connect(s.p, r[1].p);
  for i in 1:n loop
    connect(r[i].n, c[i].p);
    connect(c[i].n, g.p);
  end for;
  for i in 1:n-1 loop
    connect(r[i].n, r[i+1].p);
  end for;
end Ladder;
"""

PIPE = """model Pipe "heat conduction in a rod of n cells with a source that depends on the temperature"
  parameter Integer n = {n};
  parameter Real k = 1;
  Real T[n](each start = 300, each fixed = true);
  Real q[n+1];
equation
  q[1] = k*(350 - T[1]);
  for i in 2:n loop
    q[i] = k*(T[i-1] - T[i]);
  end for;
  q[n+1] = 0;
  for i in 1:n loop
    der(T[i]) = q[i] - q[i+1] - 1e-3*(T[i] - 300)^2;
  end for;
end Pipe;
"""


def measure(command):
    """Seconds and megabytes of a child process."""
    pid = os.fork()
    if pid == 0:
        # Native code is made each time, not kept.
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              env={**os.environ, "KAIROS_CACHE": ""})
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        with open(command[-1] + ".cost", "w") as out:
            out.write(f"{done.returncode} {usage.ru_utime + usage.ru_stime} {usage.ru_maxrss / 1024}")
        os._exit(0)
    os.waitpid(pid, 0)
    with open(command[-1] + ".cost") as cost:
        code, seconds, megabytes = cost.read().split()
    return int(code), float(seconds), float(megabytes)


def least(command, rounds):
    """What a command costs when nothing disturbs it."""
    return tuple(map(min, zip(*(measure(command) for _ in range(rounds)))))


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--tool", default="kairos")
    arguments.add_argument("--sizes", default="1000,10000,100000")
    arguments.add_argument("--rounds", type=int, default=3)
    chosen = arguments.parse_args()
    sizes = [int(size) for size in chosen.sizes.split(",")]
    print(f"{'model':8} {'n':>8} {'check s':>9} {'MB':>7} {'run s':>9} {'MB':>7}  growth per decade")
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("Ladder", LADDER), ("Pipe", PIPE)):
            before = None
            for size in sizes:
                path = os.path.join(folder, name + ".mo")
                with open(path, "w") as out:
                    out.write(text.replace("{n}", str(size)))
                check = least([chosen.tool, "-q", "check", path], chosen.rounds)
                run = least([chosen.tool, "-q", "run", "--machine", "jit", "--method", "bdf", "--stop", "1e-4",
                               "--interval", "1e-4", "--output", os.path.join(folder, "out.csv"), path], chosen.rounds)
                growth = ""
                if before:
                    per_decade = lambda a, b: (b / max(a, 1e-3)) ** (1 / math.log10(size / before[0]))
                    ratios = [per_decade(x, y) for x, y in zip(before[1], (check[1], check[2], run[1], run[2]))]
                    growth = " ".join(f"{r:5.1f}" for r in ratios)
                before = (size, (check[1], check[2], run[1], run[2]))
                failed |= check[0] != 0 or run[0] != 0
                print(f"{name:8} {size:8} {check[1]:9.2f} {check[2]:7.0f} {run[1]:9.2f} {run[2]:7.0f}  {growth}",
                      flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
