"""Finds the documents, or chunks of documents, nearest to a claim."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol, runtime_checkable

import numpy as np

from retrieval import stage_names
from retrieval.protocols import Encoder, Matrix, PageStore, PairScorer
from retrieval.stages.search import CONTEXT, context_pages, with_context
from retrieval.stages.sentences import UNREAD
from retrieval.text.bm25 import Bm25, folded_words
from retrieval.text.chunks import chunks, pieces
from retrieval.text.ranking import maximal_marginal_relevance
from retrieval.text.sentences import encode_with_titles
from retrieval.text.witnesses import hollow_pages, left_out_note, stating_titles
from retrieval.types import WEB, Claim, Evidence, FactCheck, Hit, Page, Progress, Sentence

TEXTS_EMBEDDED_AT_ONCE = 64

Pieces = Literal["best", "mean", "opening"]


@runtime_checkable
class ReadableWhole(Protocol):
    """A store small enough to read all its pages."""

    def pages(self) -> list[Page]:
        """All pages, by id."""


def candidate_pages(store: PageStore, claim: str, matches: int) -> list[Page]:
    """All pages of a claim's own documents; of a corpus, which is too large for that, the `matches` best by BM25."""
    if isinstance(store, ReadableWhole):
        return store.pages()
    return [page for page, _ in store.search_text(claim, top_k=matches)]


def encode_in_steps(
    encoder: Encoder, pairs: Sequence[tuple[str, str]], join: Callable[[str, str], str]
) -> Iterator[tuple[int, Matrix]]:
    """(pairs done, their vectors), batch by batch, so that a check can be stopped in between. pairs: (title, text). join:
    makes the input of an encoder of single texts from a pair.
    """
    for first in range(0, len(pairs), TEXTS_EMBEDDED_AT_ONCE):
        vectors = encode_with_titles(encoder, pairs[first : first + TEXTS_EMBEDDED_AT_ONCE], join)
        yield first + len(vectors), vectors


@dataclass(frozen=True)
class ChunkSearch:
    """Chunks of all documents, pruned by BM25, then the nearest by embedding, then diverse ones among them. They go into
    `sentences`, best first, with the cosine as rank score. The last places go to one chunk of each page that only the
    claim's context finds.

    encoder: of chunks. queries: encoder of the claim; None: the same. characters: of a piece that is embedded. pieces:
    whether a chunk is as near as its `best` piece, as the `mean` of all, or as its `opening`, the only one embedded then.
    scorer: decides which titles take sides and are not read. matches: pages of a corpus that are cut into chunks.
    """

    store: PageStore
    encoder: Encoder
    length: int = 2048
    pruned: int = 6000
    fetched: int = 40
    kept: int = 10
    relevance: float = 0.75
    queries: Encoder | None = None
    characters: int = 1200
    matches: int = 200
    pieces: Pieces = "best"
    with_web: bool = False
    scorer: PairScorer | None = None
    name = stage_names.CHUNKS
    writes = ("pages", "sentences", "corpus", "notes")

    @property
    def reads(self) -> tuple[str, ...]:
        return ("claim", "pages") if self.with_web else ("claim",)

    def run(self, check: FactCheck) -> Iterator[Progress]:
        claim = check.claim.statement
        fetched = [hit.page for hit in check.pages] if self.with_web else []
        pages = {page.id: page for page in (*candidate_pages(self.store, claim, self.matches), *fetched)}
        cut = prune(claim, [chunk for page in pages.values() for chunk in chunks(page, self.length)], self.pruned)
        yield Progress(self.name, 0, max(1, len(cut)), check)
        texts, owners = self._texts(cut)
        parts: list[Matrix] = []
        for done, vectors in encode_in_steps(self.encoder, texts, whole):
            parts.append(vectors)
            yield Progress(self.name, owners[done - 1], len(cut), check)
        nearest, hollow = self._nearest(claim, pages, cut, np.concatenate(parts), owners) if cut else ([], {})
        known = {chunk.page_id: pages[chunk.page_id] for chunk, _ in nearest}
        added, also_hollow = self._by_context(check.claim, known)
        nearest = [*nearest[: self.kept - len(added)], *((chunk, score) for chunk, score, _ in added)]
        note = left_out_note(Counter((hollow | also_hollow).values()))
        best: dict[str, float] = {}
        for chunk, score in nearest:
            best[chunk.page_id] = max(score, best.get(chunk.page_id, -1.0))
        methods = dict.fromkeys((page.id for page in fetched), WEB) | {page.id: CONTEXT for _, _, page in added}
        pages |= {page.id: page for _, _, page in added}
        hits = tuple(Hit(pages[id_], score, methods.get(id_, "embedding")) for id_, score in best.items())
        kept = self._as_evidence(claim, nearest)
        check = replace(check, pages=hits, sentences=kept, corpus=self.store.info()).noting(note)
        total = max(1, len(cut))
        yield Progress(self.name, total, total, check)

    def _as_evidence(self, claim: str, found: Sequence[tuple[Sentence, float]]) -> tuple[Evidence, ...]:
        stating = stating_titles(self.scorer, claim, [chunk for chunk, _ in found]) if self.scorer else frozenset()
        return tuple(
            Evidence(chunk, 0.0, UNREAD, "chunk", True, score, "embedding", title_read=chunk.title not in stating)
            for chunk, score in found
        )

    def _texts(self, cut: Sequence[Sentence]) -> tuple[list[tuple[str, str]], list[int]]:
        """(title, text) of each piece, and the chunk that it belongs to."""
        texts, owners = [], []
        for row, chunk in enumerate(cut):
            parts = pieces(chunk.text, self.characters)
            kept = [chunk.text[: self.characters]] if self.pieces == "opening" or len(parts) == 1 else parts
            texts += [(chunk.title, part) for part in kept]
            owners += [row] * len(kept)
        return texts, owners

    def _nearest(
        self, claim: str, pages: Mapping[str, Page], cut: Sequence[Sentence], vectors: Matrix, owners: Sequence[int]
    ) -> tuple[list[tuple[Sentence, float]], dict[str, str]]:
        """Chunks with their cosine, best first; and id -> why a page was left out. vectors, owners: of pieces."""
        query = (self.queries or self.encoder).encode([claim])[0]
        vectors = joined_pieces(vectors, owners, query, self.pieces)
        scores = vectors @ query
        fetched = np.argsort(-scores, kind="stable")[: self.fetched]
        ids = dict.fromkeys(cut[row].page_id for row in fetched)
        hollow = hollow_pages(claim, [pages[page_id] for page_id in ids])
        fetched = np.array([row for row in fetched if cut[row].page_id not in hollow], dtype=int)
        near, unit_query = as_unit(vectors[fetched]), as_unit(query[None])[0]
        rows = maximal_marginal_relevance(unit_query, near, self.kept, self.relevance)
        return [(cut[fetched[row]], round(float(scores[fetched[row]]), 6)) for row in rows], hollow

    def _by_context(
        self, claim: Claim, known: Mapping[str, Page]
    ) -> tuple[list[tuple[Sentence, float, Page]], dict[str, str]]:
        """The nearest chunk of each page that the claim's context finds, with its cosine; id -> why a page was left out."""
        pages = [hit.page for hit in context_pages(self.store, claim, known)][: self.kept]
        if not pages:
            return [], {}
        hollow = hollow_pages(claim.statement, pages, list(known.values()))
        query = (self.queries or self.encoder).encode([claim.statement])[0]
        nearest: list[tuple[Sentence, float, Page]] = []
        for page in pages:
            page_chunks = chunks(page, self.length) if page.id not in hollow else []
            if page_chunks:
                texts, owners = self._texts(page_chunks)
                vectors = encode_with_titles(self.encoder, texts, whole)
                scores = joined_pieces(vectors, owners, query, self.pieces) @ query
                best = int(np.argmax(scores))
                nearest.append((page_chunks[best], round(float(scores[best]), 6), page))
        return nearest, hollow


def joined_pieces(vectors: Matrix, owners: Sequence[int], query: Matrix, how: Pieces) -> Matrix:
    """A vector for each chunk, (chunks, dim): of its piece nearest to the query, or the mean. vectors: (pieces, dim).
    owners: the chunk of each piece, ascending from 0 without gaps. query: (dim,).
    """
    places = np.asarray(owners)
    first = np.flatnonzero(np.diff(places, prepend=-1))
    if how == "mean":
        sizes = np.diff(first, append=len(places))[:, None]
        return np.asarray(np.add.reduceat(vectors, first) / sizes, np.float32)
    order = np.lexsort((-(vectors @ query), places))  # stable: chunk by chunk, its nearest piece first
    return np.asarray(vectors[order[first]])


def prune(claim: str, cut: Sequence[Sentence], most: int) -> list[Sentence]:
    """The chunks that share most with the claim by BM25, in text order; all if there are at most `most`."""
    if len(cut) <= most:
        return list(cut)
    scores = Bm25([folded_words(chunk.text) for chunk in cut]).scores(folded_words(claim))
    kept = sorted(np.argsort(-scores, kind="stable")[:most].tolist())
    return [cut[row] for row in kept]


@dataclass(frozen=True)
class DocumentSearch:
    """The documents whose beginnings are nearest to the claim, or to each question (`by_questions`), by embedding; last,
    those that only the claim's context finds.

    encoder: of documents. queries: encoder of the claim; None: the same. characters: of a document that are embedded.
    matches: documents of a corpus that are embedded, or `top_k` if that is more.
    """

    store: PageStore
    encoder: Encoder
    top_k: int = 50
    queries: Encoder | None = None
    characters: int = 1200
    matches: int = 200
    by_questions: bool = False
    name = stage_names.DOCUMENTS
    writes = ("pages", "corpus")

    @property
    def reads(self) -> tuple[str, ...]:
        return ("claim", "questions") if self.by_questions else ("claim",)

    def run(self, check: FactCheck) -> Iterator[Progress]:
        pages = candidate_pages(self.store, check.claim.statement, max(self.matches, self.top_k))
        yield Progress(self.name, 0, max(1, len(pages)), check)
        parts: list[Matrix] = []
        pairs = [(page.title, page.text) for page in pages]
        for done, vectors in encode_in_steps(self.encoder, pairs, opening(self.characters)):
            parts.append(vectors)
            yield Progress(self.name, done, len(pages), check)
        hits: list[Hit] = []
        questions = list(dict.fromkeys(pair.question for pair in check.questions)) if self.by_questions else []
        if parts:
            vectors = (self.queries or self.encoder).encode(questions or [check.claim.statement])
            scores = np.concatenate(parts) @ vectors.T
            nearest = nearest_to_any(scores, self.top_k)
            hits = [Hit(pages[row], round(score, 6), "embedding") for row, score in nearest]
        hits = with_context(self.store, check.claim, hits, self.top_k)
        total = max(1, len(pages))
        yield Progress(self.name, total, total, replace(check, pages=tuple(hits), corpus=self.store.info()))


def nearest_to_any(scores: Matrix, top_k: int) -> list[tuple[int, float]]:
    """At most `top_k` rows with their best score, best first. scores: (rows, queries); each query contributes an equal share."""
    share = -(-top_k // scores.shape[1])
    near = {row for column in scores.T for row in np.argsort(-column, kind="stable")[:share].tolist()}
    best = scores.max(axis=1)
    kept = sorted(near, key=lambda row: (-float(best[row]), row))[:top_k]
    return [(row, float(best[row])) for row in kept]


def whole(title: str, text: str) -> str:
    """The embedded text of a piece: its title and all of it."""
    return f"{title}\n{text}"


def opening(characters: int) -> Callable[[str, str], str]:
    """The embedded text of a document: its title and first characters, formed like a piece, which it may be."""
    return lambda title, text: whole(title, text[:characters])


def as_unit(vectors: Matrix) -> Matrix:
    """The rows scaled to unit length; those of DPR have others."""
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12), np.float32)
