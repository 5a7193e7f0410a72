"""How old somebody was at an event: the year of the event less that of the birth, which no network computes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set

from retrieval.text.quantities.finding import Kind
from retrieval.text.quantities.numbers import TENS, UNITS, whole_number
from retrieval.text.quantities.statements import statements
from retrieval.text.quantities.times import LIFE, YEAR
from retrieval.text.ranking import holds_title
from retrieval.text.titles import fold, holds_name
from retrieval.text.words import content_words
from retrieval.types import Page, Sentence
from retrieval.verdicts.rules.comparatives import value_of
from retrieval.verdicts.rules.halves import VERB
from retrieval.verdicts.rules.ruling import ClaimForms, Ruling, pages_meant, sentences_of

_WHO = r"(?P<who>[^,;:?!\d]{3,40}?)"
_AGE = rf"(?:only |just )?(?P<age>[1-9]\d?|(?:{'|'.join(TENS)})(?:[ -](?:{'|'.join(UNITS)}))?|{'|'.join(UNITS)})(?: years old| years of age)?"
_HE = "(?:he|she)"
_FORMS = ClaimForms(
    rf"{_WHO} was {_AGE} when {_HE} (?P<did>(?!died|was born)[^,;:?!]{{4,60}}?)",
    rf"{_WHO} (?P<did>(?!died|lived|passed|is |was |were |has |had ){VERB} [^,;:?!]{{2,60}}?) (?:at(?: the)? age(?: of)?|at|aged|when {_HE} was) {_AGE}",
)
# "having left school at 14, he was elected at 25, in 1969": the year is that of another event.
_GIVES_AGE = re.compile(r"\b(?:at|aged?|age of) \d{1,2}\b|\byears? old\b|-year-old\b")


def aged(claim: str, pages: Sequence[Page]) -> Ruling | None:
    """The sentence that dates the event; one by which the claim is true, if there is one. None if the person's page has no
    date of birth, if the sentences on the event give no year, or several, or if none of those that refute is on the page of
    the person or of something that the claim names.
    """
    match = _FORMS.match(claim)
    born = value_of(match["who"], "born", pages) if match else None
    if match is None or born is None or born.low // YEAR != born.high // YEAR:
        return None
    age, birth = whole_number(match["age"]) or 0, int(born.low // YEAR)
    own = {page.id for page in pages_meant(match["who"], pages)[:1]}
    found = list(_dated(fold(match["who"]).rpartition(" ")[2], own, content_words(match["did"]), pages))
    for sentence, year in found:
        if age in (year - birth, year - birth - 1):
            return Ruling.quoting(sentence, f"{year}, and was born in {birth}", holds=True)
    for sentence, year in found if len({year for _, year in found}) == 1 else ():
        on_either = sentence.page_id in own or holds_title(fold(match["did"]), sentence.title)
        if on_either and abs(year - birth - age) > 1:
            return Ruling.quoting(sentence, f"{year}, and was born in {birth}")
    return None


def _dated(name: str, own: Set[str], words: Set[str], pages: Sequence[Page]) -> Iterator[tuple[Sentence, int]]:
    """The sentences that have all words of the event and give one year, but no age, with the year; on other pages than the
    person's own, those with the last name.
    """
    for sentence in sentences_of(pages):
        if not words <= content_words(f"{sentence.title} {sentence.text}") or _GIVES_AGE.search(sentence.text):
            continue
        if sentence.page_id not in own and not holds_name(fold(sentence.text), name):
            continue
        dates = [one for one in statements(sentence.text) if one.kind is Kind.DATE and not one.yearless]
        years = {int(day // YEAR) for one in dates for day in (one.low, one.high)}
        if len(years) == 1 and not any(one.of in LIFE for one in dates):
            yield sentence, years.pop()
