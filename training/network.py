"""The cross-encoder as a torch module, and the two modules that are exported."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import Tensor, nn
from transformers import AutoModel, BertModel


class CrossEncoder(nn.Module):
    """MiniLM over (claim, sentence); from its first token and the mean of all: one relevance and three stance logits."""

    def __init__(self, base: Path) -> None:
        super().__init__()
        self.bert: BertModel = AutoModel.from_pretrained(base, add_pooling_layer=False)
        self.heads = nn.Linear(2 * self.bert.config.hidden_size, 4)
        self.dropout = nn.Dropout(0.1)

    def forward(self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor) -> Tensor:
        """Logits (batch, 4): relevance, supports, refutes, neutral."""
        states = self.bert(input_ids, attention_mask, token_type_ids).last_hidden_state
        pooled = torch.cat([states[:, 0], mean_of_tokens(states, attention_mask)], dim=1)
        return self.heads(self.dropout(pooled))


class Encoder(nn.Module):
    """all-MiniLM-L6-v2 with the pooling its authors give it: the tokens' mean, at unit length."""

    def __init__(self, base: Path) -> None:
        super().__init__()
        self.bert: BertModel = AutoModel.from_pretrained(base, add_pooling_layer=False)

    def forward(self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor) -> Tensor:
        """Vectors (batch, 384)."""
        states = self.bert(input_ids, attention_mask, token_type_ids).last_hidden_state
        return nn.functional.normalize(mean_of_tokens(states, attention_mask), dim=1)


class Int8Embedding(nn.Module):
    """An embedding kept as int8 with one scale a row: a quarter of the size, and closer than one scale for all."""

    def __init__(self, embedding: nn.Embedding) -> None:
        super().__init__()
        weight = embedding.weight.detach()
        scales = weight.abs().amax(dim=1, keepdim=True).clamp(min=1e-8) / 127
        self.register_buffer("rows", (weight / scales).round().to(torch.int8))
        self.register_buffer("scales", scales)

    def forward(self, ids: Tensor) -> Tensor:
        """Rows as float32."""
        return self.rows[ids].to(torch.float32) * self.scales[ids]


def mean_of_tokens(states: Tensor, attention_mask: Tensor) -> Tensor:
    """Mean over the tokens that are not padding."""
    mask = attention_mask.unsqueeze(-1).to(states.dtype)
    return (states * mask).sum(dim=1) / mask.sum(dim=1).clamp(min=1)
