"""The package as scripts use it: models, runs, results, errors, against closed forms."""

import math
import os
import pickle
import threading
from concurrent.futures import ProcessPoolExecutor

import kairos
import numpy
import pytest

DECAY = """
model Decay "Falls to nothing"
  parameter Real k(unit = "1/s") = 1 "Rate";
  parameter Real double = 2*k;
  parameter Integer n = 1;
  input Real u;
  Real x[n](each start = 1, each fixed = true, each unit = "V");
  output Real y = sum(x);
  Boolean low(start = false, fixed = true);
equation
  for j in 1:n loop
    der(x[j]) = -k*x[j] + u;
  end for;
  low = x[1] < 0.5;
  annotation(experiment(StopTime = 2, Tolerance = 1e-8));
end Decay;
"""


@pytest.fixture(scope="module")
def model():
    return kairos.Model.from_text(DECAY)


def test_a_model_describes_itself(model):
    assert model.name == "Decay"
    assert model.parameters["k"].value == 1.0 and model.parameters["k"].unit == "1/s"
    assert model.parameters["k"].description == "Rate" and model.parameters["double"].value == 2.0
    assert list(model.inputs) == ["u"] and list(model.outputs) == ["y"]
    assert model.variables["low"].type == "Boolean" and model.experiment["stop"] == 2.0
    assert repr(model.with_params(k=3)) == "Model(Decay, k=3)"


def test_values_are_set(model):
    assert model.with_params(k=3.0).parameters["double"].value == 6.0
    assert model.with_params({"x[1].start": 3.0}).simulate().at("x[1]", 1.0) == pytest.approx(3 * math.exp(-1), abs=1e-7)
    assert model.with_params(n=numpy.int64(2), k=numpy.float64(2)).simulate().at("y", 1.0) == pytest.approx(
        2 * math.exp(-2), abs=1e-7
    )


def test_results_are_arrays_without_copies(model):
    result = model.simulate(stop=1.0, tolerance=1e-9)
    time, x = result.time, result["x[1]"]
    assert numpy.allclose(x, numpy.exp(-time), atol=1e-7)
    assert result["x[1]"].__array_interface__["data"] == x.__array_interface__["data"]
    assert time.__array_interface__["data"] == result.time.__array_interface__["data"]
    assert x.base is not None and not x.flags.writeable and not x.flags.owndata
    del result
    assert numpy.allclose(x, numpy.exp(-time), atol=1e-7)


def test_results_are_mappings(model):
    result = model.simulate()
    assert "y" in result and len(result) == len(list(result)) and result.units["x[1]"] == "V"
    assert result.at("x[1]", 0.123) == pytest.approx(math.exp(-0.123), abs=1e-8)
    assert [event["kind"] for event in result.events] == ["initial", "state", "terminal"]
    assert result.events[1]["time"] == pytest.approx(math.log(2), abs=1e-6)
    assert result.summary["state_events"] == 1
    with pytest.raises(KeyError, match="x\\[1\\]"):
        result["x"]


def test_results_become_tables(model, tmp_path):
    result = model.simulate(intervals=50)
    frame = result.to_pandas()
    assert frame.index.name == "time" and frame["y"].iloc[-1] == result["y"][-1] and frame.attrs["units"]["x[1]"] == "V"
    assert result.to_polars()["y"][-1] == result["y"][-1]
    assert result.to_xarray()["y"].values[-1] == result["y"][-1]
    assert result.to_arrow().column("y")[-1].as_py() == result["y"][-1]
    import polars

    assert polars.DataFrame(result)["y"][-1] == result["y"][-1]
    for name in ["a.csv", "a.mat", "a.parquet"]:
        result.write(tmp_path / name)
    assert polars.read_parquet(tmp_path / "a.parquet")["x[1]"][-1] == result["x[1]"][-1]


def test_results_are_drawn(model, tmp_path):
    result = model.simulate()
    assert result._repr_svg_().startswith("<svg") and "x[1]" in result._repr_svg_()
    picture = result.plot(["x[1]", "y"], "low", title="Falling")
    assert "Falling" in picture.svg
    picture.save(tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


def test_runs_are_advanced_saved_and_restored(model):
    sim = model.start(tolerance=1e-10)
    sim.step(0.25)
    state = sim.save()
    sim.step(0.5)
    later = sim["x[1]"]
    assert later == pytest.approx(math.exp(-0.75), abs=1e-8)
    other = model.start(tolerance=1e-10)
    for run in (sim, other):
        run.restore(state)
        assert run.time == 0.25
        run.step(0.5)
        assert run["x[1]"] == later
    twin = sim.clone()
    twin["u"] = 1.0
    twin.step(1.0)
    sim.step(1.0)
    assert sim["x[1]"] == pytest.approx(math.exp(-1.75), abs=1e-8)
    assert twin["x[1]"] == pytest.approx(1 + (later - 1) * math.exp(-1), abs=1e-8)
    assert sim.get(["x[1]", "y"]) == [sim["x[1]"], sim["y"]]


def test_runs_stop_at_events(model):
    sim = model.start(events=True)
    assert sim.run_to_event() == "event" and sim.time == pytest.approx(math.log(2), abs=1e-6)
    assert [event["kind"] for event in sim.take_events()] == ["initial", "state"]
    assert sim.run_until(3.0) == "reached"


def test_inputs_are_functions_tables_and_numbers(model):
    for u in [lambda t: t, ([0.0, 10.0], [0.0, 10.0])]:
        result = model.simulate(stop=1.5, tolerance=1e-10, inputs={"u": u})
        assert result.at("x[1]", 1.5) == pytest.approx(0.5 + 2 * math.exp(-1.5), abs=1e-8)
    assert model.simulate(inputs={"u": 1.0}).at("x[1]", 2.0) == pytest.approx(1.0, abs=1e-6)

    def broken(t):
        raise RuntimeError("no value")

    with pytest.raises(RuntimeError, match="no value"):
        model.simulate(inputs={"u": broken})


def test_derivatives_are_exact(model):
    sim = model.with_params(k=3.0, u=2.0).start()
    assert sim.derivatives(["der(x[1])"], ["x[1]", "u", "k"]).tolist() == [[-3.0, 1.0, -1.0]]


def test_errors_say_where_and_what_to_do(model):
    with pytest.raises(kairos.Error) as caught:
        kairos.Model.from_text("model M\n  Real x;\nequation\n  der(x) = y;\nend M;")
    assert caught.value.place == {"file": "text.mo", "line": 4, "column": 12}
    with pytest.raises(kairos.Error) as caught:
        model.with_params(kk=1.0)
    assert caught.value.code == "unknown-variable" and "`k`" in caught.value.help[0]
    with pytest.raises(kairos.Error) as caught:
        kairos.Model.from_text("model M Real x(start=1, fixed=true); equation der(x) = x^2; end M;").simulate(stop=2)
    assert caught.value.time == pytest.approx(1.0, abs=1e-3)
    with pytest.raises(TypeError, match="tolerance"):
        model.simulate(tolerence=1e-3)


def simulated(model):
    return model.simulate(stop=1.0).at("x[1]", 1.0)


def test_models_travel_to_other_processes(model):
    faster = model.with_params(k=2.0)
    copy = pickle.loads(pickle.dumps(faster))
    assert copy == faster and hash(copy) == hash(faster) and copy != model
    assert copy.parameters["k"].value == 2.0
    with ProcessPoolExecutor(2) as pool:
        values = list(pool.map(simulated, [model.with_params(k=float(k)) for k in range(1, 5)]))
    assert values == pytest.approx([math.exp(-k) for k in range(1, 5)], abs=1e-6)


def test_threads_simulate_at_once(model):
    found = {}

    def work(k):
        found[k] = model.with_params(k=float(k)).simulate(stop=1.0, tolerance=1e-9).at("y", 1.0)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(1, 9)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert all(found[k] == pytest.approx(math.exp(-k), abs=1e-8) for k in found) and len(found) == 8


def test_sweeps_are_columns(model):
    seen = []
    sweep = model.sweep(
        {"k": [1.0, 2.0, 3.0], "u": "lin(0,1,2)"}, ["y", "max(y)"], stop=1.0, progress=lambda done, total: seen.append(done)
    )
    assert sweep.runs == 6 and not sweep.failures and seen[-1] == 6
    expected = [u / k + (1 - u / k) * math.exp(-k) for k in (1, 2, 3) for u in (0, 1)]
    assert sweep["y"] == pytest.approx(expected, abs=1e-6)
    assert list(sweep.to_pandas()["k"]) == [1, 1, 2, 2, 3, 3]
    failing = kairos.Model.from_text(
        "model M parameter Real a = 1; Real x(start=1, fixed=true); equation der(x) = a*x^2; end M;"
    ).sweep({"a": [0.1, 2.0]}, ["x"], stop=1.0)
    assert math.isnan(failing["x"][1]) and 1 in failing.failures


def test_ctrl_c_ends_a_run():
    import os
    import signal
    import time

    stiff = kairos.Model.from_text(
        "model M Real x(start=1, fixed=true), v(start=0, fixed=true); equation der(x) = v; der(v) = -1e4*x; end M;"
    )
    threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    begun = time.time()
    with pytest.raises(KeyboardInterrupt):
        stiff.simulate(stop=1e6, intervals=100000, tolerance=1e-8)
    assert time.time() - begun < 20
    for work in [
        lambda: stiff.start(tolerance=1e-10).run_until(1e6),
        lambda: stiff.sensitivities(["x"], ["x"], stop=1e6, tolerance=1e-9),
    ]:
        threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        begun = time.time()
        with pytest.raises(KeyboardInterrupt):
            work()
        assert time.time() - begun < 20


def test_final_parameters_cannot_be_set():
    model = kairos.Model.from_text(
        "model M parameter Real a = 2; final parameter Real b = 3; Real x(start=1, fixed=true); equation der(x) = -a*x/b; end M;"
    )
    assert model.parameters["a"].settable and not model.parameters["b"].settable and model.states == ["x"]
    # Without names everything is differentiated by what can be set.
    assert model.sensitivities(["x"], stop=1.0).by == ["a"]


@pytest.mark.skipif("KAIROS_FMU" not in os.environ, reason="no FMU is named")
def test_fmus_are_models():
    model = kairos.Model.from_file(os.environ["KAIROS_FMU"]).with_params(area=2.0)
    assert model.simulate(stop=10.0)["level"][-1] == pytest.approx(math.exp(-0.5), abs=1e-5)
    copy = pickle.loads(pickle.dumps(model))
    assert copy == model and hash(copy) == hash(model) and copy != kairos.Model.from_file(os.environ["KAIROS_FMU"])
    assert copy.simulate(stop=10.0)["level"][-1] == model.simulate(stop=10.0)["level"][-1]
    sim = copy.start()
    sim.step(5.0)
    assert sim["level"] == pytest.approx(math.exp(-0.25), abs=1e-5)
