"""The place that a claim gives its subject, and the words that tell one place from another."""

from __future__ import annotations

import re
from dataclasses import dataclass

from retrieval.text.words import stem
from retrieval.verdicts.rules.ruling import ClaimForms

_PLACE = r"(?:first(?! lady)|last|only|capital|most [a-z]+|least [a-z]+|[a-z]+est)\b[^,;:?!]*?"
_CLAIMS = ClaimForms(
    rf"(?P<place>(?:the |[\w ]+['’]s |earth['’]s )(?:very )?{_PLACE}) (?P<verb>is|was) (?P<subject>(?-i:(?:the )?[A-Z][\w'’.-]*(?: (?:of |de |the |da |von |van )?[A-Z][\w'’.-]*)*))",
    # "the biggest bird is the emu"
    r"(?P<place>the (?:very )?(?:most [a-z]+|least [a-z]+|[a-z]+est)\b(?: [\w'’-]+){1,5}) (?P<verb>is|was) (?P<subject>(?:the |an? )(?!one |same |most |[a-z]+est )[a-z][\w'’-]*(?: [\w'’-]+){0,2})",
    r"(?:the )?(?P<subject>[^,;:?!]{2,60}?) (?P<verb>is|was|are|were) (?:still |now |currently |officially )?"
    rf"(?P<place>(?:the |[\w ]+['’]s |earth['’]s )(?:very )?{_PLACE})",
)
# What tells no place from another.
LITTLE = frozenset(
    "the a an of in on at to by for from ever far city official federal current national present day living extant its their "
    "internationally recognized recognised independent sovereign "
    "uninterrupted orbiting whole entire walk set foot step travel journey outer go get that which lies lie completely entirely".split()
)
_EVERYWHERE = frozenset(map(stem, "world earth universe globe history all time known recorded periodic table".split()))
_OF_ALL = re.compile(r"\bof the (?:two|three|four|five|six|seven|eight|nine|ten|twelve|\d+) (?=[\w ]*s\b)")
_OF_THE_STATES = re.compile(r"\bof (?:all )?the (?:50|fifty) (?:united )?states\b")
_NO_FLIGHT = re.compile(r"\b(?:that|which) (?:can ?not|can['’]?t) fly\b")
# Countries that have several names: the one that counts, and the others.
_COUNTRIES = {
    "us": r"united states(?: of america)?|u\.s\.(?:a\.)?|usa",
    "united kingdom": r"uk|u\.k\.?|(?:great )?britain",
    "united arab emirates": r"uae|u\.a\.e\.",
    "netherlands": r"holland",
    "czech republic": r"czechia",
    "myanmar": r"burma",
    "democratic republic of the congo": r"dr congo|drc",
}
_OTHER_NAMES = re.compile(rf"\b(?:{'|'.join(f'({names})' for names in _COUNTRIES.values())})(?!\w)")
# Stem -> the stem of a word that means the same.
ALIKE = {
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
MOST_PEOPLE = frozenset(map(stem, ("most", "populous")))
CAPITAL = stem("capital")


@dataclass(frozen=True)
class Place:
    """The place that a claim gives its subject. words: stems of its words. now: whether it is held today."""

    subject: str
    words: frozenset[str]
    now: bool


def place_of(claim: str) -> Place | None:
    """The place in the claim that only one can hold; None if the claim has another form."""
    match = _CLAIMS.match(claim)
    if match is None:
        return None
    subject, now = re.sub(r"(?<=\w\w)\.$", "", match["subject"]), match["verb"].lower() in ("is", "are")
    return Place(subject, words_of(match["place"]), now)


def words_of(text: str) -> frozenset[str]:
    """The stems of the words that limit a place: those that mean the same are one, those that limit nothing are left out."""
    names = tuple(_COUNTRIES)
    text = _OF_THE_STATES.sub("us state", _NO_FLIGHT.sub("flightless", text).lower())
    text = _OTHER_NAMES.sub(lambda found: names[(found.lastindex or 1) - 1], _OF_ALL.sub("of the ", text))
    plain = re.findall(r"[^\W_]+", re.sub(r"['’]s\b|\bsolar system\b|\bhuman(?= body\b)", "", text))
    stems = (stem(word) for word in plain if word not in LITTLE)
    words = frozenset(ALIKE.get(one, one) for one in stems) - _EVERYWHERE
    if words >= MOST_PEOPLE and "city" in plain:  # the largest is the one with most people
        return words - MOST_PEOPLE | {stem("largest")}
    return words
