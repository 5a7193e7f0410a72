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
_AROUND = "*`'\"“”.[]() \n"  # marks around a label
LONGEST_LABEL = 60  # characters
_IN_WORDS = re.compile(r"([^:=,;\n]{1,60})[:=]([^:=,;\n]{1,60})")  # "Supported: 1, Refuted: 5"
_NAMED, _RATED = ("label", "name", "verdict"), ("rating", "score", "value")


def label_named(said: Any) -> Label | None:
    """The label with exactly this name, alone or in a list; None for any other. Case, spaces, underscores, hyphens and marks around it do not
    count.
    """
    said = said[0] if isinstance(said, list) and len(said) == 1 else said
    known = isinstance(said, str) and len(said) <= LONGEST_LABEL
    return _LABELS.get(_folded(said.strip(_AROUND))) if known else None


def read_label(said: Any) -> Label:
    """The same. Raises ReplyError if there is no such label."""
    label = label_named(said)
    if label is None:
        raise unreadable(f"{str(said)[:60]!r} is none of the four labels")
    return label


def read_ratings(said: Any) -> dict[Label, int]:
    """The rating of each of the four labels; others are ignored. said: by name, as a list with a label and a rating each, or as
    one text of these.

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
    if isinstance(said, str):
        said = [list(part) for part in _IN_WORDS.findall(said)]
    if isinstance(said, list) and all(isinstance(one, dict | list) for one in said):
        return map(_pair, said)
    raise unreadable("it does not rate the four labels")


def _pair(one: dict[str, Any] | list[Any]) -> tuple[Any, Any]:
    """A label and its rating: two values, an object that names them, or one with the label as its only key."""
    if isinstance(one, list):
        return (one[0], one[1]) if len(one) == 2 else (None, None)
    if len(one) == 1 and (only := next(iter(one.items())))[0] not in _NAMED:
        return only
    return _first(one, _NAMED), _first(one, _RATED)


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
