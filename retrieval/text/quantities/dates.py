"""Dates, years, decades, centuries and spans of time in a text: the days that each may mean, and one form."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import permutations

from retrieval.text.quantities.numbers import ORDINALS, UNITS

MONTHS = "January February March April May June July August September October November December".split()
_NUMBERS = {name[:3].lower(): number for number, name in enumerate(MONTHS, 1)}
_MONTH = f"(?:{'|'.join(MONTHS)}|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)"
# In small letters, "may" and "march" are months only between a day and a year.
_SMALL = "(?:january|february|april|june|july|august|september|october|november|december)"
_ANY = rf"(?:{_MONTH}\b\.?|{_SMALL}\b)"
_DAY = r"(?:0?[1-9]|[12]\d|3[01])"
_TH = r"(?:st|nd|rd|th)?"
_YEAR = r"[1-9]\d{2,3}"
_EARLY = r"\d{1,4}(?= (?:BC|B\.C|CE\b|C\.E|AD\b|A\.D))"  # a year of any length, if its era follows
ERA = r"(?:BCE?|B\.C\.(?:E\.)?|CE|C\.E\.|AD|A\.D\.)(?!\w)"
_ORDINAL = "|".join(ORDINALS)
_CENTURY = rf"(?:\d{{1,2}}(?:st|nd|rd|th)|{_ORDINAL}|twenty-first)"
# Begins with a digit, a month, or AD; matched only there, because a search through the whole text would take too long.
DATE = re.compile(
    rf"(?P<day>{_DAY})(?P<th>{_TH}(?: of)?) (?P<month>{_ANY}|[Mm]ay|[Mm]arch),? (?P<year>{_YEAR}|{_EARLY})(?P<era> {ERA})?(?![\d,]\d|\w)|"
    rf"(?P<month2>{_ANY}) (?P<day2>{_DAY}){_TH} ?,? (?P<year2>{_YEAR}|{_EARLY})(?P<era2> {ERA})?(?!\d|,\d|\w)|"
    rf"(?P<digits>\d{{4}}(?P<sign>[-/.])\d{{1,2}}(?P=sign)\d{{1,2}}|\d{{1,2}}(?P<sign2>[-/.])\d{{1,2}}(?P=sign2)(?:\d{{4}}|\d\d))(?![\w/-]|[.,]\d)|"
    rf"(?P<day3>{_DAY})(?P<th3>{_TH}(?: of)?) (?P<month3>{_ANY})(?! \d)|"
    rf"(?P<month4>{_ANY}) (?P<day4>{_DAY}){_TH}(?![\d:%]|[,.]\d|\w| {_ANY}| ?, [1-9]\d\d)|"
    rf"(?P<month5>{_ANY})(?: of)? ?,? (?P<year5>{_YEAR}|{_EARLY})(?P<era5> {ERA})?(?![\d,]\d|\w)|"
    rf"(?P<year6>\d{{1,5}}(?:/\d{{1,4}}){{0,3}}) (?P<era6>{ERA})|(?P<first>AD|A\.D\.) (?P<year7>\d{{1,4}})(?!\w|,\d)|"
    rf"(?P<year8>\d{{1,4}})(?= ?[–—-] ?(?:(?:\d\d?(?: or |[/–]))?\d\d? {_ANY} )?\d{{1,4}}(?:/\d{{1,4}})* B\.?C)|"
    r"(?P<decade>[1-9]\d\d0|[2-9]0)['’]?s\b|"
    rf"(?<![$€£¥#№-])(?<!\d[–—])(?P<from>1\d{{3}}|20\d\d) ?[–—-] ?(?P<to>1\d{{3}}|20\d\d|\d\d)(?![\w/-]|[.,]\d| {_ANY})|"
    r"(?<![$€£¥#№-])(?P<plain>1\d{3}|20\d\d|21\d\d)(?![\w/%°]|[.,]\d|-\d)|"
    r"(?P<early>[1-9]\d\d)(?![\w/%°]|[.,]\d|-\d| ?%| (?:[\w-]+ )?(?:[a-z]{3,}s|people|thousand|[mbt]r?illion|percent)\b)"
)
_NAMED_DAYS = {
    "Christmas Day": (25, 12),
    "Christmas Eve": (24, 12),
    "New Year's Day": (1, 1),
    "New Year's Eve": (31, 12),
    "Halloween": (31, 10),
    "Valentine's Day": (14, 2),
}
# Times that have a name, if something was so or happened "during", "before" or "after" them: first and last day.
_PERIODS = {
    r"(?:the )?First World War|World War (?:I|One|1)|WW ?(?:I|1)": ((1914, 7, 28), (1918, 11, 11)),
    r"(?:the )?Second World War|World War (?:II|Two|2)|WW ?(?:II|2)": ((1939, 9, 1), (1945, 9, 2)),
    "the American Civil War": ((1861, 4, 12), (1865, 5, 26)),
    "the Middle Ages": ((500, 1, 1), (1500, 12, 31)),
    "the Victorian (?:era|age|period)": ((1837, 6, 20), (1901, 1, 22)),
    "the Cold War": ((1947, 3, 12), (1991, 12, 26)),
}
_ANY_PERIOD = "|".join(f"(?:{name})" for name in _PERIODS)
# Dates without a digit; searched only if the text has such a word.
SPOKEN = re.compile(
    r"\b(?P<spoken>nineteen|eighteen|seventeen) (?P<ties>twenties|thirties|forties|fifties|sixties|seventies|eighties|nineties|hundreds)\b|"
    r"(?<=\b[Tt]he )(?:(?:early|late|mid)[ -])?(?P<ties2>twenties|thirties|forties|fifties|sixties|seventies|eighties|nineties)\b|"
    r"\b(?P<all>before Christ)\b|"
    rf"\b(?P<named>{'|'.join(_NAMED_DAYS)})\b|"
    rf"\b(?:[Ii]n|[Dd]uring|[Tt]hroughout|[Bb]efore|[Aa]fter) (?P<period>{_ANY_PERIOD})(?! [A-Z]|[\w'’-])|"
    rf"(?:\b[Tt]he )?\b(?P<century>(?i:{_CENTURY}))[ -](?:century|Century(?! [A-Z])|centuries)\b(?P<era8> {ERA})?"
)
_IN = re.compile(r"\b([Ii]n|until|till|since|year|before|after|from) \Z")  # before a year of three digits
_RUN = re.compile(r"\d+")
_LAST_WORD = re.compile(r"[A-Za-z.]+\Z")
_TIES = {f"{name}ies": ten for ten, name in enumerate("twent thirt fort fift sixt sevent eight ninet".split(), 2)}
DECADES = frozenset(_TIES)
_SPOKEN_SIGNS = ("entur", "teen ", "ties", "Eve", "'s Day", "Christ", "Halloween", "War", "WW", "Ages", "Victorian")
NAMED_TIMES = frozenset("christ christmas year halloween valentine war wwi wwii ww ages victorian".split())
EVER = 10**8  # days
PIVOT = 30  # "89" is 1989; "12" may be 1912 or 2012: both are readings


@dataclass(frozen=True, slots=True)
class Days:
    """The first and the last day that a date may mean, as numbers that grow with time (`day_number`)."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Date:
    """readings: what it may mean; several where day and month can be exchanged. form: its normalised text. until: the end of a
    span "1947–2007"; None of a date. yearless: the year is not written, so readings are of year 0.
    """

    start: int
    end: int
    readings: tuple[Days, ...]
    form: str
    until: Days | None = None
    yearless: bool = False
    bare: bool = False  # four digits that may be a year or a count


def day_number(year: int, month: int, day: int) -> int:
    """Grows with time; months count 31 days. Years before Christ are negative."""
    return (year * 12 + month - 1) * 31 + day - 1


def dates_in(text: str) -> Iterator[Date]:
    """Dates, none of those with digits overlapping. Impossible ones ("31 February 1990") are passed over."""
    if any(sign in text for sign in _SPOKEN_SIGNS):
        yield from filter(None, map(_in_words, SPOKEN.finditer(text)))
    done = 0
    for run in _RUN.finditer(text):
        for start in _starts(text, run.start(), done):
            if (match := DATE.match(text, start)) and (found := _read(match)):
                yield found
                done = found.end
                break


def _starts(text: str, digit: int, done: int) -> Iterator[int]:
    """Where a date may begin whose first digit is there: at the month or AD before it, or with the digit."""
    if digit < done:
        return
    before = text[max(done, digit - 16) : digit].rstrip(" ,")
    word = _LAST_WORD.search(before.removesuffix(" of"))
    if word and (word[0][:3].lower() in _NUMBERS or word[0] in ("AD", "A.D.")):
        start = max(done, digit - 16) + word.start()
        if not (start and (text[start - 1].isalnum() or text[start - 1] == "_")):
            yield start
    if not (digit and (text[digit - 1].isalnum() or text[digit - 1] in "_.,/")):
        yield digit


def _read(match: re.Match[str]) -> Date | None:
    """The date of a match of `DATE`."""
    parts = {name.rstrip("123456789"): written for name, written in match.groupdict().items() if written}
    if "month" in parts:
        return _in_calendar(match, parts)
    if "digits" in parts:
        return _numeric(match)
    if "from" in parts:
        return _span(match)
    return None if "early" in parts and not _is_early_year(match) else _years(match)


def _is_early_year(match: re.Match[str]) -> bool:
    """Whether three digits are a year: "in 814", "from 768 until"."""
    before = _IN.search(match.string, max(0, match.start() - 9), match.start())
    return bool(before and (before[1] != "from" or match.string.startswith(" until ", match.end())))


def _in_calendar(match: re.Match[str], parts: Mapping[str, str]) -> Date | None:
    """A day or a month, with its year or without. parts: day, th, month, year and era as far as they are written."""
    month, era = _NUMBERS[parts["month"][:3].lower()], parts.get("era")
    year = _in_era(int(parts["year"]), era) if "year" in parts else 0
    first = last = int(parts.get("day", 0))
    if last > _days_in(year, month):
        return None
    first, last = (first, last) if "day" in parts else (1, 31)
    start, end = match.span()
    if "th" in parts and match.string[max(0, start - 5) : start].lower().strip(" (") == "the":
        start -= 4
    words = (
        str(first) if "day" in parts else "",
        MONTHS[month - 1],
        str(int(parts["year"])) if "year" in parts else "",
    )
    form = " ".join(filter(None, words)) + _era_form(era)
    days = Days(day_number(year, month, first), day_number(year, month, last))
    return Date(start, end, (days,), form, yearless="year" not in parts)


def _numeric(match: re.Match[str]) -> Date | None:
    """The date in every possible order; it has a form only if there is one reading."""
    written = re.split("[-/.]", match["digits"])
    parts, lengths = [int(part) for part in written], [len(part) for part in written]
    found = {}
    for year, month, day in permutations(range(3), 3):
        if year == 1 or (lengths[year] != 4 and (4 in lengths or year != 2)):
            continue  # the year stands first or last; it stands first only with four digits
        centuries = (0,) if lengths[year] == 4 else (1900,) if parts[year] > PIVOT else (1900, 2000)
        for full in (century + parts[year] for century in centuries):
            if 1 <= parts[month] <= 12 and 1 <= parts[day] <= _days_in(full, parts[month]):
                found[day_number(full, parts[month], parts[day])] = (parts[day], parts[month], full)
    if not found or (match["sign2"] == "." and lengths[2] == 2 and max(found) < day_number(1930, 1, 1)):
        return None
    if lengths[0] == 4 and match["sign"] == "-":  # ISO 8601 has one order, if it can be read so
        iso = [days for days, (day, month, _) in found.items() if (month, day) == (parts[1], parts[2])]
        found = {days: found[days] for days in iso} or found
    forms = [f"{day} {MONTHS[month - 1]} {year}" for day, month, year in found.values()]
    form = forms[0] if len(forms) == 1 else match[0]
    return Date(*match.span(), tuple(Days(days, days) for days in found), form)


def _century(match: re.Match[str]) -> Date | None:
    word = match["century"].lower()
    number = 21 if word == "twenty-first" else ORDINALS.get(word) or int(re.sub(r"\D", "", word))
    if not 0 < number <= 40:
        return None
    first, last = (
        (1 - 100 * number, 100 - 100 * number) if _is_bc(match["era8"]) else (100 * number - 100, 100 * number)
    )
    the = match[0][:4] if match[0].lower().startswith("the ") else ""
    plural = "ies" if match[0].lower().rstrip(". bcead").endswith("centuri") else "y"
    form = f"{the}{number}{ordinal_ending(number)} centur{plural}{_era_form(match['era8'])}"
    return Date(*match.span(), (_whole_years(first, last),), form)


def _span(match: re.Match[str]) -> Date | None:
    first = int(match["from"])
    last = int(match["to"]) if len(match["to"]) == 4 else first // 100 * 100 + int(match["to"])
    if last <= first:
        return None
    return Date(*match.span(), (_whole_years(first, first),), match[0], until=_whole_years(last, last))


def _years(match: re.Match[str]) -> Date:
    """A year with its era, a decade, or four digits that are likely a year."""
    if match["decade"]:
        year = int(match["decade"])
        if year < 100:
            return _decade_of_some_century(*match.span(), year, match[0])
        return Date(*match.span(), (_whole_years(year, year + (99 if year % 100 == 0 else 9)),), f"{year}s")
    if written := match["plain"] or match["early"]:
        return year_date(*match.span(), int(written))
    if match["year8"]:  # "384 – 322 BC"
        year = 1 - int(match["year8"])
        return Date(*match.span(), (_whole_years(year, year),), match[0])
    written, era = (match["year6"], match["era6"]) if match["year6"] else (match["year7"], "AD")
    years = [_in_era(int(year), era) for year in written.split("/")]
    form = f"{written if len(years) > 1 else int(written)}{_era_form(era) or ' AD'}"
    return Date(*match.span(), (_whole_years(min(years), max(years)),), form)


def _in_words(match: re.Match[str]) -> Date | None:
    """A century, a decade, all years before Christ, or a day or time that has a name, which keeps it."""
    if match["period"]:
        first, last = next(days for name, days in _PERIODS.items() if re.fullmatch(name, match["period"]))
        return Date(*match.span("period"), (Days(day_number(*first), day_number(*last)),), match["period"])
    if match["all"]:
        return Date(*match.span(), (Days(-EVER, day_number(0, 12, 31)),), match[0])
    if match["named"]:
        day, month = _NAMED_DAYS[match["named"]]
        days = day_number(0, month, day)
        return Date(*match.span(), (Days(days, days),), match[0], yearless=True)
    if match["century"]:
        return _century(match)
    if match["ties2"]:  # "the fifties"
        return _decade_of_some_century(*match.span("ties2"), 10 * _TIES[match["ties2"]], match["ties2"])
    year = 100 * UNITS[match["spoken"]] + 10 * _TIES.get(match["ties"], 0)
    years = 100 if match["ties"] == "hundreds" else 10
    return Date(*match.span(), (_whole_years(year, year + years - 1),), f"{year}s")


def _decade_of_some_century(start: int, end: int, decade: int, form: str) -> Date:
    """ "the fifties", "the 50s": of the twentieth century, most likely."""
    readings = (_whole_years(year + decade, year + decade + 9) for year in (1900, 1800, 1700))
    return Date(start, end, tuple(readings), form)


def year_date(start: int, end: int, year: int) -> Date:
    """A year that is written without an era."""
    return Date(start, end, (_whole_years(year, year),), str(year), bare=True)


def _whole_years(first: int, last: int) -> Days:
    return Days(day_number(first, 1, 1), day_number(last, 12, 31))


def _days_in(year: int, month: int) -> int:
    return monthrange(year if year > 0 else 2000, month)[1]


def _is_bc(era: str | None) -> bool:
    return era is not None and era.strip().startswith("B")


def _in_era(year: int, era: str | None) -> int:
    """1 BC is year 0."""
    return 1 - year if _is_bc(era) else year


def _era_form(era: str | None) -> str:
    return " BC" if _is_bc(era) else " AD" if era else ""


def ordinal_ending(number: int) -> str:
    """1 -> st, 12 -> th."""
    return "th" if 10 < number % 100 < 14 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
