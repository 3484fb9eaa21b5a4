"""Sensitivities against closed forms, estimation from noisy data, and the functions for optimisers."""

import kairos
import numpy
import pytest

BALL = """
model Ball
  parameter Real g = 9.81, e = 0.8;
  output Real h(start = 1, fixed = true);
  Real v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -g;
  when h < 0 then
    reinit(v, -e*pre(v));
  end when;
end Ball;
"""
DECAY = """
model Decay
  parameter Real k(min = 0) = 1, a = 2;
  input Real u(start = 0);
  Real x(start = 2, fixed = true);
equation
  der(x) = u - k*x;
end Decay;
"""


def height(t, g, e):
    """The ball after its first and before its second bounce: closed form."""
    first = numpy.sqrt(2 / g)
    return e * g * first * (t - first) - g * (t - first) ** 2 / 2


def test_sensitivities_hold_across_a_bounce():
    found = kairos.Model.from_text(BALL).sensitivities(["h"], ["g", "e"], at=[0.3, 0.6, 0.9], tolerance=1e-10)
    assert found.differences is None and found.of == ["h"] and found.by == ["g", "e"]
    rows = numpy.searchsorted(found.time, [0.6, 0.9], side="right") - 1
    assert found.values["h"][rows] == pytest.approx(height(numpy.array([0.6, 0.9]), 9.81, 0.8), abs=1e-8)
    for name, high, low in [("g", (9.81 + 1e-5, 0.8), (9.81 - 1e-5, 0.8)), ("e", (9.81, 0.8 + 1e-5), (9.81, 0.8 - 1e-5))]:
        wanted = [(height(t, *high) - height(t, *low)) / 2e-5 for t in (0.6, 0.9)]
        assert found["h", name][rows] == pytest.approx(wanted, abs=1e-7)
    assert list(found.to_pandas().columns) == ["time", "h", "d(h)/d(g)", "d(h)/d(e)"]


def test_sensitivities_name_what_cannot_be():
    with pytest.raises(kairos.Error) as raised:
        kairos.Model.from_text(DECAY).sensitivities(["x"], ["u"], stop=1.0)
    assert raised.value.code == "wrong-sensitivity"


def test_a_fit_finds_parameters_in_every_form_of_data():
    pandas = pytest.importorskip("pandas")
    model, random = kairos.Model.from_text(DECAY), numpy.random.default_rng(5)
    time = numpy.linspace(0, 4, 60)
    data = {"time": time, "x": 2 * numpy.exp(-0.7 * time) + 0.01 * random.normal(size=60)}
    frame = pandas.DataFrame(data)
    fits = [
        model.fit(given, ["k"], tolerance=1e-8)
        for given in (data, frame, frame.set_index("time"), [data, (data, {"a": 3.0})])
    ]
    for found in fits:
        assert abs(found.values["k"] - 0.7) < 1.5 * found.confidence["k"] < 0.03 and found.settled
        assert found.deviations["x"] == pytest.approx(0.01, rel=0.3)
        assert found.model.parameters["k"].value == found.values["k"]
    assert fits[0].measurements == 60 and fits[3].measurements == 120
    # The closed form of the estimate's deviation for one parameter.
    slope = -time * 2 * numpy.exp(-fits[0].values["k"] * time)
    noise = numpy.sqrt(((data["x"] - 2 * numpy.exp(-fits[0].values["k"] * time)) ** 2).sum() / 59)
    assert fits[0].confidence["k"] == pytest.approx(2.001 * noise / numpy.sqrt((slope**2).sum()), rel=1e-3)


def test_a_run_of_a_fit_begins_at_its_start_not_with_the_first_measurement():
    model, time = kairos.Model.from_text(DECAY), numpy.linspace(0.5, 3, 20)
    found = model.fit({"time": time, "x": 2 * numpy.exp(-0.6 * time)}, ["k"], tolerance=1e-9)
    assert found.values["k"] == pytest.approx(0.6, abs=1e-6)
    later = model.fit({"time": time, "x": 2 * numpy.exp(-0.6 * (time - 0.5))}, ["k"], start=0.5, tolerance=1e-9)
    assert later.values["k"] == pytest.approx(0.6, abs=1e-6)


def test_a_fit_keeps_bounds_and_takes_inputs():
    model = kairos.Model.from_text(DECAY)
    time = numpy.linspace(0, 3, 31)
    x = 2 * numpy.exp(-0.5 * time) + (1 - numpy.exp(-0.5 * time)) / 0.5
    data = {"time": time, "x": x, "u": numpy.ones(31)}
    assert model.fit(data, ["k"], tolerance=1e-9).values["k"] == pytest.approx(0.5, abs=1e-6)
    assert model.fit(data, {"k": (0.8, 5.0)}).values["k"] == 0.8
    assert model.fit(data, {"k": (None, 5.0)}, deviations={"x": 0.1}).values["k"] == pytest.approx(0.5, abs=1e-4)
    with pytest.raises(kairos.Error) as raised:
        model.fit({"time": time, "other": x}, ["k"])
    assert raised.value.code == "wrong-fit"


def test_a_response_serves_optimisers():
    scipy = pytest.importorskip("scipy.optimize")
    time = numpy.linspace(0.1, 3, 20)
    response = kairos.Model.from_text(DECAY).response(["x"], ["k"], time, tolerance=1e-9)
    assert response.start == pytest.approx([1.0])
    wanted = 2 * numpy.exp(-0.6 * time)
    assert response([0.6])[:, 0] == pytest.approx(wanted, abs=1e-7)
    assert response.jacobian([0.6])[:, 0, 0] == pytest.approx(-time * wanted, abs=1e-7)
    found = scipy.least_squares(
        lambda p: response(p)[:, 0] - wanted, response.start, jac=lambda p: response.jacobian(p)[:, 0]
    )
    assert found.x == pytest.approx([0.6], abs=1e-6)


def test_jax_differentiates_a_model():
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    import kairos.jax

    f = kairos.jax.function(kairos.Model.from_text(DECAY), of=["x"], by=["k"], at=[0.5, 1.0], tolerance=1e-9)
    slope = numpy.array([-0.5 * 2 * numpy.exp(-0.4), -2 * numpy.exp(-0.8)])
    there, along = jax.jvp(f, (jax.numpy.array([0.8]),), (jax.numpy.array([2.0]),))
    assert numpy.asarray(there)[:, 0] == pytest.approx([2 * numpy.exp(-0.4), 2 * numpy.exp(-0.8)], abs=1e-7)
    assert numpy.asarray(along)[:, 0] == pytest.approx(2 * slope, abs=1e-7)
    assert float(jax.jit(jax.grad(lambda p: f(p).sum()))(jax.numpy.array([0.8]))[0]) == pytest.approx(slope.sum(), abs=1e-7)
    assert jax.vmap(f)(jax.numpy.array([[0.8], [0.9]])).shape == (2, 2, 1)


def test_torch_differentiates_a_model():
    torch = pytest.importorskip("torch")
    import kairos.torch

    f = kairos.torch.function(kairos.Model.from_text(DECAY), of=["x"], by=["k"], at=[0.5, 1.0], tolerance=1e-9)
    p = torch.tensor([0.8], dtype=torch.float64, requires_grad=True)
    f(p).sum().backward()
    assert p.grad.item() == pytest.approx(-numpy.exp(-0.4) - 2 * numpy.exp(-0.8), abs=1e-7)
    assert torch.autograd.gradcheck(f, (p,), eps=1e-4, atol=1e-4)
