"""The two statements of a claim that says two things: "Oslo is a town and lies on a fjord"."""

from __future__ import annotations

import re

from retrieval.text.quantities.comparing import DENIAL
from retrieval.text.quantities.numbers import NUMBER_WORDS, UNITS, whole_number

LONGEST_OF_TWO = 300  # characters; a longer claim says more than two things
# A verb that is no noun, and one that may be: "cats and walks".
_BE = "is|was|are|were"
_FINITE = (
    rf"(?:{_BE}|has|had|have|can|could|lies|flows|rises|contains|belongs|comes|came|takes|took|won|wrote|became|began|died|sang|sank|lived|made|led|beat|shot|"
    r"left|lost|grew|fought|went|held|starred|directed|married|founded|invented)"
)
VERB = rf"(?:{_FINITE}|lay|borders|lives|plays|stars|stands|uses|runs|ran|met|built|[a-z]{{3,}}ed)"
_BEHIND = (
    r"(?:an?|the|in|on|at|by|to|from|for|of|as|with|until|after|before|over|about|more|less|most|only|all|both|two|three|four|five|six|seven|eight|nine|ten|"
    r"\d[\d,.]*|his|her|its|their|[A-Z][\w.'’-]*)"
)
_SECOND = rf"(?:{_FINITE} [^;:?!]+|{VERB} {_BEHIND}\b[^;:?!]*)"
_AND = r",? (?:and|but) (?:also |then |later )?"
_NAME = r"(?!(?i:there) )[^,;:?!]{2,60}?"
_TWO_VERBS = re.compile(
    rf"^(?P<subject>{_NAME}) (?P<one>{VERB} [^;:?!]{{2,100}}?){_AND}(?:(?i:he|she|it|they) )?(?P<other>{_SECOND})$"
)
# "The Severn is the longest river in the UK but the Shannon is longer"
_TWO_SUBJECTS = re.compile(
    rf"^(?P<one>{_NAME} {VERB} [^,;:?!]{{2,100}}?){_AND}(?P<other>(?:(?!(?i:who|which|that|he|she|it|they) )[\w'’.-]+ ){{1,4}}?{_FINITE} [^;:?!]+)$"
)
_WHO = re.compile(
    rf"^(?P<subject>{_NAME}), (?:who|which) (?P<one>{VERB} [^,;:?!]{{2,100}}), (?P<other>{VERB} [^;:?!]{{2,100}})$"
)
# What "and" may go on with: "a mixture of cement and a filler", "a village with two pubs and a church".
_INSIDE_A_KIND = (
    r"(?:\w+(?:ing|ed)|(?:in|of|to|for|on|at) (?:an?|the)|\b(?:with|about|between)|\b(?:by|from) (?![A-Z])[^ ]+|"
    r"\b(?:mixture|mix|blend|combination|cross|hybrid|pair) of)"
)
# "was the 31st president and a mining engineer", not "the largest in Africa and the world"
_TWO_KINDS = re.compile(
    rf"^(?P<subject>{_NAME} (?:{_BE})) (?P<one>(?:an?|the) (?:(?!{_INSIDE_A_KIND} )[^,;:?!]){{2,60}}?)"
    r",? (?:and|but) (?:also )?(?P<other>(?:an? |the \w+ (?![A-Z]))[^,;:?!]{2,80})$"
)
_TWO_PLACES = re.compile(
    rf"^(?P<subject>{_NAME} {VERB}(?: \w+)?) (?P<one>(?P<how>in|on|at|from|by|to|with) [^,;:?!]{{2,60}}?) and (?:also )?(?P<other>(?P=how) [^,;:?!]{{2,60}})$"
)
# What happens once. Games are held in many places, and in many years.
_PLACE_AND_TIME = re.compile(
    rf"^(?P<subject>{_NAME} (?:(?:was|were|is) (?:born|killed|assassinated|murdered|executed|founded|established|formed|invented)|died|passed away))"
    r" (?P<one>(?:in|at) [^,;:?!\d]{2,60}?),? (?P<other>(?:in|on) [\w ,]{0,20}?\d{3,4})$"
)
_BOTH_OF = re.compile(
    rf"^(?P<subject>{_NAME} {VERB}(?: [a-z]+)*?) both (?P<one>[^,;:?!]{{2,60}}?) and (?P<other>[^,;:?!]{{2,60}})$"
)
_SOMEONE = r"(?:[\w.'’-]+ ){0,3}[\w.'’-]+"
_TWO_MAKERS = re.compile(
    rf"^(?P<subject>{_NAME} (?:{_BE}) (?:[\w-]+ ){{0,6}}?by) (?P<one>{_SOMEONE}) and (?P<other>{_SOMEONE})$"
)
# "in 1923, two years before he joined the SS"
_COUNT = rf"(?:{'|'.join(UNITS)}|\d{{1,3}})"
_APART = re.compile(
    rf"^(?P<subject>{_NAME}) (?P<one>{VERB} [^,;:?!]{{2,80}}),? (?P<count>{_COUNT}) years? (?P<way>before|after) (?:he|she|it|they) (?P<other>{VERB} [^,;:?!]{{2,80}})$"
)
_LATER = re.compile(rf" (?P<count>{_COUNT}) years? (?P<way>later|afterwards|earlier|after that|before that)$")
_FORWARD = ("later", "afterwards", "after that", "before")  # the first was before the second
_YEAR_AT_END = re.compile(r" in (?P<year>[12]\d{3})$")
# What refers to the first half: "and has been since 1990", "and won two of them", "and was victorious", "third album recorded and released".
_HANGS = re.compile(
    r"^(?:(?:has|have|had) been (?:for|since|ever)\b|(?:was|were|has been|have been) [a-z]+$)|\b(?:of them|of these|there|that year|of which|so)$"
)
_PARTICIPLES = re.compile(r"[a-z]+ed \| [a-z]+ed\b")
_CLAUSE = re.compile(r"\b(?:that|which|who|whose|whom|where|when|while|if|because|between|since)\b")
_ORDER = re.compile(r"\b(?:only|first|last|\w{2,}est)\b")  # "the only one with both": many have one
_NO_KIND = re.compile(r"the (?:\w+est|most \w+|first|last|only)")  # "the largest and the oldest town"
# Not the same two need be meant twice: "two presidents were born in Ohio and died in Texas".
_OF_SOME = re.compile(
    rf"(?i:(?:about|over|at (?:least|most)|exactly|almost|nearly|only|(?:more|fewer|less) than) )*"
    rf"(?:(?i:no|few|fewer|many|most|some|several|half|one|{'|'.join(sorted(NUMBER_WORDS))})|\d{{1,3}}) [a-z]"
)
_PASSIVE = re.compile(rf"^(?P<be>{_BE}) (?:\w+ly )?\w+(?:ed|en|de|un|lt|wn|ng|on|rn|ot|et|ld|ht)\b")
_BARE = re.compile(r"\S+ \S+")  # "was born and raised in", "wrote and sang": what follows is of both
_PARTICIPLE = re.compile(
    r"^(?:[a-z]+ed|written|made|built|sung|won|drawn|shot|led|fought) by\b|^(?:married|related) to\b|^(?:fought|held|set|based|raised|located|situated) (?:in|on|at)\b"
)
# The first that matches, and whose halves stand alone, counts.
_TWO_STATEMENTS = (
    *(_BOTH_OF, _WHO, _APART, _TWO_VERBS, _TWO_SUBJECTS),
    *(_TWO_KINDS, _TWO_PLACES, _PLACE_AND_TIME, _TWO_MAKERS),
)


def halves_of(claim: str) -> tuple[str, ...]:
    """The two statements of a sentence with two verbs, subjects, kinds, places or makers, or a place and a time; empty if it has
    one, or denies something."""
    text = claim.rstrip(".!")
    if len(text) > LONGEST_OF_TWO or DENIAL.search(text):
        return ()
    for pattern in _TWO_STATEMENTS:
        match = pattern.match(text)
        if match is None or (pattern is not _WHO and _CLAUSE.search(match["one"])):
            continue
        one, other, subject = match["one"], match["other"], match.groupdict().get("subject")
        if subject and (_CLAUSE.search(subject) or (pattern is _BOTH_OF and _ORDER.search(subject))):
            continue
        if (subject and _OF_SOME.match(subject)) or (pattern is _TWO_KINDS and _NO_KIND.fullmatch(one)):
            continue
        passive = _PASSIVE.match(one)
        shared = (passive and _BARE.fullmatch(one)) or _PARTICIPLES.search(f"{one} | {other}")
        if shared or _HANGS.search(other):
            continue
        if pattern is _TWO_MAKERS:
            family = " " not in one and " " in other  # "Joel and Ethan Coen"
            if family or (not (one[0].isupper() and other[0].isupper()) and text != text.lower()):
                continue
        if passive and _PARTICIPLE.match(other):
            other = f"{passive['be']} {other}"
        year, later = _YEAR_AT_END.search(one), match if pattern is _APART else _LATER.search(other)
        if year and later:
            other = f"{other.removesuffix(later[0])} in {_shifted(int(year['year']), later)}"
        elif later:
            continue
        other += claim[len(text) :]
        return (f"{subject} {one}", f"{subject} {other}") if subject else (one, other)
    return ()


def _shifted(year: int, later: re.Match[str]) -> int:
    """The year of the second event, so many years after or before the first."""
    years = whole_number(later["count"]) or 0
    return year + (years if later["way"] in _FORWARD else -years)
