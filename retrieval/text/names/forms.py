"""Other forms of a name, as people write it: plural and singular, "World War 2" and "World War II", "Henry the 8th" and
"Henry VIII", "12 Angry Men" and "Twelve Angry Men", "P!nk" and "Pink", "Brazilians" and "Brazil".

A form is only a guess. It finds a page only if that page has exactly this title or name, so a wrong guess finds nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache

from retrieval.text.languages import ENGLISH
from retrieval.text.names.nations import nation_of
from retrieval.text.quantities.numbers import LARGEST_ROMAN, ORDINALS, TENS, UNITS, roman

MOST_WORDS_WITH_FORMS = 5  # of a name for which forms are guessed
MOST_LETTERS_WITH_FORMS = 40  # of a word
# Irregular plurals, also at the end of longer words, as in "policemen".
_IRREGULAR = {
    "men": "man", "women": "woman", "children": "child", "people": "person", "mice": "mouse", "lice": "louse",
    "geese": "goose", "feet": "foot", "teeth": "tooth", "oxen": "ox", "dice": "die", "bacteria": "bacterium",
    "fungi": "fungus", "cacti": "cactus", "nuclei": "nucleus", "phenomena": "phenomenon", "criteria": "criterion",
    "larvae": "larva", "antennae": "antenna", "algae": "alga", "vertebrae": "vertebra", "octopi": "octopus",
}  # fmt: skip
# "emus", "kiwis"; other words in "-us" and "-is" are singular.
_PLURALS = tuple("mus kus dus wis kis mis zis".split())
_ORDINAL = re.compile(r"(\d{1,2})(?:st|nd|rd|th)")
# Signs and digits that stand for letters inside a word.
_SIGNS = str.maketrans({"!": "i", "$": "s", "@": "a", "0": "o", "1": "i", "3": "e", "4": "a", "5": "s"})
_INITIALS = re.compile(r"[a-z]{2,3}")  # "hg wells" has the page H. G. Wells
_STYLED = re.compile(r"[a-z]+[!$@\d]+[a-z]+|[!$@][a-z]{2,}")
_WRITTEN = {
    **{str(number): word for word, number in UNITS.items() if number > 1},
    **{str(ten + one): f"{tens} {unit}".strip() for tens, ten in TENS.items() for unit, one in {"": 0, **UNITS}.items() if one < 10},
}  # fmt: skip
_VALUES = {roman(number): number for number in range(2, LARGEST_ROMAN + 1)}
# British ending, American ending, and the least letters of a word with it ("four" does not become "for").
_BRITISH = (("our", "or", 6), ("ise", "ize", 7), ("isation", "ization", 9), ("tre", "ter", 5), ("grey", "gray", 4))


def forms(key: str) -> Iterator[str]:
    """Other forms of a folded name (`retrieval.text.titles.fold`), not the name itself."""
    words = key.split()
    if not 0 < len(words) <= MOST_WORDS_WITH_FORMS or len(words[-1]) > MOST_LETTERS_WITH_FORMS:
        return
    yield from number_forms(key)
    yield from _numerals(words)
    yield from numbered_forms(key)
    if len(words) > 1 and _INITIALS.fullmatch(words[0]) and words[0] not in ENGLISH.function_words:
        yield " ".join([*words[0], *words[1:]])
    if len(words) == 4 and words[1] == "and":  # "Venus and Serena Williams"
        yield f"{words[0]} {words[3]}"
    if _STYLED.fullmatch(words[-1]):
        for seven in "vt":
            yield " ".join([*words[:-1], words[-1].replace("7", seven).translate(_SIGNS)])
    american = [_american_word(word) for word in words]
    if american != words:
        yield " ".join(american)
    if len(words) == 1 and key.endswith("s") and (nation := nation_of(key[:-1])):  # "Brazilians"
        yield nation.lower()


@lru_cache(maxsize=20_000)
def number_forms(key: str) -> tuple[str, ...]:
    """Singulars and plurals of a folded name: its last word changes."""
    return tuple(dict.fromkeys((*_with_last_word(key, _singulars), *_with_last_word(key, _plurals))))


def singular_forms(key: str) -> tuple[str, ...]:
    """Singulars of a folded name."""
    return tuple(dict.fromkeys(_with_last_word(key, _singulars)))


def _with_last_word(key: str, changed: Callable[[str], Iterator[str]]) -> Iterator[str]:
    front, space, last = key.rpartition(" ")
    if last.isalpha() and 2 < len(last) <= MOST_LETTERS_WITH_FORMS:
        yield from (f"{front}{space}{form}" for form in changed(last))


def with_forms(runs: Mapping[str, tuple[int, int]]) -> dict[str, tuple[int, int]]:
    """Title keys with their offsets in a text, followed by their other forms with the same offsets."""
    found = dict(runs)
    for key, place in runs.items():
        for form in forms(key):
            found.setdefault(form, place)
    return found


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
    """A number at the end in its other notation: "world war 2" -> "world war ii", "henry the eighth" -> "henry viii"."""
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


def numbered_forms(key: str) -> Iterator[str]:
    """A name that begins with a number, in the other notation: "95 theses" -> "ninety five theses", "twelve monkeys" -> "12 monkeys"."""
    first, _, rest = key.partition(" ")
    if rest and first in _WRITTEN:
        yield f"{_WRITTEN[first]} {rest}"
    yield from (f"{digits} {key[len(word) + 1 :]}" for digits, word in _WRITTEN.items() if key.startswith(f"{word} "))


def _american_word(word: str) -> str:
    stem = word.removesuffix("s")
    for british, american, letters in _BRITISH:
        if stem.endswith(british) and len(stem) >= letters:
            return stem.removesuffix(british) + american + word[len(stem) :]
    return word
