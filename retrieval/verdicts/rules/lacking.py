"""Claims that something has a part or can do something that it lacks: "Ostriches can fly" beside "large flightless birds",
"Snakes have legs" beside "legless reptiles".

A network finds the same root in both words and takes the sentence for support.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from retrieval.text.names.forms import singular_forms
from retrieval.text.titles import fold, holds_name, without_bracket
from retrieval.types import Page, Sentence
from retrieval.verdicts.rules.ruling import Ruling, called_in_any_number

LOOKED_AT = 12  # sentences of a page
_SUBJECT = r"^(?:the |an? |all )?(?P<subject>[^,;:?!]{2,40}?)"
_DOES = re.compile(
    rf"{_SUBJECT} (?:(?:can|could)(?P<denied>not|['’]t|n['’]t| not)? fly|(?:fly|flies)|(?:are|is)(?P<denied2>n['’]t| not)? able to fly)[.!]?$",
    re.IGNORECASE,
)
_HAS = re.compile(
    rf"{_SUBJECT} (?:(?:has|have)|(?P<denied>lacks?|(?:do|does)(?:n['’]t| not) have)) (?:(?P<no>no|any) |an? |(?:\w+ )?(?=\w+s\b))?(?P<part>[a-z]{{3,15}})[.!]?$",
    re.IGNORECASE,
)
_BY_THE_SEA = re.compile(
    rf"{_SUBJECT} (?:is (?P<denied>not )?(?:on|by|at) the (?:coast|sea|ocean)|(?:lies|is located) on the (?:coast|sea|ocean)|has access to the (?:sea|ocean)|borders (?:the|an) (?:sea|ocean)"
    r"|has an? (?:\w+ )?(?:coast|coastline) (?:on|along) the (?P<sea>[^,;:?!]{2,30}?))[.!]?$",
    re.IGNORECASE,
)
_FLIGHTLESS = "flightless"
# A country or a town without a coast.
_COAST, _LANDLOCKED = frozenset("coast coastline sea ocean seaport".split()), "landlocked"


def lacking(claim: str, pages: Sequence[Page]) -> Ruling | None:
    """The sentence of the subject's page that denies it the ability or part of the claim; None if there is none."""
    text, words = " ".join(claim.split()), tuple[str, ...]()
    if match := _DOES.match(text):
        words, denied = (_FLIGHTLESS,), bool(match["denied"] or match["denied2"])
    elif match := _BY_THE_SEA.match(text):
        words, denied = (_LANDLOCKED,), bool(match["denied"])
        if match["sea"] and any(
            holds_name(fold(page.text), fold(match["sea"])) for page in called_in_any_number(match["subject"], pages)
        ):
            return None  # "landlocked, on the Caspian Sea"
    elif match := _HAS.match(text):
        words, denied = _words_for(match["part"].lower()), bool(match["denied"] or (match["no"] or "").lower() == "no")
    else:
        return None
    found = _saying(words, match["subject"], pages)
    if found is None:
        return None
    sentence, word = found
    return Ruling(sentence, denied, "" if denied else f"“{without_bracket(sentence.title)}” says: {word}.")


def _words_for(part: str) -> tuple[str, ...]:
    """Adjectives for things without the part."""
    if part in _COAST:
        return (_LANDLOCKED,)
    return tuple(f"{one}less" for one in dict.fromkeys((part, *singular_forms(part))))


def _saying(words: Sequence[str], subject: str, pages: Sequence[Page]) -> tuple[Sentence, str] | None:
    for page in called_in_any_number(subject, pages):
        for sentence in page.sentences()[:LOOKED_AT]:
            if match := re.search(rf"\b(?:{'|'.join(map(re.escape, words))})\b", sentence.text, re.IGNORECASE):
                return sentence, match.group()
    return None
