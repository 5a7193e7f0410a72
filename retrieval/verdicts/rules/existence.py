"""Claims that something exists, or no longer does: "The Soviet Union still exists" beside "… existed from 1922 to 1991", "Mermaids
exist" beside "a legendary creature".

A network takes a page about a thing for a sign that it exists.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from retrieval.text.titles import without_bracket
from retrieval.types import Page
from retrieval.verdicts.rules.ruling import Ruling, pages_called, pages_in_any_number

_EXISTS = re.compile(
    r"^(?:the |an? )?(?P<subject>[^,;:?!]{2,60}?) (?:"
    r"(?P<gone>no longer exists?|(?:does|do)(?: not|n['’]t) exist any ?(?:more|longer)|ceased to exist)|"
    r"(?P<still>still exists?(?: today)?|exists? today)|exists?|"
    r"(?P<ever>existed|(?:is|are|was|were) (?:an? )?(?:real|actual|historical)"
    r"(?: (?:animals?|creatures?|person|people|man|woman|humans?|king|queen|place|city|island|event|being))?))[.!]?$",
    re.IGNORECASE,
)
_GONE = re.compile(
    r"\bwas an? [^.;]{3,160}?\b(?:existed|lasted|ruled|from|between)\b[^.;]{0,60}?\d{2,4}\b|\bwas an? (?:former|defunct|historical|ancient)\b"
)
UNREAL = re.compile(r"\b(?:legendary|mythical|mythological|fictional|fictitious|imaginary)\b", re.IGNORECASE)


def existence(claim: str, pages: Sequence[Page]) -> Ruling | None:
    """The first sentence of the subject's page, if it says that the thing is no more, or that it is legendary or fictional."""
    match = _EXISTS.match(" ".join(claim.split()))
    if match is None:
        return None
    gone = None if match["ever"] else _gone(match["subject"], bool(match["gone"]), pages)
    return gone or (None if match["gone"] or match["still"] else _unreal(match["subject"], pages))


def subject_of(claim: str) -> str:
    """The subject of a claim that says only that it exists, is real or is no more; empty for other claims."""
    match = _EXISTS.match(claim)
    return match["subject"] if match else ""


def best_named(subject: str, pages: Sequence[Page]) -> list[Page]:
    """The first page of this name: "Mermaids exist" is about mermaids, not about a film that is called so."""
    return pages_in_any_number(subject, pages)[:1]


def _gone(subject: str, denied: bool, pages: Sequence[Page]) -> Ruling | None:
    for page in pages_called(subject, pages)[:1]:
        for first in page.sentences()[:1]:
            if _GONE.search(first.text):
                note = "" if denied else f"“{without_bracket(page.title)}” says that it is no more."
                return Ruling(first, denied, note)
    return None


def _unreal(subject: str, pages: Sequence[Page]) -> Ruling | None:
    for page in best_named(subject, pages):
        for first in page.sentences()[:1]:
            if found := UNREAL.search(first.text):
                return Ruling(first, False, f"“{without_bracket(page.title)}” says: {found.group()}.")
    return None
