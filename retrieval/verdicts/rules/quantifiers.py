"""Claims about all of a kind: "All birds can fly" beside "most bird species can fly".

A network takes a statement about most of them for support. Here, a sentence that says it only of some refutes the claim.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from retrieval.text.titles import without_bracket
from retrieval.text.words import stem
from retrieval.types import Evidence
from retrieval.verdicts.rules.ruling import Ruling

LOOKED_AT = 5  # sentences, the most relevant first
_ALL = re.compile(r"^(?:all|every|each)(?: of)?(?: the)? (?P<words>[\w'’-]+(?: [\w'’-]+){1,3})", re.IGNORECASE)
_SOME = re.compile(
    r"\b(?:most|many|some|several|certain|a few|(?:almost|nearly|not) (?:all|every)|the majority of|not every)"
    r"(?: of)?(?: the)? (?P<kind>(?:(?!(?:and|or|all|every)\b)[\w'’-]+(?: |\b)){1,4})",
    re.IGNORECASE,
)

_BUT = re.compile(r"\b(?:except|with the exception of|apart from|other than|excluding)\b", re.IGNORECASE)


def of_some(claim: str, sentences: Sequence[Evidence]) -> Ruling | None:
    """The sentence that says only of some what the claim says of all; None if there is none."""
    match = _ALL.match(" ".join(claim.split()))
    if match is None:
        return None
    words = match["words"].lower().split()
    kind = stem(next((word for word in words if word.endswith("s")), words[0]))
    for one in sentences[:LOOKED_AT]:
        if one.stance.supports > max(one.stance.refutes, one.stance.neutral) and _leaves_some_out(
            one.sentence.text, kind
        ):
            return Ruling(one.sentence, False, f"“{without_bracket(one.sentence.title)}” says so only of some.")
    return None


def _leaves_some_out(text: str, kind: str) -> bool:
    """Whether the text speaks of some of the kind, or of all but some. kind: its stem."""
    some = [match["kind"] for match in _SOME.finditer(text)] + ([text] if _BUT.search(text) else [])
    return any(kind in map(stem, re.findall(r"[\w'’-]+", one.lower())) for one in some)
