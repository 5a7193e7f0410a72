"""Claims about the past of a place or thing: what it was called, what it belonged to, what it was taken for.

A network takes "formerly named Zaire" for a contradiction of what is so today. Here, it supports the claim. A page leaves most of
the past out, so only the old name of another country refutes, if the page gives another.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from retrieval.text.names.nations import ANY_NATION, nation_of, nations_in
from retrieval.text.titles import fold, holds_name, without_bracket
from retrieval.text.words import content_words, stem
from retrieval.types import Page
from retrieval.verdicts.rules.ruling import ClaimForms, Ruling, matches, pages_called, pages_in_any_number

SENTENCES_ON_NAMES, SENTENCES_ON_WHOLES, SENTENCES_ON_KINDS = 12, 25, 15  # of a page

# What it was called: "Zaire is now the Democratic Republic of the Congo", "Istanbul used to be called Constantinople".
_NEW, _OLD = r"(?:the )?(?P<new>[^,;:?!]{2,60}?)", r"(?:the )?(?P<old>[^,;:?!]{2,60}?)"
_CALLED = r"(?:called|known as|named)"
_RENAMED = ClaimForms(
    rf"{_NEW} (?:used to be|was (?:formerly|previously|once|originally|earlier|first)|was) {_CALLED} {_OLD}(?: before| earlier| in the past| once)?",
    rf"{_NEW} used to be {_OLD}",
    rf"{_OLD} is (?:now|today) (?:{_CALLED} )?{_NEW}",
    rf"{_OLD} (?:was renamed|was renamed to|changed its name to|became known as|became) {_NEW}",
    rf"(?:the )?(?:old|former|previous|original) name of {_NEW} (?:is|was) {_OLD}",
    rf"{_OLD} (?:is|was) the (?:old|former|previous|original) name (?:of|for) {_NEW}",
    rf"{_NEW} is the (?:new|current|present|modern) name (?:of|for) {_OLD}",
)
_ONCE_CALLED = re.compile(
    r"\b(?:formerly|previously|originally|historically|until (?:[\w ]{1,20})?\d{4},?|once|earlier)(?: also)?(?:,)?(?: (?:called|known as|named|the))*(?P<names>[^;()]{2,80})"
    r"|\b(?:was|were|been) (?:first |then |earlier )?(?:called|known as|named)(?P<names2>[^;()]{2,80})"
    r"|\b(?:renamed|changed its name|name was changed) (?:[a-z]+ ){0,2}?from(?P<names3>[^;()]{2,80})"
)
_VERB = re.compile(r",? (?:is|are|was|were|has|had)\b")  # what follows is no name
_OLD_NAME = re.compile(
    r"\b(?:formerly|previously|until (?:[\w ]{1,20})?\d{4},?) (?:(?:called|known as|named|as|the) )*(?P<name>[A-Z]\w+)"
)
_NOW_CALLED = re.compile(
    r"\b(?:now|today|presently|currently|later|subsequently|since) (?:(?:called|known as|named|renamed(?: to| as)?|the) )*(?P<names>[^;()]{2,80})"
    r"|\b(?:renamed|changed its name)(?: to| as)?(?P<names2>[^;()]{2,80})"
)

# What it belonged to: "Slovenia was part of Yugoslavia", "India was a British colony".
_PART = r"(?:part|republic|province|colony|territory|possession|dominion|protectorate|state|member|region|overseas territory|dependency)"
_ONCE_PART = r"(?:once |formerly |previously |originally |at one time |for a time |long )?"
_PLACE, _WHOLE = r"(?:the )?(?P<place>[^,;:?!]{2,40}?)", r"(?:the )?(?P<whole>[^,;:?!]{2,40}?)"
_PARTED = ClaimForms(
    rf"{_PLACE} (?:was|used to be|had been) {_ONCE_PART}(?:an? |one of the )?{_PART}s? of {_WHOLE}",
    rf"{_PLACE} (?:once |formerly |previously )?(?:belonged|used to belong) to {_WHOLE}",
    rf"{_PLACE} (?:was|used to be) {_ONCE_PART}(?:an? )?(?P<nation>{ANY_NATION}) (?:colony|territory|possession|province|protectorate|dominion)",
    rf"{_PLACE} (?:gained|won|declared|got) (?:its )?independence from {_WHOLE}",
)
_LEFT = (
    r"(?:(?:split|separated?|seced\w+|broke away|breaking away|withdrew|independen(?:ce|t)|freed|liberated|detached|partition\w*|independence was \w+) (?:from|of)"
    r"|(?:part|republics?|provinces?|colony|colonies|territory|territories|possessions?|dominion|protectorate|members?) of|province in|under|ruled by|governed by|colon[iy]\w+ by|administered by|"
    r"annexed (?:by|to|into)|incorporated into|belong\w* to|ceded (?:to|by))"
)
_NOT_PART = re.compile(r"\b(?:never|not|resisted|except|map|attempt\w*|tried|failed)\b")

# What it was taken for: "Pluto was once considered a planet".
_ONCE = r"(?:once|formerly|originally|previously|initially|long|first|at first|at one time)"
_TAKEN = r"(?:considered|regarded|thought|classified|counted|listed|recogni[sz]ed|classed|treated)"
_TAKEN_FOR = ClaimForms(
    rf"(?:the )?(?P<subject>[^,;:?!]{{2,50}}?) (?:was|were|used to be) (?:{_ONCE} )?{_TAKEN}(?: as| to be| among)?(?: an?| the)? (?P<kind>[^,;:?!]{{3,40}}?)"
)
# "originally considered the ninth planet", "was classified as a planet until 2006"
_WAS_TAKEN_FOR = re.compile(
    rf"\b{_ONCE}(?:[^.;]{{1,30}})?? {_TAKEN}(?P<kind>[^.;]{{3,80}})|\b(?:was|were) {_TAKEN}(?P<kind2>[^.;]{{3,80}}?) until\b"
)

# What it was until something else was more: "The Empire State Building is the tallest building in New York".
_IS_MOST = ClaimForms(
    r"(?:the )?(?P<subject>[^,;:?!]{2,50}?) is (?:the|(?P<whose>[\w ]{2,20})['’]s) (?P<order>\w+est(?:-[a-z]+)?|most \w+) (?P<kind>[\w -]{3,40}?)"
    r"(?: (?:in|of|on) (?P<where>[^,;:?!]{2,40}))?"
)
_AGAIN = re.compile(
    r"\b(?:(?:re(?:gain|claim|captur)\w*|retook|won back) (?:the|its|this|that) (?:title|record|rank|status|position|place)|again (?:\w+ ){0,3}?(?:the \w+est|most)|has(?: \w+)? been since)\b"
)


def renamed(claim: str, pages: Sequence[Page]) -> Ruling | None:
    """The sentence that gives the claim's old name as one that the new one had before; None if no page says so."""
    match = _RENAMED.match(claim)
    if match is None:
        return None
    new, old = match["new"], match["old"]
    return (
        _gives_name(new, old, _ONCE_CALLED, pages)
        or _gives_name(old, new, _NOW_CALLED, pages)
        or _had_another_name(new, old, pages)
    )


def _gives_name(subject: str, other: str, behind: re.Pattern[str], pages: Sequence[Page]) -> Ruling | None:
    """The sentence of the subject's page that gives the other name behind the words."""
    names = {fold(other), *(fold(without_bracket(page.title)) for page in pages_called(other, pages))}
    for sentence, found in matches(pages_called(subject, pages), behind, SENTENCES_ON_NAMES):
        text = fold(_VERB.split(next(filter(None, found.groups()), ""))[0])
        if any(holds_name(text, name) for name in names):
            return Ruling(sentence, True)
    return None


def _had_another_name(new: str, old: str, pages: Sequence[Page]) -> Ruling | None:
    """The sentence of a country's page that gives an old name, if the claim's is that of another country, which the page does not name."""
    country, other = nation_of(new), nation_of(old)
    for page in pages_called(new, pages)[:1] if country and other and country != other else ():
        if other in nations_in(page.text) or holds_name(fold(page.text), fold(old)):
            return None
        for sentence, found in matches([page], _OLD_NAME, SENTENCES_ON_NAMES):
            return Ruling.quoting(sentence, found.group(), (old, found["name"]))
    return None


def parted(claim: str, pages: Sequence[Page]) -> Ruling | None:
    """The sentence of the place's page by which it was part of the other; None if there is none."""
    match = _PARTED.match(claim)
    if match is None:
        return None
    groups = match.groupdict()
    whole = groups.get("nation") or groups.get("whole") or ""
    names = {whole, nation_of(whole), *(without_bracket(page.title) for page in pages_called(whole, pages))} - {""}
    called = "|".join(map(re.escape, names))
    left = re.compile(rf"\b{_LEFT} (?:the )?(?:[\w'’-]+ ){{0,4}}?(?:{called})\b", re.IGNORECASE)
    found = matches(pages_called(match["place"], pages), left, SENTENCES_ON_WHOLES)
    return next((Ruling(sentence, True) for sentence, _ in found if not _NOT_PART.search(sentence.text)), None)


def once(claim: str, pages: Sequence[Page]) -> Ruling | None:
    """The sentence of the subject's page that says that it was once taken for what the claim says; None if there is none."""
    match = _TAKEN_FOR.match(claim)
    kind = fold(match["kind"]).split() if match else []
    if match is None or not kind:
        return None
    page = pages_in_any_number(match["subject"], pages)[:1]
    for sentence, found in matches(page, _WAS_TAKEN_FOR, SENTENCES_ON_KINDS, own=True):
        if stem(kind[-1]) in map(stem, fold(found["kind"] or found["kind2"]).split()):
            return Ruling(sentence, True)
    return None


def surpassed(claim: str, pages: Sequence[Page]) -> Ruling | None:
    """The sentence of the subject's page that says that it was the largest of its kind there until something else was; None without."""
    match = _IS_MOST.match(claim)
    if match is None:
        return None
    asked = content_words(" ".join(filter(None, (match["whose"], match["kind"], match["where"]))))
    order = re.escape(match["order"].lower())
    most = rf"(?P<rest>(?:the|[\w ]{{2,40}}['’]s) {order}\b[^.;]{{0,120}}?)"
    was = re.compile(rf"\b(?:was|stood as|remained|became)(?: again| once)? {most},?(?: up)? until\b")
    still = re.compile(rf"\b(?:is|remains|has(?: \w+){{0,3}} been)(?: \w+)? {most}(?:[,.;]|$)")
    for page in pages_called(match["subject"], pages)[:1]:
        if any(asked <= content_words(found["rest"]) for found in still.finditer(page.text)):
            continue
        for sentence, found in matches([page], was, SENTENCES_ON_WHOLES):
            regained = _AGAIN.search(page.text, sentence.start + found.end())
            if asked <= content_words(found["rest"]) and not regained:
                return Ruling.quoting(sentence, found.group())
    return None
