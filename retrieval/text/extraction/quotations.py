"""Quotations and their speakers: "X said that …", "“…”, X said", "According to X, …", "X: “…”"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

SAYING = frozenset(
    "say tell claim state announce add argue write declare assert insist warn note explain report maintain allege confirm "
    "deny reveal stress reply suggest contend remark estimate believe".split()
)
LEAST_WORDS = 3  # of what was said
LONGEST_SPEAKER = 80  # characters
_SIGNS = "\"“”«»‘’' ,;:"
_LABELLED = re.compile(r"(?P<who>[A-Z][\w.’'-]*(?: [\w.’'-]+){0,6}): (?P<what>[“\"«][^“”\"«»]+[”\"»])\.?\s*\Z")


@dataclass(frozen=True)
class Quotation:
    """What was said, by offsets in its sentence, and by whom. whole: the spans that make up the quotation."""

    spans: tuple[tuple[int, int], ...]
    speaker: tuple[int, int]


def quotation_in(doc: Any) -> Quotation | None:
    """The quotation in a sentence, if its grammar shows one; None for plain statements and for denials."""
    if match := _LABELLED.match(doc.text):
        return Quotation((_bare(doc.text, *match.span("what")),), match.span("who"))
    return _by_verb(doc) or _according_to(doc)


def _by_verb(doc: Any) -> Quotation | None:
    root = next((token for token in doc if token.dep_ == "ROOT"), None)
    if root is None or root.lemma_.lower() not in SAYING or any(child.dep_ == "neg" for child in root.children):
        return None
    if root.lemma_.lower() == "deny":
        return None
    who = next((child for child in root.children if child.dep_ == "nsubj"), None)
    what = next((child for child in root.children if child.dep_ == "ccomp"), None)
    if who is None or what is None or what.pos_ not in ("VERB", "AUX"):
        return None
    if not any(child.dep_ in ("nsubj", "nsubjpass", "expl", "csubj") for child in what.children):
        return None
    tokens = sorted(token.i for token in what.subtree)
    if who.i in tokens or root.i in tokens or tokens[-1] - tokens[0] + 1 != len(tokens):
        return None
    first = tokens[0]
    while first < tokens[-1] and ((doc[first].dep_ == "mark" and doc[first].lower_ == "that") or doc[first].is_punct):
        first += 1
    last = doc[tokens[-1]]
    span = _bare(doc.text, doc[first].idx, last.idx + len(last))
    return _quotation(doc, (span,), who)


def _according_to(doc: Any) -> Quotation | None:
    for token in doc:
        if token.lower_ != "according" or token.i + 1 >= len(doc) or doc[token.i + 1].lower_ != "to":
            continue
        who = next((child for child in doc[token.i + 1].children if child.dep_ == "pobj"), None)
        if who is None:
            return None
        end = who.right_edge.idx + len(who.right_edge)
        before, after = doc.text[: token.idx].strip(_SIGNS), doc.text[end:].strip(_SIGNS + ".")
        if before and after:
            return None  # in the middle: the rest would be two pieces
        span = (0, token.idx) if before else (end, len(doc.text))
        return _quotation(doc, (_bare(doc.text, *span),), who)
    return None


def _quotation(doc: Any, spans: tuple[tuple[int, int], ...], who: Any) -> Quotation | None:
    words = sum(doc.text[start:end].count(" ") + 1 for start, end in spans)
    end = who.right_edge.idx + len(who.right_edge)
    comma = doc.text.find(",", who.idx, end)  # "the historian Ewa Lindner, who leads tours"
    speaker = _bare(doc.text, who.left_edge.idx, comma if comma > 0 else end)
    if words < LEAST_WORDS or speaker[1] - speaker[0] > LONGEST_SPEAKER:
        return None
    return Quotation(spans, speaker)


def _bare(text: str, start: int, end: int) -> tuple[int, int]:
    """A span without quotation marks, commas and spaces at its ends."""
    while start < end and text[start] in _SIGNS:
        start += 1
    while end > start and text[end - 1] in _SIGNS:
        end -= 1
    return start, end
