"""How old somebody was at an event: the year of the event less that of the birth, which no network computes."""

from __future__ import annotations

from collections.abc import Sequence

from retrieval.text.quantities.finding import Kind
from retrieval.text.quantities.numbers import TENS, UNITS
from retrieval.text.quantities.statements import statements
from retrieval.text.quantities.times import LIFE, YEAR
from retrieval.text.titles import fold
from retrieval.text.words import content_words
from retrieval.types import Page
from retrieval.verdicts.rules.comparatives import value_of
from retrieval.verdicts.rules.halves import VERB
from retrieval.verdicts.rules.ruling import ClaimForms, Ruling, pages_meant, sentences_of

_WHO = r"(?P<who>[^,;:?!\d]{3,40}?)"
_AGE = rf"(?:only |just )?(?P<age>[1-9]\d?|{'|'.join((*UNITS, *TENS))})(?: years old| years of age)?"
_HE = "(?:he|she)"
_FORMS = ClaimForms(
    rf"{_WHO} was {_AGE} when {_HE} (?P<did>(?!died|was born)[^,;:?!]{{4,60}}?)",
    rf"{_WHO} (?P<did>(?!died|lived|passed|is |was |were |has |had ){VERB} [^,;:?!]{{2,60}}?) (?:at(?: the)? age(?: of)?|at|aged|when {_HE} was) {_AGE}",
)


def aged(claim: str, pages: Sequence[Page]) -> Ruling | None:
    """The sentence that dates the event; None if the person's page has no date of birth, or no sentence one year for the event."""
    match = _FORMS.match(claim)
    born = value_of(match["who"], "born", pages) if match else None
    if match is None or born is None or born.low // YEAR != born.high // YEAR:
        return None
    words, own = content_words(match["did"]), {page.id for page in pages_meant(match["who"], pages)[:1]}
    written = match["age"].lower()
    age = int(written) if written.isdecimal() else {**UNITS, **TENS}[written]
    name = fold(match["who"]).split()[-1]
    for sentence in sentences_of(pages):
        if not words <= content_words(f"{sentence.title} {sentence.text}"):
            continue
        if sentence.page_id not in own and name not in fold(sentence.text).split():
            continue
        dates = [one for one in statements(sentence.text) if one.kind is Kind.DATE and not one.yearless]
        years = {(one.low // YEAR, one.high // YEAR) for one in dates}
        if len(years) != 1 or any(one.of in LIFE for one in dates):
            continue
        first, last = years.pop()
        if first != last:
            continue
        was = int(first - born.low // YEAR)
        holds = age in (was, was - 1)
        if holds or abs(was - age) > 1:
            return Ruling.quoting(sentence, f"{int(first)}, and was born in {int(born.low // YEAR)}", holds=holds)
    return None
