"""Sweeps on a Dask cluster.

>>> from dask.distributed import Client                     # doctest: +SKIP
>>> import kairos.dask                                       # doctest: +SKIP
>>> kairos.dask.sweep(Client(), model, {"R": [1, 2, 3]}, ["max(v)"], stop=1.0)   # doctest: +SKIP
"""

from . import _workers


def sweep(client, model, values, outcomes, *, batches=None, **options):
    """Runs a model for all combinations of values on the workers of a client, and gives a `kairos.Sweep`.

    The model travels once to each worker. What a worker does not finish is done by another one; runs that fail are rows.
    """
    cores = sum(client.ncores().values()) or 1
    # The model is the result of a task, so that it is made again where the workers that had it are lost.
    data = client.submit(_workers.carried, _workers.packed(model), pure=False)
    parts = _workers.batches(_workers.points(values), batches or 4 * cores)
    futures = [
        client.submit(_workers.run_batch, data, part, list(outcomes), options, pure=False, retries=3) for part in parts
    ]
    return _workers.gathered(values, outcomes, client.gather(futures))
