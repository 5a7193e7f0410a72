"""Claims that two countries are neighbours: "Egypt borders Morocco" beside "It is bordered by … Libya to the west".

A page lists all neighbours, and a network does not take the absence of a name for a refutation. Nor does it see an exception:
"all other South American countries except Ecuador and Chile".
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from retrieval.text.names.nations import nation_of
from retrieval.text.titles import fold, holds_name, without_bracket
from retrieval.types import Page, Sentence
from retrieval.verdicts.rules.ruling import (
    Ruling,
    begins_with_title,
    claim_forms,
    first_match,
    is_about,
    pages_called,
    without_brackets,
)

LOOKED_AT = 12  # sentences of a page
TWO = 2  # neighbours make a list
OPENING = 2  # sentences in which "bordering" tells of the page's subject, whatever else they name
_ONE, _OTHER = r"(?:the )?(?P<one>[^,;:?!]{2,40}?)", r"(?:the )?(?P<other>(?:(?! and | or )[^,;:?!]){2,40}?)"
_CLAIMS = claim_forms(
    rf"{_ONE} (?:borders(?: on)?|is bordered by|is next to|neighbou?rs|is a neighbou?r of|has a (?:land )?border with|shares a (?:land )?border with) {_OTHER}",
    rf"{_ONE} and {_OTHER} (?:share a (?:common |land )?border|border each other|are neighbou?rs|have a common border)",
)
_NAME = r"[A-Z][\w'’.-]+"
_LIST = re.compile(
    r"\b(?:bordered (?:(?:to|on|in) the [a-z]+(?: and [a-z]+)? )?by|borders(?: on)?(?! (?:is|are|was|were|ha[sd]|have)\b)|(?:shares?|has|with) (?:its )?(?:land |maritime )?borders? with|bounded by|surrounded by|bordering)\b(?P<list>[^.;()]+)"
)
_AT_A_BORDER = re.compile(r"\b(?:border|neighbo|adjoin|frontier|boundar|bounded|across|separat|coast)", re.IGNORECASE)
_WATER = re.compile(r"\b(?:oceans?|seas?|water|gulf|bay|strait)\b", re.IGNORECASE)
_APART = re.compile(r",? (?:while|(?:it is )?(?:narrowly )?separated)\b")
_EXCEPT = re.compile(r"\b(?:except(?: for)?|but not|apart from|excluding|other than)\b(?P<none>.*)")


def neighbours(claim: str, pages: Sequence[Page]) -> Ruling | None:
    """The sentence of the page of either that lists its neighbours: supports the claim if the other is one; refutes it if the page
    names the other in no sentence on borders, and the other's list does not name the first; else None.
    """
    match = first_match(claim, _CLAIMS)
    if match is None:
        return None
    one, other = match["one"], match["other"]
    if told := _neighbour(one, other, pages):
        return told
    # Two countries have the same border, whichever page lists it.
    back, countries = _neighbour(other, one, pages), nation_of(one) and nation_of(other)
    silent = not any(_speaks_of_borders(page, other) for page in pages_called(one, pages)[:1])
    return back if back and (back.holds or (countries and silent)) else None


def _speaks_of_borders(page: Page, other: str) -> bool:
    """Whether the page names the other in a sentence on borders."""
    return any(_AT_A_BORDER.search(one.text) and holds_name(fold(one.text), fold(other)) for one in page.sentences())


def _neighbour(one: str, asked: str, pages: Sequence[Page]) -> Ruling | None:
    ones, others = pages_called(one, pages)[:1], pages_called(asked, pages)[:1]
    if not ones:
        return None
    (page,) = ones
    listed = _listed(page)
    names = {fold(asked), *(fold(without_bracket(other.title)) for other in others)}
    for sentence, text in listed:
        none = _EXCEPT.search(text)
        if none and any(holds_name(fold(none["none"]), name) for name in names):
            return Ruling(sentence, False, f"“{without_bracket(page.title)}” says:{text}.", (asked, none.group()))
        if any(holds_name(fold(text), name) for name in names):
            return Ruling(sentence, True)
    bordering = fold(" ".join(one.text for one in page.sentences() if _AT_A_BORDER.search(one.text)))
    named = any(holds_name(bordering, name) for name in names)
    back = any(
        holds_name(fold(_EXCEPT.sub("", text)), fold(without_bracket(page.title)))
        for other in others
        for _, text in _listed(other)
    )
    if _WATER.search(asked) and any("land border" in one.text for one, _ in listed):
        return None
    if not listed or named or back or not others or any(_EXCEPT.search(text) for _, text in listed):
        return None
    sentence, text = listed[0]
    return Ruling(sentence, False, f"“{without_bracket(page.title)}” says:{text}.", (asked, text.strip()))


def _listed(page: Page) -> list[tuple[Sentence, str]]:
    """The sentences of the page that list the neighbours of its subject, and the lists."""
    subject = set(fold(without_bracket(page.title)).split())
    return [
        (sentence, _APART.split(match["list"])[0])
        for sentence in page.sentences()[:LOOKED_AT]
        for match in _LIST.finditer(without_brackets(sentence.text))
        if len(re.findall(_NAME, match["list"])) >= TWO
        and (
            is_about(subject, match.string[: match.start()])
            or (sentence.line == 0 and begins_with_title(sentence))
            or (match.group().startswith("bordering") and sentence.line < OPENING)
        )
    ]
