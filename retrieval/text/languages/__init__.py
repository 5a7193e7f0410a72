"""Rules for each language of a corpus: stop words, stems, sentence boundaries, titles.

The models of this program were trained and measured in English. A corpus in another language is searched by these rules;
a verdict needs models that were measured in that language: those of the hub that its profile names (`LANGUAGE_MODELS`), or
others that you choose (`READER_LANGUAGES`).
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
AND = "+"  # joins the codes of several corpora that are read together
LANGUAGES = {language.code: language for language in (ENGLISH, GERMAN, SPANISH)}
# Wikis whose name is no language code.
WIKIS = {"simple": ENGLISH_CODE}


@functools.lru_cache(maxsize=64)
def find_language(code: str) -> Language:
    """The profile for a code: English if empty, an empty one for a language that has none. For several codes, the
    profile of the first that is not English."""
    if AND in code:
        parts = [find_language(part) for part in code.split(AND)]
        other = next((part for part in parts if part.code != ENGLISH_CODE), ENGLISH)
        return replace(other, code=code, name=" and ".join(part.name for part in parts))
    known = (code or ENGLISH_CODE).partition("-")[0].lower()
    return LANGUAGES.get(known) or Language(known, NAMES.get(known, f"“{known[:20]}”"))


def language_of_wiki(wiki: str) -> str:
    """The code of the language that a wiki is written in: dewiki -> de."""
    code = wiki.removesuffix("wiki").replace("_", "-")
    return WIKIS.get(code, code)


def several_languages(codes: Sequence[str]) -> str:
    """The languages of several corpora together: one code, or several joined by `+`; empty if any corpus declares none."""
    known = sorted({find_language(code).code for code in codes})
    return AND.join(known) if len(known) > 1 else known[0] if all(codes) and known else ""
