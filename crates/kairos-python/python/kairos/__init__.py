"""Compile, simulate and study Modelica models.

>>> import kairos
>>> model = kairos.Model.from_text('''
... model Decay
...   parameter Real k = 1;
...   Real x(start = 1, fixed = true);
... equation
...   der(x) = -k*x;
... end Decay;
... ''')
>>> result = model.with_params(k=2.0).simulate(stop=1.0, tolerance=1e-9)
>>> round(result.at("x", 0.5), 6)
0.367879
"""

from ._kairos import Error, Model, Picture, Result, Simulation, Variable, __version__
from ._fit import Fit
from ._linear import Linear
from ._sensitivity import Response, Sensitivities
from ._studies import Indices, Sweep
from . import _convert, _fit, _linear, _sensitivity, _studies

# What is easier said in Python belongs to the classes all the same.
Result.to_pandas = _convert.to_pandas
Result.to_polars = _convert.to_polars
Result.to_xarray = _convert.to_xarray
Result.to_arrow = _convert.to_arrow
Result.__arrow_c_stream__ = _convert.arrow_stream
Model.sweep = _studies.sweep
Model.sobol_indices = _studies.sobol_indices
Model.linearize = _linear.linearize
Model.sensitivities = _sensitivity.sensitivities
Model.response = _sensitivity.response
Model.fit = _fit.fit
Model.trim = _fit.trim

__all__ = [
    "Error",
    "Fit",
    "Indices",
    "Linear",
    "Model",
    "Picture",
    "Response",
    "Result",
    "Sensitivities",
    "Simulation",
    "Sweep",
    "Variable",
    "__version__",
]
