"""Claims that something was once taken for something: "Pluto was once considered a planet" beside "originally considered the ninth
planet".

A network refutes them by what the thing is today.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from retrieval.text.titles import fold, without_bracket
from retrieval.text.words import stem
from retrieval.types import Page
from retrieval.verdicts.rules.ruling import Ruling, claim_forms, first_match, is_about, pages_in_any_number

LOOKED_AT = 15  # sentences of a page
_ONCE = r"(?:once|formerly|originally|previously|initially|long|first|at first|at one time)"
_TAKEN = r"(?:considered|regarded|thought|classified|counted|listed|recogni[sz]ed|classed|treated)"
_CLAIMS = claim_forms(
    rf"(?:the )?(?P<subject>[^,;:?!]{{2,50}}?) (?:was|were|used to be) (?:{_ONCE} )?{_TAKEN}(?: as| to be| among)?(?: an?| the)? (?P<kind>[^,;:?!]{{3,40}}?)"
)
# "originally considered the ninth planet", "was classified as a planet until 2006"
_TOLD = re.compile(
    rf"\b{_ONCE}(?:[^.;]{{1,30}})?? {_TAKEN}(?P<kind>[^.;]{{3,80}})|\b(?:was|were) {_TAKEN}(?P<kind2>[^.;]{{3,80}}?) until\b"
)


def once(claim: str, pages: Sequence[Page]) -> Ruling | None:
    """The sentence of the subject's page that says what it was once taken for; None if that is not the claim's."""
    match = first_match(claim, _CLAIMS)
    kind = fold(match["kind"]).split() if match else []
    if match is None or not kind:
        return None
    head = stem(kind[-1])
    for page in pages_in_any_number(match["subject"], pages)[:1]:
        subject = set(fold(without_bracket(page.title)).split())
        for sentence in page.sentences()[:LOOKED_AT]:
            for found in _TOLD.finditer(sentence.text):
                words = map(stem, fold(found["kind"] or found["kind2"]).split())
                if head in words and is_about(subject, sentence.text[: found.start()]):
                    return Ruling(sentence, True)
    return None
