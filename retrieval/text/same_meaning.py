"""Decides whether two claims may mean the same, by rules for differences that vectors miss. Vectors decide the rest.

Claims that differ in numbers, names, the order of names or negations, or that have opposite words, never count as the same.
A false match costs readers' trust; a missed one costs only another check.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from retrieval.text.quantities.numbers import ORDINALS, TENS, UNITS
from retrieval.text.titles import fold
from retrieval.text.words import content_words

# Least cosine of MiniLM's vectors at which two claims that pass the rules count as the same. Chosen on training claims
# (`python -m evaluation same-meaning`, docs/experiments.md).
CUTOFF = 0.93

_NEGATIONS = frozenset(
    "not non no never none nobody nothing nowhere neither nor without cannot hardly barely scarcely fails fail failed lacks lack "
    "lacked lacking denied denies deny refused refuses refuse false untrue incorrect wrong impossible unable incapable "
    "refrained avoided except excluding unlike instead rather rarely seldom".split()
)
_DENYING = re.compile(r"\b(?:other than|anything but|outside|off of|yet to|least of all|no longer)\b")
_PREFIX = re.compile(r"(?:un|non|in|im|ir|il|dis|mis)(?=\w{4})")
_SCALES = {"hundred": 100, "thousand": 1_000, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_ORDINALS = {name: number for name, number in ORDINALS.items() if number <= 12}
_OTHERS = {"once": 1, "twice": 2, "thrice": 3, "half": 0.5, "dozen": 12, "single": 1, "double": 2, "both": 2}
_CONTRACTED = re.compile(r"\b\w+n['’]t\b")
_COUNTED = frozenset({*_NEGATIONS, *UNITS, *TENS, *_SCALES, *_ORDINALS, *_OTHERS})  # compared as numbers
# In each group, every word means something different.
_OPPOSITES = [
    frozenset(group.split())
    for group in (
        "first last middle", "north south east west", "northern southern eastern western", "older younger", "oldest youngest",
        "larger smaller", "largest smallest", "higher lower", "highest lowest", "longer shorter", "best worst",
        "better worse", "early late", "earlier later", "earliest latest", "born died birth death", "won lost", "wins loses",
        "win lose", "husband wife", "father mother", "son daughter", "brother sister", "male female", "man woman",
        "men women", "boy girl", "actor actress", "he she", "his her", "alive dead", "began ended", "started stopped",
        "opened closed", "increased decreased", "rose fell", "accepted rejected", "legal illegal", "left right",
        "album song film book novel play television game", "major minor main", "private public", "may will must can", "director producer writer author", "directed produced wrote written",
        "january february march april may june july august september october november december",
    )
]  # fmt: skip
# Words that change a claim's meaning wherever they occur.
_MEASURES = frozenset(
    "more less fewer most least fewest all some only always sometimes often before after over under above below until "
    "since almost nearly about around every each any many few several part half mid halfway solely "
    "totality entirely entire partly exclusively whole".split()
)
# Stem -> the first of the stems that mean the same in a claim.
_SYNONYMS = {
    stem: group.split()[0]
    for group in (
        "film movi", "star act", "locat lie situat lay", "found establish", "di pass away", "marri wed", "televis tv",
        "begin start began commenc", "contain includ", "write author wrote written", "receiv got get", "job profess",
    )
    for stem in group.split()
}  # fmt: skip
_FILLERS = frozenset("said say known call name report fact realli actual year person peopl thing there exist".split())
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
# Words that begin a claim and are no names, though they have a capital.
_OPENINGS = frozenset(
    "a an the in on at by for from to there it he she they this that these those one some many most all both its his her "
    "their no not never only according as of with during after before when while if".split()
)
_NAME = re.compile(r"\b[^\W\d_][\w.'’-]*")


def may_mean_the_same(one: str, other: str) -> bool:
    """Whether no rule distinguishes the two claims. Symmetric; true of a claim and itself."""
    return one.strip().casefold() == other.strip().casefold() or (
        numbers(one) == numbers(other)
        and negations(one) == negations(other)
        and not _minimal_pair(one, other)
        and not _opposed(_words(one), _words(other))
        and _same_names(one, other)
    )


def numbers(text: str) -> Counter[float]:
    """Every number in the text, in figures or words: 50 and fifty are the same, and so are 1,000 and thousand."""
    words = re.findall(r"[a-z]+|#", _NUMBER.sub(" # ", text.casefold()))
    return Counter([*map(_value, _NUMBER.findall(text)), *_in_words(words)])


def negations(text: str) -> int:
    """The number of negations."""
    lowered = text.casefold().replace("’", "'")
    words = re.findall(r"[a-z]+", _CONTRACTED.sub(" ", lowered))
    single = sum((word in _NEGATIONS) + (word.startswith("non") and len(word) > 5) for word in words)
    return single + len(_CONTRACTED.findall(lowered)) + len(_DENYING.findall(lowered))


def names(text: str) -> list[str]:
    """Words that begin with a capital, folded, in order; the first word only if it is not an ordinary one."""
    first = re.search(r"\w|\Z", text)
    found = (match for match in _NAME.finditer(text) if match[0][0].isupper())
    return [
        fold(re.sub(r"['’]s?$", "", match[0]))
        for match in found
        if (first and match.start() > first.start()) or fold(match[0]) not in _OPENINGS
    ]


def _same_names(one: str, other: str) -> bool:
    """Whether each claim contains the names of the other, and shared names are in the same order."""
    first, second = names(one), names(other)
    if not set(first) <= _words(other) or not set(second) <= _words(one):
        return False
    return [name for name in first if name in second] == [name for name in second if name in first]


def _minimal_pair(one: str, other: str) -> bool:
    """Whether the claims differ in a single word, or one only adds words to the other: then these words matter."""
    first, second = _content(one), _content(other)
    more, others = first - second, second - first
    return bool(more or others) and (not more or not others or len(more) == len(others) == 1)


def _content(text: str) -> frozenset[str]:
    words = _words(_CONTRACTED.sub(" ", text))
    stems = content_words(" ".join(word for word in words if word not in _COUNTED and not word.isdigit()))
    return frozenset(_SYNONYMS.get(word, word) for word in stems) - _FILLERS


def _opposed(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether one has a word where the other has its opposite, or only one of them gives a measure."""
    if one & _MEASURES != other & _MEASURES:
        return True
    sides = ((one - other, other - one), (other - one, one - other))
    if any(_PREFIX.match(word) and _PREFIX.sub("", word, count=1) in there for here, there in sides for word in here):
        return True
    return any(one & group and other & group and one & group != other & group for group in _OPPOSITES)


def _words(text: str) -> frozenset[str]:
    """Folded words, without the possessive "'s"."""
    return frozenset(fold(re.sub(r"['’]s\b", "", text)).split())


def _value(figure: str) -> float:
    """1,000 -> 1000; 3.5 -> 3.5; 1.000.000 -> 1000000"""
    groups = re.split(r"[.,]", figure)
    if len(groups) > 1 and all(len(group) == 3 for group in groups[1:]) and (len(groups) > 2 or "," in figure):
        return float("".join(groups))
    return float("".join(groups[:-1]) + "." + groups[-1]) if len(groups) > 1 else float(figure)


def _in_words(words: list[str]) -> Iterator[float]:
    """Numbers written in words: twenty one -> 21, two hundred and five -> 205."""
    total, current, inside, before = 0.0, 0.0, False, ""
    for word in [*words, ""]:
        if word in UNITS or word in TENS:
            current += UNITS.get(word, 0) + TENS.get(word, 0)
            inside = True
        elif word in _SCALES and inside and word == "hundred":
            current *= 100
        elif word in _SCALES:
            total += (current or 1) * _SCALES[word]
            current, inside = 0.0, True
        elif not (word == "and" and before in _SCALES):
            if inside:
                yield total + current
            total, current, inside = 0.0, 0.0, False
            if word in _ORDINALS or word in _OTHERS:
                yield float(_ORDINALS.get(word) or _OTHERS[word])
        before = word
