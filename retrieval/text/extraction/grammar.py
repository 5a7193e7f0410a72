"""Words of a sentence in spaCy's parse: subjects, verbs, marks, and where they end."""

from __future__ import annotations

from typing import Any

FINITE = ("VBD", "VBZ", "VBP")
SUBJECTS = ("nsubj", "nsubjpass", "expl")
PLURAL = ("NNS", "NNPS")


def root_of(doc: Any) -> Any:
    """The main verb of a sentence; None if the parser finds no root."""
    return next((token for token in doc if token.dep_ == "ROOT"), None)


def child_of(token: Any, *relations: str) -> Any:
    """The first child of a token in one of these relations to it; None if there is none."""
    return next((child for child in token.children if child.dep_ in relations), None)


def has_child(token: Any, *relations: str) -> bool:
    """Whether a token has a child in one of these relations to it."""
    return child_of(token, *relations) is not None


def helpers_of(verb: Any) -> list[Any]:
    """The auxiliaries of a verb."""
    return [child for child in verb.children if child.dep_ in ("aux", "auxpass")]


def is_finite(verb: Any) -> bool:
    """Whether a verb, or else one of its auxiliaries, is finite."""
    return any(word.tag_ in FINITE for word in helpers_of(verb) or [verb])


def end_of(token: Any) -> int:
    """The offset after a token."""
    return int(token.idx + len(token))


def is_mark(token: Any) -> bool:
    """Whether a token is punctuation; "%" and "°" are part of their number."""
    return bool(token.is_punct) and token.text not in ("%", "‰", "°", "#", "&")


def is_clause(token: Any) -> bool:
    """Whether a word is the finite verb of a clause."""
    return token.tag_ in (*FINITE, "MD") and token.pos_ in ("VERB", "AUX")
