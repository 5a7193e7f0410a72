"""The language that a document is written in, by py3langid: naive Bayes over byte sequences, offline (Lui and Baldwin 2012)."""

from __future__ import annotations

import functools
from typing import Any

ENOUGH_WORDS = 8  # fewer do not tell
ENOUGH = 0.9  # least probability
READ = 20_000  # characters


def detect_language(text: str) -> str:
    """Code of the text's language; empty if the text is too short or the language is not clear.

    The model takes .6 s and 120 MB when it is first used: call this in the process that reads documents.
    """
    if len(text.split()) < ENOUGH_WORDS:
        return ""
    code, probability = detector().classify(text[:READ])
    return str(code) if code and probability >= ENOUGH else ""


@functools.cache
def detector() -> Any:
    """py3langid's model, with probabilities."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
