"""What runs on workers of a cluster: a model travels as bytes once, and results come back as small tables."""

import functools
import hashlib
import itertools

from ._kairos import Error, Model
from ._studies import Sweep


class Packed:
    """A model as bytes that are compared by a digest, so that a worker finds its model without looking at all of them.

    Not a kind of `bytes`: engines make plain ones of those on their way.
    """

    def __init__(self, data, digest):
        self.data, self.digest = data, digest

    def __hash__(self):
        return hash(self.digest)

    def __eq__(self, other):
        return isinstance(other, Packed) and self.digest == other.digest


@functools.lru_cache(maxsize=32)
def _loaded(packed):
    return Model.from_bytes(packed.data)


def packed(model):
    """A model as it travels."""
    data = model.to_bytes()
    return Packed(data, hashlib.sha256(data).hexdigest())


def carried(data):
    """The model as it came."""
    return data


def points(values):
    """All combinations of values as dictionaries, the last name varying fastest."""
    names = list(values)
    return [dict(zip(names, point)) for point in itertools.product(*(list(values[name]) for name in names))]


def batches(items, count):
    """Numbered items in batches."""
    numbered = list(enumerate(items))
    size = max(1, -(-len(numbered) // count))
    return [numbered[k : k + size] for k in range(0, len(numbered), size)]


def run_batch(data, batch, outcomes, options):
    """Runs one batch; gives number, values and failure of each run."""
    model = _loaded(data)
    done = []
    for number, point in batch:
        try:
            result = model.with_params(point).simulate(events=False, **options)
            done.append((number, [_reduced(result, outcome) for outcome in outcomes], None))
        except Error as error:
            done.append((number, [float("nan")] * len(outcomes), (error.code, error.message)))
    return done


def _reduced(result, outcome):
    how, _, name = outcome.rpartition("(")
    name = name.rstrip(")") if how else outcome
    values = result[name]
    match how or "final":
        case "final":
            return float(values[-1])
        case "min":
            return float(values.min())
        case "max":
            return float(values.max())
        case "mean":
            import numpy

            time = result.time
            return float(numpy.trapezoid(values, time) / (time[-1] - time[0]))
    raise ValueError(f"`{outcome}` is no outcome: write v, final(v), min(v), max(v) or mean(v)")


def gathered(values, outcomes, parts):
    """The dataset of all batches."""
    import numpy

    rows = points(values)
    columns = {name: numpy.array([row[name] for row in rows]) for name in values}
    results = {outcome: numpy.full(len(rows), numpy.nan) for outcome in outcomes}
    failures = {}
    for number, found, failure in itertools.chain.from_iterable(parts):
        for outcome, value in zip(outcomes, found):
            results[outcome][number] = value
        if failure:
            failures[number] = failure
    return Sweep({**columns, **results}, failures)
