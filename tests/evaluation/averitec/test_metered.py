"""Tokens are counted together, whichever model answers."""

from __future__ import annotations

from collections.abc import Mapping

from evaluation.averitec.runner import Metered
from retrieval.types import Limits, Reply


class Model:
    """Answers each call with three tokens to two."""

    def __init__(self, id: str) -> None:
        self.id = id

    def complete(
        self,
        instructions: str,
        content: str,
        schema: Mapping[str, object] | None = None,
        *,
        limits: Limits | None = None,
    ) -> Reply:
        return Reply("Yes.", 3, 2)


def test_another_model_is_counted_where_it_was_asked_for() -> None:
    meter = Metered(Model("large"))
    cheaper = meter.other(Model("small"))
    assert cheaper is meter.other(Model("small"))
    for model in (meter, cheaper, cheaper.other(Model("smallest"))):
        assert model.complete("", "").text == "Yes."
    assert (meter.prompt_tokens, meter.reply_tokens) == (9, 6)
    assert cheaper.id == "small"
