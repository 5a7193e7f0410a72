"""Counts how many pages name each page: of two pages with the same sentences, the one named more often is the original.

A page names another if it links to it, or if its text contains, capitalised, the other's title or a title that leads to
it. The count takes three passes over the corpus; if counts have changed, a new generation is made by writing only those
pages.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from indexing.load import progress_bar
from retrieval.protocols import PageStore
from retrieval.stores import open_store, open_writer
from retrieval.text.titles import fold
from retrieval.text.words import FUNCTION_WORDS
from retrieval.types import CorpusInfo, Page

LONGEST_MENTION = 5  # words
WORDS_OF_A_RUN = 12  # words to look at in a capitalised run
PAGES_A_COUNT = 5_000

_CAPITAL = r"[A-ZÀ-ÖØ-ÞĀĂĄĆĈĊČĎĐĒĖĘĚĜĞĠĢĤĦĪĮİĴĶĹĻĽŁŃŅŇŌŐŒŔŖŘŚŜŞŠŢŤŪŮŰŲŴŶŸŹŻŽ]"
_RUN = re.compile(
    rf"{_CAPITAL}[\w'’.&-]*(?:\s+(?:(?:of|the|and|de|la|von|van|in|for|to)\s+){{0,2}}{_CAPITAL}[\w'’.&-]*|\s+\d+)*"
)

Hashes = NDArray[np.int64]


def count_mentions(
    location: str, report: Callable[[str], None], wanted: Callable[[Page], bool] = lambda page: True
) -> CorpusInfo:
    """Give every page its count as `prior`. Returns the store's new description. Make vectors afterwards, because they
    belong to an exact version of a page. wanted: whether a page may be written; all are read. Raises StoreError.
    """
    store = open_store(location)
    titles = _titles(store)
    pages = _recounted(store, titles, _counts(store, titles), wanted)
    card, changed = store.info(), 0
    if first := next(pages, None):  # if nothing has changed, readers need not switch
        with open_writer(location, "mentions", restart=True, report=report) as writer:
            changed = writer.add(itertools.chain((first,), pages))
            card = writer.finish(card.name, card.language)
            writer.retire()
    report(f"{changed:,} of {card.pages:,} pages have a new count of the pages that name them.")
    return card


def _recounted(
    store: PageStore, titles: Hashes, counts: NDArray[np.int64], wanted: Callable[[Page], bool]
) -> Iterator[Page]:
    """The wanted pages whose count has changed, with the new count."""
    for page in _pages(store, "writing"):
        prior = int(counts[_indices(titles, _title_keys(page))].sum())
        if prior != page.prior and wanted(page):
            yield replace(page, prior=prior)


def names_in(text: str) -> set[str]:
    """Folded runs of capitalised words, and the runs within them: possible titles of pages."""
    names: set[str] = set()
    for run in _RUN.finditer(text):
        words = fold(run[0]).split()[:WORDS_OF_A_RUN]
        for first in range(len(words)):
            for last in range(first + 1, min(len(words), first + LONGEST_MENTION) + 1):
                names.add(" ".join(words[first:last]))
    return names - FUNCTION_WORDS


def _title_keys(page: Page) -> Hashes:
    """Keys of the titles by which a page can be named."""
    return _hashes({fold(page.title), *map(fold, page.names)})


def _titles(store: PageStore) -> Hashes:
    """Keys of all pages that can be named, sorted, each once."""
    keys = [_title_keys(page) for page in _pages(store, "titles") if not page.disambiguation]
    return np.unique(np.concatenate(keys)) if keys else np.zeros(0, np.int64)


def _counts(store: PageStore, titles: Hashes) -> NDArray[np.int64]:
    """For each title, the number of other pages that name it."""
    counts = np.zeros(len(titles) + 1, np.int64)  # the last one is for names that are not titles
    pages = _pages(store, "mentions")
    while batch := [_named(page) for page in itertools.islice(pages, PAGES_A_COUNT)]:
        np.add.at(counts, _indices(titles, np.concatenate(batch)), 1)
    counts[-1] = 0
    return counts


def _named(page: Page) -> Hashes:
    """Keys of the names in a page that are not its own."""
    return np.setdiff1d(_hashes(names_in(page.text) | {fold(link) for link in page.links}), _title_keys(page))


def _indices(titles: Hashes, wanted: Hashes) -> NDArray[np.intp]:
    """The index of each among the titles; one past the last for anything else."""
    if not len(titles):
        return np.zeros(len(wanted), np.intp)
    places = np.searchsorted(titles, wanted)
    is_title = titles[np.minimum(places, len(titles) - 1)] == wanted
    return np.where(is_title, places, len(titles))


def _hashes(names: set[str]) -> Hashes:
    return np.fromiter(map(hash, names), np.int64, len(names))


def _pages(store: PageStore, what: str) -> Iterator[Page]:
    with progress_bar(total=store.count(), unit_scale=True, desc=what) as bar:
        for batch in store.scan():
            yield from (page for _, page in batch)
            bar.update(len(batch))
