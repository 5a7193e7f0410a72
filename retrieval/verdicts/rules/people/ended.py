"""Claims that someone still does what has ended: "Pelé plays for Santos", who has retired, or "… lives in Paris", who has died.

A network reads that he played there, and takes the sentence for support.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from retrieval.text.titles import without_bracket
from retrieval.types import Page
from retrieval.verdicts.rules.told import Told, pages_meant

_SUBJECT = r"^(?P<subject>[^,;:?!]{2,60}?)"
_NOW = r"(?:still |currently |now )"
_PLAYS = re.compile(
    rf"{_SUBJECT} (?:{_NOW}?(?:plays|coaches|fights|boxes|competes|races) (?:for|with|in|at|against) [^;:?!]{{2,60}}"
    rf"|is {_NOW}?(?:playing|coaching) (?:for|with|in|at) [^;:?!]{{2,60}}|is (?:an? )?(?:active|current) [^;:?!]{{2,60}})[.!]?$",
    re.IGNORECASE,
)
_LIVES = re.compile(
    rf"{_SUBJECT} (?:{_NOW}?(?:lives|resides|works|reigns|rules|governs) (?:in|at|for|as|over|with) [^;:?!]{{2,60}}|is {_NOW}?(?:alive|living)(?: [^;:?!]{{2,60}})?"
    rf"|is {_NOW}?the (?:current |present )?(?:king|queen|president|prime minister|chancellor|emperor|empress|tsar|pope|dictator|leader|ruler|ceo|chief executive|mayor|governor) of [^;:?!]{{2,60}})[.!]?$",
    re.IGNORECASE,
)
_RETIRED = re.compile(r"\bis an? (?:[\w’'-]+ ){0,3}?(?:retired|former)\b")
# "(23 October 1940 – 29 December 2022)", and "was" behind it.
_DIED = re.compile(
    r"\bwas [^.;]{2,120} until (?:his|her|their) death\b|\d{3,4}\s*[–-]\s*(?:[\w. ]{0,25}?)\d{3,4}[^()]{0,40}\)[^.;]{0,80}?\b(?:was|were)\b"
)


def ended(claim: str, pages: Sequence[Page]) -> Told | None:
    """The first sentence of the subject's page, if it says that the person has retired or died; else None."""
    text = " ".join(claim.split())
    plays, lives = _PLAYS.match(text), _LIVES.match(text)
    match = plays or lives
    if match is None:
        return None
    for page in pages_meant(match["subject"], pages)[:1]:
        for sentence in page.sentences()[:1]:
            words = (
                "has died"
                if _DIED.search(sentence.text)
                else "has retired"
                if plays and _RETIRED.search(sentence.text)
                else ""
            )
            if words:
                return Told(sentence, False, f"“{without_bracket(page.title)}” says that this person {words}.")
    return None
