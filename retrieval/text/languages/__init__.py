"""What the text of a corpus is read by: stop words, stems, ends of sentences and rules of titles, of each language.

The models of this program were made and measured with English. A corpus in another language is searched by the rules
here; what it takes for a verdict is a reader that was measured in it (`READER_LANGUAGES`).
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import replace

from retrieval.text.extraction.language import NAMES
from retrieval.text.languages.english import ENGLISH
from retrieval.text.languages.german import GERMAN
from retrieval.text.languages.profile import Language, whole
from retrieval.text.languages.spanish import SPANISH

__all__ = [
    "ENGLISH",
    "GERMAN",
    "SPANISH",
    "Language",
    "find_language",
    "language_of_wiki",
    "several_languages",
    "whole",
]

ENGLISH_CODE = ENGLISH.code
AND = "+"  # between the codes of several corpora that are read at once
LANGUAGES = {language.code: language for language in (ENGLISH, GERMAN, SPANISH)}
# Of wikis whose name is no language.
WIKIS = {"simple": ENGLISH_CODE}


@functools.lru_cache(maxsize=64)
def find_language(code: str) -> Language:
    """The profile of a code, English where it is empty; of a language without one, one that has only its name. Of several, the rules of the first that is not English."""
    if AND in code:
        parts = [find_language(part) for part in code.split(AND)]
        other = next((part for part in parts if part.code != ENGLISH_CODE), ENGLISH)
        return replace(other, code=code, name=" and ".join(part.name for part in parts))
    known = (code or ENGLISH_CODE).partition("-")[0].lower()
    return LANGUAGES.get(known) or Language(known, NAMES.get(known, f"“{known[:20]}”"))


def language_of_wiki(wiki: str) -> str:
    """Code of the language that a wiki is written in: dewiki -> de."""
    code = wiki.removesuffix("wiki").replace("_", "-")
    return WIKIS.get(code, code)


def several_languages(codes: Sequence[str]) -> str:
    """What several corpora together declare: one code, or all with `+` between; empty where not all of them say it."""
    known = sorted({find_language(code).code for code in codes})
    return AND.join(known) if len(known) > 1 else known[0] if all(codes) and known else ""
