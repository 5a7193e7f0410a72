"""A text with every quantity written in one way, and the original place of each of its characters."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from retrieval.text.quantities.finding import quantities, remembered

MOST_PASSES = 5  # a form may make another number of its neighbours; no real text needs more than two


@dataclass(frozen=True, slots=True)
class Change:
    """`text[start:end]` stands for `original[before_start:before_end]`."""

    start: int
    end: int
    before_start: int
    before_end: int


@dataclass(frozen=True, slots=True)
class Canonical:
    """changes: in order; the text between two of them is unchanged. before: the original's length."""

    text: str
    changes: tuple[Change, ...]
    before: int

    def original(self, start: int, end: int) -> tuple[int, int]:
        """The characters of the original that became `text[start:end]`: whole changes if it touches one."""
        return self._before(start, False), self._before(end, True)

    def _before(self, place: int, is_end: bool) -> int:
        find = bisect_left if is_end else bisect_right  # an end at the start of a change belongs to the text before it
        at = find(self.changes, place, key=lambda change: change.start) - 1
        if at < 0:
            return place
        change = self.changes[at]
        if place < change.end or (is_end and place == change.end):
            return change.before_end if is_end else change.before_start
        return place + change.before_end - change.end


@remembered
def canonical(text: str) -> Canonical:
    """The text in its one form. Idempotent: `canonical(canonical(text).text)` changes nothing. Linear."""
    found = Canonical(text, (), len(text))
    for _ in range(MOST_PASSES):
        once = _once(found.text)
        if not once.changes:
            return found
        found = _after(found, once)
    return found if not _once(found.text).changes else Canonical(text, (), len(text))


def canonical_text(text: str) -> str:
    """The text in its one form."""
    return canonical(text).text


def _once(text: str) -> Canonical:
    parts: list[str] = []
    changes: list[Change] = []
    done = length = 0
    for quantity in quantities(text):
        if quantity.form == text[quantity.start : quantity.end]:
            continue
        parts += [text[done : quantity.start], quantity.form]
        start = length + quantity.start - done
        length = start + len(quantity.form)
        changes.append(Change(start, length, quantity.start, quantity.end))
        done = quantity.end
    return Canonical("".join([*parts, text[done:]]) if changes else text, tuple(changes), len(text))


def _after(first: Canonical, second: Canonical) -> Canonical:
    """Both passes as one: a change of the second pass absorbs those of the first that it touches."""
    if not first.changes:
        return second
    late = [Change(c.start, c.end, *first.original(c.before_start, c.before_end)) for c in second.changes]
    early = [
        Change(_forward(second, c.start, False), _forward(second, c.end, True), c.before_start, c.before_end)
        for c in first.changes
        if not _touches(late, c)
    ]
    return Canonical(second.text, tuple(sorted([*late, *early], key=lambda c: c.start)), first.before)


def _touches(changes: Sequence[Change], change: Change) -> bool:
    """Whether one of the changes, in order, shares characters of the original with this one."""
    at = bisect_left(changes, change.before_end, key=lambda c: c.before_start) - 1
    return at >= 0 and changes[at].before_end > change.before_start


def _forward(canonical: Canonical, place: int, is_end: bool) -> int:
    """The place in the text of a place of the original that no change covers."""
    find = bisect_left if is_end else bisect_right
    at = find(canonical.changes, place, key=lambda change: change.before_start) - 1
    return place if at < 0 else place + canonical.changes[at].end - canonical.changes[at].before_end
