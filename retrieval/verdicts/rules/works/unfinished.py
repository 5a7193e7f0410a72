"""Claims that a maker finished a work or did not: "Puccini died before he could finish Turandot" beside "was unfinished at his death"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from retrieval.text.titles import fold, holds_name
from retrieval.types import Page
from retrieval.verdicts.rules.ruling import ClaimForms, Ruling, matches, matches_about, pages_called

_WORK, _MAKER = r"(?P<work>[^,;:?!]{2,60}?)", r"(?P<maker>[^,;:?!]{2,60}?)"
_CLAIMS = ClaimForms(
    rf"{_MAKER} (?P<not>died before (?:(?:he|she) (?:could |had |was able to )?(?:finish(?:ed)?|complet(?:ed?))|finishing|completing)) {_WORK}",
    rf"{_MAKER} (?P<not>left) {_WORK} (?:unfinished|incomplete)(?: (?:when (?:he|she) died|at (?:his|her) death))?",
    rf"{_MAKER} (?:finished|completed) {_WORK}(?: (?:before (?:he|she) died|himself|herself))?",
)
_UNFINISHED = re.compile(
    r"(?i)\b(?:unfinished|incomplete|uncompleted|(?:died|death)\b[^.;]{0,40}? (?:before|without) (?:finishing|completing|(?:he|she) could (?:finish|complete)))\b"
)
# "was completed in 1926 by his pupil Franco Alfano"; the last name follows.
_COMPLETED_BY = r"\b(?:completed|finished)(?:(?! by )[^.;,]){0,30} by (?:[a-z]+ ){0,4}(?:[A-Z][\w.'’-]* ){0,3}"


def unfinished(claim: str, pages: Sequence[Page]) -> Ruling | None:
    """The sentence of the work's page by which the claim's maker, whom the page names, finished what another began, or else
    the work was left unfinished; None if there is none.
    """
    match = _CLAIMS.match(claim)
    if match is None:
        return None
    last, left = match["maker"].rpartition(" ")[2], match.groupdict().get("not") is not None
    called = [page for page in pages_called(match["work"], pages) if holds_name(fold(page.text), fold(last))]
    by_maker = re.compile(rf"{_COMPLETED_BY}(?i:{re.escape(last)})\b")
    for sentence, found in matches(called, by_maker):
        return Ruling.quoting(sentence, found.group(), holds=not left)
    for page in called:
        for sentence, found in matches_about(page, _UNFINISHED):  # not "his earlier opera Edgar"
            return Ruling.quoting(sentence, found.group(), holds=left)
    return None
