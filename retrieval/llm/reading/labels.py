"""The four labels, by every name that the data sets of this field give them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from retrieval.llm.reading.parts import rating, unreadable
from retrieval.types import Label

# AVeriTeC's; its prompts offer them.
LABELS = {
    "Supported": Label.SUPPORTED,
    "Refuted": Label.REFUTED,
    "Not Enough Evidence": Label.NOT_ENOUGH_EVIDENCE,
    "Conflicting Evidence/Cherrypicking": Label.CONFLICTING,
}
# Those of FEVER, SciFact and others, which models know.
_OTHERS = {
    Label.SUPPORTED: ("supports", "support"),
    Label.REFUTED: ("refutes", "refute", "contradicted", "contradicts", "contradict"),
    Label.NOT_ENOUGH_EVIDENCE: (
        *("not enough info", "not enough information", "nei"),
        *("insufficient evidence", "insufficient information"),
    ),
    Label.CONFLICTING: ("conflicting evidence",),
}
_AROUND = "*`'\"“”.[] \n"  # marks around a label
LONGEST_LABEL = 60  # characters
_NAMED, _RATED = ("label", "name", "verdict"), ("rating", "score", "value")


def label_named(said: Any) -> Label | None:
    """The label with exactly this name; None for any other. Case, spaces, underscores, hyphens and marks around it do not
    count.
    """
    known = isinstance(said, str) and len(said) <= LONGEST_LABEL
    return _LABELS.get(_folded(said.strip(_AROUND))) if known else None


def read_label(said: Any) -> Label:
    """The same. Raises ReplyError if there is no such label."""
    label = label_named(said)
    if label is None:
        raise unreadable(f"{str(said)[:60]!r} is none of the four labels")
    return label


def read_ratings(said: Any) -> dict[Label, int]:
    """The rating of each of the four labels; others are ignored. said: by name, or a list of a label and a rating each.

    Raises ReplyError.
    """
    rated: dict[Label, int] = {}
    for name, value in _pairs(said):
        if (label := label_named(name)) is None:
            continue
        if label in rated:
            raise unreadable(f"it rates {str(name)[:60]!r} twice")
        rated[label] = rating(_first(value, _RATED) if isinstance(value, dict) else value)
    if len(rated) < len(Label):
        raise unreadable("it does not rate all four labels")
    return rated


def _pairs(said: Any) -> Iterator[tuple[Any, Any]]:
    if isinstance(said, dict):
        return iter(said.items())
    if isinstance(said, list) and all(isinstance(one, dict) for one in said):
        return ((_first(one, _NAMED), _first(one, _RATED)) for one in said)
    raise unreadable("it does not rate the four labels")


def _first(one: dict[str, Any], names: tuple[str, ...]) -> Any:
    """The value of the only key among these; None if there is none, or several."""
    found = [one[name] for name in names if name in one]
    return found[0] if len(found) == 1 else None


def _folded(text: str) -> str:
    return re.sub(r"[\s_-]+", "", text.casefold())


_LABELS = {
    _folded(name): label
    for label in Label
    for name in (str(label), *(name for name, one in LABELS.items() if one is label), *_OTHERS[label])
}
