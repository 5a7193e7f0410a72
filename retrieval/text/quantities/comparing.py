"""Whether a sentence's quantities are those of a claim: equal, different, or not to be compared."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from itertools import product
from math import isfinite

from retrieval.text.languages import ENGLISH
from retrieval.text.names.abbreviations import with_us_and_uk
from retrieval.text.quantities.dates import Days
from retrieval.text.quantities.finding import Kind
from retrieval.text.quantities.numbers import read_roman
from retrieval.text.quantities.stated import LASTED, LIVED, PARTS, SHARED_NOUN, SPAN, WHILE, Statement
from retrieval.text.quantities.statements import statements
from retrieval.text.quantities.times import ENDS, ONCE, SPAN_ENDS, STATES, STEMS, YEAR, event_words
from retrieval.text.quantities.units import DAYS_IN_A_YEAR
from retrieval.text.titles import begins_with_title, fold, holds_name
from retrieval.text.words import stem

AMOUNTS = frozenset({Kind.MEASURE, Kind.MONEY, Kind.NUMBER, Kind.PERCENT})
ROUNDED = 0.05  # of an amount, at most: that an inch has 3 cm is not rounded, but wrong
NEARLY = 0.01  # of a value: a smaller difference contradicts nothing
COUNTED = 1_000  # things below this are counted exactly
_CAPITAL = re.compile(r"\b[A-Z][\w'’-]* \Z")
LONGEST_COMPARED = 2_000  # characters of a sentence; longer texts are not compared
SHARED = 0.6  # of the claim's other words that title and sentence must hold for their quantities to be of one thing
_ACADEMY, _OSCAR = {stem("academy"), stem("award")}, stem("oscar")  # one award has both names
_NOMINATION = stem("nominations")
DENIAL = re.compile(
    r"\b(?:\w{1,8}n['’]t|(?:is|was|are|were|do|does|did|has|had)nt|not|never|no|none|nothing|neither|nor|cannot|without|false|untrue)\b",
    re.IGNORECASE,
)
_IN_A_ROLE = re.compile(r"\b(?:was|were|is|been|became|served|reigned|ruled) (?!last)[^,;:?!]*\bfor ")  # not a life
# Who reigned was king, queen or pope.
_REIGNED = frozenset(map(stem, ("reigned", "ruled", "reign")))
_LANDS = dict.fromkeys(map(stem, ("state", "nation")), stem("country"))  # "the third smallest state in the world"
_RULERS = frozenset(map(stem, "king queen pope emperor empress tsar sultan monarch shah caliph".split()))
# A claim about a book is not borne out by the year of a film.
_WORKS = {*map(stem, "film book novel album song single play musical opera series game poem band painting".split())}
_BOUNDS = frozenset(
    "about around approximately roughly nearly almost more than over less fewer least most under exactly only before after since until by during early late mid still old high tall wide deep year".split()
)
# Words for the quantity itself, which a sentence may give in other words.
_MEASURING = frozenset(
    "long length height width depth area population inhabitants people residents persons age aged years cover covers covering measure measures weigh "
    "taller higher longer deeper wider bigger larger heavier older lower shorter smaller lighter younger weighs weight stands reach reaches drop drops fall falls rise rises make makes up comprise constitute account accounts took takes can could".split()
)


class Relation(StrEnum):
    """How a sentence's quantity relates to the claim's."""

    EQUAL = "equal"
    DIFFERENT = "different"


@dataclass(frozen=True, slots=True)
class Comparison:
    """claim, sentence: the characters that were compared. shared: share of the claim's other words that title and sentence
    contain; named: all its names are among them. whole: every quantity of the claim was found equal, or this one is different.
    derived: the sentence's follows from two dates, which no network computes."""

    relation: Relation
    kind: Kind
    claim: tuple[int, int]
    sentence: tuple[int, int]
    shared: float
    named: bool = True
    whole: bool = True
    derived: bool = False

    @property
    def agrees(self) -> bool:
        """Whether every quantity of the claim was found equal."""
        return self.relation is Relation.EQUAL and self.whole


def compare(claim: str, title: str, sentence: str) -> Comparison | None:
    """The comparison that decides: a difference if there is one, else an equality; None if nothing is comparable. title: of the
    sentence's page, empty if it may not be read. Nothing is compared if the claim denies something, nor with what the
    sentence denies.
    """
    wanted = [one for one in statements(claim[:LONGEST_COMPARED]) if one.unit != SPAN and not _in_name(claim, one)]
    if title and holds_name(fold(claim), f"after {fold(title)}"):  # "the second largest after Texas": not Texas's rank
        wanted = [one for one in wanted if one.kind is not Kind.RANK]
    if not wanted or len(sentence) > LONGEST_COMPARED or DENIAL.search(claim):
        return None
    shared = _shared(claim, title, sentence)
    if shared is None:
        return None
    stated = statements(sentence)
    lives = {one.start for one in stated if one.of == LIVED} if _IN_A_ROLE.search(claim) else ()
    given = [one for one in stated if not _denied(sentence, one) and not (one.of == LASTED and one.start in lives)]
    decided = list[Comparison]()
    for one in wanted if given else ():
        if _only_denied(one, stated, given):
            continue
        if found := _decided(one, given, shared[0]) or _going_on(one, given, claim, title, sentence):
            relation, other = found
            places = (one.start, one.end), (other.start, other.end)
            decided.append(Comparison(relation, one.kind, *places, *shared, derived=other.unit == SPAN))
    different = (one for one in decided if one.relation is Relation.DIFFERENT)
    equal = replace(decided[0], whole=len(decided) == len(wanted)) if decided else None
    return next(different, equal)


def _denied(sentence: str, given: Statement) -> bool:
    """Whether there is a "not" in the clause of the quantity."""
    starts = max(sentence.rfind(sign, 0, given.start) for sign in ",;:(")
    ends = [place for sign in ",;:)" if (place := sentence.find(sign, given.end)) >= 0]
    return DENIAL.search(sentence, starts + 1, min(ends, default=len(sentence))) is not None


def _only_denied(wanted: Statement, stated: Sequence[Statement], given: Sequence[Statement]) -> bool:
    """Whether the sentence has the claim's quantity, but beside a "not", whatever that denies."""
    equal = [one for one in stated if is_comparable(wanted, one) and _relation(wanted, one) is Relation.EQUAL]
    return bool(equal) and not any(one in given for one in equal)


def _decided(wanted: Statement, given: Sequence[Statement], shared: float) -> tuple[Relation, Statement] | None:
    """Equal if a comparable quantity of the sentence is, different if all of them are. If the claim only bounds a quantity ("less
    than"), one of several within the bound says nothing.
    """
    comparable = [one for one in given if is_comparable(wanted, one)]
    relations = [_relation(wanted, one) for one in comparable]
    loose = not wanted.exact and wanted.kind is not Kind.DATE
    for one, relation in zip(comparable, relations, strict=True):
        if relation is Relation.EQUAL and not (loose and any(other is not relation for other in relations)):
            return relation, one
    # "A 1992 film" may have come out elsewhere, or on tape, in another year.
    least = SHARED if wanted.kind is not Kind.DATE or all(one.once for one in comparable) else 1.0
    apart = set(relations) == {Relation.DIFFERENT} and shared >= least
    if not apart or any(one.loose for one in (wanted, *comparable)) or not _once(wanted, comparable):
        return None
    if comparable[0].unit == SHARED_NOUN or not _counted_elsewhere(wanted, given):
        return Relation.DIFFERENT, comparable[0]
    return None


def _going_on(
    wanted: Statement, given: Sequence[Statement], claim: str, title: str, sentence: str
) -> tuple[Relation, Statement] | None:
    """Equal if the sentence says that it went on for a time to which the claim's date belongs: "was president in 2012" beside
    "president from 2009 to 2017". Different if it went on only at other times, or if all of a life, or of what happens once, is at
    another time. The claim's words must stand with the span, not with another.
    """
    times = [one for one in given if one.of == WHILE]
    if len(times) == 1 and wanted.of in times[0].detail and _is_at_another_time(wanted, times[0]):
        return Relation.DIFFERENT, times[0]
    if not times or not is_state(wanted):
        return None
    words, _, small = _asked(claim)
    # Without what only the title needs to say: "was queen" of Queen Victoria.
    words = (words - {_stem(word) for word in fold(title).split()}) | (words & small)
    events = STATES[wanted.of]
    # What its subject did for a time, it existed for.
    if wanted.of == "last" and title and begins_with_title(sentence, title):
        events = frozenset()
    elif not (words or events):
        return None
    matching = [one for one in times if _is_about(one, words, events)]
    if equal := next((one for one in matching if _overlap(one, wanted)), None):
        return Relation.EQUAL, equal
    in_name = claim[: wanted.start].endswith("(")  # "Enemy (2013 film)"
    return (Relation.DIFFERENT, matching[0]) if matching and not in_name else None


def _is_about(time: Statement, words: frozenset[str], events: frozenset[str]) -> bool:
    """Whether the words that stand with the time are the claim's."""
    stems = time.detail | {STEMS[word] for word in time.detail if word in STEMS}
    if _REIGNED & stems:
        stems |= _RULERS
    return words <= stems and not (events and events.isdisjoint(stems))


def _overlap(one: Statement, other: Statement) -> bool:
    return one.low <= other.high and other.low <= one.high


def _is_at_another_time(wanted: Statement, time: Statement) -> bool:
    """Whether the claim's life or event, which happens once, has no day in common with the time."""
    once = wanted.of == "live" or (wanted.of in ONCE - ENDS and wanted.once)
    vague = wanted.bound or wanted.alternatives or wanted.yearless
    return wanted.kind is Kind.DATE and once and not vague and not _overlap(wanted, time)


def is_state(wanted: Statement) -> bool:
    """Whether the claim says what was so at a date."""
    return wanted.kind is Kind.DATE and not (wanted.bound or wanted.alternatives) and wanted.of in STATES


def _once(wanted: Statement, comparable: Sequence[Statement]) -> bool:
    """Whether another date of the event would contradict the claim's: it happens once, and the sentence dates it once."""
    happens_once = wanted.of in ONCE and wanted.once
    return wanted.kind is not Kind.DATE or (happens_once and len({(one.low, one.high) for one in comparable}) == 1)


def _counted_elsewhere(wanted: Statement, given: Sequence[Statement]) -> bool:
    """Whether the sentence also has the claim's number or date, of something unnamed: "of fourteen prizes, it won eleven"."""
    same = [one for one in given if one.kind is wanted.kind]
    if wanted.kind is Kind.DATE:
        return any(one.of not in ENDS and _relation(wanted, one) is Relation.EQUAL for one in same)
    return wanted.kind is Kind.NUMBER and any(one.low == wanted.low and one.of != _NOMINATION for one in same)


def is_comparable(wanted: Statement, given: Statement) -> bool:
    """Whether both are about the same kind of fact, as far as the words around them tell."""
    if wanted.kind is not given.kind:
        return False
    if wanted.kind is Kind.DATE:
        return bool(wanted.of) and (wanted.of == given.of or given.of in SPAN_ENDS.get(wanted.of, ()))
    if wanted.kind is Kind.NUMBER:
        return wanted.of == given.of != "" and (wanted.detail <= given.detail or given.detail <= wanted.detail)
    if wanted.kind is Kind.RANK:
        first, second = (frozenset(_LANDS.get(word, word) for word in one.detail) for one in (wanted, given))
        return wanted.of == given.of and (first <= second or second <= first)
    return wanted.of == given.of and (not wanted.detail or not given.detail or wanted.detail == given.detail)


def _relation(wanted: Statement, given: Statement) -> Relation | None:
    """EQUAL or DIFFERENT; None if they neither agree nor exclude each other."""
    if wanted.kind is Kind.DATE:
        return _of_dates(wanted, given)
    if wanted.kind is Kind.RANK:
        return Relation.EQUAL if wanted.low == given.low else Relation.DIFFERENT
    return _of_amounts(wanted, given)


def _of_dates(wanted: Statement, given: Statement) -> Relation | None:
    """A day that can be read in two ways is equal if one reading is, and different if none is."""
    if "about" in (wanted.bound, given.bound):
        return None
    if wanted.yearless or given.yearless:  # month and day alone
        if not (wanted.low == wanted.high and given.low == given.high) or wanted.alternatives or given.alternatives:
            return None
        return Relation.EQUAL if wanted.low % YEAR == given.low % YEAR else Relation.DIFFERENT
    pairs = list(product(_readings(wanted), _readings(given)))
    if any(one.first <= other.first and other.last <= one.last for one, other in pairs):
        return Relation.EQUAL
    apart = all(other.last < one.first or one.last < other.first for one, other in pairs)
    return Relation.DIFFERENT if apart and len(pairs) == 1 else None


def _readings(stated: Statement) -> list[Days]:
    return [Days(int(stated.low), int(stated.high)), *stated.alternatives]


def _of_amounts(wanted: Statement, given: Statement) -> Relation | None:
    """EQUAL if the sentence's range lies within the claim's, DIFFERENT if it lies wholly outside."""
    low, high, least, most = wanted.low, wanted.high, given.low, given.high
    if least == most and ((wanted.bound == "more" and least == low) or (wanted.bound == "less" and most == high)):
        return Relation.DIFFERENT
    slack = _slack(wanted, given)
    if low - slack <= least and most <= high + slack:
        return Relation.EQUAL
    more = max(slack, DAYS_IN_A_YEAR) if wanted.unit == "years" else slack  # years that are not over do not count
    if given.of == LASTED and given.unit == SPAN and low - slack <= (least + most) / 2 < high + more:
        return Relation.EQUAL
    near_an_end = min(abs(low - least), abs(high - most)) <= max(slack, NEARLY * abs(low))
    if wanted.exact and given.exact and near_an_end and least < most:
        return Relation.EQUAL
    vague = {"about": (least + most) / 2, "nearly": most}
    if wanted.exact and not given.exact and low == vague.get(given.bound):
        return Relation.EQUAL
    apart = max(low - most, least - high) - slack
    whole = wanted.kind is Kind.NUMBER or (wanted.unit == given.unit == "days")
    counted = whole and max(abs(low), abs(least)) < COUNTED and wanted.exact and given.exact
    largest = max(abs(value) for value in (low, high, least, most) if isfinite(value))
    return Relation.DIFFERENT if apart > (0 if counted else NEARLY * largest) else None


def _slack(wanted: Statement, given: Statement) -> float:
    """How far apart two values may be that are written to different digits or in different units."""
    if wanted.bound == "about" or wanted.bound in PARTS:
        return (wanted.high - wanted.low) / 2
    slack = wanted.half if wanted.exact and given.exact else 0.0
    slack = min(slack, ROUNDED * abs(wanted.low)) if wanted.unit else slack
    return slack + (given.half if wanted.unit != given.unit else 0.0)


def _shared(claim: str, title: str, sentence: str) -> tuple[float, bool] | None:
    """Share of the claim's words, quantities aside, that title and sentence contain, and whether they contain all its names.
    None if they lack more than one of its names, so that they are hardly about the same thing.
    """
    words, names, _ = _asked(claim)
    initials = "".join(word[0] for word in title.split() if word[0].isupper()).lower()
    found = {_stem(word) for word in fold(f"{title} {with_us_and_uk(sentence)} {initials}").split()}
    found |= {STEMS[word] for word in found & STEMS.keys()}
    found |= {_OSCAR} if found >= _ACADEMY else set()
    found |= _REIGNED if found & _REIGNED else set()
    found |= {_LANDS[word] for word in found & _LANDS.keys()}
    missing = names - found
    another = any(name.isdecimal() for name in missing)  # the second war, and not the third
    if names and (len(missing) > 1 or missing == names or another):
        return None
    return (len(words & found) / len(words) if words else 1.0), not missing and not (words - found) & _WORKS


def _in_name(text: str, stated: Statement) -> bool:
    """Whether a number belongs to a name, as in "World War 2", and is no quantity."""
    before = _CAPITAL.search(text, max(0, stated.start - 24), stated.start)
    return stated.kind is Kind.NUMBER and not stated.of and before is not None


def _stem(word: str) -> str:
    """The stem of a word in small letters; of a Roman numeral its digits."""
    return str(read_roman(word.upper()) or stem(word)) if len(word) > 1 else stem(word)


@lru_cache(maxsize=64)
def _asked(claim: str) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Stems of the claim's words that specify its quantities, of its names, and of all words in lower case. Words that only name
    the event of a date are left out: the comparison has matched them.
    """
    claim = claim[:LONGEST_COMPARED]
    stated = statements(claim)
    known = [(one.start, one.end) for one in stated if not _in_name(claim, one)]
    if any((one.kind is Kind.DATE and one.of) or one.of == LIVED for one in stated):
        known += [(start, end) for start, end, _ in event_words(claim)]
    elif any(one.of == LASTED for one in stated):
        known += [(start, end) for start, end, event in event_words(claim) if event == "last"]
    rest = claim
    for start, end in sorted(known, reverse=True):
        rest = rest[:start] + " " + rest[max(start, end) :]
    rest = with_us_and_uk(rest)
    idle = _BOUNDS | _MEASURING if any(one.kind not in (Kind.DATE, Kind.RANK) for one in stated) else _BOUNDS
    words = [word for word in fold(rest).split() if word not in ENGLISH.function_words and word not in idle]
    capitals = {_stem(fold(word)) for word in re.findall(r"(?<=[\w,] )[A-Z][\w'’-]*", rest)}
    first = re.match(r"[A-Z][\w'’-]*", rest)
    if first and fold(first[0]) not in ENGLISH.function_words:
        capitals.add(_stem(fold(first[0])))
    stems = frozenset(_stem(word) for word in words)
    small = {_stem(word) for word in fold(" ".join(re.findall(r"\b[a-z][\w'’-]*", rest))).split()}
    stems = frozenset(STEMS.get(word, word) if word in small else word for word in stems)
    capitals |= {_stem(fold(claim[one.start : one.end])) for one in stated if _in_name(claim, one)}
    return stems, frozenset(capitals) & stems, frozenset(small)
