"""Who holds the claim's place: a sentence that names the claim's subject supports the claim, one that names another refutes it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from retrieval.text.quantities.finding import Kind
from retrieval.text.quantities.stated import Statement
from retrieval.text.quantities.statements import statements
from retrieval.text.titles import fold, holds_name, without_article, without_bracket
from retrieval.text.words import stem, stems
from retrieval.types import Page, Sentence
from retrieval.verdicts.rules.only_one.capitals import capital_elsewhere, capital_of_others, capital_once
from retrieval.verdicts.rules.only_one.place import ALIKE, LITTLE, MOST_PEOPLE, Place, words_of
from retrieval.verdicts.rules.only_one.sentences import LANDS, PRONOUN, places_given
from retrieval.verdicts.rules.ruling import Ruling, called_in_any_number, pages_called, sentences_of

_COMMON = frozenset(
    "mount mountain lake river city town saint new north south east west island county king queen".split()
)
_PAIRS = (
    "largest smallest|highest lowest|longest shortest|deepest shallowest|fastest slowest|heaviest lightest|oldest youngest|"
    "hottest coldest|warmest coldest|wettest driest|richest poorest|closest farthest|hardest softest|strongest weakest|most least|first last"
)
_PAIRED = {tuple(map(stem, pair.split())) for pair in _PAIRS.split("|")}
_PLACED = re.compile(r"second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\d+(?:st|nd|rd|th)")
_DENSE = frozenset(map(stem, ("densely", "sparsely")))  # "the most densely populated" is not the most populous
_OPPOSITES = {pair[::-1] for pair in _PAIRED} | _PAIRED
# A sentence that ranks its subject, and what stands before the rank of something else ("home to the second-largest lake").
_RANKS = re.compile(r".{1,160}? (?:is|are|ranks?|making it)\b")
_OF_ANOTHER = re.compile(
    r"\b(?:to|of|with|for|by|in|near|from|on|at|after|has|have|had) (?:(?:the|its|an?|one of the|\w+['’]s) )?$"
)
_FIRST_TO = re.compile(
    r"\b(?P<place>(?:first|only|last) [^,;:.()]{2,60}?) (?:to|who|that|which|whose)\b(?P<did>[^,;:.()]*)"
)
_NUMBER = re.compile(r"\d+|[ivx]{2,}")
_OTHER_NAME = re.compile(r"\b(?:also|called|known|former(?:ly)?|or|now|named|renamed)\b")
SENTENCES_ON_RANKS = 12  # of the subject's page


def holder_of(place: Place, sentences: Iterable[Sentence], pages: Sequence[Page]) -> Ruling | None:
    """The sentence that says who holds the place: of a capital, first the town's own page, if it names another country. None if no
    sentence says so, or if they differ. If no page has the subject's name, it might be another name of the holder: nothing refutes.
    """
    known = _names_of(place.subject, pages)
    names = known or {fold(place.subject)}
    if len(place.words) < 2:
        return None
    if elsewhere := capital_elsewhere(place, pages, part=False):
        return elsewhere
    held, others = list[Ruling](), list[Ruling]()
    for sentence in sentences:
        for name in _holders(sentence, place):
            holder = name or _named_first(sentence, names)
            if _is_called(holder, names) or (holder and _is_page_of(holder, place.subject, sentence)):
                held.append(Ruling(sentence, True))
            elif not holder or _shares_a_word(holder, names, place) or fold(without_bracket(sentence.title)) in names:
                return _lower(place, pages) if known else None  # it may be the subject, or somebody else
            elif _is_also_called(sentence, names):
                return None
            else:
                others.append(Ruling(sentence, False, _note(sentence, holder), (place.subject, holder)))
    if known and not held and not others:
        lower = _lower(place, pages) or _opposite(place, pages) or capital_once(place, pages)
        return lower or capital_elsewhere(place, pages, part=True)
    is_known = bool(known) or any(_is_beside(one.sentence.text, place.subject) for one in others)
    if (held and (others or capital_of_others(place, pages))) or not (held or is_known):
        return None
    return next(iter(held or others), None)


def _is_beside(text: str, subject: str) -> bool:
    """Whether the sentence names the subject as something else than the holder: "its capital is Vaduz and largest town Schaan"."""
    return holds_name(fold(text), fold(subject)) and not _OTHER_NAME.search(text)


def _is_also_called(sentence: Sentence, names: Iterable[str]) -> bool:
    """Whether the holder may have the subject's name: "Octavian, the first emperor, as Caesar Augustus"."""
    text = fold(sentence.text)
    return any(re.search(rf"\b(?:as|called|named|became|later) (?:\w+ )?{re.escape(name)}\b", text) for name in names)


def _named_first(sentence: Sentence, names: Iterable[str]) -> str:
    """The name with which the sentence begins, as in "The skin is the largest organ"; empty if it begins with another."""
    text = without_article(fold(sentence.text))
    return next(
        (name for name in names if re.match(rf"{re.escape(without_article(name))} (?:is|are|was|were) ", text)), ""
    )


def _lower(place: Place, pages: Sequence[Page]) -> Ruling | None:
    """The sentence of the subject's page that gives it a lower place in this order; None if one gives it the first."""
    page = called_in_any_number(place.subject, pages)[:1]
    ranks = [(one, rank) for one in sentences_of(page, SENTENCES_ON_RANKS) for rank in _ranked(one, place)]
    lower = [(sentence, rank) for sentence, rank in ranks if rank.low > 1]
    if not lower or any(rank.low == 1 and rank.detail - LANDS <= place.words for _, rank in ranks):
        return None
    sentence, rank = lower[0]
    if len({word for word in place.words if word.endswith("est") or word == stem("most")}) != 1:
        return None  # "the most populous and third largest"
    return Ruling.quoting(sentence, sentence.text[rank.start : rank.end])


def _opposite(place: Place, pages: Sequence[Page]) -> Ruling | None:
    """The sentence of the subject's page that puts it at the other end of the order, perhaps among fewer or more: the largest hot
    desert is not the smallest desert, and the smallest state of all is not the largest of Europe. None if the page has the claim's
    end anywhere.
    """
    for page in called_in_any_number(place.subject, pages)[:1]:
        words_of_page = {ALIKE.get(one, one) for one in stems(page.text)}
        ends = [pair for pair in _OPPOSITES if pair[0] in place.words and pair[0] not in words_of_page]
        for sentence in page.sentences()[:SENTENCES_ON_RANKS]:
            for holder, words, now in places_given(sentence):
                other = any(
                    end in words and (place.words - {order} <= words or {end} < words <= place.words | {end})
                    for order, end in ends
                )
                is_own = fold(holder) == fold(without_bracket(page.title)) and now in (None, place.now)
                if other and is_own and not any(map(_PLACED.fullmatch, words)):
                    return Ruling(
                        sentence, False, f"“{without_bracket(page.title)}” is at the other end of this order."
                    )
    return None


def _ranked(sentence: Sentence, place: Place) -> Iterator[Statement]:
    """The ranks that the sentence gives its page's subject in the place's order."""
    text, first = sentence.text, without_article(fold(sentence.title)).partition(" ")[0]
    own = PRONOUN.match(text) or (first and without_article(fold(text)).startswith(first))
    if not own or not _RANKS.match(text):
        return
    for one in statements(text):
        around = words_of(f"{text[: one.start]} {text[one.end :]}".replace("U.S.", "US"))
        order = frozenset(ALIKE.get(word, word) for word in one.of.split())
        if order == MOST_PEOPLE and re.match(r" city\b", text[one.end :]):
            order = frozenset({stem("largest")})
        ranked = one.kind is Kind.RANK and not _OF_ANOTHER.search(text[: one.start])
        if ranked and order <= place.words <= order | around and _DENSE & place.words <= order:
            yield one


def _is_page_of(holder: str, subject: str, sentence: Sentence) -> bool:
    """Whether the holder is the page itself, and the subject another name of it: Mumbai and Bombay."""
    own = fold(holder) == fold(without_bracket(sentence.title))
    return own and fold(subject) in map(fold, sentence.all_names)


def _note(sentence: Sentence, holder: str) -> str:
    return f"Only one can hold this place: “{without_bracket(sentence.title)}” names {holder}."


def is_of_another_order(place: Place, text: str) -> bool:
    """Whether the sentence ranks the subject in another order: "the seventh-largest lake" says nothing of the deepest."""
    ranks = {ALIKE.get(one.of, one.of) for one in statements(text) if one.kind is Kind.RANK and one.low > 1}
    asked = {word for word in place.words if word.endswith("est")}
    orders = asked | {end for order, end in _OPPOSITES if order in asked}
    return bool(ranks and asked) and orders.isdisjoint(ranks | stems(text))


def is_of_fewer(place: Place, text: str) -> bool:
    """Whether the sentence gives the place among fewer: "the first emperor to kill himself" says nothing of the first emperor, and the
    first American "to orbit the Earth" nothing of the first in space.
    """
    for match in _FIRST_TO.finditer(text):
        words, did = words_of(match["place"]), words_of(match["did"].split(" and ")[0])
        if len(words) > 1 and words <= place.words and (place.words - words).isdisjoint(did):
            return True
    return False


def _names_of(subject: str, pages: Sequence[Page]) -> frozenset[str]:
    """What the subject is called: its own words, and the other names of the first page of this name. Empty without one."""
    folded, plain = fold(subject), [page for page in pages if not page.disambiguation]
    for page in (*pages_called(subject, plain), *plain):
        names = {fold(without_bracket(page.title)), *map(fold, page.all_names)}
        if page in pages_called(subject, [page]) or stem(folded) in map(stem, names) or folded in map(_initials, names):
            return frozenset({folded, *names})
    return frozenset()


def _initials(name: str) -> str:
    """A folded name of initials without spaces: "la" for "l a", L.A.; else empty."""
    letters = name.split()
    return "".join(letters) if all(len(letter) == 1 for letter in letters) else ""


def _holders(sentence: Sentence, place: Place) -> Iterator[str]:
    """Who holds the place according to the sentence; empty if it does not say."""
    for holder, words, now in places_given(sentence):
        if words == place.words and now in (None, place.now):
            yield holder


def _is_called(holder: str, names: Iterable[str]) -> bool:
    """Whether the holder is the subject: all words of one name are in another, and no number tells them apart ("Iron Man 3")."""
    words = stems(holder)
    return any(
        words and other and (words <= other or other <= words) and not any(map(_NUMBER.fullmatch, words ^ other))
        for other in map(stems, names)
    )


def _shares_a_word(holder: str, names: Iterable[str], place: Place) -> bool:
    """Whether the holder may be the subject under another name, as both share a word that is not a word of the place."""
    words = stems(holder) - _COMMON - LITTLE - place.words
    return any(words & stems(name) for name in names)
