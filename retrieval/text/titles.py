"""Folds titles and names, so that "Beyonce" finds "Beyoncé" and "Savages" finds "Savages (2012 film)"."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

BRACKET = re.compile(r"\s*\([^()]*\)\s*$")
WORD = re.compile(r"\w+(?:[.'’-]\w+)*\.?|[&$%#@!?+]")
LONGEST_TITLE_WORDS = 8
# Letters that Unicode does not decompose, and signs that stand for a word.
_SPELLED = str.maketrans("øłđðı", "olddi", "'’.") | str.maketrans({"þ": "th", "æ": "ae", "œ": "oe", "&": " and "})
_NOT_WORD = re.compile(r"[^\w$%#@!?+]+")
_ARTICLE = re.compile(r"\A(?:the|an?) ")


def fold(text: str) -> str:
    """The key under which a name is looked up: case, accents, apostrophes, full stops and punctuation do not count.
    Idempotent: fold(fold(x)) == fold(x). A text without letters and digits ("!!!") folds to itself.
    """
    if not text.isascii():
        # Case first: the Greek iota below a letter is a combining sign that becomes a letter when folded.
        decomposed = unicodedata.normalize("NFKD", text.casefold())
        text = "".join(char for char in decomposed if not unicodedata.combining(char))
    return _NOT_WORD.sub(" ", text.casefold().translate(_SPELLED).replace("_", " ")).strip()


def without_bracket(title: str) -> str:
    """The title without the disambiguation at its end: "Savages (2012 film)" -> "Savages"."""
    return BRACKET.sub("", title) or title


def holds_name(text: str, name: str) -> bool:
    """Whether the name is in the text as whole words; both must be folded."""
    return bool(name) and f" {name} " in f" {text} "


def without_article(name: str) -> str:
    """The folded name without "the" or "a" before it."""
    return _ARTICLE.sub("", name)


def starts_of(text: str, names: Iterable[str]) -> list[str]:
    """The names with which the text begins, each with or without its article; all are folded."""
    text = f"{without_article(text)} "
    return [name for name in names if name and text.startswith(f"{without_article(name)} ")]


def begins_with_title(text: str, title: str) -> bool:
    """Whether the text begins with the title, each with or without its article, also in a longer word: "Otters are …"."""
    start = without_article(fold(without_bracket(title)))
    return bool(start) and without_article(fold(text)).startswith(start)


def word_runs(text: str, longest: int = LONGEST_TITLE_WORDS) -> Iterator[tuple[int, int]]:
    """Offsets of every run of 1 to `longest` words, by start, longest first, without a full stop at the end."""
    words = [match.span() for match in WORD.finditer(text.removesuffix("."))]
    for first in range(len(words)):
        for last in range(min(len(words), first + longest) - 1, first - 1, -1):
            yield words[first][0], words[last][1]
