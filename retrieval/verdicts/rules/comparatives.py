"""Claims that compare two things, decided by what the page of each says: "Mont Blanc is higher than K2".

The first sentence of each page that gives the measure decides, if both give it in the same dimension.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from retrieval.text.names.forms import number_forms
from retrieval.text.quantities.finding import Kind, Quantity, quantities
from retrieval.text.quantities.statements import statements
from retrieval.text.quantities.units import in_base
from retrieval.text.sentences import begins_with_pronoun
from retrieval.text.titles import begins_with_title, fold, holds_name, without_bracket
from retrieval.types import Page, Sentence
from retrieval.verdicts.rules.ruling import YEAR_IN_TEXT, ClaimForms, called_in_any_number, pages_meant, sentences_of

SENTENCES_ON_MEASURES = 20  # sentences of a page
MOST_TO_DIMENSION = 90  # characters between a quantity and the word that says what it measures
SENTENCES_ON_REIGNS = 2
EARLY = 20  # characters before a comparison with which a sentence begins: "Slightly larger than …, Io is"
LEAST_PEOPLE = 1_000
LEAST_RATIO = 1.02  # between two amounts; nearer ones may be one, measured twice


@dataclass(frozen=True)
class Comparison:
    """The claim says that `first` has more of the measure than `second`, or less. others: the measure of `second`, if it
    is another one ("died before … was born"). only_refutes: the claim says more ("20 years before"), which is not compared.
    next_to: it says that one began when the other ended.
    """

    first: str
    second: str
    measure: str
    more: bool
    others: str = ""
    only_refutes: bool = False
    next_to: bool = False


@dataclass(frozen=True)
class Given:
    """A value that a page gives for its subject. low, high: the least and the most that it may mean, in base units or days."""

    sentence: Sentence
    text: str
    dimension: str
    low: float
    high: float


@dataclass(frozen=True)
class Compared:
    """Both values, and whether the claim is true of them."""

    first: Given
    second: Given
    holds: bool


# Measure -> the words for more of it and, behind "/", for less. What is older began at a smaller date.
_COMPARATIVES = {
    "begin": "newer|younger/older",
    "height": "taller|higher/shorter|lower",
    "length": "longer",
    "size": "bigger|larger/smaller",
    "weight": "heavier/lighter",
    "speed": "faster/slower",
    "temperature": "hotter|warmer/colder|cooler",
    "depth": "deeper/shallower",
    "population": "more populous/less populous",
    "from the sun": "farther from the sun|further from the sun|farther away from the sun|further away from the sun"
    "/closer to the sun|nearer to the sun",
}
_MEASURE = {word: measure for measure, words in _COMPARATIVES.items() for word in re.split(r"[|/]", words)}
_LESS = {word for words in _COMPARATIVES.values() for word in words.partition("/")[2].split("|")}
_THING = r"(?:the )?(?P<{}>[^,;:?!]{{2,60}}?)"
_THAN = ClaimForms(
    rf"{_THING.format('first')} (?:is|was|are|were|stands|flows|runs)(?P<denied>n't| not)? (?:any |much |far |a lot |slightly |even |still |actually |considerably )?"
    rf"(?P<word>{'|'.join(sorted(_MEASURE, key=len, reverse=True))}) than {_THING.format('second')}(?: (?:is|was|are|were|does))?"
)
_PEOPLE = ClaimForms(
    rf"{_THING.format('first')} (?:has|have|had) (?P<word>more|fewer|less) (?:people|inhabitants|residents) than {_THING.format('second')}(?: (?:has|have|had|does|do))?",
    rf"{_THING.format('first')} (?:has|had) a (?P<word>larger|bigger|higher|greater|smaller|lower) population than {_THING.format('second')}(?: (?:has|had|does))?",
)
# The words of claims for an event -> those of pages.
_EVENTS = {
    word: event
    for words, event in (
        *(("born", "born"), ("died", "died"), ("first appeared|debuted", "appeared")),
        ("founded|established|formed|started|launched|set up|created", "founded"),
        ("built|constructed|completed|finished|opened", "built"),
        ("released|published|came out|premiered", "released"),
    )
    for word in words.split("|")
}
_EVENT = "|".join(_EVENTS)
_WHEN = ClaimForms(
    rf"{_THING.format('first')} (?:was |were |had been )?(?P<event>{_EVENT}) (?:(?P<span>[\w-]+ (?:years?|days?|months?|decades?) )|long |shortly |just |years )?(?P<word>before|after) "
    rf"{_THING.format('second')}(?: (?:did|(?:was|were) ?(?P<event2>{_EVENT})?|(?P<event3>died|came out)))?"
)
_OFFICES = "emperor/empress, king/queen, pope, president, prime minister, chancellor, governor, mayor, tsar, sultan, pharaoh".split(
    ", "
)
_HELD = ClaimForms(
    rf"{_THING.format('first')} (?:was|became|served as) (?:the )?(?:(?!vice |deputy |lieutenant |acting )[a-z]+ )?(?P<office>{'|'.join(_OFFICES).replace('/', '|')})(?: of (?:the )?[a-z ]{{3,30}}?)? "
    rf"(?:(?P<long>long )|(?P<next>right |just |immediately ))?(?P<word>before|after) {_THING.format('second')}(?: was| did)?"
)
_CONFLICT = re.compile(r"\b(?:war|ww ?[12]|ww ?ii?|revolution|rebellion|uprising|battle)\b", re.IGNORECASE)
# Measure -> the dimension of its amounts, if its name is another.
_DIMENSIONS = {"height": "length", "depth": "length", "diameter": "length", "population": ""}
# Measure -> the words beside its amounts.
_BESIDE = {
    measure: re.compile(rf"\b(?:{words})\b")
    for measure, words in {
        "height": r"height|tall|tallest|high|highest|elevation|rises|summit|peak|above sea level|stands|reach\w*",
        "length": r"long|longest|length|stretch\w*|runs|flows",
        "depth": "deep|depth|deepest",
        "area": "area|covers|covering|total|size|km2|square|comprises",
        "diameter": "diameter",
        "weight": r"weigh\w*|mass|heavy",
        "speed": "speed|fast|run|runs|travels?|velocity|mph",
        "temperature": "temperature|hot|cold",
        "population": "population|inhabitants|residents|people",
    }.items()
}
_SIZES = ("area", "diameter")
# The other end of these orders: the second-smallest has more than one other.
_FEWEST = {"size": "smallest", "height": "lowest", "length": "shortest", "depth": "shallowest", "weight": "lightest"}
# The order in which a place among all says as much: "the fifth largest country in the world". Stems, as in a `Statement`.
_ORDERS = {
    "size": "largest", "population": "most popul", "height": "highest", "length": "longest", "depth": "deepest", "weight": "heaviest",
}  # fmt: skip
_RANKED = re.compile(r"\b(?:(?P<it>it is|making it)|is|are|and) (?:also )?(?:the )?(?:world['’]s )?$")
_AFTER = re.compile(r"[^.;]{0,80}?\b(?:after|behind) (?P<more>[^.;]{2,60})")
# Words with which a sentence compares without a number: "the largest country".
_RANKS = {
    measure: re.compile(
        rf"\b(?:{adjectives})i?(?:er|est)\b|\b(?:more|most|less|least) (?:{adjectives})|\bthan\b|\bthe size of\b", re.IGNORECASE
    )
    for measure, adjectives in {
        "height": "tall|high|low|short", "length": "long|short", "size": "larg|bigg|small|great", "weight": "heav|light|massive",
        "speed": "fast|slow|quick", "temperature": "hott|warm|cold|cool", "depth": "deep|shallow", "population": "populous",
    }.items()
}  # fmt: skip
_BY_EVENT = {
    "founded": re.compile(r"(?i)\b(?:founded|established|formed|created|launched|incorporated|started|began)\b"),
    "built": re.compile(r"(?i)\b(?:built|constructed|completed|finished|opened|erected|construction)\b"),
    "released": re.compile(r"(?i)\b(?:released|published|premiered|first aired|debuted)\b"),
    "appeared": re.compile(r"(?i)\b(?:first appear\w*|debut\w*|introduced)\b"),
    "died": re.compile(r"(?i)\b(?:died|death|killed|executed|assassinated)\b"),
    "born": re.compile(r"(?i)(?<!-)\bborn\b"),
    "fought": re.compile(
        r"(?i)\b(?:fought|lasted|took place|occurred|began|(?:war|conflict|revolutions?|rebellion|uprising|battle)(?= (?:in [A-Z][a-z]+ )?(?:in|from|between) (?:[A-Z][a-z]+ )?\d{4}))\b"
    ),
}
# What stands before the date from which someone held an office.
_OFFICE_FROM = {
    office: re.compile(rf"(?i)(?:(?<!vice )(?<!vice-)(?<!deputy )(?<!lieutenant )(?<!acting )\b(?:{'|'.join(words)})\b[^.;()]{{0,60}}?(?:\b(?:from|since|between)|\()|\breigned(?: from)?) ?\Z")
    for words in (one.split("/") for one in _OFFICES)
    for office in words
}  # fmt: skip
_ANOTHER_TERM = re.compile(
    r"\b(?:and|again)(?: (?:again|once more))?(?: from| in| since)? \Z"
)  # "(1885–1889 and 1893–1897)"
_PLANETS = "first|closest|innermost second third fourth fifth sixth seventh eighth|farthest|outermost".split()
_PLANET = re.compile(
    rf"\b(?:{'|'.join(f'({words})' for words in _PLANETS)})(?: and [a-z-]+)?(?: known)?(?: planet)? (?:from|to|orbiting) the Sun\b"
)
_WORK = re.compile(
    r"\b(?:is|was) an? (?:\d{4}) (?:[\w-]+ ){0,6}?(?:film|album|novel|song|book|game|series|play|single)\b"
)
_INSIDE = r"(?:[^()]|\([^()]{0,40}\)){0,200}?"  # "(26 April 1564 (baptised) – 23 April 1616)"
_LIFE = re.compile(rf"\((?P<life>{_INSIDE}\d{{3,4}}{_INSIDE})\)")
_NOT_QUITE = re.compile(r"\b(?:not|no|n't|never|once|if|would|than)\b")
_PLACE_BEFORE = re.compile(r"^In [A-Z][\w ]{2,20}, (?:the )?(?=[A-Z])")  # "In Scotland, Glasgow has"
_THAN_OR_BY = re.compile(r"\bthan\b|\bby $")


def asked_of(claim: str) -> Comparison | None:
    """The comparison that the claim makes; None if it makes none of these kinds."""
    text = _PLACE_BEFORE.sub("", " ".join(claim.split()))
    if (match := _THAN.match(text)) and not quantities(match["second"]):  # "longer than 200 km" is a bound
        word = match["word"].lower()
        return Comparison(match["first"], match["second"], _MEASURE[word], (word not in _LESS) != bool(match["denied"]))
    if match := _PEOPLE.match(text):
        more = match["word"].lower() in ("more", "larger", "bigger", "higher", "greater")
        return Comparison(match["first"], match["second"], "population", more)
    if match := _WHEN.match(text):
        event = match["event"].lower()
        after, more = match["word"].lower() == "after", bool(match["span"])
        if _CONFLICT.search(match["second"]):  # whose end no rule reads, so nothing is known to come after it
            return Comparison(match["first"], match["second"], _EVENTS[event], after, "fought", more or after)
        other = (match["event2"] or match["event3"] or event).lower()
        return Comparison(match["first"], match["second"], _EVENTS[event], after, _EVENTS[other], more)
    if match := _HELD.match(text):
        office, after = match["office"].lower(), match["word"].lower() == "after"
        return Comparison(match["first"], match["second"], office, after, "", bool(match["long"]), bool(match["next"]))
    return None


def compared(claim: str, pages: Sequence[Page]) -> Compared | None:
    """The values of both things, from the first pages with their names; None if a page or a value is missing."""
    asked = asked_of(claim)
    if asked is None or fold(asked.first) == fold(asked.second):
        return None
    firsts = _values_on(asked.first, asked.measure, pages, asked.second)
    seconds = _values_on(asked.second, asked.others or asked.measure, pages, asked.first)
    if asked.others == "fought" and not seconds:  # "The War of the Worlds" is a book
        seconds = _values_on(asked.second, asked.measure, pages, asked.first)
    ordered = (_order(asked, firsts[one], seconds[one]) for one in firsts if one in seconds)
    found = (
        next(filter(None, ordered), None)
        or _explicit(asked, pages)
        or _behind(asked, firsts, asked.second, more=False)
        or _behind(asked, seconds, asked.first, more=True)
    )
    more = found and (asked.only_refutes or (asked.next_to and not _is_next(found)))
    return None if found and found.holds and more else found


def _is_next(found: Compared) -> bool:
    """Whether the sentence on the earlier one names the year in which the later one began: "from 1946 to 1950"."""
    earlier, later = sorted((found.first, found.second), key=lambda one: one.low)
    return any(year in earlier.sentence.text for year in YEAR_IN_TEXT.findall(later.text))


def _explicit(asked: Comparison, pages: Sequence[Page]) -> Compared | None:
    """Decided by a sentence of the first one's page that compares it with the other: "slightly larger than Earth's Moon"."""
    same = "|".join(word for word, measure in _MEASURE.items() if measure == asked.measure)
    other = re.escape(re.sub(r"^(?:the|our|an?) ", "", asked.second, flags=re.IGNORECASE))
    if not same or asked.others:
        return None
    than = re.compile(rf"\b(?P<word>{same}) than (?:the |an? |our |[A-Z]\w+['’]s )?{other}\b", re.IGNORECASE)
    for sentence in sentences_of(pages_meant(asked.first, pages)[:1], SENTENCES_ON_MEASURES):
        match = than.search(sentence.text)
        own = match and (is_own(sentence) or match.start() < EARLY)
        if match and own and not _NOT_QUITE.search(sentence.text[: match.start()]):
            value = Given(sentence, match.group(), asked.measure, 0, 0)
            return Compared(value, value, (match["word"].lower() not in _LESS) == asked.more)
    return None


def value_of(name: str, measure: str, pages: Sequence[Page]) -> Given | None:
    """The first value of the measure on the page with this name."""
    return next(iter(_values_on(name, measure, pages, "").values()), None)


def _behind(asked: Comparison, values: Mapping[str, Given], other: str, more: bool) -> Compared | None:
    """Decided by a place behind the other thing: "the second-largest lake, after …". more: the other is the claim's first."""
    for one in values.values():
        after = _AFTER.match(one.sentence.text.partition(one.text)[2]) if one.high < -1 or one.low > 1 else None
        names = (fold(other), *number_forms(fold(other)))
        if after and any(holds_name(fold(after["more"]), name) for name in names):
            return Compared(one, one, (asked.more == more) == (one.high < 0))
    return None


def speaks_of_measure(asked: Comparison, sentence: str) -> bool:
    """Whether the sentence may decide what is compared; any may, if that is no amount."""
    if asked.measure not in _RANKS:
        return True
    words = (_RANKS[asked.measure], *(_BESIDE[one] for one in _measures(asked.measure)))
    return any(one.search(sentence) for one in words)


def _measures(measure: str) -> Sequence[str]:
    """What pages may give for it: of a size, an area or a diameter."""
    return _SIZES if measure == "size" else (measure,)


def _order(asked: Comparison, first: Given, second: Given) -> Compared | None:
    """The values compared; None if they are too close to tell."""
    if first.low > second.high:
        return Compared(first, second, asked.more)
    return Compared(first, second, not asked.more) if first.high < second.low else None


def _values_on(name: str, measure: str, pages: Sequence[Page], other: str) -> dict[str, Given]:
    """The values on the page with this name, by dimension; of several pages, the first that has any. Sentences that name the
    other thing may give its value instead, so they do not count.
    """
    for page in pages_meant(name, pages) or called_in_any_number(name, pages):
        first = page.sentences()[:SENTENCES_ON_MEASURES]
        both = measure == "from the sun"  # which a sentence says of its own planet alone
        sentences = [one for one in first if both or not holds_name(fold(one.text), fold(other))]
        values = (*_values(sentences, measure), *(place for one in first for place in _places(one, measure)))
        if by_dimension := {one.dimension: one for one in values}:
            return by_dimension
    return {}


def _values(sentences: Sequence[Sentence], measure: str) -> Iterator[Given]:
    """The first value of the measure in each dimension; of a beginning, the first of any kind."""
    if measure == "begin":
        lives = _life_of(sentences[:1]) or any(_BY_EVENT["born"].search(one.text) for one in sentences[:1])
        wanted = ("born",) if lives else ("founded", "built", "released")
        yield from islice(filter(None, (_moment(sentence, one) for one in wanted for sentence in sentences)), 1)
        return
    if measure == "from the sun":
        found = ((one, match) for one in sentences if is_own(one) for match in _PLANET.finditer(one.text))
        for sentence, match in islice(found, 1):
            place = match.lastindex or 1
            yield Given(sentence, match.group(), measure, place, place)
        return
    find = _taking_office if measure in _OFFICE_FROM else _moment if measure in _BY_EVENT else _amount
    for one in _measures(measure):
        yield from islice(filter(None, (find(sentence, one) for sentence in sentences)), 1)


def is_own(sentence: Sentence) -> bool:
    """Whether the sentence begins with its page's subject."""
    return begins_with_pronoun(sentence.text) or begins_with_title(sentence.text, sentence.title)


def _places(sentence: Sentence, measure: str) -> Iterator[Given]:
    """The places that the sentence gives the page's subject among all, each in a dimension of its own: the first has most."""
    text, order, title = sentence.text, _ORDERS.get(measure, ""), fold(without_bracket(sentence.title))
    own = is_own(sentence) or f" {title} is " in fold(text)
    for one in statements(text) if order else ():
        ranked = _RANKED.search(text[: one.start])
        of_subject = ranked and (own or ranked["it"])
        if of_subject and one.kind is Kind.RANK and one.of in (order, _FEWEST.get(measure)) and one.detail:
            among = " ".join([one.of, *sorted(word for word in one.detail if len(word) > 1)])
            low, high = (-one.high, -one.low) if one.of == order else (one.low, one.high)
            yield Given(sentence, text[one.start : one.end], among, low, high)


def _amount(sentence: Sentence, measure: str) -> Given | None:
    text, dimension = sentence.text, _DIMENSIONS.get(measure, measure)
    for one in quantities(text):
        near = text[max(0, one.start - MOST_TO_DIMENSION) : one.end + MOST_TO_DIMENSION // 2]
        if not _THAN_OR_BY.search(text[: one.start]) and _is_in(one, dimension) and _BESIDE[measure].search(near):
            value = in_base(float(one.value), one.unit) if one.unit else float(one.value)
            return Given(sentence, text[one.start : one.end], measure, value / LEAST_RATIO, value * LEAST_RATIO)
    return None


def _is_in(quantity: Quantity, dimension: str) -> bool:
    """Whether it is of this dimension; of none, a plain number that may be a population."""
    if dimension:
        return quantity.unit is not None and quantity.unit.dimension == dimension
    return quantity.kind is Kind.NUMBER and quantity.value >= LEAST_PEOPLE


def _moment(sentence: Sentence, event: str) -> Given | None:
    if event in ("born", "died") and (life := _life_of([sentence])):
        dates = life[1:] if event == "died" else life
        return next((_date(sentence, one) for one in dates), None)
    dates = [one for one in quantities(sentence.text) if one.date]
    if event == "released" and (work := _WORK.search(sentence.text)):
        return next((_date(sentence, one) for one in dates if work.start() <= one.start), None)
    found = _BY_EVENT[event].search(sentence.text)
    behind = (one for one in dates if found and 0 <= one.start - found.end() <= MOST_TO_DIMENSION)
    return next((_date(sentence, one) for one in behind), None)


def _taking_office(sentence: Sentence, office: str) -> Given | None:
    dates = [one for one in quantities(sentence.text) if one.date] if sentence.line < SENTENCES_ON_REIGNS else []
    begun = next((one for one in dates if _OFFICE_FROM[office].search(sentence.text[: one.start])), None)
    first = _date(sentence, begun) if begun else None
    again = [
        one for one in dates if begun and one.start > begun.end and _ANOTHER_TERM.search(sentence.text[: one.start])
    ]
    last = _date(sentence, again[-1]) if again else None
    return replace(first, high=last.high) if first and last else first


def _life_of(first: Sequence[Sentence]) -> list[Quantity]:
    """Dates of birth and death in the first sentence of a page: "(14 March 1879 – 18 April 1955)"; none if there is no life."""
    if not first or first[0].line != 0:
        return []
    sentence = first[0]
    for match in _LIFE.finditer(sentence.text):
        dates = [one for one in quantities(sentence.text) if one.date and match.start() <= one.start < match.end()]
        inside = match["life"]
        if dates and ("born" in inside or re.search(r"\d\s*[–-]|[–-]\s*\d|[–-] ", inside)):
            return dates
    return []


def _date(sentence: Sentence, quantity: Quantity) -> Given | None:
    date = quantity.date
    if date is None or date.yearless:
        return None
    first, last = min(one.first for one in date.readings), max(one.last for one in date.readings)
    return Given(sentence, sentence.text[quantity.start : quantity.end], "time", first, last)
