# mypy: disable-error-code="misc"
# (torch is not installed where the types are checked)
from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor, nn
from transformers import AutoModel, BertModel


class CrossEncoder(nn.Module):
    """MiniLM over (claim, sentence); from its first token and the mean of all: one relevance and three stance logits."""

    def __init__(self, base: Path) -> None:
        super().__init__()
        # On one core, a step with eager attention without dropout takes 5/8 of the time of torch's fused one (torch
        # 2.15).
        self.bert: BertModel = AutoModel.from_pretrained(
            base,
            add_pooling_layer=False,
            attn_implementation="eager",
            hidden_dropout_prob=0.0,
            attention_probs_dropout_prob=0.0,
        )
        # MiniLM's word embeddings stay as they are, so that both models share one file of them.
        self.bert.embeddings.word_embeddings.weight.requires_grad_(False)
        self.heads = nn.Linear(2 * self.bert.config.hidden_size, 4)
        self.dropout = nn.Dropout(0.1)

    def forward(self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor) -> Tensor:
        """Logits (batch, 4): relevance, supports, refutes, neutral."""
        states = self.bert(input_ids, attention_mask, token_type_ids).last_hidden_state
        pooled = torch.cat([states[:, 0], mean_of_tokens(states, attention_mask)], dim=1)
        return self.heads(self.dropout(pooled))


class Encoder(nn.Module):
    """all-MiniLM-L6-v2 with its authors' pooling: the tokens' mean, at unit length."""

    def __init__(self, base: Path) -> None:
        super().__init__()
        self.bert: BertModel = AutoModel.from_pretrained(base, add_pooling_layer=False)

    def forward(self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor) -> Tensor:
        """Vectors (batch, 384)."""
        states = self.bert(input_ids, attention_mask, token_type_ids).last_hidden_state
        return nn.functional.normalize(mean_of_tokens(states, attention_mask), dim=1)


class Int8Embedding(nn.Module):
    """An int8 embedding with one scale per row: a quarter of the size, and more exact than one scale for all."""

    def __init__(self, embedding: nn.Embedding) -> None:
        super().__init__()
        weight = embedding.weight.detach()
        scales = weight.abs().amax(dim=1, keepdim=True).clamp(min=1e-8) / 127
        self.register_buffer("rows", (weight / scales).round().to(torch.int8))
        self.register_buffer("scales", scales)

    def forward(self, ids: Tensor) -> Tensor:
        """Rows as float32."""
        return self.rows[ids].to(torch.float32) * self.scales[ids]


class FusedAttention(nn.Module):
    """BERT's self-attention as onnxruntime's single node. For export only: it computes nothing."""

    def __init__(self, attention: nn.Module) -> None:
        super().__init__()
        self.heads = attention.num_attention_heads
        parts = (attention.query, attention.key, attention.value)
        self.weight = nn.Parameter(torch.cat([part.weight.detach().T for part in parts], dim=1).contiguous())
        self.bias = nn.Parameter(torch.cat([part.bias.detach() for part in parts]))

    def forward(self, states: Tensor, mask: Tensor) -> Tensor:
        """States of the same shape. mask: (batch, tokens), 1 for a token and 0 for padding."""
        return _AttentionNode.apply(states, self.weight, self.bias, mask, self.heads)


class _AttentionNode(torch.autograd.Function):
    """Writes com.microsoft.Attention (onnxruntime's docs/ContribOperators.md) when a graph is traced."""

    @staticmethod
    def forward(ctx: object, states: Tensor, weight: Tensor, bias: Tensor, mask: Tensor, heads: int) -> Tensor:
        return states.clone()

    @staticmethod
    def symbolic(graph: Any, states: Any, weight: Any, bias: Any, mask: Any, heads: int) -> Any:
        node = graph.op("com.microsoft::Attention", states, weight, bias, mask, num_heads_i=heads, outputs=1)
        return node.setType(states.type())


class PlainNorm(nn.Module):
    """Layer normalisation in elementary steps: a sixth faster than onnxruntime 1.31's node for it (4 ns a number)."""

    def __init__(self, norm: nn.LayerNorm) -> None:
        super().__init__()
        self.weight = nn.Parameter(norm.weight.detach() * norm.weight.shape[0] ** 0.5)
        self.bias = nn.Parameter(norm.bias.detach())

    def forward(self, states: Tensor) -> Tensor:
        """The result of LayerNorm with an epsilon of 0 (BERT's is 1e-12)."""
        centred = states - states.mean(dim=-1, keepdim=True)
        return centred / torch.linalg.vector_norm(centred, dim=-1, keepdim=True) * self.weight + self.bias


class FusedBert(nn.Module):
    """BERT written for export: int8 embeddings, fused attention, positions for `longest` tokens."""

    def __init__(self, bert: BertModel, longest: int) -> None:
        super().__init__()
        self.embeddings = bert.embeddings
        self.embeddings.word_embeddings = Int8Embedding(bert.embeddings.word_embeddings)
        self.embeddings.position_embeddings.weight.data = bert.embeddings.position_embeddings.weight.data[:longest]
        self.layers = bert.encoder.layer
        for layer in self.layers:
            layer.attention.output.LayerNorm = PlainNorm(layer.attention.output.LayerNorm)
            layer.output.LayerNorm = PlainNorm(layer.output.LayerNorm)
        self.attentions = nn.ModuleList(FusedAttention(layer.attention.self) for layer in bert.encoder.layer)

    def forward(self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor) -> SimpleNamespace:
        """An object with `last_hidden_state`, as BertModel returns."""
        states = self.embeddings(input_ids=input_ids, token_type_ids=token_type_ids)
        mask = attention_mask.to(torch.int32)
        for layer, attention in zip(self.layers, self.attentions, strict=True):
            states = layer.attention.output(attention(states, mask), states)
            states = layer.output(layer.intermediate(states), states)
        return SimpleNamespace(last_hidden_state=states)


def mean_state(states: Sequence[Mapping[str, Tensor]]) -> dict[str, Tensor]:
    """The mean of the parameters of networks trained from the same start.

    Wortsman et al., Model soups, ICML 2022.
    """
    return {
        name: torch.stack([state[name] for state in states]).mean(0) if value.is_floating_point() else value
        for name, value in states[0].items()
    }


def even_out_stances(heads: nn.Linear, stances: Sequence[Sequence[float]]) -> None:
    """Correct the stance logits as if each stance had been a third of the training pairs.

    heads: relevance, then the three stances. stances: the three shares that each pair was trained towards. (Saerens,
    Latinne and Decaestecker, Neural Computation 2002.)
    """
    counts = torch.tensor(stances, dtype=torch.float32).sum(dim=0)
    heads.bias.data[1:] -= torch.log(3 * counts / counts.sum())


def mean_of_tokens(states: Tensor, attention_mask: Tensor) -> Tensor:
    """Mean over the tokens that are not padding."""
    mask = attention_mask.unsqueeze(-1).to(states.dtype)
    return (states * mask).sum(dim=1) / mask.sum(dim=1).clamp(min=1)
