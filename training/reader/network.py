# mypy: disable-error-code="misc"
# (torch is not installed where the types are checked)
"""MPNet with two heads, and the same network written for export."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional
from transformers import AutoModel, MPNetModel

from retrieval.models.onnx import TOGETHER_TOKENS
from training.cross_encoder.network import Int8Embedding, PlainNorm, mean_of_tokens

FIRST_POSITION = 2  # MPNet numbers positions from after its padding index


class Reader(nn.Module):
    """MPNet over (claim, sentence); from its first token and the mean of all: one relevance and three stance logits."""

    def __init__(self, base: Path) -> None:
        super().__init__()
        self.mpnet: MPNetModel = AutoModel.from_pretrained(
            base,
            add_pooling_layer=False,
            attn_implementation="eager",
            hidden_dropout_prob=0.0,
            attention_probs_dropout_prob=0.0,
        )
        self.heads = nn.Linear(2 * self.mpnet.config.hidden_size, 4)
        nn.init.normal_(self.heads.weight, std=0.02)
        nn.init.zeros_(self.heads.bias)
        self.dropout = nn.Dropout(0.1)

    def freeze(self, layers: int) -> None:
        """Freeze the embeddings, the lowest `layers`, and the position bias that all layers share."""
        self.mpnet.embeddings.requires_grad_(False)
        for layer in self.mpnet.encoder.layer[:layers]:
            layer.requires_grad_(False)
        self.mpnet.encoder.relative_attention_bias.requires_grad_(layers == 0)

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
        """Logits (batch, 4), float32: relevance, supports, refutes, neutral."""
        states = self.mpnet(input_ids, attention_mask).last_hidden_state
        pooled = torch.cat([states[:, 0], mean_of_tokens(states, attention_mask)], dim=1)
        return self.heads(self.dropout(pooled.float()))


class ExportedReader(nn.Module):
    """The reader with int8 embeddings, onnxruntime's attention node, and positions for `TOGETHER_TOKENS` tokens."""

    def __init__(self, reader: Reader) -> None:
        super().__init__()
        embeddings, encoder = reader.mpnet.embeddings, reader.mpnet.encoder
        longest = TOGETHER_TOKENS
        self.words = Int8Embedding(embeddings.word_embeddings)
        positions = embeddings.position_embeddings.weight.detach()[FIRST_POSITION : FIRST_POSITION + longest]
        self.register_buffer("positions", positions.clone())
        self.norm = embeddings.LayerNorm
        self.register_buffer("bias_of_distance", bias_of_distance(encoder, longest))
        self.longest = longest
        self.layers = encoder.layer
        for layer in self.layers:
            layer.attention.LayerNorm = PlainNorm(layer.attention.LayerNorm)
            layer.output.LayerNorm = PlainNorm(layer.output.LayerNorm)
        self.attention_heads = reader.mpnet.config.num_attention_heads
        self.heads = reader.heads

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
        """The logits of `Reader`."""
        tokens = input_ids.shape[1]
        states = self.norm(self.words(input_ids) + self.positions[:tokens])
        places = torch.arange(tokens)
        distances = places[None, :] - places[:, None] + self.longest - 1
        bias = self.bias_of_distance[distances].permute(2, 0, 1).unsqueeze(0)
        mask = attention_mask.to(torch.int32)
        for layer in self.layers:
            attention = layer.attention.attn
            parts = (attention.q, attention.k, attention.v)
            query, key, value = (functional.linear(states, part.weight) for part in parts)
            biases = torch.cat([part.bias for part in parts])
            found = _AttentionNode.apply(query, key, value, biases, mask, bias, self.attention_heads)
            states = layer.attention.LayerNorm(attention.o(found) + states)
            states = layer.output(layer.intermediate(states), states)
        pooled = torch.cat([states[:, 0], mean_of_tokens(states, attention_mask)], dim=1)
        return self.heads(pooled)


def bias_of_distance(encoder: Any, longest: int) -> Tensor:
    """(2 * longest - 1, heads): MPNet's attention bias for each distance between two tokens, from -longest + 1 up."""
    with torch.no_grad():
        bias = encoder.compute_position_bias(torch.zeros(1, longest, 1))[0]  # heads, from, to
    backwards = bias[:, -1, :]  # from the last token: distances -longest + 1 to 0
    forwards = bias[:, 0, 1:]  # from the first one: 1 to longest - 1
    return torch.cat([backwards, forwards], dim=1).T.contiguous()


class _AttentionNode(torch.autograd.Function):
    """Writes com.microsoft.MultiHeadAttention (onnxruntime's docs/ContribOperators.md) when a graph is traced."""

    @staticmethod
    def forward(
        ctx: object, query: Tensor, key: Tensor, value: Tensor, biases: Tensor, mask: Tensor, bias: Tensor, heads: int
    ) -> Tensor:
        return query.clone()

    @staticmethod
    def symbolic(graph: Any, query: Any, key: Any, value: Any, biases: Any, mask: Any, bias: Any, heads: int) -> Any:
        node = graph.op(
            "com.microsoft::MultiHeadAttention", query, key, value, biases, mask, bias, num_heads_i=heads, outputs=1
        )
        return node.setType(query.type())
