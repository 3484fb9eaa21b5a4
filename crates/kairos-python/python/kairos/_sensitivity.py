"""Sensitivities of a run, and a model as a differentiable function of its parameters."""

from __future__ import annotations


class Sensitivities:
    """How the courses of variables change with parameters and start values.

    `time` has the times; at an event there are two rows, before and after it. `values["v"]` is the course of a variable,
    `found["v", "R"]` that of its derivative by a parameter. `differences` says why whole runs were compared instead of
    integrating the variational equations, and is None where it was not necessary.
    """

    def __init__(self, told):
        self.time, self.of, self.by = told["time"], told["of"], told["by"]
        self.values = dict(zip(self.of, told["values"]))
        self.differences = told["differences"]
        self._slopes = {
            (name, parameter): course
            for name, row in zip(self.of, told["slopes"])
            for parameter, course in zip(self.by, row)
        }

    def __getitem__(self, pair):
        return self._slopes[pair]

    def to_pandas(self):
        """Time, variables and derivatives (`d(v)/d(R)`) as a pandas.DataFrame."""
        import pandas

        slopes = {f"d({name})/d({by})": course for (name, by), course in self._slopes.items()}
        return pandas.DataFrame({"time": self.time, **self.values, **slopes})

    def __repr__(self):
        return f"Sensitivities({len(self.time)} times, of {', '.join(self.of)} by {', '.join(self.by)})"


def sensitivities(self, of=None, by=None, *, intervals=100, at=None, **options):
    """Simulates the model with the derivatives of variables by parameters, and gives `Sensitivities`.

    `of` are names of variables, by default the outputs, or else the states. `by` are names of Real parameters, or of states
    for their start values; by default all Real parameters that can be set. The result has the times `at`, or `intervals` of
    equal length. Derivatives hold across events. Options are those of `simulate`.
    """
    if by is None:
        by = [name for name, var in self.parameters.items() if var.type == "Real" and var.settable]
    times = [] if at is None else [float(time) for time in at]
    if times and options.get("stop") is None:
        options["stop"] = times[-1]
    return Sensitivities(self._sensitivities(list(of or []), list(by), intervals, times, options or None))


class Response:
    """A model as a function of some of its parameters: values of variables at given times.

    `response(values)` is an array of times by variables, `response.jacobian(values)` one of times by variables by
    parameters, `response.both(values)` the two from one run. `response.start` has the parameters of the model.
    """

    def __init__(self, model, of, by, at, options):
        import numpy

        self.model, self.of, self.by = model, list(of), list(by)
        self.at = numpy.asarray(at, dtype=float)
        if self.at.ndim != 1 or not len(self.at) or (numpy.diff(self.at) < 0).any():
            raise ValueError("`at` wants times in order")
        if self.at[-1] <= (options.get("start") or 0.0):
            raise ValueError("the last time of `at` is not after the start")
        self._options = {"stop": float(self.at[-1]), **options}

    @property
    def start(self):
        """The parameters as the model has them."""
        import numpy

        known = self.model.variables
        value = {name: known[name].value if known[name].value is not None else known[name].start for name in self.by}
        return numpy.array([0.0 if value[name] is None else value[name] for name in self.by])

    def _with(self, values):
        return self.model.with_params({name: float(value) for name, value in zip(self.by, values, strict=True)})

    def _rows(self, time):
        import numpy

        # The last row at a time is the right side of an event there.
        return numpy.searchsorted(time, self.at + 1e-12 * numpy.abs(self.at), side="right") - 1

    def __call__(self, values):
        import numpy

        result = self._with(values).simulate(**{**self._options, "at": list(self.at), "keep": self.of, "events": False})
        rows = self._rows(result.time)
        return numpy.stack([result[name][rows] for name in self.of], axis=1)

    def jacobian(self, values):
        """The derivatives by the parameters: times by variables by parameters."""
        return self.both(values)[1]

    def both(self, values):
        """Values and derivatives, from one run."""
        import numpy

        found = self._with(values).sensitivities(self.of, self.by, at=self.at, **self._options)
        rows = self._rows(found.time)
        there = numpy.stack([found.values[name][rows] for name in self.of], axis=1)
        slopes = [numpy.stack([found[name, by][rows] for by in self.by], axis=1) for name in self.of]
        return there, numpy.stack(slopes, axis=1)


def response(self, of, by, at, **options):
    """The model as a function of parameters, with exact derivatives: a `Response`, for optimisers of other packages.

    `of` are the variables, `by` the parameters or states (for their start values), `at` the times. Options are those of
    `simulate`. `kairos.jax.function` and `kairos.torch.function` make functions of it that these packages differentiate.
    """
    return Response(self, of, by, at, options)
