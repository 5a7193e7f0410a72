"""Decides which sentences of the pages found may be evidence: not mere assertions, and not copies of another source."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from retrieval.text.hollow import gives_orders, may_give_orders, names_no_source, quotes, reports
from retrieval.text.ranking import holds_any_name
from retrieval.text.titles import fold, holds_name
from retrieval.text.words import content_words
from retrieval.types import Hit, Page, Sentence

COPIED = 0.5  # share of the shorter page's sentences, word for word, from which two pages count as one source
LEAST_COPIED = 2  # least number of shared sentences; one suffices if each page has only one
MOST_HOLDERS = 50  # pages compared per sentence; the number of pairs grows with the square
RECITED = 3  # times that a page may repeat a sentence before the sentence no longer counts
SAME_CLAIM = 0.8  # share of the claim's words from which a sentence counts only once over all pages

ORDERS = "pages that give orders to their reader"
COPY = "pages that copy another"
NAMELESS = "sentences that name no source (“experts say”)"
QUOTATION = "sentences that only quote the claim"
REPORT = "sentences that only report a claim"
RECITATION = "sentences that a page recites"
REPETITION = "sentences that another page has word for word"


@dataclass(frozen=True)
class Witnesses:
    """Sentences with the score of their page, in page order. left_out: numbers of sentences left out, by kind."""

    sentences: tuple[tuple[float, Sentence], ...]
    left_out: Mapping[str, int] = field(default_factory=dict)

    @property
    def note(self) -> str:
        """A note on the sentences left out; empty if there are none."""
        return left_out_note(self.left_out)


def left_out_note(left_out: Mapping[str, int]) -> str:
    """A note on the sentences left out; empty if there are none. left_out: numbers by kind."""
    counted = "; ".join(f"{kind}: {count}" for kind, count in left_out.items())
    return f"Left out, because they are not evidence: {counted}." if counted else ""


def witnesses(claim: str, hits: Sequence[Hit], known: Sequence[Page] = ()) -> Witnesses:
    """The sentences of these pages that may be evidence. known: pages read earlier, of which these may be copies."""
    left_out: Counter[str] = Counter()
    hollow = hollow_pages(claim, [hit.page for hit in hits], known)
    words, said, kept = content_words(claim), set[str](), list[tuple[float, Sentence]]()
    for hit in hits:
        if why := hollow.get(hit.page.id, ""):
            left_out[why] += 1
            continue
        sentences = hit.page.sentences()
        times = Counter(_folded(sentence.text) for sentence in sentences)
        for sentence in sentences:
            if sentence.text.rstrip().endswith(":"):  # it introduces a list or a table that the page lacks
                continue
            key = _folded(sentence.text)
            if why := _hollow(claim, words, sentence.text, times[key], key in said):
                left_out[why] += 1
            else:
                kept.append((hit.score, sentence))
        said.update(times)
    return Witnesses(tuple(kept), left_out)


def hollow_pages(claim: str, pages: Sequence[Page], known: Sequence[Page] = ()) -> dict[str, str]:
    """Ids of pages without evidence, each with the reason. known: pages read earlier, of which these may be copies."""
    copies = copied_pages(claim, [*known, *pages])
    found = ((page.id, COPY if page.id in copies else ORDERS if _orders(page) else "") for page in pages)
    return {page_id: why for page_id, why in found if why}


def _orders(page: Page) -> bool:
    """Whether a page gives its readers orders. Such a page was made to persuade and counts as having no evidence."""
    return may_give_orders(page.text) and any(gives_orders(sentence.text) for sentence in page.sentences())


def _hollow(claim: str, words: frozenset[str], text: str, times: int, said: bool) -> str:
    """Why the sentence is not evidence; empty if it may be. said: whether an earlier page has it."""
    if names_no_source(text):
        return NAMELESS
    if quotes(claim, text):
        return QUOTATION
    if reports(claim, text):
        return REPORT
    if times >= RECITED:
        return RECITATION
    # "He was born in Paris." is about another man on every page: only a sentence with the whole claim means the same on
    # all of them.
    if said and words and len(content_words(text) & words) >= SAME_CLAIM * len(words):
        return REPETITION
    return ""


def copied_pages(claim: str, pages: Sequence[Page]) -> set[str]:
    """Ids of pages that share half of their sentences with a page of higher priority. First comes the page whose exact title
    or other name is in the claim, then the one to which more pages link, then the one with the shorter title. If all this
    is equal, it is unknown which is the copy, and both stay.
    """
    by_id = {page.id: page for page in pages}
    texts = {page.id: {_folded(page.text[start:end]) for _, start, end in page.lines} for page in by_id.values()}
    copies = set()
    for (first, second), count in _shared(texts).items():
        least = min(len(texts[first]), len(texts[second]))
        whole = len(texts[first]) == len(texts[second]) == 1
        if count < COPIED * least or not (count >= LEAST_COPIED or whole):
            continue
        ranks = {id: _rank(by_id[id], claim) for id in (first, second)}
        if ranks[first] != ranks[second]:
            copies.add(min(ranks, key=lambda id: ranks[id]))
        elif texts[first] == texts[second]:
            copies.add(second)
    return copies


def _shared(texts: Mapping[str, Collection[str]]) -> Counter[tuple[str, str]]:
    """The number of sentences that two pages share, by their ids in page order; only for pairs that share any."""
    holders: dict[str, list[str]] = {}
    for id, sentences in texts.items():
        for text in sentences:
            holders.setdefault(text, []).append(id)
    return Counter(pair for ids in holders.values() for pair in combinations(ids[:MOST_HOLDERS], 2))


def _rank(page: Page, claim: str) -> tuple[bool, int, int]:
    named = holds_name(fold(claim), fold(page.title)) or holds_any_name(claim, page.names)
    return named, page.prior, -len(page.title)


def _folded(text: str) -> str:
    """The key that equal sentences share: case, spaces and final punctuation do not count."""
    return " ".join(text.casefold().split()).rstrip(" .!?") or text
