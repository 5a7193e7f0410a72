"""Every quantity of a text: its kind, its place and its normalised form."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from functools import lru_cache, wraps
from typing import TypeVar

from retrieval.text.languages import ENGLISH
from retrieval.text.quantities.dates import DECADES, NAMED_TIMES, Date, dates_in, ordinal_ending, year_date
from retrieval.text.quantities.numbers import (
    DIGITS,
    IN_DIGITS,
    IN_ORDER,
    IN_WORDS,
    LARGEST_ORDINAL_WORD,
    NUMBER_WORDS,
    ORDINAL_WORDS,
    ORDINALS,
    SCALES,
    SHORT_SCALES,
    UNITS,
    Number,
    form_of,
    number_of_words,
    read_digits,
    read_roman,
    value_of_ordinal,
)
from retrieval.text.quantities.units import NAMED, UNIT, Unit, unit_of

LONGEST_TEXT_REMEMBERED = 1_000  # characters
Result = TypeVar("Result")


def remembered(read: Callable[[str], Result]) -> Callable[[str], Result]:
    """The function with a cache. Long texts are read anew each time, so that they cannot fill the memory."""
    cached = lru_cache(maxsize=4096)(read)

    @wraps(read)
    def looked_up(text: str) -> Result:
        return cached(text) if len(text) <= LONGEST_TEXT_REMEMBERED else read(text)

    return looked_up


class Kind(StrEnum):
    """The kind of a quantity. Only quantities of the same kind are compared."""

    DATE = "date"
    MEASURE = "measure"
    MONEY = "money"
    PERCENT = "percent"
    NUMBER = "number"
    RANK = "rank"


@dataclass(frozen=True, slots=True)
class Quantity:
    """`text[start:end]` means this. form: its normalised text. value, step: of a number, in its own unit; of a rank, its place.
    unit: of a measure; its name is the currency of money. date: of a date."""

    kind: Kind
    start: int
    end: int
    form: str
    value: Decimal = Decimal(0)
    step: Decimal = Decimal(1)
    unit: Unit | None = field(default=None, compare=False)
    date: Date | None = None


_CURRENCIES = {"dol": "$", "usd": "$", "eur": "€", "yen": "¥", "gbp": "£"}  # by the first letters of a word
_MONEY = re.compile(
    rf"(?<![\w$€£¥])(?:(?:US|U\.S\.)(?= ?\$) ?|USD (?=\d))?(?P<sign>[$€£¥]|(?<=USD )) ?(?P<digits>{DIGITS})"
    rf"(?:[ -]?(?P<scale>{'|'.join([*SCALES, *sorted(SHORT_SCALES, key=len, reverse=True)])})\b)?(?!\w|[.,]\d)",
    re.IGNORECASE,
)
_CURRENCY = re.compile(r" (?:US |U\.S\. )?(?P<word>dollars?|euros?|yen|USD|EUR|GBP)\b", re.IGNORECASE)
_PERCENT = re.compile(r" ?%|[ -](?:percent|per cent)\b(?! points?\b)")
_ORDINAL = re.compile(
    rf"(?<![\w.,-])(?:(?P<digits>\d{{1,3}})(?:st|nd|rd|th)|(?P<word>(?i:{IN_ORDER})))"
    r"(?:(?P<hyphen>-)(?=\w{2,}est\b|most\b|best\b)|(?![\w'’]|-))"
)
_ROMAN = re.compile(r"(?<=[a-z] )(?P<roman>[XVI]{2,5})(?= (?:[\w'’]+ ){0,2}[\w'’]{3,}s\b)")
_NO_NUMERAL = frozenset({"IV", "XX", "XXX", "II", "VIP"})  # far more often something else
# "13.8 ± 0.04 billion years": the scale and the unit follow the error.
_TOLERANCE = re.compile(r" ?(?:±|\+/[-−]) ?(?=\d)")
# "twice", unless it multiplies ("twice as large") or recurs ("twice a year").
_TWICE = re.compile(
    r"(?<![\w'’-])(?P<word>twice|thrice)(?![\w'’-])(?! (?:as|that|what|the|its|his|her|their|an?|per|each|every|more|over|\w+ly)\b)"
)
_TIMES = {"twice": 2, "thrice": 3}
_RUN = re.compile(r"\d+")
_LETTERS = re.compile(r"[a-z]+")
_HAS = re.compile(
    r"\b(?:ha[sd]|have|having|with|h[eo]lds?|holding|contain\w*|compris\w+|includ\w+|over|about|around|approximately|roughly|nearly|almost|exactly|than|"
    r"least|some|own\w*|sold|scored|wrote|(?:consists?|total|collection) of) \Z"
)
_COUNTED_BEFORE = re.compile(
    r"\b(?:population|number)(?: of \w+)? (?:of|is|was)(?: (?:about|around|roughly|over|nearly|almost|some|just over|just under))? \Z",
    re.IGNORECASE,
)
_MEASURED = re.compile(rf"{'|'.join(SCALES)}|%|percent|per cent|dollar|euro|metres|m(?!\w)")
_SOMETHING = re.compile(r" (?:[\w-]+ ){0,2}[a-z]{3,}s\b")
_AFTER_NAME = re.compile(r"\b([A-Z][\w'’.-]*) \Z")
_MINUS = re.compile(r"(?<!\w)(?:[-−–]|minus |negative )\Z")
_WORDS = NUMBER_WORDS | ORDINALS.keys() | _TIMES.keys() | DECADES | NAMED_TIMES
_NAME = re.compile(r"[A-Z][\w'’]*")


@remembered
def quantities(text: str) -> tuple[Quantity, ...]:
    """The quantities in text order, none overlapping. Linear in the text's length."""
    found, taken = list[Quantity](), set[int]()
    for quantity in _candidates(text, taken):
        places = range(quantity.start, quantity.end)
        if taken.isdisjoint(places):
            taken.update(places)
            found.append(quantity)
    return tuple(sorted(found, key=lambda one: one.start))


def _candidates(text: str, taken: Set[int]) -> Iterator[Quantity]:
    """Quantities, of overlapping ones first the one that counts. taken: the characters of those found so far. Each search runs
    only if the text has a sign of what it looks for: most sentences have few.
    """
    runs = [match.start() for match in _RUN.finditer(text)]
    words = _WORDS.intersection(_LETTERS.findall(text.lower()))
    if runs or words:
        yield from _dates(text)
    if runs:
        if any(sign in text for sign in "$€£¥") or "USD" in text:
            yield from _money(text)
        yield from _in_digits(text, [run for run in runs if run not in taken])
    if not NUMBER_WORDS.isdisjoint(words):
        yield from _in_words(text)
    if not _TIMES.keys().isdisjoint(words):
        yield from _times(text)
    if runs or not ORDINALS.keys().isdisjoint(words):
        yield from _ordinals(text)
    yield from _romans(text)


def _dates(text: str) -> Iterator[Quantity]:
    for date in dates_in(text):
        if date.bare and _counts(text, date.end):
            continue
        yield Quantity(Kind.DATE, date.start, date.end, date.form, date=date)


def _counts(text: str, end: int) -> bool:
    """Whether the text after four digits makes them a quantity and no year."""
    unit = UNIT.match(text, end)
    if unit and unit["gap"] != "-" and (unit["unit"] != "m" or not unit["gap"]):
        return True
    return _has_things(text, end) or _MEASURED.match(text[end : end + 12].lstrip(" -")) is not None


def _money(text: str) -> Iterator[Quantity]:
    for match in _MONEY.finditer(text):
        number = read_digits(match["digits"], match["scale"], False, match.span())
        sign = match["sign"] or "$"
        end = match.end()
        if match["scale"] is None and (scale := re.match(r" (?:US )?dollars\b", text[end : end + 12])):
            end += scale.end()
        yield _of_money(number, sign, match.start(), end)


def _of_money(number: Number, sign: str, start: int, end: int) -> Quantity:
    unit = Unit(sign, "money", 1)
    return Quantity(Kind.MONEY, start, end, sign + form_of(number.value), number.value, number.step, unit)


def _in_digits(text: str, runs: Sequence[int]) -> Iterator[Quantity]:
    done = 0
    for run in runs:
        match = IN_DIGITS.match(text, run) if run >= done else None
        if match is None:
            continue
        name = _AFTER_NAME.search(text, max(0, run - 24), run)
        if " " in match["digits"] and name and name[1].lower() not in ENGLISH.function_words:
            done = match.end()
            continue  # "Boeing 747 400 seats"
        done, scale = match.end(), match["scale"] or match["short"]
        if (tolerance := _TOLERANCE.match(text, done)) and (error := IN_DIGITS.match(text, tolerance.end())):
            done, scale = error.end(), error["scale"] or error["short"]
        if text[done : done + 1].isalpha() and not UNIT.match(text, done):
            continue  # "737MAX", "4th"
        number = read_digits(match["digits"], scale, bool(match["half"]), (match.start(), done))
        yield _with_what_follows(text, number)


def _in_words(text: str) -> Iterator[Quantity]:
    for match in IN_WORDS.finditer(text):
        number = number_of_words(match)
        if number is None or _in_name(text, match):
            continue
        if number.year and not _counts(text, number.end):
            date = year_date(number.start, number.end, int(number.value))
            yield Quantity(Kind.DATE, number.start, number.end, date.form, date=date)
        else:
            yield _with_what_follows(text, number)


def _times(text: str) -> Iterator[Quantity]:
    for match in _TWICE.finditer(text):
        value = _TIMES[match["word"]]
        yield Quantity(Kind.NUMBER, *match.span(), f"{value} times", Decimal(value))


def units_without_number(text: str) -> Iterator[Quantity]:
    """ "nearly a kilometre", "about half a mile": one of it, or a half."""
    for match in _UNIT_WITHOUT_NUMBER.finditer(text):
        one = Decimal("0.5") if match["half"] else Decimal(1)
        unit = unit_of(match["unit"])
        yield Quantity(Kind.MEASURE, match.start("a"), match.end(), match[0], one, Decimal("0.1"), unit)


def fractions(text: str) -> Iterator[Quantity]:
    """ "a fifth of", "two-thirds of", "half of", "one in five": shares of a whole, in percent."""
    for match in _SHARE.finditer(text):
        if match["many"]:
            few, many = (UNITS.get(word.lower()) or int(word) for word in match.group("few", "many"))
            share = Decimal(few) / max(many, 1)
        elif match["part"]:
            share = Decimal(UNITS.get(match["some"].lower(), 1)) / _PARTS[match["part"].lower().removesuffix("s")]
        else:
            share = Decimal("0.5")
        if share <= 1:
            yield Quantity(Kind.PERCENT, *match.span(), match[0], share * 100, Decimal(2))


_PARTS = {"quarter": 4, **{word: number for word, number in ORDINALS.items() if 3 <= number <= 10}}
_FEW = "one|two|three|four|five|six|seven|eight|nine"
_SHARE = re.compile(
    rf"\b(?:(?P<some>an?|{_FEW})[ -](?P<part>(?:{'|'.join(_PARTS)})s?)(?= of\b)|half(?= (?:of|the|its|their)\b)|"
    rf"(?P<few>{_FEW}|\d\d?) (?:in|out of(?: every)?) (?P<many>{_FEW}|ten|\d\d?)(?= [a-z]))",
    re.IGNORECASE,
)
_UNIT_WITHOUT_NUMBER = re.compile(
    rf"(?:\b(?:nearly|almost|about|over|around|than|exactly|roughly|least|most) )(?P<a>(?P<half>half )?an? )(?:{NAMED.pattern})"
)


def _with_what_follows(text: str, number: Number) -> Quantity:
    """The number with its percent sign, currency or unit, if it has one."""
    start, end, value, step = number.start, number.end, number.value, number.step
    if percent := _PERCENT.match(text, end):
        return Quantity(Kind.PERCENT, start, percent.end(), f"{form_of(value)}%", value, step)
    if currency := _CURRENCY.match(text, end):
        return _of_money(number, _CURRENCIES[currency["word"][:3].lower()], start, currency.end())
    unit_match = UNIT.match(text, end)
    if unit_match and unit_match["unit"] == "m" and not _is_metres(text, start, unit_match.end()):
        million = Number(start, unit_match.end(), value * 10**6, step * 10**6)
        return _with_what_follows(text, million)
    if unit_match:
        unit = unit_of(unit_match["unit"])
        if unit.dimension == "temperature" and (minus := _MINUS.search(text, max(0, start - 9), start)):
            start, value = minus.start(), -value
        joined = "-" if unit_match["gap"] == "-" else " "
        named = unit_match["unit"] if joined == "-" or unit.dimension == "time" else unit.name
        return Quantity(Kind.MEASURE, start, unit_match.end(), f"{form_of(value)}{joined}{named}", value, step, unit)
    return Quantity(Kind.NUMBER, start, end, _plain_form(text, number), value, step)


def _is_metres(text: str, start: int, end: int) -> bool:
    """ "80.7m people" and "a population of 80.7m" are millions."""
    if _COUNTED_BEFORE.search(text, max(0, start - 60), start):
        return False
    return not re.match(r" (?:people|inhabitants|residents|copies|users|viewers|dollars|euros)\b", text[end : end + 15])


def _plain_form(text: str, number: Number) -> str:
    """Four digits without a separator may be a year, a page or part of a name: they are grouped only before a counted noun."""
    written, form = text[number.start : number.end], form_of(number.value)
    if written.isdecimal() and written.startswith("0"):
        return written
    counts = re.match(r" [a-z]{3,}s\b", text[number.end : number.end + 30]) or _has_things(text, number.end)
    return written if re.fullmatch(r"\d{4}", written) and not counts else form


def _has_things(text: str, end: int) -> bool:
    """Whether the four digits before count something: "holding 1093 US patents", not "the 1998 elections"."""
    return bool(_SOMETHING.match(text, end) and _HAS.search(text, max(0, end - 24), end - 4))


def _in_name(text: str, match: re.Match[str]) -> bool:
    """Whether number words are part of a name ("Fantastic Four"): with a capital, unless they begin the text."""
    capitals = [word[:1].isupper() for word in re.split("[ -]", match[0])]
    if capitals[0] and any(capitals[1:]):
        return True  # "Nineteen Eighty-Four"
    before = text[max(0, match.start() - 30) : match.start()]
    if not any(capitals):
        return bool(_NAME.match(text, match.end() + 1) and re.search(r"[A-Z][\w'’]* \Z", before))
    begins = match.start() < 8 and not before.strip("\"'“‘( ")
    following = re.match(r"[ -]([a-z][\w-]*)", text[match.end() : match.end() + 20])
    return not (begins and following and following[1] not in "is was are were has had by of in".split())


def _ordinals(text: str) -> Iterator[Quantity]:
    for match in _ORDINAL.finditer(text):
        word = match["word"]
        value = int(match["digits"]) if match["digits"] else value_of_ordinal(word)
        if not value or (word and word[0].isupper() and match.start()):
            continue
        form = ORDINAL_WORDS[value] if value <= LARGEST_ORDINAL_WORD else f"{value}{ordinal_ending(value)}"
        form = form[:1].upper() + form[1:] if word and word[0].isupper() else form
        yield Quantity(Kind.RANK, *match.span(), form + (" " if match["hyphen"] else ""), Decimal(value))


def _romans(text: str) -> Iterator[Quantity]:
    for match in _ROMAN.finditer(text):
        value = read_roman(match["roman"])
        if value and match["roman"] not in _NO_NUMERAL:
            yield Quantity(Kind.NUMBER, *match.span(), str(value), Decimal(value))
