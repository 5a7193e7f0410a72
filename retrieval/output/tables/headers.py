"""Finds the row of a table that names the columns, and the column that holds claims."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

NAMES = ("claim", "claims", "statement", "sentence", "text", "assertion", "quote")  # of a column of claims
LONGEST_HEADER = 60  # characters of a column's name
MOST_TITLES = 10  # rows above the header: title, date, names that span several columns
SHOWN_TITLE = 100  # characters

_TIME = re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}[ T]")

Row = Sequence[str]


def titles_above(rows: Sequence[Row]) -> int:
    """The number of rows above the one that names the columns: titles, and names that span several columns."""
    for number, row in enumerate(rows[: MOST_TITLES + 1]):
        if names_a_claim(row) and all(len(filled(above)) <= len(filled(row)) for above in rows[:number]):
            return number
    usual = Counter(len(filled(row)) for row in rows).most_common(1)[0][0] if rows else 0
    titles = next((number for number, row in enumerate(rows) if len(filled(row)) > 1), 0)
    if usual > 1 and 0 < titles <= MOST_TITLES and is_header(rows[titles], rows[titles + 1 :]):
        return titles
    return 0


def two_rows_of_names(upper: Row, lower: Row, others: Sequence[Row]) -> list[str] | None:
    """Column names from a header of two rows: "Source" above "name" and "date" gives "Source name" and "Source date". None
    if the lower row is not part of the header. others: the rows below it.
    """
    under = [number for number, name in enumerate(lower) if name.strip()]
    if not under or not filled(upper) or any(_is_no_name(lower[number].strip()) for number in under):
        return None
    if any(lower[number].strip().startswith("=") for number in under):  # a formula names nothing
        return None
    spans = [number for number in under if number and not upper[number].strip()]
    claimed = any(upper[number].strip().casefold() in NAMES for number in under)
    missing = any(not upper[number].strip() and not lower[number].strip() for number in range(len(upper)))
    whole = len(under) == len(lower)
    if not spans or missing or ((whole or claimed) and not (whole and _is_above_sentences(lower, others))):
        return None
    names, above = [], ""
    for over, name in zip(upper, lower, strict=True):
        above = over.strip() or above
        names.append(f"{above} {name.strip()}" if name.strip() else above)
    return names


def _is_above_sentences(names: Row, rows: Sequence[Row]) -> bool:
    """Whether a column has a name of one or two words in this row, and longer cells in all rows below it."""
    below = [[row[number].split() for row in rows] for number in range(len(names))]
    return any(
        len(name.split()) < 3 and len(cells) > 1 and min(map(len, cells)) > 2
        for name, cells in zip(names, below, strict=True)
    )


def distinguished(upper: Row, names: Row) -> list[str]:
    """Column names; before those that occur twice goes the name that spans them in the row above."""
    count, above, distinct = Counter(name.strip().casefold() for name in names), "", []
    for number, name in enumerate(names):
        above = (upper[number].strip() if number < len(upper) else "") or above
        twice = name.strip() and count[name.strip().casefold()] > 1
        distinct.append(f"{above} {name.strip()}" if twice and above else name)
    return distinct


def _is_no_name(cell: str) -> bool:
    return len(cell) > LONGEST_HEADER or _ends(cell) or is_number(cell)


def named_titles(rows: Sequence[Row]) -> str:
    """The note on rows above the header, which are left out."""
    shown = "; ".join(f"“{' '.join(filled(row))[:SHOWN_TITLE]}”" for row in rows[:3])
    more = f" and {len(rows) - 3} more" if len(rows) > 3 else ""
    is_one = len(rows) == 1
    return f"{'The row' if is_one else f'{len(rows)} rows'} above the names of its columns {'was' if is_one else 'were'} left out: {shown}{more}."


def filled(row: Row) -> list[str]:
    """The row's cells that are not empty."""
    return [cell.strip() for cell in row if cell.strip()]


def names_a_claim(row: Row) -> bool:
    """Whether these are column names, one of them for claims."""
    names = filled(row)
    short = all(len(name) <= LONGEST_HEADER and not _ends(name) for name in names)
    return short and any(_names_claims(name, len(names)) for name in names)


def _names_claims(name: str, beside: int) -> bool:
    """Whether a column with this name has claims. beside: names in the row; alone, "Our claims" is a title."""
    words = name.casefold().split()
    return " ".join(words) in NAMES or (beside > 1 and len(words) <= 3 and not {"claim", "claims"}.isdisjoint(words))


def _ends(name: str) -> bool:
    """Whether a cell ends like a sentence, unlike "Nr." and "Is it true?"."""
    return name[-1] in ".!?" and len(name.split()) > (4 if name[-1] == "?" else 1)


def is_header(first: Row, others: Sequence[Row]) -> bool:
    """Whether the first row names the columns: its cells are short, differ from one another and from those below."""
    names = filled(first)
    if any(_names_claims(name, len(names)) for name in names):
        return True
    if not others or not names or len(set(names)) < len(names):
        return False
    if any(map(_is_no_name, names)):
        return _is_form(first, others)
    cells = [cell for row in others for cell in filled(row)]
    longer = sum(len(cell) > 2 * max(map(len, names)) or is_number(cell) for cell in cells)
    return longer > len(cells) / 4


def _is_form(first: Row, others: Sequence[Row]) -> bool:
    """Whether the first row has a form's questions, no statements: a column below it has only times or numbers."""
    if len(others) < 2 or any(cell[-1] in ".!" and _ends(cell) for cell in filled(first)):
        return False
    questions = [number for number, name in enumerate(first) if name.strip() and not _is_figure(name)]
    return any(all(_is_figure(row[number].strip()) for row in others) for number in questions)


def _is_figure(cell: str) -> bool:
    return is_number(cell) or _TIME.match(cell) is not None


def likeness(cells: Sequence[str], name: str) -> float:
    """How much a column looks like claims, by its different sentences and its name; -1 if it is empty. name: may be empty."""
    nonempty = filled(cells)
    if not nonempty:
        return -1.0
    sentences = sum(len(cell.split()) >= 3 and len(re.findall(r"[^\W\d_]", cell)) > len(cell) / 2 for cell in nonempty)
    share = sentences * len(set(nonempty)) / (len(nonempty) * len(cells))
    name = name.strip().casefold()
    return share + (2 - NAMES.index(name) / len(NAMES) if name in NAMES else 0.0)


def is_number(cell: str) -> bool:
    """Whether a cell is a number, an amount or a date in digits."""
    return bool(re.fullmatch(r"[-+]?[\d.,:/ %\u20ac$-]*\d[\d.,:/ %\u20ac$-]*", cell))
