"""Who holds which place according to a sentence: "Lake Baikal is the oldest and deepest lake"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from retrieval.text.names.nations import names_a_state, nation_of
from retrieval.text.titles import fold, without_bracket
from retrieval.text.words import stem, stems
from retrieval.types import Sentence
from retrieval.verdicts.rules.only_one.place import words_of

_NAME = r"(?!More\b)[A-Z][\w'’.-]*(?: (?:of|de|the|da|von|van|[A-Z][\w'’.-]*))*"
_WHOSE = r"(?:the|its|their|[A-Z]\w*(?: [A-Z]\w*)*['’]s|country['’]s|world['’]s)"
_IS = re.compile(
    rf"\b(?P<verb>is|was|are|were) (?:[a-z-]+ ){{0,2}}?(?:an? [^,;:.()]{{3,60}}? and )?(?P<place>{_WHOSE} [^,;:.()]+)"
)
# "is the fifth planet from the Sun and the largest planet"
_IS_AND = re.compile(
    rf"\b(?P<verb>is|was|are|were) (?:the [^,;:.()]{{3,60}}, (?:but |and )?){{0,3}}the [^,;:.()]{{3,60}}? and (?P<place>{_WHOSE} [^,;:.()]+)"
)
_BESIDE = re.compile(rf"(?P<holder>{_NAME}), (?:being )?(?P<place>{_WHOSE} [^,;:.()]+)")
_BEFORE = re.compile(  # but not "is the capital of Jiangxi, China"
    rf"(?<!is )(?<!was )(?P<place>\b(?i:{_WHOSE}) [^,;:.()]{{3,60}}?)(?: (?P<verb>is|was)|,)(?: the city of)? (?P<holder>{_NAME})(?=[,;.() ])"
)
_IN_CAPITAL = re.compile(rf"\b(?:in|at|from|to|near) the capital city of (?P<holder>{_NAME})")
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
# "the capital, the center of the Greater Caracas Area, and the largest city of Venezuela"
CITY_TOO = re.compile(
    r"(?<=capital)(?: city)?(?:,? and|,) (?:(?:its |the )?(?:[\w-]+ ){0,4}?(?:city|metropolis|town|municipality|cent(?:er|re)"
    r"(?: of [^,;:.()]+(?=, and the (?:\w+ )?city ))?)\b(?:, and (?=(?:its|the) (?:\w+ )?city ))?)+"
)
_ORDINAL_TOO = re.compile(r"\bthe \w+(?:st|nd|rd|th) and (?=\w+est\b)")  # "the eighth and farthest planet"
# "the largest and most populous city"
_ANOTHER_TOO = re.compile(r"\b(?P<one>\w+est|most [a-z]+) and (?:the )?(?P<other>most [a-z]+|\w+est|[a-z]+)(?= [a-z])")
_SUPERLATIVE = re.compile(r"most [a-z]+|\w+est")
_STATE_OF = re.compile(
    r"\bthe (?:\w+ )?(?:[Ss]tate|[Cc]ommonwealth|province|territory|canton|county|republic|kingdom|country|island) of (?=[A-Z])"
)
LAND = "republic|country|state|commonwealth|nation|province|region|territory|county|island"
# "the capital of the republic" on the page of a republic
_OF_OWN = re.compile(rf"^(?i:the) capital(?: city)? of the (?:{LAND})\b(?! of)")
_OF_LAND = re.compile(r"(?i)the (?:(?P<state>state)|country|nation|republic|island)['’]s ")
_BARE = re.compile(r"['’]s (?:\w+est|most [a-z]+)$")  # "Farragut State Park, Idaho's largest"
LANDS = frozenset(map(stem, LAND.split("|")))
PRONOUN = re.compile(r"(?i)(?:it|he|she|they)\b")


def places_given(sentence: Sentence) -> Iterator[tuple[str, frozenset[str], bool | None]]:
    """(holder, words, now) of each place that the sentence gives someone. holder: empty where it does not say whom; words: the
    stems of the place's; now: whether it is held today, None where no verb says so.
    """
    text, title = _STATE_OF.sub("", sentence.text.replace("U.S.", "US")), without_bracket(sentence.title)
    clauses = text.split("; ")
    text = "; ".join(one for one in clauses if not _NOT_NOW.search(one)) or text
    beside = list(_BESIDE.finditer(text))
    if _NOT_NOW.search(text):
        for match in beside:  # what else the sentence tells does not limit "Edinburgh, the country's capital,"
            if "capital" in match["place"] and not _NOT_NOW.search(match.group()):
                yield from ((match["holder"], words, None) for words in _place_words(match["place"], title))
        return
    plain = CITY_TOO.sub("", text)
    for match in (*_IS.finditer(text), *_IS_AND.finditer(text), *(_IS.finditer(plain) if plain != text else ())):
        holder = _subject_before(match.string[: match.start()], title)
        yield from ((holder, words, match["verb"] in ("is", "are")) for words in _place_words(match["place"], title))
    apposed = _APPOSED.match(text)
    apposed = None if apposed and _is_beside_a_name(apposed["what"], apposed["place"]) else apposed
    if apposed:
        holder = _subject_before(apposed["start"].rpartition(" ")[0], title)
        for part in re.split(r" and (?=the )", apposed["place"]):
            yield from ((holder, words, apposed["verb"] in ("is", "are")) for words in _place_words(part, title))
    if nation_of(title):  # on the page of China, "in the capital city of Beijing"
        for match in _IN_CAPITAL.finditer(text):
            yield from ((match["holder"], words, None) for words in _place_words("its capital", title))
    for match in _THAN_ANY.finditer(text):
        most = f"most {match['long']}" if match["long"] else f"{match['short']}est"
        holder, now = _subject_before(text[: match.start()], title), match["verb"] not in ("was", "were", "had")
        yield from ((holder, words, now) for words in _place_words(f"the {most} {match['of']}", title))
    apart = (one for one in beside if apposed is None or one.start("place") != apposed.start("place"))
    # "Manchester, New Hampshire, the largest city in New Hampshire"
    apart = (one for one in apart if not stems(one["holder"]) <= stems(one["place"]))
    for match in (*apart, *_BEFORE.finditer(text)):
        verb = match.groupdict().get("verb")
        today = None if verb is None else verb == "is"
        yield from ((match["holder"], words, today) for words in _place_words(match["place"], title))


def _is_beside_a_name(what: str, place: str) -> bool:
    """Whether a place behind "an airport near Lisbon" is Lisbon's; behind "a town in Norway", "the capital of a county" is the town's."""
    head = _HEAD_ENDS.split(what)[0]
    same = words_of(head) & words_of(place) or ("capital" in place and re.search(r"\b(?:city|town)\b", head))
    return what.rpartition(" ")[2][:1].isupper() and not same


def _subject_before(before: str, title: str) -> str:
    """Whom the sentence is about: the name at its beginning, or, for its title or a pronoun, the title; else empty."""
    tail = re.split(r"[,;] ", before)[-1].strip()
    if fold(tail) == fold(title) or PRONOUN.fullmatch(tail):
        return title
    start = re.split(r"[(,;]", before)[0].strip()
    if not before[len(start) :].strip() or before[len(start) :].lstrip()[0] == "(" or before.rstrip().endswith(","):
        if PRONOUN.match(start) or stems(title) <= stems(start):
            return title
        return start if re.fullmatch(_NAME, start) else ""
    return ""


def _place_words(text: str, title: str) -> Iterator[frozenset[str]]:
    """The stems of the words of a place, or of two, "the smallest and innermost planet". title: what "its" refers to."""
    plain = _ORDINAL_TOO.sub("the ", text)
    two = _ANOTHER_TOO.search(plain)
    for one in ("one", "other") if two and _SUPERLATIVE.fullmatch(two["other"]) else ("one",):
        asked = _ENDS.split(CITY_TOO.sub("", _ANOTHER_TOO.sub(rf"\g<{one}>", plain)))[0]
        if _BARE.search(asked):
            continue
        words = words_of(asked)
        if re.match(r"(?i)(?:the )?(?:its|their|country)", text) or _OF_OWN.search(text) or _is_of_land(text, title):
            words = (words - LANDS) | words_of(title)
        yield words


def _is_of_land(text: str, title: str) -> bool:
    """Whether "the state's largest city" is that of the page's state, and "the nation's" that of its country."""
    found = _OF_LAND.match(text)
    return found is not None and (names_a_state(title) if found["state"] else bool(nation_of(title)))
