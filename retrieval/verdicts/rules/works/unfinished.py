"""Claims that a maker finished a work or did not: "Puccini died before he could finish Turandot" beside "was unfinished at his death"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from retrieval.text.titles import fold, holds_name
from retrieval.types import Page
from retrieval.verdicts.rules.ruling import ClaimForms, Ruling, matches, pages_called

_WORK, _MAKER = r"(?P<work>[^,;:?!]{2,60}?)", r"(?P<maker>[^,;:?!]{2,60}?)"
_CLAIMS = ClaimForms(
    rf"{_MAKER} (?P<not>died before (?:(?:he|she) (?:could |had |was able to )?(?:finish(?:ed)?|complet(?:ed?))|finishing|completing)) {_WORK}",
    rf"{_MAKER} (?P<not>left) {_WORK} (?:unfinished|incomplete)(?: (?:when (?:he|she) died|at (?:his|her) death))?",
    rf"{_MAKER} (?:finished|completed) {_WORK}(?: (?:before (?:he|she) died|himself|herself))?",
)
_UNFINISHED = re.compile(
    r"\b(?:unfinished|incomplete|uncompleted|(?:before|without) (?:finishing|completing|(?:he|she) could (?:finish|complete)))\b"
)


def unfinished(claim: str, pages: Sequence[Page]) -> Ruling | None:
    """The sentence of the work's page by which its maker, whom the page names, left it unfinished; None if there is none."""
    match = _CLAIMS.match(claim)
    if match is None:
        return None
    last = fold(match["maker"]).rpartition(" ")[2]
    called = (page for page in pages_called(match["work"], pages) if holds_name(fold(page.text), last))
    for sentence, found in matches(called, _UNFINISHED):
        return Ruling.quoting(sentence, found.group(), holds=match.groupdict().get("not") is not None)
    return None
