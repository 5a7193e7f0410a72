"""The order of search results, and which results a limit keeps: the same in every store."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from retrieval.stores.pages import digest, title_keys
from retrieval.types import Page

Titled = list[tuple[Page, bool]]  # results of a search by title; False: by the title without its bracket
Scored = list[tuple[Page, float]]
Item = TypeVar("Item")


def cut(
    found: Sequence[tuple[Any, Item]], top_k: int, digests: Callable[[list[Item]], Sequence[int]]
) -> list[tuple[Any, Item]]:
    """The `top_k` with the lowest keys, in no order; of those that tie with the last one, the lowest digests stay.

    found: (key, item). digests: gives the items' digests; an item may be a page or a placeholder for one not yet read.
    """
    if top_k >= len(found):
        return list(found)
    if top_k < 1:
        return []
    last = sorted(key for key, _ in found)[top_k - 1]
    better = [hit for hit in found if hit[0] < last]
    tied = [item for key, item in found if key == last]
    if len(better) + len(tied) > top_k:
        numbered = sorted(zip(digests(tied), range(len(tied)), strict=True))
        tied = [tied[at] for _, at in numbered[: top_k - len(better)]]
    return better + [(last, item) for item in tied]


def cut_pages(found: Sequence[tuple[Any, Page]], top_k: int) -> list[tuple[Any, Page]]:
    """The `top_k` with the lowest keys, by key, then by id."""
    best = cut(found, top_k, lambda pages: [digest(page) for page in pages])
    return sorted(best, key=lambda hit: (hit[0], hit[1].id))


def by_score(found: Iterable[tuple[Page, float]], top_k: int) -> Scored:
    """The `top_k` best, best first."""
    return [(page, -cost) for cost, page in cut_pages([(-score, page) for page, score in found], top_k)]


def by_score_and_id(found: Iterable[tuple[str, float]]) -> list[tuple[str, float]]:
    """Ids, best first; ties by id."""
    return sorted(found, key=lambda hit: (-hit[1], hit[0]))


def by_title(pages: Iterable[Page], keys: Sequence[str], top_k: int) -> Titled:
    """At most `top_k` of the pages with the folded titles `keys`, by position of the key, whole titles (True) first.

    A redirect counts as a title of its page; a name that the page gives itself, as a title without its bracket.
    """
    places = {key: place for place, key in enumerate(keys)}
    ranked = []
    for page in pages:
        titles, weaker = title_keys(page)
        named = [places[title] for title in titles if title in places]
        others = (places[name] for name in weaker if name in places)
        ranked.append(((min(named or others, default=len(places)), not named), page))
    return [(page, not bare) for (_, bare), page in cut_pages(ranked, top_k)]
