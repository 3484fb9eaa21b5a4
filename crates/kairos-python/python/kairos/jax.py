"""A model as a function that JAX differentiates, forward and in reverse.

>>> import kairos.jax                                        # doctest: +SKIP
>>> f = kairos.jax.function(model, of=["v"], by=["R", "C"], at=[0.1, 0.2])   # doctest: +SKIP
>>> jax.grad(lambda p: (f(p) ** 2).sum())(f.response.start)  # doctest: +SKIP

Derivatives are the sensitivities of the run. Numbers are of JAX's precision: for doubles set `jax_enable_x64`.
"""

from __future__ import annotations


def function(model, of, by, at, **options):
    """The values of variables at times, an array of times by variables, as a function of an array of parameters."""
    import jax
    import numpy

    response = model.response(of, by, at, **options)
    times, count, parameters = len(response.at), len(response.of), len(response.by)
    kind = jax.dtypes.canonicalize_dtype(numpy.float64)
    whole = jax.ShapeDtypeStruct((times, count), kind)
    slopes = jax.ShapeDtypeStruct((times, count, parameters), kind)

    def values(p):
        return response(numpy.asarray(p, dtype=float)).astype(kind)

    def both(p):
        there, jacobian = response.both(numpy.asarray(p, dtype=float))
        return there.astype(kind), jacobian.astype(kind)

    @jax.custom_jvp
    def simulated(p):
        return jax.pure_callback(values, whole, p, vmap_method="sequential")

    @simulated.defjvp
    def _(primals, tangents):
        there, jacobian = jax.pure_callback(both, (whole, slopes), primals[0], vmap_method="sequential")
        return there, jacobian @ tangents[0].astype(kind)

    def of_parameters(p):
        p = jax.numpy.asarray(p, dtype=kind)
        if p.shape != (parameters,):
            raise ValueError(f"the function wants {parameters} values: {', '.join(response.by)}")
        return simulated(p)

    of_parameters.response = response
    return of_parameters
