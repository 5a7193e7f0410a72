"""Other forms of a name, as people write it: plural and singular, "World War 2" and "World War II", "Henry the 8th" and
"Henry VIII", "P!nk" and "Pink", "Brazilians" and "Brazil".

A form is only a guess. It finds a page only if that page has exactly this title or name, so a wrong guess finds nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from retrieval.text.names.nations import nation_of
from retrieval.text.quantities.numbers import LARGEST_ROMAN, ORDINALS, roman

LONGEST_WORDS = 5  # of a name for which forms are guessed
LONGEST_LETTERS = 40  # of a word
# Irregular plurals, also at the end of longer words, as in "policemen".
_IRREGULAR = {
    "men": "man", "women": "woman", "children": "child", "people": "person", "mice": "mouse", "lice": "louse",
    "geese": "goose", "feet": "foot", "teeth": "tooth", "oxen": "ox", "dice": "die", "bacteria": "bacterium",
    "fungi": "fungus", "cacti": "cactus", "nuclei": "nucleus", "phenomena": "phenomenon", "criteria": "criterion",
    "larvae": "larva", "antennae": "antenna", "algae": "alga", "vertebrae": "vertebra", "octopi": "octopus",
}  # fmt: skip
_PLURALS = (
    "mus",
    "kus",
    "dus",
    "wis",
    "kis",
    "mis",
    "zis",
)  # "emus", "kiwis"; other words in "-us" and "-is" are singular
_ORDINAL = re.compile(r"(\d{1,2})(?:st|nd|rd|th)")
# Signs and digits that stand for letters inside a word.
_SIGNS = str.maketrans({"!": "i", "$": "s", "@": "a", "0": "o", "1": "i", "3": "e", "4": "a", "5": "s"})
_STYLED = re.compile(r"[a-z]+[!$@\d]+[a-z]+|[!$@][a-z]{2,}")
# British ending, American ending, and the least letters of a word with it ("four" does not become "for").
_BRITISH = (("our", "or", 6), ("ise", "ize", 7), ("isation", "ization", 9), ("tre", "ter", 5), ("grey", "gray", 4))


def forms(key: str) -> Iterator[str]:
    """Other forms of a folded name (`retrieval.text.titles.fold`), not the name itself."""
    words = key.split()
    if not 0 < len(words) <= LONGEST_WORDS or len(words[-1]) > LONGEST_LETTERS:
        return
    yield from number_forms(key)
    yield from _numerals(words)
    if _STYLED.fullmatch(words[-1]):
        for seven in "vt":
            yield " ".join([*words[:-1], words[-1].replace("7", seven).translate(_SIGNS)])
    yield from _american(words)
    if len(words) == 1 and key.endswith("s") and (nation := nation_of(key[:-1])):  # "Brazilians"
        yield nation.lower()


@lru_cache(maxsize=20_000)
def number_forms(key: str) -> tuple[str, ...]:
    """Singulars and plurals of a folded name: its last word changes."""
    front, space, last = key.rpartition(" ")
    if not last.isalpha() or not 2 < len(last) <= LONGEST_LETTERS:
        return ()
    return tuple(dict.fromkeys(f"{front}{space}{form}" for form in (*_singulars(last), *_plurals(last))))


def singular_forms(key: str) -> tuple[str, ...]:
    """Singulars of a folded name."""
    front, space, last = key.rpartition(" ")
    if not last.isalpha() or not 2 < len(last) <= LONGEST_LETTERS:
        return ()
    return tuple(dict.fromkeys(f"{front}{space}{form}" for form in _singulars(last)))


def with_forms(runs: Mapping[str, tuple[int, int]]) -> dict[str, tuple[int, int]]:
    """Title keys with their offsets in a text, each followed by its other forms with the same offsets."""
    guessed: dict[str, tuple[int, int]] = {}
    for key, place in runs.items():
        for form in forms(key):
            guessed.setdefault(form, place)
    return {**runs, **{form: place for form, place in guessed.items() if form not in runs}}


def _singulars(word: str) -> Iterator[str]:
    for plural, single in _IRREGULAR.items():
        if word.endswith(plural) and (word == plural or plural in ("men", "women", "people", "children")):
            yield word[: len(word) - len(plural)] + single
    if not word.endswith("s") or len(word) < 4 or (word.endswith(("ss", "us", "is")) and not word.endswith(_PLURALS)):
        return
    yield word[:-1]
    if word.endswith("ies"):
        yield word[:-3] + "y"
    elif word.endswith("ves"):
        yield from (word[:-3] + "f", word[:-3] + "fe")
    elif word.endswith(("ses", "xes", "zes", "ches", "shes", "oes")):
        yield word[:-2]


def _plurals(word: str) -> Iterator[str]:
    for plural, single in _IRREGULAR.items():
        if word == single or (plural in ("men", "women") and word.endswith(single) and len(word) > len(single)):
            yield word[: len(word) - len(single)] + plural
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return
    if word.endswith(("s", "x", "z", "ch", "sh", "o")):
        yield word + "es"
    if word.endswith("is"):
        yield word[:-2] + "es"
    if word.endswith("y") and word[-2] not in "aeiou":
        yield word[:-1] + "ies"
    elif word.endswith("f"):
        yield word[:-1] + "ves"
    elif word.endswith("fe"):
        yield word[:-2] + "ves"
    yield word + "s"


def _numerals(words: list[str]) -> Iterator[str]:
    """A number at the end in its other notation: "world war 2" -> "world war ii", "henry the 8th" and
    "henry the eighth" -> "henry viii".
    """
    *front, last = words
    if not front:
        return
    ordinal = _ORDINAL.fullmatch(last)
    place = int(ordinal[1]) if ordinal else ORDINALS.get(last, 0)
    if front[-1] == "the" and len(front) > 1 and 0 < place <= LARGEST_ROMAN:
        yield " ".join([*front[:-1], roman(place)])
    if last.isdecimal() and last.isascii() and len(last) < 3 and 0 < int(last) <= LARGEST_ROMAN:
        yield " ".join([*front, roman(int(last))])
    elif (number := _VALUES.get(last)) is not None:
        yield " ".join([*front, str(number)])


_VALUES = {roman(number): number for number in range(2, LARGEST_ROMAN + 1)}


def _american(words: list[str]) -> Iterator[str]:
    """The American spelling of British words."""
    changed = [_american_word(word) for word in words]
    if changed != words:
        yield " ".join(changed)


def _american_word(word: str) -> str:
    stem = word.removesuffix("s")
    for british, american, letters in _BRITISH:
        if stem.endswith(british) and len(stem) >= letters:
            return stem.removesuffix(british) + american + word[len(stem) :]
    return word
