"""Finds bullets that a program draws as shapes, as browsers do, and writes them as letters before their lines."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING

from retrieval.text.files.pdf.drawings import Box

if TYPE_CHECKING:
    from retrieval.text.files.pdf.letters import Letter

BULLET = "\uf0b7"  # as a symbol font writes it
MOST_BULLETS = 1_000  # shapes to look at on a page
MOST_NEAR = 1_000  # letters at the height of a bullet; where there are more, nobody reads a line
# In font sizes: the size of a bullet, the height of its middle above the baseline, and its distance from the text.
SMALLEST, LARGEST = 0.15, 0.8
LEAST_HEIGHT, MOST_HEIGHT = 0.1, 0.6
FARTHEST_LINE = 2.0
ROUND = 0.8  # least ratio of its sides


def with_bullets(letters: Sequence[Letter], shapes: Sequence[Box]) -> list[Letter]:
    """The letters in drawing order, with a bullet and a space before each line that begins beside such a shape."""
    dots = [shape for shape in shapes if _is_round(shape)]
    if not 0 < len(dots) <= MOST_BULLETS:
        return list(letters)
    order = sorted((letter.base, number) for number, letter in enumerate(letters) if letter.sign != " ")
    begun = {}
    for dot in dots:
        height, middle = dot.top - dot.bottom, (dot.top + dot.bottom) / 2
        low, high = middle - MOST_HEIGHT * height / SMALLEST, middle - LEAST_HEIGHT * height / LARGEST
        near = [number for _, number in order[bisect_left(order, (low, 0)) : bisect_right(order, (high, len(letters)))]]
        line = [number for number in near if _is_beside(dot, letters[number])] if len(near) <= MOST_NEAR else []
        first = min(line, key=lambda number: letters[number].x0, default=-1)
        if first >= 0 and letters[first].x0 >= dot.right:
            begun[first] = letters[first]
    found: list[Letter] = []
    for number, letter in enumerate(letters):
        if number in begun:
            left, right = letter.x0 - letter.size / 2, letter.x0 - letter.size / 4
            found += [letter._replace(sign=BULLET, x0=left, x1=right), letter._replace(sign=" ", x0=right, x1=right)]
        found.append(letter)
    return found


def _is_round(shape: Box) -> bool:
    shorter, longer = sorted((shape.right - shape.left, shape.top - shape.bottom))
    return shorter > 0 and shorter >= ROUND * longer


def _is_beside(dot: Box, letter: Letter) -> bool:
    """Whether a letter is on the line of a bullet, beside it."""
    if not SMALLEST * letter.size <= dot.top - dot.bottom <= LARGEST * letter.size:
        return False
    height = (dot.top + dot.bottom) / 2 - letter.base
    level = LEAST_HEIGHT * letter.size <= height <= MOST_HEIGHT * letter.size
    return level and -FARTHEST_LINE * letter.size < letter.x0 - dot.right < FARTHEST_LINE * letter.size
