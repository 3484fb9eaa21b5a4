"""Linear models and steady states against closed forms; sweeps on workers."""

import math
import os
import signal
import threading
import time

import kairos
import numpy
import pytest

PENDULUM = """
model Pendulum
  parameter Real g = 9.81, l = 2, d = 0.1;
  input Real torque;
  output Real x = l*sin(phi);
  Real phi(start = 0, fixed = true), w(start = 0, fixed = true);
equation
  der(phi) = w;
  der(w) = -g/l*sin(phi) - d*w + torque;
end Pendulum;
"""


def test_a_pendulum_is_linearised():
    linear = kairos.Model.from_text(PENDULUM).linearize()
    assert linear.exact and linear.A.shape == (2, 2) and linear.B.shape == (2, 1)
    natural = math.sqrt(9.81 / 2)
    assert numpy.allclose(numpy.abs(linear.eigenvalues), natural)
    assert linear.modes[0]["damping"] == pytest.approx(0.05 / natural)
    assert numpy.allclose(sorted(numpy.linalg.eigvals(linear.A).imag), sorted(linear.eigenvalues.imag))
    transfer = linear.transfer()
    s = 2j * math.pi * 0.3
    by_roots = transfer["gain"] / numpy.prod([s - complex(*pole) for pole in transfer["poles"]])
    assert "dB" in linear.bode().svg and "dB" in linear.bode((0.01, 10.0)).svg
    assert "poles" in linear.pole_diagram().svg
    assert transfer["zeros"] == [] and numpy.allclose(linear.response([0.3])[0, 0, 0], by_roots)


def test_a_model_comes_to_rest():
    rest = kairos.Model.from_text(PENDULUM).with_params(torque=1.0, d=0.5).steady_state()
    assert rest["phi"] == pytest.approx(math.asin(2 / 9.81), abs=1e-9) and rest["w"] == pytest.approx(0, abs=1e-9)


def test_a_model_is_trimmed():
    rest = kairos.Model.from_text(PENDULUM).with_params(d=0.5).trim({"torque": (None, 4.0)}, {"phi": 0.3})
    assert rest["torque"] == pytest.approx(9.81 / 2 * math.sin(0.3), abs=1e-8) and rest["phi"] == pytest.approx(0.3)


def test_indices_of_a_model_are_those_of_the_closed_form():
    model = kairos.Model.from_text("""
    model Ishigami
      parameter Real x1 = 0, x2 = 0, x3 = 0;
      Real s, y, z;
    equation
      s = sin(x1) + z;
      z = 0.1*x3^4*(s - z);
      y = s + 7*sin(x2)^2;
    end Ishigami;
    """)
    spread = f"uniform({-math.pi!r},{math.pi!r})"
    found = model.sobol_indices({"x1": spread, "x2": spread, "x3": spread}, ["y"], 2048, stop=1e-3, intervals=1)
    alone, second, joint = 0.5 * (1 + 0.1 * math.pi**4 / 5) ** 2, 49 / 8, 0.01 * math.pi**8 * 8 / 225
    whole = alone + second + joint
    assert list(found.first["y"].values()) == pytest.approx([alone / whole, second / whole, 0], abs=0.02)
    assert list(found.total["y"].values()) == pytest.approx([(alone + joint) / whole, second / whole, joint / whole], abs=0.02)
    assert found.sweep.runs == 2048 * 5 and found.points["y"] == 2048


def test_designs_differ_and_repeat():
    model = kairos.Model.from_text("model M parameter Real a = 1; Real x = a; end M;")
    samples = {
        design: model.sweep({"a": "uniform(0,1)"}, ["x"], sample=64, design=design, stop=1.0, intervals=1)["x"]
        for design in ("lhs", "sobol", "random")
    }
    for design in ("lhs", "sobol"):
        assert sorted((samples[design] * 64).astype(int)) == list(range(64))
    assert len(set((samples["random"] * 64).astype(int))) < 64
    with pytest.raises(Exception, match="no design"):
        model.sweep({"a": "uniform(0,1)"}, ["x"], sample=64, design="grid", stop=1.0)


def test_workers_gather_sweeps():
    from kairos import _workers

    model = kairos.Model.from_text("model M parameter Real a = 1, b = 0; Real x = a*time + b; end M;")
    values, outcomes = {"a": [1.0, 2.0], "b": [0.0, 5.0]}, ["x", "min(x)", "mean(x)"]
    data = _workers.packed(model)
    parts = [_workers.run_batch(data, part, outcomes, {"stop": 2.0}) for part in _workers.batches(_workers.points(values), 3)]
    sweep = _workers.gathered(values, outcomes, parts)
    assert sweep["x"] == pytest.approx([2, 7, 4, 9]) and sweep["min(x)"] == pytest.approx([0, 5, 0, 5])
    assert sweep["mean(x)"] == pytest.approx([1, 6, 2, 7]) and not sweep.failures


# Forced for ever, so that a run takes some tenths of a second, and damped, so that its end is the same everywhere.
BUSY = PENDULUM.replace("+ torque", "+ torque*sin(time)")
TORQUES = [0.01 * k for k in range(24)]
LONG = {"stop": 100000.0, "intervals": 20, "tolerance": 1e-8}


def whole(sweep):
    alone = kairos.Model.from_text(BUSY).sweep({"torque": TORQUES}, ["phi"], **LONG)
    return not sweep.failures and sweep["phi"] == pytest.approx(alone["phi"], abs=1e-6)


def while_one_dies(pid, run):
    """Runs something, and kills a process in the middle."""
    killer = threading.Timer(0.5, os.kill, (pid, signal.SIGKILL))
    begun = time.monotonic()
    killer.start()
    done = run()
    assert time.monotonic() - begun > 0.5, "the process died after all was done"
    return done


def test_dask_runs_sweeps_and_loses_nothing_with_a_worker():
    distributed = pytest.importorskip("dask.distributed")
    import kairos.dask

    model, busy = kairos.Model.from_text(PENDULUM), kairos.Model.from_text(BUSY)
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            sweep = kairos.dask.sweep(client, model, {"torque": [0.0, 1.0, 2.0]}, ["max(phi)"], stop=1.0)
            pid = next(iter(client.run(os.getpid).values()))
            long = while_one_dies(pid, lambda: kairos.dask.sweep(client, busy, {"torque": TORQUES}, ["phi"], **LONG))
    alone = model.sweep({"torque": [0.0, 1.0, 2.0]}, ["max(phi)"], stop=1.0)
    assert sweep["max(phi)"] == pytest.approx(alone["max(phi)"], abs=1e-6)
    assert whole(long)


def test_ray_runs_sweeps_and_loses_nothing_with_a_worker():
    ray = pytest.importorskip("ray")
    import kairos.ray

    model, busy = kairos.Model.from_text(PENDULUM), kairos.Model.from_text(BUSY)
    ray.init(num_cpus=2, include_dashboard=False)
    try:
        sweep = kairos.ray.sweep(model, {"torque": [0.0, 1.0]}, ["max(phi)"], stop=1.0)
        pid = ray.get(ray.remote(lambda: os.getpid()).remote())
        long = while_one_dies(pid, lambda: kairos.ray.sweep(busy, {"torque": TORQUES}, ["phi"], **LONG))
    finally:
        ray.shutdown()
    assert sweep["max(phi)"][0] == 0.0 and sweep["max(phi)"][1] > 0.1
    assert whole(long)
