"""A model as a function that PyTorch differentiates.

>>> import kairos.torch                                      # doctest: +SKIP
>>> f = kairos.torch.function(model, of=["v"], by=["R", "C"], at=[0.1, 0.2])   # doctest: +SKIP
>>> p = torch.tensor(f.response.start, requires_grad=True)   # doctest: +SKIP
>>> (f(p) ** 2).sum().backward()                             # doctest: +SKIP

Derivatives are the sensitivities of the run, which is made once for values and derivatives.
"""

from __future__ import annotations


def function(model, of, by, at, **options):
    """The values of variables at times, a tensor of times by variables, as a function of a tensor of parameters."""
    import torch

    response = model.response(of, by, at, **options)

    class Simulated(torch.autograd.Function):
        @staticmethod
        def forward(context, p):
            numbers = p.detach().cpu().double().numpy()
            if not context.needs_input_grad[0]:
                return torch.as_tensor(response(numbers)).to(p)
            values, jacobian = response.both(numbers)
            context.save_for_backward(torch.as_tensor(jacobian).to(p))
            return torch.as_tensor(values).to(p)

        @staticmethod
        @torch.autograd.function.once_differentiable
        def backward(context, gradient):
            (jacobian,) = context.saved_tensors
            return torch.einsum("tv,tvp->p", gradient, jacobian)

    def of_parameters(p):
        if tuple(p.shape) != (len(response.by),):
            raise ValueError(f"the function wants {len(response.by)} values: {', '.join(response.by)}")
        return Simulated.apply(p)

    of_parameters.response = response
    return of_parameters
