"""Claims that say where an animal or plant lives or comes from: "Orangutans live in Africa".

A network takes a fossil or an ancestor for the animal of today. Here, the sentences of its page on its range decide.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from retrieval.text.names.nations import continents_in
from retrieval.text.titles import fold, holds_name, without_bracket
from retrieval.types import Page, Sentence
from retrieval.verdicts.rules.ruling import ClaimForms, Ruling, pages_in_any_number

SENTENCES_ON_RANGES = 15  # of a page
_WHERE = (
    r"(?P<what>(?:live|lives|lived|roam|roams|occur|occurs) (?:naturally |wild |mainly |mostly |only )?(?:in the wild )?(?:in|on|at)"
    r"|(?:is|are|was|were|can be) (?:naturally |mainly |mostly |only |originally )?(?:found|native|endemic|indigenous|common)(?: only)? (?:in|to|on|at|throughout)"
    r"|inhabit|inhabits|(?:come|comes|came|originate|originates|originated)(?: originally)? (?:from|in))"
)
_CLAIMS = ClaimForms(
    rf"(?:the |an? |wild )?(?P<one>[^,;:?!]{{2,40}}?) {_WHERE} (?:the wild in )?(?P<place>(?:the )?[^,;:?!]{{3,40}}?)(?: originally| in the wild)?",
    r"there(?: is|['’]s| are) (?:any |an? |wild )?(?P<one>[^,;:?!]{2,40}?) (?P<what>in|on) (?P<place>(?:the )?[^,;:?!]{3,40}?)",
)
_LIVING = re.compile(
    r"\b(?:species|genus|genera|famil(?:y|ies)|mammals?|marsupials?|birds?|reptiles?|amphibians?|fish|insects?|rodents?|primates?|carnivor\w+|"
    r"antelopes?|deer|bears?|cats?|felid|canid|apes?|monkeys?|lizards?|snakes?|bovine|cattle|camelid|ruminants?|ungulates?|plants?|trees?|shrubs?|"
    r"vines?|herbs?|grass\w*|fruits?|vegetables?|flowers?|crop|beetles?|spiders?|frogs?|turtles?|penguins?|parrots?|animals?)\b"
)
_RANGE = re.compile(
    r"(?i)\b(?:native|endemic|indigenous|restricted|confined) to\b|\b(?:found|li(?:ves?|ving)|inhabit\w*|occur(?:s|ring)?|distributed|distribution|"
    r"ranges?|ranging|growing|dwell\w*|widespread|roam\w*|habitats?|natural(?:ly)?)\b"
)
_BEGAN = re.compile(r"\b(?:originat\w+|origins?|comes? from|domesticated)\b", re.IGNORECASE)
_ASKS_WHERE_IT_BEGAN = re.compile(r"native|indigenous|come|came|originat")
# "is an African even-toed ungulate", "a large mammal in sub-Saharan Africa"
_KIND = re.compile(
    rf"\b(?:is|are|was|were) (?:an? |the |any )?(?P<what>(?:[\w-]+,? ){{0,9}}?{_LIVING.pattern}(?: (?:in|of|from) [^,;.]+)?)"
)
_SYMBOL = re.compile(r"\b(?:national|state|official|symbol|emblem)\b")
_OF_ANOTHER_TIME = re.compile(
    r"(?i)\b(?:fossils?|ancest\w+|prehistoric|extinct|formerly|million years|evolved|relict|closest|relatives?|unlike|migrat\w+|zoos?|captiv\w+|"
    r"named|subfossil|Pleistocene|Miocene|Pliocene|no|not|never|except|absent|outside)\b"
)
_OF_SOME = re.compile(
    r"(?i)\b(?:(?:sub)?populations?|subspecies|(?:one|two|three|some|several|many|most|other) (?:[a-z]+ )?species)\b"
)
_ELSEWHERE_TOO = re.compile(
    r"(?i)\b(?:worldwide|cosmopolitan|(?:all|every|most|several|many|other) continents?|around the world|throughout the world|across the world|"
    r"in the world's|introduced|naturali[sz]ed|invasive|feral|escaped|tropics|temperate|hemisphere|elsewhere|domesticat\w+|cultivat\w+|farmed)\b"
)
_EVERYWHERE = re.compile(
    r"\b(?:every|all|each) continents? (?:except|but|excluding|other than) (?=(?:for |the )*[A-Z])(?P<not>(?:(?!, (?:and|but) (?:in|on|is|are|also)\b)[^;.()])+)"
)


def habitat(claim: str, pages: Sequence[Page]) -> Ruling | None:
    """The sentence of the page that gives the range, if the claim's place is in it, or on another continent."""
    match = _CLAIMS.match(claim)
    wanted = continents_in(_in_capitals(match["place"])) if match else set()
    if match is None or not wanted:
        return None
    began, place = _ASKS_WHERE_IT_BEGAN.search(match["what"]) is not None, fold(match["place"])
    for page in pages_in_any_number(match["one"], pages)[:1]:
        if not page.lines:
            return None
        ranges, lives = list(_ranges(page, began)), _LIVING.search(page.sentences()[0].text)
        for sentence, text in ranges:
            everywhere = _EVERYWHERE.search(text)
            if everywhere and holds_name(fold(everywhere["not"]), place):
                return Ruling.quoting(sentence, everywhere.group())
            named = place in fold(text) if everywhere is None else not wanted & continents_in(everywhere["not"])
            if lives and named:
                return Ruling(sentence, True)
        if not lives:
            return None
        found = [(sentence, continents_in(text)) for sentence, text in ranges]
        if any(wanted & there for _, there in found) or (not began and _ELSEWHERE_TOO.search(page.text)):
            return None
        for sentence, there in found:
            if there and not _OF_SOME.search(sentence.text):
                continents = " and ".join(sorted(there))
                return Ruling(sentence, False, f"“{without_bracket(page.title)}” tells of {continents}.")
    return None


def _in_capitals(place: str) -> str:
    """The place of a claim typed in any case, as names are written: "the congo basin" is the Congo Basin."""
    return " ".join(word if word in ("the", "of", "and") else word[:1].upper() + word[1:] for word in place.split())


def _ranges(page: Page, began: bool) -> Iterator[tuple[Sentence, str]]:
    """The sentences that tell of the range, with the text that does. began: where it comes from counts too."""
    for number, sentence in enumerate(page.sentences()[:SENTENCES_ON_RANGES]):
        text = sentence.text
        if _OF_ANOTHER_TIME.search(_EVERYWHERE.sub("", text)):
            continue
        if found := _RANGE.search(text) or (_BEGAN.search(text) if began else None):
            yield sentence, text[found.start() :]
        elif not number and (kind := _KIND.search(text)) and not _SYMBOL.search(kind["what"]):
            yield sentence, kind["what"]
