"""Many runs of one model: on the cores of this machine here, on others through `kairos.dask` and `kairos.ray`."""

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass


class Sweep(Mapping):
    """The outcomes of many runs: columns by name, one number for each run.

    `failures` has code and message of the runs that failed, by their numbers; their outcomes are NaN.
    """

    def __init__(self, columns, failures):
        self.columns, self.failures = columns, failures

    def __getitem__(self, name):
        return self.columns[name]

    def __iter__(self):
        return iter(self.columns)

    def __len__(self):
        return len(self.columns)

    @property
    def runs(self):
        """How many runs there are."""
        return max((len(column) for column in self.columns.values()), default=0)

    def to_pandas(self):
        """All columns as a pandas.DataFrame, one row for each run."""
        import pandas

        return pandas.DataFrame(self.columns)

    def to_polars(self):
        """All columns as a polars.DataFrame, one row for each run."""
        import polars

        return polars.DataFrame(self.columns)

    def to_arrow(self):
        """All columns as a pyarrow.Table, one row for each run."""
        import pyarrow

        return pyarrow.table(self.columns)

    def __repr__(self):
        failed = f", {len(self.failures)} failed" if self.failures else ""
        return f"Sweep({self.runs} runs of {', '.join(self.columns)}{failed})"


def specification(values):
    """Values of a sweep as texts: a list of values, or a text such as `lin(0,1,11)`, `log(1,100,3)`, `normal(1,0.1)`."""

    def text(spec):
        if isinstance(spec, str):
            return spec
        try:
            return ",".join(repr(v) if isinstance(v, float) else _plain(v) for v in spec)
        except TypeError:
            return _plain(spec)

    return [(name, text(spec)) for name, spec in values.items()]


def _plain(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if hasattr(value, "item"):
        return _plain(value.item())
    return repr(value) if isinstance(value, (int, float)) else str(value)


def _bar(done, total):
    width = 30
    filled = width * done // max(total, 1)
    end = "\n" if done >= total else ""
    sys.stderr.write(f"\r[{'#' * filled}{'.' * (width - filled)}] {done}/{total}{end}")
    sys.stderr.flush()


def sweep(self, values, outcomes=None, *, jobs=None, sample=None, design=None, seed=1, progress=None, **options):
    """Runs the model for all combinations of values on all cores, and gives a `Sweep`.

    `values` maps names to lists of values or to texts such as `"lin(0,1,11)"`. With `sample=N` there are N points within the
    ranges instead of all combinations, and distributions: `"uniform(0,1)"`, `"normal(10,0.5)"`, `"lognormal(0,0.1)"`,
    `"triangular(1,2,4)"`; `design` is `"lhs"` (Latin hypercube, the default), `"sobol"` or `"random"`. `outcomes` are `"v"` (at
    the end), `"min(v)"`, `"max(v)"`, `"mean(v)"`; by default all variables at the end. `progress` is a function of (done, total),
    or True for a bar, which is shown by default on a terminal. Options are those of `simulate`.
    """
    return _swept(self, values, outcomes, jobs, (sample, design, seed, False), progress, options)


def _swept(model, values, outcomes, jobs, sampling, progress, options):
    if progress is None:
        progress = sys.stderr.isatty()
    told = _bar if progress is True else (progress or None)
    cores = jobs or (len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)
    columns, failures = model._sweep(specification(values), list(outcomes or []), cores, *sampling, told, options or None)
    return Sweep(columns, failures)


@dataclass(frozen=True)
class Indices:
    """Sobol indices: how much of the variance of each outcome each parameter explains.

    `first[outcome][parameter]` is the part that the parameter explains alone, `total[outcome][parameter]` the one that it has a
    share in; `first_confidence` and `total_confidence` are half of the widths of 95 % intervals. `points` says how many points
    of the sample count for an outcome, `sweep` has all runs.
    """

    first: dict
    total: dict
    first_confidence: dict
    total_confidence: dict
    points: dict
    sweep: Sweep

    def to_pandas(self):
        """All indices as a pandas.DataFrame, one row for each outcome and parameter."""
        import pandas

        rows = [
            {
                "outcome": outcome,
                "parameter": name,
                "first": self.first[outcome][name],
                "first_confidence": self.first_confidence[outcome][name],
                "total": self.total[outcome][name],
                "total_confidence": self.total_confidence[outcome][name],
            }
            for outcome in self.first
            for name in self.first[outcome]
        ]
        return pandas.DataFrame(rows)


def sobol_indices(self, values, outcomes, sample, *, jobs=None, design="sobol", seed=1, progress=None, **options):
    """How much of the variance of outcomes each parameter explains, alone and with the others: `Indices`.

    `values` and `outcomes` are as for `sweep`; for d parameters there are `sample` times (d + 2) runs, best with a power of two.
    """
    swept = _swept(self, values, outcomes, jobs, (sample, design, seed, True), progress, options)
    names = list(values)
    tables = ({}, {}, {}, {})
    points = {}
    for outcome in list(swept)[len(names) :]:
        found, points[outcome] = self._indices(swept[outcome], len(names))
        for table, numbers in zip(tables, zip(*found)):
            table[outcome] = dict(zip(names, numbers))
    return Indices(*tables, points, swept)
