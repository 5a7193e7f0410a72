"""Claims about what something was called before: "Zaire is now the Democratic Republic of the Congo", "Istanbul used to be called
Constantinople".

A network takes "formerly named Zaire" for a contradiction of what is so now. Here, the page that gives both names decides.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from retrieval.text.titles import fold, holds_name, without_bracket
from retrieval.types import Page
from retrieval.verdicts.rules.told import Told, claim_forms, first_match, pages_called

LOOKED_AT = 12  # sentences of a page
_NEW, _OLD = r"(?:the )?(?P<new>[^,;:?!]{2,60}?)", r"(?:the )?(?P<old>[^,;:?!]{2,60}?)"
_CALLED = r"(?:called|known as|named)"
_CLAIMS = claim_forms(
    rf"{_NEW} (?:used to be|was (?:formerly|previously|once|originally|earlier|first)|was) {_CALLED} {_OLD}(?: before| earlier| in the past| once)?",
    rf"{_NEW} used to be {_OLD}",
    rf"{_OLD} is (?:now|today) (?:{_CALLED} )?{_NEW}",
    rf"{_OLD} (?:was renamed|was renamed to|changed its name to|became known as|became) {_NEW}",
    rf"(?:the )?(?:old|former|previous|original) name of {_NEW} (?:is|was) {_OLD}",
    rf"{_OLD} (?:is|was) the (?:old|former|previous|original) name (?:of|for) {_NEW}",
    rf"{_NEW} is the (?:new|current|present|modern) name (?:of|for) {_OLD}",
)
_BEFORE = re.compile(
    r"\b(?:formerly|previously|originally|historically|until (?:[\w ]{1,20})?\d{4},?|once|earlier)(?: also)?(?:,)?(?: (?:called|known as|named|the))*(?P<names>[^;()]{2,80})"
    r"|\b(?:was|were|been) (?:first |then |earlier )?(?:called|known as|named)(?P<names2>[^;()]{2,80})"
    r"|\b(?:renamed|changed its name|name was changed) (?:[a-z]+ ){0,2}?from(?P<names3>[^;()]{2,80})",
)
_NOW = re.compile(
    r"\b(?:now|today|presently|currently|later|subsequently|since) (?:(?:called|known as|named|renamed(?: to| as)?|the) )*(?P<names>[^;()]{2,80})"
    r"|\b(?:renamed|changed its name)(?: to| as)?(?P<names2>[^;()]{2,80})"
)


def renamed(claim: str, pages: Sequence[Page]) -> Told | None:
    """The sentence that gives the claim's old name as one that the new one had before; None if no page says so."""
    match = first_match(claim, _CLAIMS)
    if match is None:
        return None
    return _says(match["new"], match["old"], _BEFORE, pages) or _says(match["old"], match["new"], _NOW, pages)


def _says(subject: str, other: str, said: re.Pattern[str], pages: Sequence[Page]) -> Told | None:
    """The sentence of the subject's page that gives the other name behind the words."""
    called = pages_called(subject, pages)
    names = {fold(other), *(fold(without_bracket(page.title)) for page in pages_called(other, pages))}
    for page in called:
        for sentence in page.sentences()[:LOOKED_AT]:
            behind = (next(filter(None, found.groups()), "") for found in said.finditer(sentence.text))
            if any(holds_name(fold(text), name) for text in behind for name in names):
                return Told(sentence, True)
    return None
