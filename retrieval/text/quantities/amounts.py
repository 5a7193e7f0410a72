"""The numbers of a text as statements: their unit, what they count, and their bounds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from math import inf

from retrieval.text.quantities.finding import Kind, Quantity
from retrieval.text.quantities.numbers import UNITS
from retrieval.text.quantities.stated import LASTED, LIVED, PARTS, SHARED_NOUN, Statement, bound_before
from retrieval.text.quantities.units import in_base
from retrieval.text.words import stem

_COUNT = rf"(?:{'|'.join(UNITS)}|\d{{1,3}})"
_SHARED_NOUN = re.compile(
    rf"\b(?P<first>(?P<count>{_COUNT}) (?P<which>[a-z]+)) and {_COUNT} [a-z]+ (?P<noun>[a-z]{{3,}}s)\b", re.IGNORECASE
)
_LASTS = re.compile(
    r"\b(?:last|lasted|lasts|lasting|took|takes|ran|ruled|reign(?:ed)?|served|serving|(?:was|were|is) (?:shorter|longer) than)\b",
    re.IGNORECASE,
)
_FOR = re.compile(r"\bfor (?:[a-z]+ ){0,2}\Z")  # "chancellor for more than 16 years"
# "was a 13-day confrontation": how long the subject lasted.
_IS_A = re.compile(r"\b(?:was|is|were) an? (?:[a-z]+ ){0,2}\Z")
_ITS = re.compile(r"\b(?:its|his|her|their) \Z")  # "during its 19 months of operation"
_DEAD_FOR = re.compile(r"\bdead for (?:[a-z]+ ){0,2}\Z", re.IGNORECASE)
_OPERATION = re.compile(r" of (?:operations?|existence|service|rule|reign|broadcasting|publication|activity)\b")
_LASTING = re.compile(
    r" (?:[a-z-]+ ){0,3}(?:war|conflict|confrontation|siege|battle|crisis|standoff|rebellion|revolt|uprising|campaign|struggle|blockade|strike|"
    r"festival|voyage|expedition|mission|trial|reign|massacre)\b"
)
_AGED = re.compile(
    r"\b(?:aged|age of|age|(?P<lives>live[sd] to)(?: be)?|(?P<at>died|dead) at(?: only| just)?) \Z", re.IGNORECASE
)
_AGE_ENDS = re.compile(r" ?(?:[.,;)!]|$)| (?:in|of|from|after|on|by|and|years)\b")  # no "died at 10 Main Street"
_OLDEST = 125  # years
_OLD = re.compile(r"[ -]old\b| of age\b")
_DIES = re.compile(r"\b(?:die[sd]?|dying|death|dead|killed|assassinated|executed|murdered)\b", re.IGNORECASE)
# Whose death it may be instead: "was 11 years old when her father died".
_OTHERS = re.compile(
    r"\b(?:father|mother|parents?|brother|sister|wife|husband|son|daughter|child|uncle|aunt|friend)s?\b|"
    r"\b(?:when|after|before) (?!(?:he|she|it|they) )"
)
_NEAR = 60  # characters between an age and the word that makes it the age at death
# Of two lengths, one may be a height: words that say which.
_DIMENSIONS = {
    word: name
    for name, words in {
        "long": "long length lengthwise",
        "high": "high tall height elevation altitude above",
        "wide": "wide width wingspan",
        "deep": "deep depth below",
        "across": "diameter across radius",
    }.items()
    for word in words.split()
}
_DIMENSION_BEHIND = re.compile(r" (?:in )?(\w+)")
_DIMENSION_BEFORE = re.compile(r"\b(\w+)(?: of| is| was|:)?(?: [a-z]+){0,2} \Z")
_WORDS = re.compile(r"[\w'’-]+")
_POPULATION = re.compile(r"\bpopulation(?: [a-z]+){0,4} \Z")
_PEOPLE = stem("people")
_SAME = {stem(word): _PEOPLE for word in ("inhabitants", "residents", "persons", "population")}
# Awards by their other names.
_AWARDS = {stem("oscars"): stem("academy"), stem("grammys"): stem("grammy"), stem("emmys"): stem("emmy")}
_PLURALS = frozenset("people children men women feet species series goals".split())
_STOPS = re.compile(
    r"(?i)[,;:.()–—]| (?:of|in|on|at|to|for|and|or|with|from|by|that|which|who|is|was|are|were|has|have|had|as|than|the|a|an)\b"
)
_PAIRS = re.compile(r" pairs of(?= )")  # "three pairs of legs" are six
_SOME = re.compile(r"\b(?:first|last|other|another|further|remaining|next) \Z", re.IGNORECASE)
_AND_SOME = re.compile(r"\band (?:the )?\Z")  # "a chief and eight associate justices" are nine
_SOME_BEHIND = re.compile(r" (?:more|other|additional|further|new|of)\b")
_MANY = 4  # words between a number and what it counts


def amounts(text: str, quantity: Quantity, least: Decimal | None = None) -> Iterator[Statement]:
    """A number with its unit, or with what it counts. least: of a range ("112 to 120 km/h"), its lower end in that unit."""
    bound = bound_before(text, quantity.start, quantity.end)
    some = _SOME.search(text, max(0, quantity.start - 12), quantity.start) or _SOME_BEHIND.match(text, quantity.end)
    if age := _age_at_death(text, quantity):
        yield _bounded(Statement(Kind.MEASURE, quantity.start, quantity.end, LIVED, age, age, bound, unit="years"))
        return
    place = (quantity.kind, quantity.start, quantity.end)
    value, half = float(quantity.value), float(quantity.step) / 2
    if quantity.kind in (Kind.MEASURE, Kind.MONEY) and quantity.unit:
        unit = quantity.unit
        base, half = in_base(value, unit), half * unit.factor
        low = in_base(float(least), unit) if least is not None else base
        of = unit.dimension if quantity.kind is Kind.MEASURE else unit.name
        lasts = (of == "time" and not _DEAD_FOR.search(text, 0, quantity.start)) and (
            _LASTS.search(text)
            or _FOR.search(text, max(0, quantity.start - 30), quantity.start)
            or _is_duration(text, quantity)
        )
        detail = _dimension(text, quantity) if of == "length" else frozenset[str]()
        of = LASTED if lasts else of
        yield _bounded(Statement(*place, of, low, base, bound, half, detail, unit=unit.name))
    elif quantity.kind is Kind.PERCENT:
        low = value if least is None else float(least)
        yield _bounded(Statement(*place, "%", low, value, bound, half))
    elif quantity.kind is Kind.NUMBER:
        pairs = _PAIRS.match(text, quantity.end)
        noun, detail = _counted(text, pairs.end() if pairs else quantity.end) or ("", frozenset())
        if quantity.form.endswith(" times"):  # "twice"
            noun, detail = stem("times"), frozenset()
        if not noun and _POPULATION.search(text, max(0, quantity.start - 40), quantity.start):
            noun = _PEOPLE
        value *= 2 if pairs else 1
        if detail:
            some = some or _AND_SOME.search(text, max(0, quantity.start - 12), quantity.start)
        low = value if least is None else float(least)
        yield _bounded(Statement(*place, noun, low, value, bound, half, detail, loose=bool(some)))


def _age_at_death(text: str, quantity: Quantity) -> float | None:
    """The years of "died at the age of 48", "was 48 years old when she died"; None for other numbers."""
    start, end = quantity.start, quantity.end
    years = quantity.kind is Kind.MEASURE and quantity.unit and quantity.unit.name == "years"
    before = _AGED.search(text, max(0, start - 12), start)
    if not (before or (years and _OLD.match(text, end))) or not (years or quantity.kind is Kind.NUMBER):
        return None
    if before and before["at"] and not (quantity.value < _OLDEST and _AGE_ENDS.match(text, end)):
        return None
    near = text[max(0, start - _NEAR) : end + _NEAR]
    at_death = (before and before["lives"]) or _DIES.search(near)
    return float(quantity.value) if at_death and not _OTHERS.search(near) else None


def _is_duration(text: str, quantity: Quantity) -> bool:
    """Whether the sentence calls its subject something of this duration."""
    is_a = _IS_A.search(text, max(0, quantity.start - 40), quantity.start)
    whole = _OPERATION.match(text, quantity.end) and _ITS.search(text, max(0, quantity.start - 12), quantity.start)
    return bool(whole or (is_a and "-" in text[quantity.start : quantity.end] and _LASTING.match(text, quantity.end)))


def _dimension(text: str, quantity: Quantity) -> frozenset[str]:
    """The dimension of a length, if a word behind it or before it says which."""
    behind = _DIMENSION_BEHIND.match(text, quantity.end)
    before = _DIMENSION_BEFORE.search(text, max(0, quantity.start - 40), quantity.start)
    for found in (behind, before):
        if found and (name := _DIMENSIONS.get(found[1].lower())):
            return frozenset({name})
    return frozenset()


def _bounded(stated: Statement) -> Statement:
    """The values within its bound."""
    value, least = stated.high, stated.low
    low, high = {
        "about": (least - abs(least) * 0.05, value + abs(value) * 0.05),
        **dict.fromkeys(PARTS, (least - abs(least) * 0.05, value + abs(value) * 0.05)),
        "nearly": (value - abs(value) * 0.1, value),
        "more": (value, inf),
        "after": (value, inf),
        "least": (value, inf),
        "less": (-inf, value),
        "before": (-inf, value),
        "most": (-inf, value),
    }.get(stated.bound, (least, value))
    if stated.bound == "most" and stated.half == 0.5:  # "only 12"
        low = value
    bound = "" if stated.bound in ("by", "until") else stated.bound
    return replace(stated, low=low, high=high, bound=bound)


def of_a_shared_noun(text: str) -> Iterator[Statement]:
    """The first of two counts that share a noun: "one oxygen and two hydrogen atoms" has one oxygen atom."""
    for match in _SHARED_NOUN.finditer(text):
        count = match["count"].lower()
        value = float(UNITS[count] if count in UNITS else int(count))
        detail = frozenset({stem(match["which"].lower())})
        place = match.span("first")
        yield Statement(Kind.NUMBER, *place, stem(match["noun"].lower()), value, value, detail=detail, unit=SHARED_NOUN)


def _counted(text: str, end: int) -> tuple[str, frozenset[str]] | None:
    """Stem of the noun that a number counts, and of the words between: the last plural before the phrase ends."""
    rest = text[end : end + 60]
    if not rest.startswith(" "):
        return None
    if stop := _STOPS.search(rest, 1):
        rest = rest[: stop.start()]
    words = [word.lower() for word in _WORDS.findall(rest)][:_MANY]
    plurals = [
        place
        for place, word in enumerate(words)
        if word in _PLURALS or (len(word) > 3 and word[-1] == "s" and word[-2:] != "ss")
    ]
    if not plurals:
        return None
    last = plurals[-1]
    noun = stem(words[last])
    detail = frozenset(stem(word) for word in words[:last])
    if noun in _AWARDS:
        return stem("awards"), detail | {_AWARDS[noun]}
    return _SAME.get(noun, noun), detail
