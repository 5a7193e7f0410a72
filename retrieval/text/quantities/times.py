"""The dates of a text as statements: the event of each, and the two ends of a span."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from retrieval.text.quantities.dates import Date, Days
from retrieval.text.quantities.finding import Kind, Quantity
from retrieval.text.quantities.stated import FOREVER, LASTED, LIVED, PARTS, SPAN, WHILE, Statement, bound_before
from retrieval.text.quantities.units import DAYS_IN_A_YEAR
from retrieval.text.words import content_words, stem

YEAR = 372  # days in a year of `day_number`
_SPAN = re.compile(
    r",?\s*(?:[–—-]|to|until|till|and|through)\s*(?:the |(?:his|her|its|their) (?:[a-z]{4,14} ){1,2}(?:in |on )?)?(?:\d\d?/\d\d? )?\Z"
)
_OLD_STYLE = re.compile(r" ?\[(?:[ON]\. ?S\.|Old Style|New Style) [^\[\]]*\]?")  # the same day again
_YEAR_BEHIND = re.compile(r"[),]? ?,? ?(?:in )?")
_BRACKET = 90  # characters of a bracket before the dates of a life: another name, a pronunciation
_OPENED = re.compile(r"\([^()]*\Z")
_BETWEEN = 32  # most characters between the two dates of a span
_LATER = 60  # characters after a date that may contain its event
_EVENTS = {
    "begin": "began begin begins begun start starts started commenced beginning outbreak onset erupted starting broke since launched broke_out",
    "end": "ended end ends ending finished concluded ceased fell collapsed fall until surrendered defunct dissolved abolished came_down was_over",
    "born": "born birth",
    "die": "died dies death killed assassinated murdered executed assassination dead passed_away",
    "found": "founded founding established formed created establishment formation incorporated cofounded co-founded",
    "release": "released release published premiered debuted issued publication premiere came_out",
    "run": "aired airing airs broadcast ran runs running on_tv on_television on_air on_the_air",
    "last": "lasted lasts lasting existed exists active standing stood going_on under_way in_use in_existence",
    "live": "lived alive living",
    "build": "built constructed erected construction completed",
    "open": "opened inaugurated opening",
    "win": "won winning win awarded received",
    "elect": "elected election reelected re-elected",
    "discover": "discovered discovery invented invention",
    "sink": "sank sunk sinking",
    "marry": "married marriage wed",
    "hold": "held hosted fought battle took_place",
    "arrive": "landed reached arrived",
    "enter": "entered",
    "leave": "retired resigned left departed",
    "join": "joined signed drafted",
    "record": "recorded",
    "write": "written wrote composed",
    "paint": "painted",
    "fly": "flew flown flight",
    "independent": "independence independent",
    "become": "became become appointed crowned",
}
_OF = {word.replace("_", " "): event for event, words in _EVENTS.items() for word in words.split()}
STEMS = {stem(word): event for word, event in _OF.items()}
_WORD = re.compile(rf"\b(?:{'|'.join(word for word in _OF if ' ' in word)}|[a-z]+(?:-[a-z]+)?)\b", re.IGNORECASE)
_NO_VERB = frozenset(
    "hundred indeed united related named called based supposed aged located need used red bed limited noted renowned".split()
)
_SINCE = re.compile(r"\b(?P<dead>dead )?since \Z", re.IGNORECASE)
ONCE = frozenset(
    "begin end born die found build open sink discover arrive hold release marry independent write paint enter from to".split()
)
LIFE = frozenset({"born", "die"})
ENDS = LIFE | {"begin", "end", "from", "to", "life begins", "life ends", WHILE}
BEGINNINGS = frozenset({"begin", "found", "from", "born", "build", "open", "release", "independent", "life begins"})
ENDINGS = frozenset({"end", "to", "die", "leave", "life ends"})
# What is true on each day of its time. A claim without an event says what somebody was: "was president in 2012".
STATES = {
    "": frozenset(),
    "run": frozenset({"run", "release"}),
    "last": frozenset({"last", "hold", "begin", "end"}),
    "live": frozenset({"live"}),
    **dict.fromkeys(map(stem, "served reigned ruled governed worked played".split()), frozenset()),
}
_UNTIL_DEATH = re.compile(r",? (?:until|till|to) (?:his|her|their) death\b")
_AGAIN = re.compile(
    r",? ?(?:and|then)?,? ?(?:again|once more|later)?,? ?(?:from|between|in)? ?"
)  # of what the span before is of
_LASTING = frozenset({"last", "hold", "begin", "end"})  # a span of these is all the time of a thing
# An event of something indefinite, or that was going on, may recur: "released an album", "was airing".
_INDEFINITE = re.compile(r" (?:an?|another|some|several|many|more|new|two|three|his|her|its|their|it)\b")
_GOING_ON = re.compile(r"\b(?:is|was|were|are) \Z")
# A date of a season or a sequel is not one of the whole, or of the first.
_OF_ANOTHER = re.compile(
    r"\b(?:sequel|prequel|spin-off|season|episode|adaptation|remake|reboot|follow-up|reissue\w*|re-release\w*|based on|revival|tour|DVD|Blu-ray|VHS|home (?:video|media)|trailer)\b",
    re.IGNORECASE,
)
_OF_A_WORK = frozenset({"release", "run", "begin", "end", "hold"})
# "a 1995 film" is one of that year.
_ARTICLE = re.compile(r"\b(?:[Aa]n?|[Tt]he) \Z")
_WORK = re.compile(
    r"(?: [\w-]+,?){0,7}? (?:film|movie|novel|novella|album|song|single|play|musical|opera|book|documentary|miniseries|sitcom|game|poem|short story)\b"
)
# A year in a name: "the 2017 Open Championship", "Enemy (2013 film)".
_OF_NAME = re.compile(r"(?:(?:\A|\b[Tt]he )|\()\Z")
_NAMED = re.compile(r" (?:(?:[A-Z][\w-]+|season|election|[a-z -]{0,20}(?:film|series|album|song|novel)\)))")
# Event of a claim -> the ends of a span that date it. A span in brackets after a name is the life of a person or thing.
SPAN_ENDS = {
    "begin": ("begin", "from", "life begins"),
    "from": ("begin",),
    "run": ("release",),
    "found": ("life begins",),
    "born": ("life begins",),
    "end": ("end", "to", "life ends"),
    "to": ("end",),
    "die": ("life ends",),
}


def dated(text: str, quantities: Sequence[Quantity]) -> Iterator[Statement]:
    """Single dates by their event; of a span its first day as the beginning and its last as the end. quantities: the text's dates,
    in order.
    """
    words = list(event_words(text)) if quantities else []
    dates = [
        one
        for one in _with_their_year(text, quantities)
        if not _OLD_STYLE.search(text, max(0, one.start - 13), one.start)
    ]
    done, death, before = 0, tuple[Days, ...](), ""
    for since, quantity, until in zip((0, *(one.end for one in dates)), dates, (*dates[1:], None), strict=False):
        if quantity.start < done or quantity.date is None:
            continue
        event, once = _event_at(text, words, quantity, since)
        first, last, end = quantity.date.readings, death, quantity
        if quantity.date.until:
            last = (quantity.date.until,)
        elif until and until.date and _joined(text, quantity, until):
            done, end = until.end, until
            first, last = _in_year_of(quantity.date, until.date), until.date.readings
        elif not (death and _UNTIL_DEATH.match(text, quantity.end)):
            stated = _single(text, quantity, quantity.date, event)
            of_a_year = stated.of == "release" != event  # "a 1992 film"
            yield replace(stated, once=once and not of_a_year)
            continue
        if since == 0 or not _AGAIN.fullmatch(text, since, quantity.start):
            before = text[since : quantity.start]
        lived = event in LIFE or _OPENED.search(text, max(0, quantity.start - _BRACKET), quantity.start) is not None
        death = last if lived else death
        yield from _span(quantity, end, first, last, event, before, lived)


def _joined(text: str, quantity: Quantity, until: Quantity) -> bool:
    """Whether only "to" or a dash is between two dates."""
    between = _OLD_STYLE.sub("", text[quantity.end : until.start])
    if len(between) >= _BETWEEN or _SPAN.match(between) is None:
        return False
    return between.strip() != "and" or text[: quantity.start].rstrip().lower().endswith("between")


def _in_year_of(first: Date, last: Date) -> tuple[Days, ...]:
    """ "28 July to 11 November 1918": the first day takes the year of the last, and "July 356 – June 323 BC" its era."""
    if last.readings[0].first < 0 < first.readings[0].first > last.readings[0].last and not first.yearless:
        years = ((days.first // YEAR, days) for days in first.readings)
        return tuple(Days(days.first + (1 - 2 * y) * YEAR, days.last + (1 - 2 * y) * YEAR) for y, days in years)
    if not first.yearless or last.yearless:
        return first.readings
    year = last.readings[0].first // YEAR * YEAR
    return tuple(Days(days.first + year, days.last + year) for days in first.readings)


def _with_their_year(text: str, dates: Sequence[Quantity]) -> Iterator[Quantity]:
    """A day takes its year from behind a bracket or a comma: "(15 March) 44 BC"."""
    done = 0
    for place, one in enumerate(dates):
        year = dates[place + 1] if place + 1 < len(dates) else None
        if one.start < done:
            continue
        if one.date and one.date.yearless and year and year.date:
            days = year.date.readings[0]
            if days.last - days.first == YEAR - 1 and _YEAR_BEHIND.fullmatch(text, one.end, year.start):
                day = days.first + one.date.readings[0].first
                date = replace(one.date, readings=(Days(day, day),), yearless=False)
                one, done = replace(one, end=year.end, date=date), year.end
        yield one


def _single(text: str, quantity: Quantity, date: Date, event: str) -> Statement:
    """A date that is no span, with its bound ("before 1950"), or as one end of something ("since 1950")."""
    bound = bound_before(text, quantity.start, quantity.end)
    low, high = float(date.readings[0].first), float(date.readings[0].last)
    if bound == "until":
        event, bound = "to", ""
    elif bound == "after" and (since := _SINCE.search(text, 0, quantity.start)):
        event, bound = ("die" if since["dead"] else "from"), ""
    elif (
        date.bare
        and _ARTICLE.search(text, max(0, quantity.start - 4), quantity.start)
        and _WORK.match(text, quantity.end)
    ):
        event = "release"
    if bound in ("before", "less"):
        low, high = -FOREVER, low - 1
    elif bound in ("by", "most"):
        low = -FOREVER
    elif bound in ("after", "more"):
        low, high = high + 1, FOREVER
    elif bound in PARTS:
        begins, ends = PARTS[bound]
        low, high, bound = low + begins * (high - low), low + ends * (high - low), ""
    place = (Kind.DATE, quantity.start, quantity.end)
    return Statement(*place, event, low, high, bound, alternatives=date.readings[1:], yearless=date.yearless)


def _span(
    start: Quantity, end: Quantity, first: Sequence[Days], last: Sequence[Days], event: str, words: str, lived: bool
) -> Iterator[Statement]:
    """The two ends of a span, all the time between them, and how long it lasts. first, last: readings of its first and last day.
    words: those before it, from the previous date on, or those of the span before ("and again from"). lived: it is a life.
    """

    def one_end(quantity: Quantity, event: str, days: Sequence[Days]) -> Statement:
        place, alternatives = (Kind.DATE, quantity.start, quantity.end), tuple(days[1:])
        return Statement(*place, event, days[0].first, days[0].last, alternatives=alternatives)

    begins, ends = ("begin", "end") if event in _LASTING else ("from", "to")
    yield one_end(start, "life begins" if lived else begins, first)
    yield one_end(end, "life ends" if lived else ends, last)
    if event in ("release", "run"):
        yield one_end(start, "release", first)
    shortest, longest = last[0].first - first[0].last, last[0].last - first[0].first
    if not 0 <= shortest <= longest:
        return
    place = (start.start, end.end)
    state = frozenset({"live"}) if lived else content_words(words) | {event}
    yield Statement(Kind.DATE, *place, WHILE, first[0].first, last[0].last, unit=SPAN, detail=state)
    if lived:
        yield Statement(Kind.MEASURE, *place, LIVED, shortest // YEAR, longest // YEAR, unit=SPAN)
    if not lived or first[0].first > YEAR:
        days = DAYS_IN_A_YEAR / YEAR
        yield Statement(Kind.MEASURE, *place, LASTED, shortest * days, longest * days, unit=SPAN)


def _event_at(text: str, words: list[tuple[int, int, str]], quantity: Quantity, since: int) -> tuple[str, bool]:
    """The nearest event between the previous date and this one, else the next one after it, and whether it can happen only
    once; empty if there is none, or if the date belongs to a name.
    """
    start, end = quantity.start, quantity.end
    if _OF_NAME.search(text, max(0, start - 5), start) and _NAMED.match(text, end):
        return "", False
    near = [word for word in words if since <= word[1] <= start][-1:]
    if not near and not since:
        near = [word for word in words if end <= word[0] <= end + _LATER][:1]
    for at, after, event in near:
        if event in _OF_A_WORK and _OF_ANOTHER.search(text, max(0, start - 200), start):
            return f"{event} of another", False
        going_on = text[at:after].endswith("ing") and _GOING_ON.search(text, max(0, at - 6), at)
        return event, not (_INDEFINITE.match(text, after) or going_on)
    return "", False


def event_words(text: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, event) of each word that names one, in order."""
    for match in _WORD.finditer(text):
        word = match[0].lower()
        event = _OF.get(word)
        if event is None and word.endswith("ed") and len(word) > 4 and word not in _NO_VERB:
            event = stem(word)
        if event:
            yield *match.span(), event
