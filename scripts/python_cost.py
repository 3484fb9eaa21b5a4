"""Measures what the Python package costs beside the program, with the wheel of `scripts/wheel.sh` installed.

usage: python_cost.py [PROGRAM]      PROGRAM is `kairos`, by default target/release/kairos

Prints processor times: of an import, of a step of a model with three states, and of 10,000 simulations of the tutorial's circuit one after the
other from Python beside `kairos sweep --jobs 1`, each the least of three; the sweep without the time of one run, which it takes to begin.
"""

import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).parents[1]
PROGRAM = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "target/release/kairos")
COUNT = 10_000
THREE = "model M Real a(start=1,fixed=true), b(start=0,fixed=true), c(start=0,fixed=true); input Real u; equation der(a) = b; der(b) = -a + u; der(c) = a - c; end M;"


def used():
    """Processor time of this process and of those that it has waited for: what else the machine does has no part in it."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + ended.ru_utime + ended.ru_stime


def least(work, times=3):
    best = float("inf")
    for _ in range(times):
        begun = used()
        work()
        best = min(best, used() - begun)
    return best


def main():
    clock = "import time; begun = time.perf_counter(); import kairos; print(time.perf_counter() - begun)"
    times = [float(subprocess.run([sys.executable, "-c", clock], check=True, capture_output=True).stdout) for _ in range(5)]
    print(f"import: {1e3 * min(times):.0f} ms")
    import kairos

    sim = kairos.Model.from_text(THREE).start()
    sim.step(1.0)

    def steps():
        for _ in range(100_000):
            sim.step(1e-4)

    def driven():
        for k in range(10_000):
            sim["u"] = float(k % 7)
            sim.step(1e-3)
            sim["a"]

    print(f"a step of three states: {1e6 * least(steps) / 100_000:.2f} µs; with an input that jumps and a look: {1e6 * least(driven) / 10_000:.2f} µs")
    circuit = re.search(r"```modelica file=Circuit.mo\n(.*?)```", (ROOT / "docs/tutorial.md").read_text(), re.S).group(1)
    model = kairos.Model.from_text(circuit)
    name = next(name for name, var in model.parameters.items() if var.settable and isinstance(var.value, float))
    value = model.parameters[name].value
    values = [value * (1 + k / COUNT) for k in range(COUNT)]
    outcome = model.states[0]

    def alone():
        for one in values:
            model.with_params({name: one}).simulate(events=False, intervals=1, keep=[outcome])[outcome][-1]

    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "Circuit.mo").write_text(circuit)

        def sweep(count):
            spec = f"{name}=lin({value},{2 * value},{count})"
            command = [PROGRAM, "sweep", "Circuit.mo", "--vary", spec, "--outcome", outcome, "--jobs", "1", "--intervals", "1", "--output", "s.parquet", "-q"]
            subprocess.run(command, cwd=folder, check=True, capture_output=True)

        here, there, begin = least(alone), least(lambda: sweep(COUNT)), least(lambda: sweep(1))
    swept = least(lambda: model.sweep({name: values}, [outcome], jobs=1, intervals=1, progress=False))
    print(f"{COUNT} simulations: from Python {here:.3f} s, model.sweep {swept:.3f} s, kairos sweep {there - begin:.3f} s (and {begin:.3f} s to begin)")
    print(f"  {here / (there - begin):.2f} times, model.sweep {swept / (there - begin):.2f} times")


main()
