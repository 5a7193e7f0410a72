"""Claims that give someone a place that only one can hold: "Rio de Janeiro is the capital of Brazil".

A network reads "Brasília is the federal capital of Brazil", finds every word of the claim but its subject, and often takes the
sentence for support. Here, a sentence that names the holder of the same place decides: the first, the last, the largest,
the capital.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from retrieval.text.names.nations import NATIONS
from retrieval.text.quantities.finding import Kind
from retrieval.text.quantities.stated import Statement
from retrieval.text.quantities.statements import statements
from retrieval.text.titles import fold, without_bracket
from retrieval.text.words import stem
from retrieval.types import Page, Sentence
from retrieval.verdicts.rules.told import Told, called_in_any_number, pages_called

_PLACE = r"(?:first(?! lady)|last|only|capital|most [a-z]+|least [a-z]+|[a-z]+est)\b[^,;:?!]*?"
_CLAIM = re.compile(
    r"^(?:the )?(?P<subject>[^,;:?!]{2,60}?) (?P<verb>is|was|are|were) (?:still |now |currently |officially )?"
    rf"(?P<place>(?:the |[\w ]+['’]s |earth['’]s )(?:very )?{_PLACE})[.!]?$",
    re.IGNORECASE,
)
_CLAIM_TURNED = re.compile(
    rf"^(?P<place>(?:the |[\w ]+['’]s |earth['’]s )(?:very )?{_PLACE}) (?P<verb>is|was) (?P<subject>(?-i:(?:the )?[A-Z][\w'’.-]*(?: (?:of |de |the |da |von |van )?[A-Z][\w'’.-]*)*))[.!]?$",
    re.IGNORECASE,
)
_NAME = r"[A-Z][\w'’.-]*(?: (?:of|de|the|da|von|van|[A-Z][\w'’.-]*))*"
_WHOSE = r"(?:the|its|their|[A-Z]\w*(?: [A-Z]\w*)*['’]s|country['’]s|world['’]s)"
_IS = re.compile(
    rf"\b(?P<verb>is|was|are|were) (?:[a-z-]+ ){{0,2}}?(?:an? [^,;:.()]{{3,60}}? and )?(?P<place>{_WHOSE} [^,;:.()]+)"
)
# "is the fifth planet from the Sun and the largest planet"
_IS_AND = re.compile(rf"\b(?P<verb>is|was|are|were) the [^,;:.()]{{3,60}}? and (?P<place>{_WHOSE} [^,;:.()]+)")
_BESIDE = re.compile(rf"(?P<holder>{_NAME}), (?P<place>{_WHOSE} [^,;:.()]+)")
_BEFORE = re.compile(
    rf"(?P<place>\b(?i:{_WHOSE}) [^,;:.()]{{3,60}}?)(?: (?P<verb>is|was)|,)(?: the city of)? (?P<holder>{_NAME})(?=[,;.() ])"
)
_APPOSED = re.compile(
    r"^(?P<start>[^.;:]{2,160}? (?P<verb>is|was|are|were)) an? (?P<what>[^;:.]{3,200}?), (?P<place>the [^,;:.()]+)"
)
_HEAD_ENDS = re.compile(r" (?:of|in|on|at|from|near|by|for|to|with|that|which|located|situated)\b")
_THAN_ANY = re.compile(
    r"\b(?:(?P<verb>is|was|are|were|can|runs?|grows?|has|had) )(?:[a-z]+ ){0,2}?"
    r"(?:more (?P<long>[a-z]+)|(?P<short>[a-z]+)er)(?: [a-z]+)? than any other (?P<of>[^,;:.()—–]+)"
)
_ENDS = re.compile(r" (?:and|but|which|who|that|where|while|since|after|when|with|as|because|until|by)\b| at (?=\d)")
_NOT_NOW = re.compile(
    r"(?i)\b(?:former\w*|until|once|then|one of|among|at (?:the|that) time|not|never|claim\w*|considered|said to|so-called|"
    r"proposed|if|would|almost|nearly|after|excluding|except)\b"
)
_LITTLE = frozenset(
    "the a an of in on at to by for from ever far city official federal current national present day living extant its their "
    "internationally recognized recognised independent sovereign "
    "orbiting whole entire walk set foot step travel journey outer go get".split()
)
_EVERYWHERE = frozenset(map(stem, "world earth universe globe history all time known recorded periodic table".split()))
_COMMON = frozenset(
    "mount mountain lake river city town saint new north south east west island county king queen".split()
)
_CITY_TOO = re.compile(
    r"(?<=capital)(?: city)?(?:,| and)(?: its| the)?(?: [\w-]+){0,4}? (?:city|metropolis|town|municipality|cent(?:er|re))\b"
)
_ORDINAL_TOO = re.compile(r"\bthe \w+(?:st|nd|rd|th) and (?=\w+est\b)")  # "the eighth and farthest planet"
# "the largest and most populous city"
_ANOTHER_TOO = re.compile(r"\b(?P<one>\w+est|most [a-z]+) and (?:the )?(?P<other>most [a-z]+|\w+est|[a-z]+)(?= [a-z])")
_SUPERLATIVE = re.compile(r"most [a-z]+|\w+est")
_OF_ALL = re.compile(r"\bof the (?:two|three|four|five|six|seven|eight|nine|ten|twelve|\d+) (?=[\w ]*s\b)")
_UNITED_STATES = re.compile(r"\b(?:united states(?: of america)?|u\.s\.(?:a\.)?|usa)(?!\w)")
_OF_ELSEWHERE = re.compile(
    r"(?i)\b(?:(?:state|provincial|regional|county) capital\b|capital(?: city)? of (?P<where>[^,;:.()]+))"
)
# "The financial capital of India" is no capital.
_NO_CAPITAL = re.compile(
    r"(?i)\b(?:financial|commercial|business|economic|industrial|cultural|entertainment|fashion|film|music|media|culinary|spiritual|"
    r"sporting|tourist|unofficial|de facto|summer|winter) capital\b"
)
_IS_CAPITAL = re.compile(r"\bcapital(?: city)?(?= of\b| and\b|[,.;)]|$)")
_OF_PART = re.compile(
    r"\b(?:state|provincial|regional) capital\b|\bcapital(?: city)? of (?:the )?(?:[\w.]+ ){0,3}?(?:state|province|region|community|canton|county|territory|emirate|prefecture) of\b"
)
_OWN_CAPITAL = re.compile(
    r"\b(?:[Tt]he|[Ii]ts|[Tt]heir) capital(?: city)?(?:,? and (?:its )?[a-z]+ (?:city|town))? (?:is|was)\b"
)
_ALIKE = {
    stem(word): stem(meant)
    for words, meant in (
        ("human man men people being individual", "person"),
        ("state nation", "country"),
        ("biggest", "largest"),
        ("tallest", "highest"),
        ("terrestrial", "land"),
        ("quickest", "fastest"),
        ("nearest", "closest"),
        ("furthest", "farthest"),
    )
    for word in words.split()
}
_PAIRS = (
    "largest smallest|highest lowest|longest shortest|deepest shallowest|fastest slowest|heaviest lightest|oldest youngest|"
    "hottest coldest|warmest coldest|wettest driest|richest poorest|closest farthest|hardest softest|strongest weakest|most least"
)
_PAIRED = [tuple(map(stem, pair.split())) for pair in _PAIRS.split("|")]
_PLACED = re.compile(r"second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\d+(?:st|nd|rd|th)")
_OPPOSITES = {pair[::-1] for pair in _PAIRED} | set(_PAIRED)
# A sentence that ranks its subject, and what stands before the rank of something else ("home to the second-largest lake").
_RANKS = re.compile(r".{1,160}? (?:is|are|ranks?|making it)\b")
_OF_ANOTHER = re.compile(
    r"\b(?:to|of|with|for|by|in|near|from|on|at|after|has|have|had) (?:(?:the|its|an?|one of the|\w+['’]s) )?$"
)
LOOKED_AT = 12  # sentences of the subject's page
_MOST_PEOPLE = frozenset(map(stem, ("most", "populous")))
_CAPITAL = stem("capital")
_STATE_OF = re.compile(
    r"\bthe (?:\w+ )?(?:state|province|territory|canton|county|republic|kingdom|country) of (?=[A-Z])"
)
_PRONOUN = re.compile(r"(?i)(?:it|he|she|they)\b")


@dataclass(frozen=True)
class Place:
    """The place that a claim gives its subject. words: stems of its words. now: whether it is held today."""

    subject: str
    words: frozenset[str]
    now: bool


def place_of(claim: str) -> Place | None:
    """The place in the claim that only one can hold; None if the claim has another form."""
    text = " ".join(claim.split())
    match = _CLAIM_TURNED.match(text) or _CLAIM.match(text)
    return match and Place(
        re.sub(r"(?<=\w\w)\.$", "", match["subject"]), words_of(match["place"]), match["verb"].lower() in ("is", "are")
    )


def holder_of(place: Place, sentences: Iterable[Sentence], pages: Sequence[Page]) -> Told | None:
    """The sentence that says who holds the place: of a capital, first the town's own page, if it names another country. None if no
    sentence says so, if they differ, or if no page has the subject's name: then it might be another name of the holder.
    """
    names = _names_of(place.subject, pages)
    if not names or len(place.words) < 2:
        return None
    if told := _elsewhere(place, pages, part=False):
        return told
    held, others = list[Told](), list[Told]()
    for sentence in sentences:
        for holder in _holders(sentence, place):
            if _is_called(holder, names) or (holder and _is_page_of(holder, place.subject, sentence)):
                held.append(Told(sentence, True))
            elif not holder or _shares_a_word(holder, names) or fold(without_bracket(sentence.title)) in names:
                return None  # it may be the subject, or somebody else
            else:
                others.append(Told(sentence, False, _note(sentence, holder), (place.subject, holder)))
    if not held and not others:
        return _lower(place, pages) or _opposite(place, pages) or _elsewhere(place, pages, part=True)
    if held and (others or _capital_of_others(place, pages)):
        return None
    return next(iter(held or others), None)


def _lower(place: Place, pages: Sequence[Page]) -> Told | None:
    """The sentence of the subject's page that gives it a lower place in the same order, "the second-largest bird"; None if the
    page also gives it the first, by another measure.
    """
    page = _page_of(place.subject, pages)
    ranks = [(one, rank) for one in page.sentences()[:LOOKED_AT] for rank in _ranked(one, place)] if page else []
    lower = [(sentence, rank) for sentence, rank in ranks if rank.low > 1]
    if page is None or not lower or any(rank.low == 1 and rank.detail <= place.words for _, rank in ranks):
        return None
    sentence, rank = lower[0]
    if len({word for word in place.words if word.endswith("est") or word == stem("most")}) != 1:
        return None  # "the most populous and third largest"
    said = sentence.text[rank.start : rank.end]
    return Told(sentence, False, f"“{without_bracket(page.title)}” says: {said}.")


def _opposite(place: Place, pages: Sequence[Page]) -> Told | None:
    """The sentence of the subject's page that puts it at the other end of the order, perhaps among fewer: the largest hot desert is
    not the smallest desert. None if the page has the claim's end anywhere.
    """
    page = _page_of(place.subject, pages)
    if page is None:
        return None
    ends = [pair for pair in _OPPOSITES if pair[0] in place.words and pair[0] not in words_of(page.text)]
    for sentence in page.sentences()[:LOOKED_AT]:
        for holder, words, now in places_given(sentence):
            other = any(end in words and place.words - {order} <= words for order, end in ends)
            if (
                other
                and not any(map(_PLACED.fullmatch, words))
                and now in (None, place.now)
                and fold(holder) == fold(without_bracket(page.title))
            ):
                return Told(sentence, False, f"“{without_bracket(page.title)}” is at the other end of this order.")
    return None


def _page_of(subject: str, pages: Sequence[Page]) -> Page | None:
    """The first page with the subject's name, in the singular or plural."""
    return next(iter(called_in_any_number(subject, pages)), None)


def _elsewhere(place: Place, pages: Sequence[Page], part: bool) -> Told | None:
    """The sentence of a town's page that makes it the capital of another country today (`part`: of a part of one), where the claim
    names a country.
    """
    told = _capital_of_others(place, pages)
    nations = set(map(words_of, NATIONS)) if told else set()
    if place.words - {_CAPITAL} not in nations:
        return None
    if part:
        found = _OF_PART.search(told[0].text) is not None
    else:
        found = place.now and any(
            words_of(one["where"] or "") in nations for one in _OF_ELSEWHERE.finditer(_CITY_TOO.sub("", told[0].text))
        )
    return (
        Told(told[0], False, f"“{without_bracket(told[0].title)}” is the capital of something else.") if found else None
    )


def _capital_of_others(place: Place, pages: Sequence[Page]) -> list[Sentence]:
    """What the page of the claim's town says on capitals, if none of it is of the claim's country; empty for other places."""
    page = next(iter(pages_called(place.subject, pages)), None) if _CAPITAL in place.words else None
    told = [one for one in page.sentences() if _IS_CAPITAL.search(_NO_CAPITAL.sub("", one.text))] if page else []
    elsewhere = [one for one in told if is_of_elsewhere(place, one.text, one.title)]
    silent = all(one in elsewhere or words_of(one.text).isdisjoint(place.words - {_CAPITAL}) for one in told)
    return elsewhere if silent else []


def _ranked(sentence: Sentence, place: Place) -> Iterator[Statement]:
    """The ranks that the sentence gives its page's subject in the place's order."""
    text, title = sentence.text, fold(sentence.title).split()
    if not _RANKS.match(text) or not (_PRONOUN.match(text) or fold(text).removeprefix("the ").startswith(title[0])):
        return
    for one in statements(text):
        around = words_of(f"{text[: one.start]} {text[one.end :]}".replace("U.S.", "US"))
        order = frozenset(_ALIKE.get(word, word) for word in one.of.split())
        if order == _MOST_PEOPLE and re.match(r" city\b", text[one.end :]):
            order = frozenset({stem("largest")})
        ranked = one.kind is Kind.RANK and not _OF_ANOTHER.search(text[: one.start])
        if ranked and order <= place.words <= order | around:
            yield one


def _is_page_of(holder: str, subject: str, sentence: Sentence) -> bool:
    """Whether the holder is the page itself, and the subject another name of it: Mumbai and Bombay."""
    own = fold(holder) == fold(without_bracket(sentence.title))
    return own and fold(subject) in map(fold, sentence.all_names)


def _note(sentence: Sentence, holder: str) -> str:
    return f"Only one can hold this place: “{without_bracket(sentence.title)}” names {holder}."


def is_of_elsewhere(place: Place, text: str, title: str) -> bool:
    """Whether the place is a capital and the sentence about the capital of something else: "Munich is the capital of Bavaria".

    title: of the sentence's page, whose capital "the capital" is.
    """
    if _CAPITAL not in place.words:
        return False
    told = [one["where"] for one in _OF_ELSEWHERE.finditer(_CITY_TOO.sub("", _NO_CAPITAL.sub("", text)))] or [
        title for _ in _OWN_CAPITAL.finditer(text)
    ]
    return bool(told) and not any(
        place.words - {_CAPITAL} <= words_of((where or "").split(" in ")[0]) for where in told
    )


def is_of_another_order(place: Place, text: str) -> bool:
    """Whether the sentence ranks the subject in another order: "the seventh-largest lake" says nothing of the deepest."""
    ranks = {_ALIKE.get(one.of, one.of) for one in statements(text) if one.kind is Kind.RANK and one.low > 1}
    asked = {word for word in place.words if word.endswith("est")}
    return bool(ranks and asked) and asked.isdisjoint({*ranks, *map(stem, fold(text).split())})


def _names_of(subject: str, pages: Sequence[Page]) -> frozenset[str]:
    """What the subject is called: its own words, and the other names of the first page of this name. Empty without one."""
    folded, plain = fold(subject), [page for page in pages if not page.disambiguation]
    for page in (*pages_called(subject, plain), *plain):
        names = {fold(without_bracket(page.title)), *map(fold, page.all_names)}
        if page in pages_called(subject, [page]) or stem(folded) in map(stem, names) or folded in map(_initials, names):
            return frozenset({folded, *names})
    return frozenset()


def _initials(name: str) -> str:
    """ "L.A." as people write it; empty for other names."""
    letters = name.split()
    return "".join(letters) if all(len(letter) == 1 for letter in letters) else ""


def _holders(sentence: Sentence, place: Place) -> Iterator[str]:
    """Who holds the place according to the sentence; empty if it does not say."""
    for holder, words, now in places_given(sentence):
        if words == place.words and now in (None, place.now):
            yield holder


def places_given(sentence: Sentence) -> Iterator[tuple[str, frozenset[str], bool | None]]:
    """(holder, words, now) of each place that the sentence gives someone. holder: empty where it does not say whom; words: the
    stems of the place's; now: whether it is held today, None where no verb says so.
    """
    text, title = _STATE_OF.sub("", sentence.text.replace("U.S.", "US")), without_bracket(sentence.title)
    if _NOT_NOW.search(text):
        return
    for match in (*_IS.finditer(text), *_IS_AND.finditer(text)):
        holder = _subject_before(text[: match.start()], title)
        yield from ((holder, words, match["verb"] in ("is", "are")) for words in _place_words(match["place"], title))
    apposed = _APPOSED.match(text)
    apposed = None if apposed and _is_beside_a_name(apposed["what"], apposed["place"]) else apposed
    if apposed:
        holder = _subject_before(apposed["start"].rpartition(" ")[0], title)
        for part in re.split(r" and (?=the )", apposed["place"]):
            yield from ((holder, words, apposed["verb"] in ("is", "are")) for words in _place_words(part, title))
    for match in _THAN_ANY.finditer(text):
        most = f"most {match['long']}" if match["long"] else f"{match['short']}est"
        holder, now = _subject_before(text[: match.start()], title), match["verb"] not in ("was", "were", "had")
        yield from ((holder, words, now) for words in _place_words(f"the {most} {match['of']}", title))
    beside = (one for one in _BESIDE.finditer(text) if apposed is None or one.start("place") != apposed.start("place"))
    for match in (*beside, *_BEFORE.finditer(text)):
        verb = match.groupdict().get("verb")
        today = None if verb is None else verb == "is"
        yield from ((match["holder"], words, today) for words in _place_words(match["place"], title))


def _is_beside_a_name(what: str, place: str) -> bool:
    """Whether a place behind "an airport near Lisbon" is Lisbon's; behind "a town in Norway", "the capital of a county" is the town's."""
    head = _HEAD_ENDS.split(what)[0]
    same = words_of(head) & words_of(place) or ("capital" in place and re.search(r"\b(?:city|town)\b", head))
    return what.rpartition(" ")[2][:1].isupper() and not same


def _subject_before(before: str, title: str) -> str:
    """Whom the sentence is about: the name that it begins with, or the page's title if it begins with that or a pronoun, or has
    it right before the verb; else empty.
    """
    tail = before.rpartition(", ")[2].strip()
    if fold(tail) == fold(title) or _PRONOUN.fullmatch(tail):
        return title
    start = re.split(r"[(,;]", before)[0].strip()
    if not before[len(start) :].strip() or before[len(start) :].lstrip()[0] == "(" or before.rstrip().endswith(","):
        if _PRONOUN.match(start) or {stem(word) for word in fold(title).split()} <= {*map(stem, fold(start).split())}:
            return title
        return start if re.fullmatch(_NAME, start) else ""
    return ""


def _place_words(text: str, title: str) -> Iterator[frozenset[str]]:
    """The stems of the words that name a place, or each of two: "the smallest and innermost planet". title: of the page, which "its"
    refers to."""
    plain = _ORDINAL_TOO.sub("the ", text)
    two = _ANOTHER_TOO.search(plain)
    for one in ("one", "other") if two and _SUPERLATIVE.fullmatch(two["other"]) else ("one",):
        words = words_of(_ENDS.split(_CITY_TOO.sub("", _ANOTHER_TOO.sub(rf"\g<{one}>", plain)))[0])
        if re.match(r"(?i)(?:the )?(?:its|their|country)", text):
            words = (words - {stem("country")}) | words_of(title)
        yield words


def words_of(text: str) -> frozenset[str]:
    """The stems of the words that limit a place: those that mean the same are one, those that limit nothing are left out."""
    text = _OF_ALL.sub("of the ", _UNITED_STATES.sub("us", text.lower()))
    plain = re.findall(r"[^\W_]+", re.sub(r"['’]s\b|\bsolar system\b", "", text))
    stems = (stem(word) for word in plain if word not in _LITTLE)
    words = frozenset(_ALIKE.get(one, one) for one in stems) - _EVERYWHERE
    if words >= _MOST_PEOPLE and "city" in plain:  # the largest is the one with most people
        return words - _MOST_PEOPLE | {stem("largest")}
    return words


def _is_called(holder: str, names: Iterable[str]) -> bool:
    """Whether the holder is the subject: all words of one name are in another."""
    words = _stems(holder)
    return any(words and other and (words <= other or other <= words) for other in map(_stems, names))


def _shares_a_word(holder: str, names: Iterable[str]) -> bool:
    """Whether the holder may be the subject under another name: one word of both is the same."""
    words = _stems(holder) - _COMMON - _LITTLE
    return any(words & _stems(name) for name in names)


def _stems(name: str) -> frozenset[str]:
    return frozenset(map(stem, fold(name).split()))
