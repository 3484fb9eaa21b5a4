"""Types of the package."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from os import PathLike
from typing import Any, Literal, Union

import numpy
from numpy.typing import NDArray

Value = Union[float, int, bool, str, Sequence["Value"], NDArray[Any]]
Input = Union[float, Callable[[float], float], tuple[Sequence[float], Sequence[float]]]

__version__: str

class Error(Exception):
    code: str
    message: str
    help: list[str]
    place: dict[str, Any] | None
    time: float | None

class Variable:
    name: str
    unit: str
    description: str
    type: str
    causality: Literal["input", "output", "parameter", "local"]
    variability: Literal["constant", "parameter", "discrete", "continuous"]
    start: float | None
    min: float | None
    max: float | None
    value: float | None
    settable: bool

class Model:
    @classmethod
    def from_text(cls, text: str) -> Model: ...
    @classmethod
    def from_file(
        cls, path: str | PathLike[str], model: str | None = None, *, lib: Sequence[str] = (), trust: bool = False
    ) -> Model: ...
    @classmethod
    def from_library(cls, name: str, *, lib: Sequence[str] = (), trust: bool = False) -> Model: ...
    @classmethod
    def from_bytes(cls, data: bytes) -> Model: ...
    def to_bytes(self) -> bytes: ...
    @property
    def name(self) -> str: ...
    @property
    def variables(self) -> dict[str, Variable]: ...
    @property
    def parameters(self) -> dict[str, Variable]: ...
    @property
    def inputs(self) -> dict[str, Variable]: ...
    @property
    def outputs(self) -> dict[str, Variable]: ...
    @property
    def states(self) -> list[str]: ...
    @property
    def experiment(self) -> dict[str, float | None]: ...
    @property
    def warnings(self) -> list[str]: ...
    def with_params(self, values: Mapping[str, Value] | None = None, /, **more: Value) -> Model: ...
    def simulate(
        self,
        *,
        start: float | None = None,
        stop: float | None = None,
        tolerance: float | None = None,
        intervals: int | None = None,
        interval: float | None = None,
        at: Sequence[float] | None = None,
        method: str | None = None,
        step: float | None = None,
        max_step: float | None = None,
        inputs: Mapping[str, Input] | None = None,
        keep: Sequence[str] | None = None,
        events: bool | None = None,
    ) -> Result: ...
    def start(
        self,
        *,
        start: float | None = None,
        stop: float | None = None,
        tolerance: float | None = None,
        method: str | None = None,
        step: float | None = None,
        max_step: float | None = None,
        inputs: Mapping[str, Input] | None = None,
        events: bool | None = None,
    ) -> Simulation: ...
    def sweep(
        self,
        values: Mapping[str, Sequence[Value] | str],
        outcomes: Sequence[str] | None = None,
        *,
        jobs: int | None = None,
        sample: int | None = None,
        design: Literal["lhs", "sobol", "random"] | None = None,
        seed: int = 1,
        progress: Callable[[int, int], Any] | bool | None = None,
        **options: Any,
    ) -> Sweep: ...
    def sobol_indices(
        self,
        values: Mapping[str, Sequence[Value] | str],
        outcomes: Sequence[str],
        sample: int,
        *,
        jobs: int | None = None,
        design: Literal["lhs", "sobol", "random"] = "sobol",
        seed: int = 1,
        progress: Callable[[int, int], Any] | bool | None = None,
        **options: Any,
    ) -> Indices: ...
    def linearize(
        self,
        at: float | None = None,
        inputs: Sequence[str] | None = None,
        outputs: Sequence[str] | None = None,
        **options: Any,
    ) -> Linear: ...
    def steady_state(self, **options: Any) -> dict[str, float]: ...
    def sensitivities(
        self,
        of: Sequence[str] | None = None,
        by: Sequence[str] | None = None,
        *,
        intervals: int = 100,
        at: Sequence[float] | NDArray[numpy.float64] | None = None,
        **options: Any,
    ) -> Sensitivities: ...
    def response(
        self,
        of: Sequence[str],
        by: Sequence[str],
        at: Sequence[float] | NDArray[numpy.float64],
        **options: Any,
    ) -> Response: ...
    def fit(
        self,
        data: Any,
        free: Sequence[str] | Mapping[str, tuple[float | None, float | None] | None],
        *,
        deviations: Mapping[str, float] | None = None,
        **options: Any,
    ) -> Fit: ...
    def trim(
        self,
        free: Sequence[str] | Mapping[str, tuple[float | None, float | None] | None],
        wanted: Mapping[str, float],
        **options: Any,
    ) -> dict[str, float]: ...

class Linear:
    model: str
    time: float
    exact: bool
    states: list[dict[str, Any]]
    inputs: list[dict[str, Any]]
    outputs: list[dict[str, Any]]
    A: NDArray[numpy.float64]
    B: NDArray[numpy.float64]
    C: NDArray[numpy.float64]
    D: NDArray[numpy.float64]
    modes: list[dict[str, Any]]
    transfers: list[dict[str, Any]]
    def transfer(self, input: str | None = None, output: str | None = None) -> dict[str, Any]: ...
    def response(self, frequencies: Any) -> NDArray[numpy.complex128]: ...
    def bode(self, frequencies: tuple[float, float] | None = None) -> Picture: ...
    def pole_diagram(self) -> Picture: ...
    @property
    def eigenvalues(self) -> NDArray[numpy.complex128]: ...
    def to_scipy(self) -> Any: ...
    def to_control(self) -> Any: ...

class Sensitivities:
    time: NDArray[numpy.float64]
    of: list[str]
    by: list[str]
    values: dict[str, NDArray[numpy.float64]]
    differences: str | None
    def __getitem__(self, pair: tuple[str, str]) -> NDArray[numpy.float64]: ...
    def to_pandas(self) -> Any: ...

class Response:
    model: Model
    of: list[str]
    by: list[str]
    at: NDArray[numpy.float64]
    @property
    def start(self) -> NDArray[numpy.float64]: ...
    def __call__(self, values: Sequence[float] | NDArray[Any]) -> NDArray[numpy.float64]: ...
    def jacobian(self, values: Sequence[float] | NDArray[Any]) -> NDArray[numpy.float64]: ...
    def both(
        self, values: Sequence[float] | NDArray[Any]
    ) -> tuple[NDArray[numpy.float64], NDArray[numpy.float64]]: ...

class Fit:
    values: dict[str, float]
    confidence: dict[str, float]
    correlation: NDArray[numpy.float64]
    deviations: dict[str, float]
    measurements: int
    steps: int
    squares: tuple[float, float]
    settled: bool
    model: Model

class Simulation:
    @property
    def time(self) -> float: ...
    def step(self, by: float) -> Literal["reached", "terminated", "ended"]: ...
    def run_until(self, time: float) -> Literal["reached", "terminated", "ended"]: ...
    def run_to_event(self, limit: float = ...) -> Literal["reached", "event", "terminated", "ended"]: ...
    def __getitem__(self, name: str) -> float: ...
    def __setitem__(self, name: str, value: Value) -> None: ...
    def get(self, names: Sequence[str]) -> list[float]: ...
    def set(self, values: Mapping[str, Value] | None = None, /, **more: Value) -> None: ...
    def text(self, name: str) -> str: ...
    def save(self) -> bytes: ...
    def restore(self, state: bytes) -> None: ...
    def clone(self) -> Simulation: ...
    def derivatives(self, of: Sequence[str], by: Sequence[str]) -> NDArray[numpy.float64]: ...
    def take_events(self) -> list[dict[str, Any]]: ...
    @property
    def summary(self) -> dict[str, Any]: ...

class Result(Mapping[str, NDArray[numpy.float64]]):
    @property
    def time(self) -> NDArray[numpy.float64]: ...
    def __getitem__(self, name: str) -> NDArray[numpy.float64]: ...
    def __iter__(self) -> Iterator[str]: ...
    def __len__(self) -> int: ...
    def at(self, name: str, time: float) -> float: ...
    def texts(self, name: str) -> list[str]: ...
    @property
    def units(self) -> dict[str, str]: ...
    @property
    def descriptions(self) -> dict[str, str]: ...
    @property
    def varying(self) -> list[str]: ...
    @property
    def events(self) -> list[dict[str, Any]]: ...
    @property
    def summary(self) -> dict[str, Any]: ...
    @property
    def warnings(self) -> list[str]: ...
    def write(self, path: str | PathLike[str]) -> None: ...
    def plot(self, *names: str | Sequence[str], title: str | None = None) -> Picture: ...
    def to_pandas(self, names: Sequence[str] | None = None) -> Any: ...
    def to_polars(self, names: Sequence[str] | None = None) -> Any: ...
    def to_xarray(self, names: Sequence[str] | None = None) -> Any: ...
    def to_arrow(self, names: Sequence[str] | None = None) -> Any: ...

class Picture:
    @property
    def svg(self) -> str: ...
    def save(self, path: str | PathLike[str]) -> None: ...

class Sweep(Mapping[str, Any]):
    columns: dict[str, Any]
    failures: dict[int, tuple[str, str]]
    @property
    def runs(self) -> int: ...
    def __getitem__(self, name: str) -> Any: ...
    def __iter__(self) -> Iterator[str]: ...
    def __len__(self) -> int: ...
    def to_pandas(self) -> Any: ...
    def to_polars(self) -> Any: ...
    def to_arrow(self) -> Any: ...

class Indices:
    first: dict[str, dict[str, float]]
    total: dict[str, dict[str, float]]
    first_confidence: dict[str, dict[str, float]]
    total_confidence: dict[str, dict[str, float]]
    points: dict[str, int]
    sweep: Sweep
    def to_pandas(self) -> Any: ...
