"""From questions to pages of the open web, which become documents of the check."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from retrieval import stage_names
from retrieval.errors import WebError
from retrieval.pipeline import Pipeline
from retrieval.stages.averitec.documents import ChunkSearch
from retrieval.stores.knowledge import KnowledgeStore
from retrieval.types import WEB, FactCheck, Hit, Page, Progress

if TYPE_CHECKING:
    from retrieval.web.engines import Engine
    from retrieval.web.pages import PageReader

# The web is searched before the first of these stages in a recipe, which read sentences of what was found.
BEFORE_WEB = (stage_names.CHUNKS, stage_names.SENTENCES, stage_names.ANSWERS)
PAGES_FETCHED_AT_ONCE = 4
SILENT = "Some of its search engines did not answer, so pages may be missing: {}."
NOTHING = "{} found no page, and these of its search engines did not answer: {}. That says nothing about the claim."


@dataclass(frozen=True)
class WebSearch:
    """Searches the web for each question, or for the claim if there is none, and adds the pages found to `pages`. Faults
    never fail the check: a note says what is missing.

    asked: whether an earlier stage asks questions. after_pages: whether one finds pages. questions, pages: at most.
    """

    engine: Engine
    reader: PageReader
    questions: int
    pages: int
    asked: bool = False
    after_pages: bool = False
    name = stage_names.WEB
    writes = ("pages", "notes", "details")

    @property
    def reads(self) -> tuple[str, ...]:
        return ("claim", *(("questions",) if self.asked else ()), *(("pages",) if self.after_pages else ()))

    def run(self, check: FactCheck) -> Iterator[Progress]:
        queries = self._queries(check)
        total = len(queries) + self.pages
        yield Progress(self.name, 0, total, check)
        found: list[list[str]] = []
        faults: list[str] = []
        silent: dict[str, None] = {}
        for number, query in enumerate(queries, 1):
            try:
                answer = self.engine.search(query)
                silent |= dict.fromkeys(answer.silent)
                found.append([address for address in answer.addresses if self.reader.allow(address)])
            except WebError as error:
                faults.append(str(error))
            yield Progress(self.name, number, total, check)
            if faults:
                break
        addresses, pages = in_turn(found)[: self.pages], list[Page]()
        for number, page in enumerate(self._read(addresses), 1):
            pages += [page] if page else []
            yield Progress(self.name, len(queries) + number, total, check)
        check = check.telling(
            self.name,
            f"Sent to {self.engine.host}: {'; '.join(f'“{query}”' for query in queries)}. {len(addresses)} pages were asked "
            f"for, {len(pages)} could be read.",
        )
        check = check.noting(*(f"The open web could not be searched. {fault}" for fault in dict.fromkeys(faults)))
        if named := "; ".join(silent):
            check = check.noting(SILENT.format(named) if addresses else NOTHING.format(self.engine.host, named))
        before = check.pages if self.after_pages else ()
        known = {hit.page.id for hit in before}
        hits = [hit for hit in by_claim(check.claim.reading, pages) if hit.page.id not in known]
        yield Progress(self.name, total, total, replace(check, pages=(*before, *hits)))

    def _queries(self, check: FactCheck) -> list[str]:
        asked = dict.fromkeys(pair.question for pair in check.questions if pair.question) if self.asked else {}
        return list(asked)[: self.questions] or [check.claim.statement]

    def _read(self, addresses: Sequence[str]) -> Iterator[Page | None]:
        """The pages at these addresses, in order; None for each that cannot be read."""
        threads = ThreadPoolExecutor(PAGES_FETCHED_AT_ONCE)
        with self.reader.opened() as read:
            try:
                yield from threads.map(lambda address: _page_or_none(read, address), addresses)
            finally:
                threads.shutdown(cancel_futures=True)


def _page_or_none(read: Callable[[str], Page | None], address: str) -> Page | None:
    with suppress(WebError):
        return read(address)
    return None


def in_turn(rankings: Sequence[Sequence[str]]) -> list[str]:
    """The rankings interleaved, without repetitions: the first of each, then the second of each, and so on."""
    longest = max(map(len, rankings), default=0)
    return list(dict.fromkeys(ranking[at] for at in range(longest) for ranking in rankings if at < len(ranking)))


def by_claim(claim: str, pages: Sequence[Page]) -> list[Hit]:
    """The pages as hits, best first by BM25 against the claim; scores are shares of the best one's."""
    scored = KnowledgeStore(pages).search_text(claim, top_k=len(pages))
    shares = {page.id: score / scored[0][1] for page, score in scored}
    ranked = sorted({page.id: page for page in pages}.values(), key=lambda page: (-shares.get(page.id, 0.0), page.id))
    return [Hit(page, round(shares.get(page.id, 0.0), 6), WEB) for page in ranked]


def with_web(pipeline: Pipeline, search: WebSearch) -> Pipeline:
    """The pipeline with a search of the web before sentences are read, and after the questions if it asks any."""
    at = next(number for number, stage in enumerate(pipeline.stages) if stage.name in BEFORE_WEB)
    first, rest = pipeline.stages[:at], list(pipeline.stages[at:])
    written = {field for stage in first for field in stage.writes}
    search = replace(search, asked="questions" in written, after_pages="pages" in written)
    if isinstance(rest[0], ChunkSearch):
        rest[0] = replace(rest[0], with_web=True)
    return replace(pipeline, stages=(*first, search, *rest))
