"""Linear models around a point of a run."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy


@dataclass(frozen=True)
class Linear:
    """A linear model `dx/dt = A x + B u`, `y = C x + D u` of deviations from a point.

    `states`, `inputs` and `outputs` are lists of dictionaries with name, unit and value at the point; `modes` has the
    eigenvalues with frequency in Hz, damping and the participation of the states, slowest first; `transfers` has, from
    each input to each output, gain, zeros and poles without what cancels, and the coefficients of numerator and denominator.
    """

    model: str
    time: float
    exact: bool
    states: list
    inputs: list
    outputs: list
    A: numpy.ndarray
    B: numpy.ndarray
    C: numpy.ndarray
    D: numpy.ndarray
    modes: list
    transfers: list
    _around: object = field(repr=False, compare=False)

    @property
    def eigenvalues(self):
        """The eigenvalues of `A` as complex numbers."""
        import numpy

        return numpy.array([complex(mode["real"], mode["imaginary"]) for mode in self.modes])

    def transfer(self, input=None, output=None):
        """The transfer function from an input to an output, by default the first ones, as a dictionary."""
        input = input or self.inputs[0]["name"]
        output = output or self.outputs[0]["name"]
        for transfer in self.transfers:
            if (transfer["input"], transfer["output"]) == (input, output):
                return transfer
        raise KeyError(f"no transfer function leads from {input!r} to {output!r}")

    def response(self, frequencies):
        """The complex responses at frequencies in Hz: an array of frequencies by outputs by inputs."""
        import numpy

        s = 2j * numpy.pi * numpy.asarray(frequencies, dtype=float)
        unit = numpy.eye(len(self.A))
        return numpy.array([self.C @ numpy.linalg.solve(one * unit - self.A, self.B) + self.D for one in s])

    def bode(self, frequencies=None):
        """Magnitude in dB and phase in degrees over the frequency in Hz, from every input to every output: a `Picture`.

        `frequencies` is a pair of the least and the greatest one, by default around all poles and zeros.
        """
        low, high = frequencies or (None, None)
        return self._around.bode(low, high)

    def pole_diagram(self):
        """Poles as crosses and zeros as circles in the complex plane: a `Picture`."""
        return self._around.poles()

    def to_scipy(self):
        """The model as a scipy.signal.StateSpace."""
        import scipy.signal

        return scipy.signal.StateSpace(self.A, self.B, self.C, self.D)

    def to_control(self):
        """The model as a control.StateSpace, with names."""
        import control

        names = [[signal["name"] for signal in signals] for signals in (self.states, self.inputs, self.outputs)]
        return control.ss(self.A, self.B, self.C, self.D, states=names[0], inputs=names[1], outputs=names[2])


def linearize(self, at=None, inputs=None, outputs=None, **options):
    """The linear model around a point of a run, a `kairos.Linear`.

    `at` is the time of the point, by default the start. `inputs` (inputs or parameters) and `outputs` (any variables) are
    names; by default those of the model. Options are those of `simulate`.
    """
    import numpy

    around = self._linearize(at, list(inputs or []), list(outputs or []), options or None)
    told = json.loads(around.json())
    n, m, p = len(told["states"]), len(told["inputs"]), len(told["outputs"])
    shapes = {"A": (n, n), "B": (n, m), "C": (p, n), "D": (p, m)}
    matrices = {name: numpy.array(told.pop(name), dtype=float).reshape(shape) for name, shape in shapes.items()}
    return Linear(**told, **matrices, _around=around)
