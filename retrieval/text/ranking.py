"""Names of pages in a text, and ranking arithmetic: pure functions, each with its source."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache

import numpy as np

from retrieval.protocols import Matrix
from retrieval.text.languages import ENGLISH, Language
from retrieval.text.names.first_sentence import LONGEST_OTHER_NAME
from retrieval.text.names.forms import number_forms, with_forms
from retrieval.text.titles import fold, holds_name, without_bracket, word_runs
from retrieval.text.words import content_words, share, shared_words
from retrieval.types import Page, Sentence

# Tuned on 600 FEVER training claims (`natural`) for page recall at ten: see docs/experiments.md.
WHOLE_TITLE, BARE_TITLE, BRACKET_SCORE = 0.6, 0.36, 0.5
LOWER_CASE = 0.4  # factor for a title that the claim does not write as a name
# Share of the claim's words that another name may contain; a longer one may state the claim itself.
MOST_OF_CLAIM = 0.75
LONGEST_VECTOR = 20.0  # for DPR's vectors, whose length is about 10
# Initials that are also words; in a text without capitals, the word is meant.
_WORDS_TOO = {*ENGLISH.function_words, *"us who am pm ad aids led pin so no if me we go up do cat dos ram".split()}
_DETERMINERS = re.compile(r"(?:(?:the|an?|all|most|many|some|every|each|no|only|both)\s+)*", re.IGNORECASE)
FULL_LENGTH = 4  # words of a title from which a match is no coincidence


def title_spans(text: str, longest: int = 8, language: Language = ENGLISH) -> dict[str, tuple[int, int]]:
    """Runs of words that may be a title: folded text -> offsets of the run that looks most like a name. Runs of
    function words are left out unless they are written as a name within the sentence ("It", "Them").
    """
    spans: dict[str, tuple[int, int]] = {}
    for start, end in word_runs(text, longest):
        key = fold(text[start:end])
        named = (start and text[start].isupper()) or not language.function_words.issuperset(key.split())
        if key and named and (key not in spans or _capitals(text, *spans[key]) < _capitals(text, start, end)):
            spans[key] = (start, end)
    return spans


def _capitals(text: str, start: int, end: int) -> float:
    """Share of words that begin with a capital or a digit; the first word of the sentence counts half."""
    words = text[start:end].split()
    written = [float(word[0].isupper() or word[0].isdigit()) for word in words]
    if start == 0:
        written[0] /= 2
    return sum(written) / len(words)


def subject_start(claim: str) -> int:
    """Where the first name in a claim may begin: after "the", "all" and the like."""
    return _DETERMINERS.match(claim).end()  # type: ignore[union-attr]  # matches every text


def title_score(claim: str, page: Page, whole: bool, spans: dict[str, tuple[int, int]]) -> float:
    """Strength of a title match, 0 to about 1.1, by length and capitals of the span and by the words of the bracket: the best
    of the title, its other names, which count as a whole title, and the names in the page's text, which count as a bare one.
    """
    bare = fold(without_bracket(page.title))
    scores = [_match_score(claim, page.title, whole, spans.get(fold(page.title) if whole else bare))]
    if whole and page.names:
        # A page that was found by a name may have a title that the claim contains without the bracket.
        scores += [_match_score(claim, page.title, False, spans.get(bare))]
        scores += [_match_score(claim, name, True, spans[key]) for key, name in _by_key(page.names) if key in spans]
    scores += [
        _match_score(claim, name, False, spans[key])
        for key, name in _by_key(page.other_names)
        if key in spans and _written_so(claim, name, spans[key])
    ]
    return max(scores)


def _match_score(claim: str, title: str, whole: bool, span: tuple[int, int] | None) -> float:
    """The score for a claim with this title at the span; 0 without a span."""
    start, end = span or (0, 0)
    if start == end:
        return 0.0
    length = min(len(claim[start:end].split()), FULL_LENGTH) / FULL_LENGTH
    name = 1.0 if _capitals(claim, start, end) >= 0.5 or claim.islower() else LOWER_CASE
    score = (WHOLE_TITLE if whole else BARE_TITLE) * (0.5 + 0.5 * length) * name
    bare = without_bracket(title)
    if bare != title:
        bracket = content_words(title[len(bare) :])
        score += BRACKET_SCORE * len(bracket & content_words(claim)) / max(1, len(bracket))
    return score


def holds_title(text: str, title: str, names: tuple[str, ...] = ()) -> bool:
    """Whether the text contains the title of a page, with or without its bracket, or one of its other names. A title
    without a bracket may be in the plural or singular; one with a bracket is mostly that of a work.
    """
    bare = without_bracket(title)
    key = fold(bare)
    forms = (key, *number_forms(key)) if bare == title else (key,)
    return any(holds_name(_folded(text), form) for form in forms) or holds_any_name(text, names)


def holds_any_name(text: str, names: tuple[str, ...]) -> bool:
    """Whether the text contains one of the other names of a page."""
    return bool(_name_in(text, names))


def name_in_claim(claim: str, sentence: Sentence) -> str:
    """The other name by which the claim calls the sentence's page; empty if the claim has the title, or none of the
    names. The networks read it as "Lindenburg Bridge, also Amber Bridge". A page may give itself any name, so a name
    counts only if it is short and leaves the claim something to say.
    """
    if not sentence.all_names or holds_title(claim, sentence.title):
        return ""
    name, words = _name_in(claim, sentence.all_names), content_words(claim)
    fits = len(name) <= LONGEST_OTHER_NAME and len(content_words(name) & words) <= MOST_OF_CLAIM * len(words)
    return name if fits else ""


def _name_in(text: str, names: tuple[str, ...]) -> str:
    """The first of a page's other names that occurs in the text, in the plural or singular; empty if none does. A name
    in capitals must be in capitals: "He told us" does not name the United States, nor "who" the WHO.
    """
    spans = _spans_of(text) if names else {}
    return next((name for key, name in _by_key(names) if key in spans and _written_so(text, name, spans[key])), "")


def _written_so(text: str, name: str, span: tuple[int, int]) -> bool:
    """Whether a name in capitals is in capitals here too, or is not also a word and the text has no capitals ("jfk")."""
    start, end = span
    if not name.isupper() or not name.isalpha() or text[start:end].isupper():
        return True
    return text.islower() and name.lower() not in _WORDS_TOO


# These are called for every sentence read, and a page of Wikipedia may have 200 names.
_folded = lru_cache(maxsize=32)(fold)


@lru_cache(maxsize=32)
def _spans_of(text: str) -> Mapping[str, tuple[int, int]]:
    return with_forms(title_spans(text))


@lru_cache(maxsize=512)
def _by_key(names: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """(key, name) of each name; the key is the folded name."""
    return tuple((fold(name), name) for name in names)


def inverse_frequencies(words: Collection[str], texts: Sequence[Collection[str]]) -> dict[str, float]:
    """Weight of each word by its rarity among the texts: log(1 + n / (df + 0.5)), after Sparck Jones (1972)."""
    frequency = Counter(word for text in texts for word in text if word in words)
    return {word: math.log(1 + len(texts) / (frequency[word] + 0.5)) for word in words}


def overlap_scores(claim: str, texts: Sequence[str], language: Language = ENGLISH) -> list[float]:
    """For each text, the share of the claim's words that it contains, 0..1; rare words weigh more."""
    claim_words = content_words(claim, language)
    text_words = shared_words(claim_words, texts, language)
    weights = inverse_frequencies(claim_words, text_words)
    return [share(words, weights) for words in text_words]


def fused_scores(rankings: Sequence[Sequence[int]], depth: int = 60) -> dict[int, float]:
    """Reciprocal rank fusion: each item's sum of 1 / (depth + rank), ranks from 1 (Cormack et al., SIGIR 2009). depth:
    a smoothing constant, not a cutoff: the larger it is, the less the first ranks stand out.
    """
    scores: dict[int, float] = {}
    for ranking in rankings:
        for rank, item in enumerate(ranking, 1):
            scores[item] = scores.get(item, 0.0) + 1 / (depth + rank)
    return scores


def maximal_marginal_relevance(query: Matrix, candidates: Matrix, top_k: int, relevance_weight: float) -> list[int]:
    """Maximal marginal relevance: rows of `candidates` to keep, best first (Carbonell and Goldstein, SIGIR 1998).
    query: (dim,), candidates: (n, dim), unit length, float32. relevance_weight 1 ranks by relevance alone, 0 by novelty
    alone. Raises ValueError if relevance_weight is outside [0, 1].
    """
    if not 0 <= relevance_weight <= 1:
        raise ValueError(f"relevance_weight is {relevance_weight}, not between 0 and 1")
    relevance = candidates @ query
    nearest = np.zeros(len(candidates))
    chosen: list[int] = []
    left = np.ones(len(candidates), dtype=bool)
    while left.any() and len(chosen) < top_k:
        gains = np.where(left, relevance_weight * relevance - (1 - relevance_weight) * nearest, -np.inf)
        best = int(np.argmax(gains))
        similar = candidates @ candidates[best]
        nearest = np.maximum(nearest, similar) if chosen else similar
        chosen.append(best)
        left[best] = False
    return chosen


def merge_overlaps(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The union of half-open character spans, in text order; spans that merely touch are not merged. O(n log n)."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def unit_length(vectors: Matrix) -> bool:
    """Whether the rows are unit vectors, whose products are cosines; those of DPR are not."""
    return bool(np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=0.02))


def with_length(vectors: Matrix) -> Matrix:
    """Vectors (n, dimension) with one more number, which gives all of them the length LONGEST_VECTOR, for stores that compare
    by cosine alone. Queries get a 0 there (`without_length`): the product is then the cosine times LONGEST_VECTOR times the
    query's length (Bachrach et al., RecSys 2014). Longer vectors are shortened to LONGEST_VECTOR.
    """
    full = np.linalg.norm(vectors, axis=1, keepdims=True)
    lengths = np.minimum(full, LONGEST_VECTOR)
    rows = vectors * (lengths / np.maximum(full, 1e-12))
    return np.hstack([rows, np.sqrt(LONGEST_VECTOR**2 - lengths**2)]).astype(np.float32)


def without_length(queries: Matrix) -> Matrix:
    """Queries (n, dimension) for comparison with vectors from `with_length`."""
    return np.hstack([queries, np.zeros((len(queries), 1), np.float32)]).astype(np.float32)


def thesis_scale(products: Sequence[float], unit: bool) -> list[float]:
    """Dot products on the scale of the thesis's cutoffs, 0..1, which is that of the retrievers of Haystack 1. unit: the vectors
    have length one, so products are cosines: (1 + x) / 2. If not, they are DPR's, near 70: 1 / (1 + exp(-x / 100)).
    """
    return [min(1.0, (1 + x) / 2) if unit else 1 / (1 + math.exp(-x / 100)) for x in products]


def best_questions(scores: Sequence[Sequence[float]], per_question: int) -> dict[int, tuple[float, int]]:
    """Candidate -> (score, question) for the question that it answers best; the best candidate comes first. scores: a row for
    each candidate, a column for each question. Only the `per_question` best candidates of each question take part. Ties go
    to the earlier candidate and question.
    """
    found: dict[int, tuple[float, int]] = {}
    for question in range(len(scores[0]) if scores else 0):
        order = sorted(range(len(scores)), key=lambda row: (-scores[row][question], row))
        for row in order[:per_question]:
            if row not in found or scores[row][question] > found[row][0]:
                found[row] = (scores[row][question], question)
    return dict(sorted(found.items(), key=lambda item: (-item[1][0], item[0])))
