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
_NEAR_DEATH = 60  # characters between an age and the word that makes it the age at death
# Of two lengths, one may be a height: words that say which.
_DIMENSIONS = {
    **dict.fromkeys(("long", "length", "lengthwise"), "long"),
    **dict.fromkeys(("high", "tall", "height", "elevation", "altitude", "above"), "high"),
    **dict.fromkeys(("wide", "width", "wingspan"), "wide"),
    **dict.fromkeys(("deep", "depth", "below"), "deep"),
    **dict.fromkeys(("diameter", "across", "radius"), "across"),
}
_DIMENSION_BEHIND = re.compile(r" (?:in )?(\w+)")
_DIMENSION_BEFORE = re.compile(r"\b(\w+)(?: of| is| was|:)?(?: [a-z]+){0,2} \Z")
_WORDS = re.compile(r"[\w'’-]+")
_POPULATION = re.compile(r"\bpopulation(?: [a-z]+){0,4} \Z")
_PEOPLE = stem("people")
_SAME = {stem(word): _PEOPLE for word in ("inhabitants", "residents", "persons", "population")}
# Awards by their other names.
_AWARDS = {stem("oscars"): stem("academy"), stem("grammys"): stem("grammy"), stem("emmys"): stem("emmy")}
_PLURAL = re.compile(r"people|children|men|women|feet|.{2,}[^s]s")
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
    kind, start, end = place = (quantity.kind, quantity.start, quantity.end)
    bound = bound_before(text, start, end)
    if age := _age_at_death(text, quantity):
        yield _bounded(Statement(Kind.MEASURE, start, end, LIVED, age, age, bound, unit="years"))
        return
    value, half = float(quantity.value), float(quantity.step) / 2
    low = value if least is None else float(least)
    if kind in (Kind.MEASURE, Kind.MONEY) and (unit := quantity.unit):
        of = unit.dimension if kind is Kind.MEASURE else unit.name
        detail = _dimension(text, quantity) if of == "length" else frozenset[str]()
        of = LASTED if of == "time" and _is_duration(text, quantity) else of
        low, value, half = in_base(low, unit), in_base(value, unit), half * unit.factor
        yield _bounded(Statement(*place, of, low, value, bound, half, detail, unit=unit.name))
    elif kind is Kind.PERCENT:
        yield _bounded(Statement(*place, "%", low, value, bound, half))
    elif kind is Kind.NUMBER:
        pairs = _PAIRS.match(text, end)
        noun, detail = _counted(text, pairs.end() if pairs else end)
        if quantity.form.endswith(" times"):  # "twice"
            noun, detail = stem("times"), frozenset()
        if not noun and _POPULATION.search(text, max(0, start - 40), start):
            noun = _PEOPLE
        if pairs:
            low, value = 2 * value if least is None else low, 2 * value
        before = (text, max(0, start - 12), start)
        some = _SOME.search(*before) or _SOME_BEHIND.match(text, end) or (detail and _AND_SOME.search(*before))
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
    near = text[max(0, start - _NEAR_DEATH) : end + _NEAR_DEATH]
    at_death = (before and before["lives"]) or _DIES.search(near)
    return float(quantity.value) if at_death and not _OTHERS.search(near) else None


def _is_duration(text: str, quantity: Quantity) -> bool:
    """Whether the time is how long something lasted, or the sentence calls its subject something of this duration."""
    start, end = quantity.start, quantity.end
    if _DEAD_FOR.search(text, 0, start):
        return False
    if _LASTS.search(text) or _FOR.search(text, max(0, start - 30), start):
        return True
    if _OPERATION.match(text, end) and _ITS.search(text, max(0, start - 12), start):
        return True
    is_a = _IS_A.search(text, max(0, start - 40), start)
    return bool(is_a and "-" in text[start:end] and _LASTING.match(text, end))


def _dimension(text: str, quantity: Quantity) -> frozenset[str]:
    """The dimension of a length, if a word after it or before it says which."""
    after = _DIMENSION_BEHIND.match(text, quantity.end)
    before = _DIMENSION_BEFORE.search(text, max(0, quantity.start - 40), quantity.start)
    names = [_DIMENSIONS[word] for found in (after, before) if found and (word := found[1].lower()) in _DIMENSIONS]
    return frozenset(names[:1])


def _bounded(stated: Statement) -> Statement:
    """The statement with the range of values that its bound allows."""
    low, high, bound = stated.low, stated.high, stated.bound
    if bound == "about" or bound in PARTS:
        low, high = low - abs(low) * 0.05, high + abs(high) * 0.05
    elif bound == "nearly":
        low = high - abs(high) * 0.1
    elif bound in ("more", "after", "least"):
        low, high = high, inf
    elif bound == "most" and stated.half == 0.5:  # "only 12"
        low = high
    elif bound in ("less", "before", "most"):
        low = -inf
    return replace(stated, low=low, high=high, bound="" if bound in ("by", "until") else bound)


def of_a_shared_noun(text: str) -> Iterator[Statement]:
    """The first of two counts that share a noun: "one oxygen and two hydrogen atoms" has one oxygen atom."""
    for match in _SHARED_NOUN.finditer(text):
        count = match["count"].lower()
        value = float(UNITS[count] if count in UNITS else int(count))
        detail = frozenset({stem(match["which"].lower())})
        place = match.span("first")
        yield Statement(Kind.NUMBER, *place, stem(match["noun"].lower()), value, value, detail=detail, unit=SHARED_NOUN)


def _counted(text: str, end: int) -> tuple[str, frozenset[str]]:
    """Stem of the noun that a number counts, the last plural before the phrase ends, and of the words before it; empty without."""
    rest = text[end : end + 60]
    if not rest.startswith(" "):
        return "", frozenset()
    if stop := _STOPS.search(rest, 1):
        rest = rest[: stop.start()]
    words = [word.lower() for word in _WORDS.findall(rest)][:_MANY]
    plurals = [place for place, word in enumerate(words) if _PLURAL.fullmatch(word)]
    if not plurals:
        return "", frozenset()
    noun, detail = stem(words[plurals[-1]]), frozenset(map(stem, words[: plurals[-1]]))
    if noun in _AWARDS:
        return stem("awards"), detail | {_AWARDS[noun]}
    return _SAME.get(noun, noun), detail
