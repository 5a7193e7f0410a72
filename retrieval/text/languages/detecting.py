"""Detects the language of a document with py3langid: naive Bayes over byte sequences, offline (Lui and Baldwin 2012)."""

from __future__ import annotations

import functools
import mmap
import tempfile
from array import array
from typing import Any

from retrieval.text.extraction.language import ENGLISH, NAMES

ENOUGH_WORDS = 8  # fewer do not decide
ENOUGH = 0.9  # least probability
READ_CHARACTERS = 20_000


def detect_language(text: str) -> str:
    """The code of the text's language; empty if the text is too short or the result uncertain.

    The model takes .6 s and 120 MB on first use, so call this in the process that reads documents.
    """
    if len(text.split()) < ENOUGH_WORDS:
        return ""
    code, probability = detector().classify(text[:READ_CHARACTERS])
    return str(code) if code and probability >= ENOUGH else ""


@functools.cache
def detector() -> Any:
    """py3langid's model, with probabilities."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


def english_among(text: str) -> tuple[float, str]:
    """The probability that a short text is English and not another language in `NAMES`, and the likeliest other one."""
    ranked = dict(_of_known_languages().rank(text))  # likeliest first
    return ranked.pop(ENGLISH), str(next(iter(ranked)))


@functools.cache
def _of_known_languages() -> Any:
    """The model restricted to the languages in `NAMES`: a short text suffices to choose among 17, not among 140. Only
    their columns are loaded, so a process that never reads documents needs 30 MB less."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    whole = LanguageIdentifier.from_model_file(MODEL_FILE)
    columns = [column for column, code in enumerate(whole.nb_classes) if code in NAMES]
    return LanguageIdentifier(
        whole.nb_ptc[:, columns],
        whole.nb_pc[columns],
        [whole.nb_classes[column] for column in columns],
        _mapped(whole.tk_nextmove),
        whole.tk_output,
        norm_probs=True,
        tk_row=whole.tk_row,
    )


def _mapped(numbers: array[int]) -> memoryview:
    """The same numbers, mapped from an unnamed file: of its 42 MB, memory holds only the rows that claims need."""
    with tempfile.TemporaryFile() as file:
        numbers.tofile(file)
        file.flush()
        view: Any = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        return view.cast(numbers.typecode)  # type: ignore[no-any-return]
