"""Claims that something has a part or an ability that it lacks: "Ostriches can fly" beside "large flightless birds"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from retrieval.text.names.forms import singular_forms
from retrieval.text.titles import fold, holds_name
from retrieval.types import Page
from retrieval.verdicts.rules.ruling import ClaimForms, Ruling, called_in_any_number, matches

_SUBJECT = r"(?:the |an? |all )?(?P<subject>[^,;:?!]{2,40}?)"
_DOES = ClaimForms(
    rf"{_SUBJECT} (?:(?:can|could)(?P<denied>not|['’]t|n['’]t| not)? fly|(?:fly|flies)|(?:are|is)(?P<denied2>n['’]t| not)? able to fly)"
)
_HAS = ClaimForms(
    rf"{_SUBJECT} (?:(?:has|have)|(?P<denied>lacks?|(?:do|does)(?:n['’]t| not) have)) (?:(?P<no>no|any) |an? |(?:\w+ )?(?=\w+s\b))?(?P<part>[a-z]{{3,15}})"
)
_BY_THE_SEA = ClaimForms(
    rf"{_SUBJECT} (?:is (?P<denied>not )?(?:on|by|at) the (?:coast|sea|ocean)|(?:lies|is located) on the (?:coast|sea|ocean)|has access to the (?:sea|ocean)|borders (?:the|an) (?:sea|ocean)"
    r"|has an? (?:\w+ )?(?:coast|coastline) (?:on|along) the (?P<sea>[^,;:?!]{2,30}?))"
)
_FLIGHTLESS = "flightless"
# A country or a town without a coast.
_COAST, _LANDLOCKED = frozenset("coast coastline sea ocean seaport".split()), "landlocked"


def lacking(claim: str, pages: Sequence[Page]) -> Ruling | None:
    """The sentence of the subject's page that denies it the ability or part of the claim; None if there is none."""
    if match := _DOES.match(claim):
        words, denied = [_FLIGHTLESS], bool(match["denied"] or match["denied2"])
    elif match := _BY_THE_SEA.match(claim):
        words, denied = [_LANDLOCKED], bool(match["denied"])
        called = called_in_any_number(match["subject"], pages)
        if match["sea"] and any(holds_name(fold(page.text), fold(match["sea"])) for page in called):
            return None  # "landlocked, on the Caspian Sea"
    elif match := _HAS.match(claim):
        part, denied = match["part"].lower(), bool(match["denied"] or (match["no"] or "").lower() == "no")
        words = [_LANDLOCKED] if part in _COAST else [f"{one}less" for one in {part, *singular_forms(part)}]
    else:
        return None
    lacks = re.compile(rf"\b(?:{'|'.join(map(re.escape, words))})\b", re.IGNORECASE)
    for sentence, found in matches(called_in_any_number(match["subject"], pages), lacks, first=12):
        return Ruling(sentence, True) if denied else Ruling.quoting(sentence, found.group())
    return None
