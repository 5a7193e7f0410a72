"""What a corpus holds of a wiki before an update: the day of its pages, and whether they are introductions or articles."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass

from indexing.wikipedia.article import FULL, INTRO, article_of
from indexing.wikipedia.dump import NAMES
from retrieval.errors import CorpusError, StoreIncomplete, StoreMissing
from retrieval.stores import open_store

PAGES_LOOKED_AT = 20_000  # in an order that does not depend on their day


@dataclass(frozen=True)
class Held:
    """The pages of a wiki in a corpus. day: of the newest dump that its pages come from, such as 2025-12-07. text: INTRO or FULL."""

    day: str
    text: str


def held_of(location: str, wiki: str) -> Held | None:
    """What the store holds of this wiki; None if nothing. The day comes from the corpus's name or, if you named the
    corpus yourself, from its pages. Raises StoreError.
    """
    try:
        store = open_store(location)
    except (StoreMissing, StoreIncomplete):
        return None
    with closing(store):
        named = re.search(rf"\b{re.escape(NAMES.get(wiki, wiki))} of (20\d\d-\d\d-\d\d)\b", store.info().name)
        day, text, seen = "", INTRO, 0
        for batch in store.scan():
            own = [page for _, page in batch if article_of(page.id)[0] == wiki]
            day = max([day, *(page.retrieved for page in own)])
            text = FULL if any(article_of(page.id)[2] for page in own) else text
            seen += len(own)
            if seen >= PAGES_LOOKED_AT:
                break
    return Held(max(day, named[1] if named else ""), text) if seen else None


def form_for(held: Held, asked: str, report: Callable[[str], None]) -> str:
    """Whether an update loads INTRO or FULL: as the corpus has it, unless you ask for the other, which is reported."""
    forms = {INTRO: "introductions", FULL: "whole articles in passages"}
    if asked and asked != held.text:
        report(
            f"The corpus holds {forms[held.text]}; `--text {asked}` replaces them by {forms[asked]}, each page anew. "
            "Leave it out to keep what the corpus holds."
        )
    return asked or held.text


def check_day(held: str, dump: str) -> None:
    """Raise CorpusError if the dump is older than the one that a corpus, or a page of it, comes from."""
    if held > dump:
        raise CorpusError(
            f"The corpus is of {held} and this dump of {dump}: an update would remove newer pages. "
            "Name a newer dump with `--date`, or load the older one with `--replace` instead of `--update`. "
            "Readers still see the corpus as it was."
        )
