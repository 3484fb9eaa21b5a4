"""Sweeps on a Ray cluster.

>>> import kairos.ray, ray                                   # doctest: +SKIP
>>> ray.init()                                               # doctest: +SKIP
>>> kairos.ray.sweep(model, {"R": [1, 2, 3]}, ["max(v)"], stop=1.0)   # doctest: +SKIP
"""

from . import _workers


def sweep(model, values, outcomes, *, batches=None, **options):
    """Runs a model for all combinations of values on the workers of Ray, and gives a `kairos.Sweep`.

    The model travels once. What a worker does not finish is done by another one; runs that fail are rows.
    """
    import ray

    cores = int(ray.cluster_resources().get("CPU", 1))
    data = ray.put(_workers.packed(model))
    run = ray.remote(max_retries=3)(_workers.run_batch)
    parts = _workers.batches(_workers.points(values), batches or 4 * cores)
    return _workers.gathered(values, outcomes, ray.get([run.remote(data, part, list(outcomes), options) for part in parts]))
