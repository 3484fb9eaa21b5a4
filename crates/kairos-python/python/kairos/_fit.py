"""Estimation of parameters from measurements, and trimming: values that are found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy

    from ._kairos import Model


@dataclass(frozen=True)
class Fit:
    """What was estimated.

    `values` by name; `confidence` has half of the width of each 95 % interval, infinite where the measurements say nothing;
    `correlation` is a matrix in the order of `values`; `deviations` the root mean square of the residuals by variable;
    `squares` the weighted sum at the start and at the end; `settled` is False where the steps ran out. `model` has the values.
    """

    values: dict
    confidence: dict
    correlation: numpy.ndarray
    deviations: dict
    measurements: int
    steps: int
    squares: tuple
    settled: bool
    model: Model

    def __repr__(self):
        found = ", ".join(f"{name}={value:.6g} ± {self.confidence[name]:.2g}" for name, value in self.values.items())
        return f"Fit({found}{'' if self.settled else ', not settled'})"


def fit(self, data, free, *, deviations=None, **options):
    """Finds values of parameters with which the model comes closest to measurements, and gives a `Fit`.

    `data` is a pandas or polars frame, a dictionary of arrays or a `Result`: a column `time` (or the index of a pandas frame),
    one for each measured variable (NaN where nothing was measured), and one for each input that was not constant. Several
    experiments are a list of those; an experiment with values of its own is a pair `(data, {"T0": 280.0})`. `free` are names of
    parameters, or of states for their start values, or a dictionary of their bounds `{"R": (0, 100), "C": None}`; without bounds
    those of the model hold. `deviations` are standard deviations of the noise by variable; without them all variables count
    alike. Options are those of `simulate`.
    """
    import numpy

    experiments = [_experiment(one) for one in (data if isinstance(data, list) else [data])]
    told, model = self._fit(
        _ends(free), experiments, [(k, float(v)) for k, v in (deviations or {}).items()], options or None
    )
    names = told.pop("names")
    return Fit(
        values=dict(zip(names, told.pop("values"))),
        confidence=dict(zip(names, told.pop("confidence"))),
        correlation=numpy.array(told.pop("correlation")),
        deviations=dict(told.pop("deviations")),
        model=model,
        **told,
    )


def trim(self, free, wanted, **options):
    """Values of all variables at a point where the model rests as wanted, by name, those that could move among them.

    `free` are names of inputs or parameters, or a dictionary of their bounds; `wanted` maps variables to the values they are to
    have at rest. Options are those of `simulate`.
    """
    return self._trim(_ends(free), [(name, float(value)) for name, value in wanted.items()], options or None)


def _ends(free):
    """Names and bounds, None for those of the model."""
    infinity = float("inf")
    bounds = dict(free) if isinstance(free, Mapping) else {name: None for name in ([free] if isinstance(free, str) else free)}
    return [
        (
            name,
            None
            if pair is None
            else (-infinity if pair[0] is None else float(pair[0]), infinity if pair[1] is None else float(pair[1])),
        )
        for name, pair in bounds.items()
    ]


def _experiment(given):
    settings = {}
    if isinstance(given, tuple):
        given, settings = given
    columns = {}
    if "time" not in given and hasattr(given, "index") and hasattr(given, "columns"):
        columns["time"] = _numbers(given.index)
    for name in given.columns if hasattr(given, "columns") else given:
        columns[str(name)] = _numbers(given[name])
    if "time" not in columns and hasattr(given, "time"):
        columns["time"] = _numbers(given.time)
    return list(columns.items()), [(name, float(value)) for name, value in settings.items()]


def _numbers(column):
    import numpy

    return numpy.asarray(column, dtype=float).tolist()
