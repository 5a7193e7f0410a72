"""What the text of a corpus is read by: stop words, stems, ends of sentences and rules of titles, of each language.

The models of this program were made and measured with English. A corpus in another language is searched by the rules
here; what it takes for a verdict is a reader that was measured in it (`READER_LANGUAGES`).
"""

from __future__ import annotations

import functools

from retrieval.text.extraction.language import NAMES
from retrieval.text.languages.english import ENGLISH
from retrieval.text.languages.german import GERMAN
from retrieval.text.languages.profile import Language, whole
from retrieval.text.languages.spanish import SPANISH

__all__ = ["ENGLISH", "GERMAN", "SPANISH", "Language", "find_language", "language_of_wiki", "whole"]

ENGLISH_CODE = ENGLISH.code
LANGUAGES = {language.code: language for language in (ENGLISH, GERMAN, SPANISH)}
# Of wikis whose name is no language.
WIKIS = {"simple": ENGLISH_CODE}


@functools.lru_cache(maxsize=64)
def find_language(code: str) -> Language:
    """The profile of a code, English where it is empty; of a language without one, one that has only its name."""
    known = (code or ENGLISH_CODE).partition("-")[0].lower()
    return LANGUAGES.get(known) or Language(known, NAMES.get(known, f"“{known[:20]}”"))


def language_of_wiki(wiki: str) -> str:
    """Code of the language that a wiki is written in: dewiki -> de."""
    code = wiki.removesuffix("wiki").replace("_", "-")
    return WIKIS.get(code, code)
