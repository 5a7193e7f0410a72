"""Claims about what something was called before: "Zaire is now the Democratic Republic of the Congo", "Istanbul used to be called
Constantinople".

A network takes "formerly named Zaire" for a contradiction of what is so now. Here, the page that gives both names decides. A country
was not called as another country is, if its page gives an old name that is none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from retrieval.text.names.nations import nation_of, nations_in
from retrieval.text.titles import fold, holds_name, without_bracket
from retrieval.types import Page
from retrieval.verdicts.rules.ruling import Ruling, claim_forms, first_match, pages_called

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
_VERB = re.compile(r",? (?:is|are|was|were|has|had)\b")  # what follows is no name
_OLD_NAME = re.compile(
    r"\b(?:formerly|previously|until (?:[\w ]{1,20})?\d{4},?) (?:(?:called|known as|named|as|the) )*(?P<name>[A-Z]\w+)"
)
_NOW = re.compile(
    r"\b(?:now|today|presently|currently|later|subsequently|since) (?:(?:called|known as|named|renamed(?: to| as)?|the) )*(?P<names>[^;()]{2,80})"
    r"|\b(?:renamed|changed its name)(?: to| as)?(?P<names2>[^;()]{2,80})"
)


def renamed(claim: str, pages: Sequence[Page]) -> Ruling | None:
    """The sentence that gives the claim's old name as one that the new one had before; None if no page says so."""
    match = first_match(claim, _CLAIMS)
    if match is None:
        return None
    new, old = match["new"], match["old"]
    return _says(new, old, _BEFORE, pages) or _says(old, new, _NOW, pages) or _is_another(new, old, pages)


def _is_another(new: str, old: str, pages: Sequence[Page]) -> Ruling | None:
    """The sentence of a country's page that gives an old name, if the claim's is that of another country, which the page does not name."""
    country, other = nation_of(new), nation_of(old)
    for page in pages_called(new, pages)[:1] if country and other and country != other else ():
        if other in nations_in(page.text) or holds_name(fold(page.text), fold(old)):
            return None
        for sentence in page.sentences()[:LOOKED_AT]:
            if found := _OLD_NAME.search(sentence.text):
                note = f"“{without_bracket(page.title)}” says: {found.group()}."
                return Ruling(sentence, False, note, (old, found["name"]))
    return None


def _says(subject: str, other: str, said: re.Pattern[str], pages: Sequence[Page]) -> Ruling | None:
    """The sentence of the subject's page that gives the other name behind the words."""
    called = pages_called(subject, pages)
    names = {fold(other), *(fold(without_bracket(page.title)) for page in pages_called(other, pages))}
    for page in called:
        for sentence in page.sentences()[:LOOKED_AT]:
            behind = (_VERB.split(next(filter(None, found.groups()), ""))[0] for found in said.finditer(sentence.text))
            if any(holds_name(fold(text), name) for text in behind for name in names):
                return Ruling(sentence, True)
    return None
