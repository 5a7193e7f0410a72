"""A language's profile."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Language:
    """code: BCP 47. stemmer: a name of Snowball's, empty for none. ubiquitous: words that a search ignores.

    before_name, before_number: abbreviations after which no sentence ends (before a number). perhaps: abbreviations
    after which a sentence ends only before a word in `begins`; capitalised: such abbreviations that are words in lower
    case. ordinals: "3. Mai" ends no sentence. disambiguation: marks such a page in its title and categories. tail:
    headings after which an article has only lists. models: those of the hub that read the language; each is the setting
    that chooses the model, and the model's name.
    """

    code: str
    name: str
    stemmer: str = ""
    function_words: frozenset[str] = frozenset()
    ubiquitous: frozenset[str] = frozenset()
    before_name: str = r"dr|prof|st"
    before_number: str = r"no|nr|pp?"
    perhaps: str = r"[^\W\d_]"
    capitalised: str = r"\b\B"
    begins: str = r"\b\B"
    ordinals: bool = False
    disambiguation: str = r"disambiguation"
    tail: str = r"references"
    models: tuple[tuple[str, str], ...] = ()


# Their authors measured the reader in 15 languages, including German and Spanish (XNLI), the ranker in 14 (mMARCO).
MULTILINGUAL = (
    ("relevance_model", "cross-encoder/mmarco-mMiniLMv2-L12-H384-v1"),
    ("stance_model", "MoritzLaurer/multilingual-MiniLMv2-L6-mnli-xnli"),
    ("reranker", "cross-encoder/mmarco-mMiniLMv2-L12-H384-v1"),
    ("question_encoder", "sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2"),
    ("page_encoder", "sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2"),
    ("similarity_model", "sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2"),
)


@functools.lru_cache(maxsize=256)
def whole(pattern: str) -> re.Pattern[str]:
    """The compiled pattern, for a match of a whole word."""
    return re.compile(pattern)
