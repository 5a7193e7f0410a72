"""The four labels under every name that the data sets of this field use."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from retrieval.llm.reading.parts import rating, unreadable
from retrieval.types import Label

# AVeriTeC's names, which its prompts offer.
LABELS = {
    "Supported": Label.SUPPORTED,
    "Refuted": Label.REFUTED,
    "Not Enough Evidence": Label.NOT_ENOUGH_EVIDENCE,
    "Conflicting Evidence/Cherrypicking": Label.CONFLICTING,
}
# Names from FEVER, SciFact and others, which models know.
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
LONGEST_NAME_OF_LABEL = 60  # characters
_IN_WORDS = re.compile(r"([^:=,;\n]{1,60})[:=]([^:=,;\n]{1,60})")  # "Supported: 1, Refuted: 5"
_NAMED, _RATED = ("label", "name", "verdict"), ("rating", "score", "value")


def label_named(value: Any) -> Label | None:
    """The label of this name, alone or in a list, or None; case, spaces, "_", "-" and enclosing marks do not count."""
    value = value[0] if isinstance(value, list) and len(value) == 1 else value
    short = isinstance(value, str) and len(value) <= LONGEST_NAME_OF_LABEL
    return _LABELS.get(_folded(value.strip(_AROUND))) if short else None


def read_label(value: Any) -> Label:
    """Like `label_named`, but raises ReplyError if there is no such label."""
    label = label_named(value)
    if label is None:
        raise unreadable(f"{str(value)[:60]!r} is none of the four labels")
    return label


def read_ratings(value: Any) -> dict[Label, int]:
    """The rating of each of the four labels; other names are ignored. Raises ReplyError.

    value: an object of ratings by label, a list of label and rating, or a text of these.
    """
    rated: dict[Label, int] = {}
    for name, rated_as in _pairs(value):
        label = label_named(name)
        if label in rated:
            raise unreadable(f"it rates {str(name)[:60]!r} twice")
        if label:
            rated[label] = rating(_only(rated_as, _RATED) if isinstance(rated_as, dict) else rated_as)
    if len(rated) < len(Label):
        raise unreadable("it does not rate all four labels")
    return rated


def _pairs(value: Any) -> Iterator[tuple[Any, Any]]:
    if isinstance(value, dict):
        return iter(value.items())
    if isinstance(value, str):
        value = [list(part) for part in _IN_WORDS.findall(value)]
    if isinstance(value, list) and all(isinstance(pair, dict | list) for pair in value):
        return map(_pair, value)
    raise unreadable("it does not rate the four labels")


def _pair(pair: dict[str, Any] | list[Any]) -> tuple[Any, Any]:
    """A label and its rating: two values, an object that names them, or one with the label as its only key."""
    if isinstance(pair, list):
        return (pair[0], pair[1]) if len(pair) == 2 else (None, None)
    if len(pair) == 1 and (only := next(iter(pair.items())))[0] not in _NAMED:
        return only
    return _only(pair, _NAMED), _only(pair, _RATED)


def _only(obj: dict[str, Any], names: tuple[str, ...]) -> Any:
    """The value of the only key among these; None if there is none, or several."""
    values = [obj[name] for name in names if name in obj]
    return values[0] if len(values) == 1 else None


def _folded(text: str) -> str:
    return re.sub(r"[\s_-]+", "", text.casefold())


_LABELS = {
    _folded(name): label
    for label in Label
    for name in (str(label), *(name for name, named in LABELS.items() if named is label), *_OTHERS[label])
}
