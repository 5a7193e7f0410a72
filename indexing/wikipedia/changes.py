"""Updates a corpus from a newer dump: writes pages that changed, removes pages that are gone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from indexing.load import open_if_loaded
from indexing.wikipedia.article import FULL, INTRO, Origin, article_of
from indexing.wikipedia.dump import NAMES
from retrieval.errors import CorpusError
from retrieval.protocols import CorpusWriter
from retrieval.stores.pages import digest
from retrieval.types import Page

if TYPE_CHECKING:
    from indexing.wikipedia.dump_load import Position, Task

PAGES_SAMPLED = 20_000  # in an order that does not depend on their day


@dataclass(frozen=True)
class EarlierLoad:
    """A wiki in a corpus. day: of the newest dump that its pages come from, such as 2025-12-07. text: INTRO or FULL."""

    day: str
    text: str


def earlier_load(location: str, wiki: str) -> EarlierLoad | None:
    """This wiki in the corpus; None if the corpus has no page of it. The day comes from the corpus's name or, if you named
    the corpus yourself, from its pages. Raises StoreError.
    """
    if (store := open_if_loaded(location)) is None:
        return None
    with closing(store):
        day_in_name = re.search(rf"\b{re.escape(NAMES.get(wiki, wiki))} of (20\d\d-\d\d-\d\d)\b", store.info().name)
        day, text, seen = "", INTRO, 0
        for batch in store.scan():
            pages = [page for _, page in batch if article_of(page.id)[0] == wiki]
            day = max([day, *(page.retrieved for page in pages)])
            text = FULL if any(article_of(page.id)[2] for page in pages) else text
            seen += len(pages)
            if seen >= PAGES_SAMPLED:
                break
    return EarlierLoad(max(day, day_in_name[1] if day_in_name else ""), text) if seen else None


def text_of_update(earlier: EarlierLoad, asked: str, report: Callable[[str], None]) -> str:
    """INTRO or FULL: as the corpus has it, unless you ask for the other, which is reported."""
    forms = {INTRO: "introductions", FULL: "whole articles in passages"}
    if asked and asked != earlier.text:
        report(
            f"The corpus holds {forms[earlier.text]}; `--text {asked}` replaces them by {forms[asked]}, each page anew. "
            "Leave it out to keep what the corpus holds."
        )
    return asked or earlier.text


def check_day(corpus: str, dump: str) -> None:
    """Raises CorpusError if the dump's day is before the day that a corpus, or a page of it, comes from."""
    if corpus > dump:
        raise CorpusError(
            f"The corpus is of {corpus} and this dump of {dump}: an update would remove newer pages. "
            "Name a newer dump with `--date`, or load the older one with `--replace` instead of `--update`. "
            "Readers still see the corpus as it was."
        )


class Changes:
    """Compares a dump with the corpus in use, which must not change meanwhile. So that an update can resume after a
    crash, a file beside the downloads stores the numbers of the dump's pages; it is only appended to, and synced to
    disk before each checkpoint of the store.
    """

    def __init__(self, task: Task, origin: Origin, resumed: bool) -> None:
        self._origin, self._limited = origin, task.limit is not None
        self._seen = task.downloads / f"{task.dump.wiki}-{task.dump.date}.pages"
        self._numbers: list[int] = []
        self._known = not resumed or self._seen.exists()
        if not resumed:
            self._seen.unlink(missing_ok=True)
        self._before = None if task.replace else open_if_loaded(task.store)

    def newer(
        self, articles: Sequence[Sequence[Page]], writer: CorpusWriter, position: Position
    ) -> list[Sequence[Page]]:
        """Pages that the corpus lacks or has in a lower version; removes passages that they no longer have.

        A page of the same version is written if other titles lead to it or its text differs, but not if only the number
        of links to it has changed: that changes every week for most pages, and a page that is written loses its vector.
        """
        known = self._before.get([article[0].id for article in articles]) if self._before else {}
        wanted: list[Sequence[Page]] = []
        for article in articles:
            self._numbers.append(article_of(article[0].id)[1])
            page, before = article[0], known.get(article[0].id)
            if before is None:
                position.new += 1
                wanted.append(article)
                continue
            check_day(before.retrieved, self._origin.day)
            if (page.revision or 0) > (before.revision or 0):
                position.changed += 1
            elif page.revision == before.revision and digest(replace(page, prior=before.prior)) != digest(before):
                position.relinked += 1
            else:
                position.same += 1
                continue
            gone = range(len(article) + 1, before.parts + 1)  # passages that the article no longer has
            writer.remove(f"{page.id.rpartition('#')[0]}#{part}" for part in gone)
            # The dump's number of links to the article or, if it gives none, the corpus's.
            wanted.append(article if page.prior else [replace(passage, prior=before.prior) for passage in article])
        return wanted

    def see(self, numbers: Iterable[int]) -> None:
        """Record the numbers of pages whose lines could not be read, so that they do not count as gone."""
        self._numbers.extend(number for number in numbers if number)

    def keep(self) -> None:
        """Save the record of pages seen."""
        self._seen.parent.mkdir(parents=True, exist_ok=True)
        with open(self._seen, "ab") as file:
            np.array(self._numbers, dtype=np.int64).tofile(file)
        self._numbers = []

    def remove_gone(self, writer: CorpusWriter, position: Position) -> str:
        """Remove this wiki's pages that the dump lacks. Returns a sentence that summarises the update."""
        summary = f"{position.new:,} new pages, {position.changed:,} changed, {position.same:,} as they were"
        if position.relinked:
            summary += f", {position.relinked:,} of the same version with other titles or text"
        if self._before is None:
            return f"{summary}."
        if self._limited or not self._known:
            return f"{summary}; removed pages were not looked for, because not all of the dump was read."
        if position.unknown:
            return f"{summary}; removed pages were not looked for, because some lines that were left out belong to unknown pages."
        seen = np.unique(np.fromfile(self._seen, dtype=np.int64))
        gone: set[int] = set()
        for batch in self._before.scan():
            lost = self._lost([page for _, page in batch], seen)
            for page in lost:
                check_day(page.retrieved, self._origin.day)
            writer.remove(page.id for page in lost)
            gone.update(article_of(page.id)[1] for page in lost)
        return f"{summary}, {len(gone):,} removed."

    def forget(self) -> None:
        """Remove the record once the update is in use."""
        self._seen.unlink(missing_ok=True)

    def _lost(self, pages: Sequence[Page], seen: np.ndarray) -> list[Page]:
        """Those of this wiki's pages whose number was not seen, or whose article this load splits differently."""
        parts = [(page, *article_of(page.id)) for page in pages]
        ours = [(page, number, part) for page, wiki, number, part in parts if wiki == self._origin.wiki]
        known = np.isin([number for _, number, _ in ours], seen)
        split = self._origin.text == FULL
        return [page for (page, _, part), was_seen in zip(ours, known, strict=True) if not was_seen or part != split]
