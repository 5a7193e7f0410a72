"""Pages that share a name, "Titanic (1997 film)" and "Titanic (miniseries)": finds the one that a claim means.

A sentence about another bearer of the name contradicts nothing. So if one namesake's page supports the claim, sentences of
the others against it do not count. The reverse never holds unless the claim itself names the one it means: a planted page
with the subject's name must not silence the subject's page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from retrieval.text.ranking import holds_title
from retrieval.text.titles import fold, without_bracket
from retrieval.text.words import content_words
from retrieval.types import Evidence, Sentence
from retrieval.verdicts.conflict import overruled, refuting, supporting

SPEAKS = 0.3  # least strength with which the page that is meant supports the claim
AS_WELL_KNOWN = 3  # if so many times as many of another page's sentences were read, that page is better known


@dataclass(frozen=True, slots=True)
class Namesakes:
    """Pages that share a name. meant: title of the page that the claim means. others: titles of its namesakes. aside: their sentences that do not
    count."""

    meant: str
    others: tuple[str, ...]
    aside: frozenset[Sentence]


def find_namesakes(claim: str, sentences: Sequence[Evidence]) -> Namesakes | None:
    """The namesakes among the pages read that take different sides, if it is clear which one the claim means."""
    groups: dict[str, dict[str, list[Evidence]]] = {}
    for evidence in sentences:
        if evidence.title_read and holds_title(claim, evidence.title):
            bare = fold(without_bracket(evidence.title))
            groups.setdefault(bare, {}).setdefault(evidence.title, []).append(evidence)
    for pages in groups.values():
        if len(pages) > 1 and (found := _one_meant(claim, pages)):
            return found
    return None


def set_aside(claim: str, sentences: Sequence[Evidence]) -> frozenset[Sentence]:
    """All sentences that do not count: of pages that are overruled, and of namesakes."""
    namesakes = find_namesakes(claim, sentences)
    return overruled(claim, sentences) | (namesakes.aside if namesakes else frozenset())


def heard(claim: str, sentences: Sequence[Evidence]) -> list[Evidence]:
    """The sentences that count, in their order."""
    ignored = set_aside(claim, sentences)
    return [evidence for evidence in sentences if evidence.sentence not in ignored]


def told_apart(namesakes: Namesakes | None) -> str:
    """A sentence that says which page is meant; empty without namesakes."""
    if namesakes is None:
        return ""
    listed = ", ".join(f"“{title}”" for title in namesakes.others[:3])
    return f" “{namesakes.meant}” was taken as the one meant, not {listed}."


def _one_meant(claim: str, pages: Mapping[str, Sequence[Evidence]]) -> Namesakes | None:
    named = [title for title in pages if _says_which(claim, title)]
    for meant in sorted(pages, key=lambda title: (-_strength(pages[title]), title)):
        speaks = _strength(pages[meant]) >= SPEAKS and _strength(pages[meant]) > _against(pages[meant])
        if meant not in named if named else not speaks:
            continue
        others = [title for title in pages if title != meant and _another(claim, meant, title, pages, bool(named))]
        aside = [one.sentence for title in others for one in pages[title] if named or refuting(one) > supporting(one)]
        if aside and (named or any(_against(pages[title]) >= SPEAKS for title in others)):
            return Namesakes(meant, tuple(sorted(others)), frozenset(aside))
    return None


def _another(claim: str, meant: str, other: str, pages: Mapping[str, Sequence[Evidence]], named: bool) -> bool:
    """Whether a page is about another bearer of the name, whom the claim does not mean.

    The brackets must exclude each other: "(film)" may be the "(1997 film)". Most people mean the page without a bracket,
    and a page with many more sentences read is better known; neither gives way to one with a bracket.
    """
    if named:
        return not _says_which(claim, other)
    mine, theirs = _bracket(meant), _bracket(other)
    if not theirs or (mine and (mine <= theirs or theirs <= mine)):
        return False
    return not mine or len(pages[other]) < AS_WELL_KNOWN * len(pages[meant])


def _bracket(title: str) -> frozenset[str]:
    return content_words(title[len(without_bracket(title)) :])


def _says_which(claim: str, title: str) -> bool:
    """Whether the claim contains all words of the title's bracket unchanged: "made of islands" does not mean "(island)"."""
    bracket = fold(title[len(without_bracket(title)) :]).split()
    return bool(bracket) and set(bracket) <= set(fold(claim).split())


def _strength(sentences: Sequence[Evidence]) -> float:
    return max(map(supporting, sentences), default=0.0)


def _against(sentences: Sequence[Evidence]) -> float:
    return max(map(refuting, sentences), default=0.0)
