"""Claims that say how someone died: "Francis Drake was eaten by a shark" beside "He died of dysentery"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from retrieval.types import Page, Sentence
from retrieval.verdicts.rules.ruling import ClaimForms, Ruling, is_about, pages_meant

_CLAIMS = ClaimForms(
    r"(?P<subject>[^,;:?!]{2,60}?) (?P<did>(?:was|were|got|died|committed|killed|took|hanged|drowned|shot)\b[^,;:?!]{0,60}?)"
)
_SELF = r"(?:him|her)self"
_ANIMAL = r"(?:sharks?|lions?|tigers?|bears?|crocodiles?|alligators?|snakes?|dogs?|wol(?:f|ves)|elephants?|hippos?|pigs?|spiders?|whales?)"
# How one dies -> the words for it. Of a text, the first that fits counts.
_MANNERS = {
    "suicide": rf"committed suicide|(?:killed|hanged|shot|drowned|poisoned|stabbed) {_SELF}|(?:took|taking) (?:his|her) own life|died (?:by|from|of) suicide",
    "an animal": rf"(?:eaten|devoured|mauled|killed|bitten|trampled|attacked) (?:to death )?by (?:an? |the )?(?:[a-z]+ )?{_ANIMAL}",
    "drugs": r"died (?:[a-z]+ ){0,3}?(?:of|from) (?:an? )?(?:[a-z-]+ ){0,4}?(?:overdose|alcohol poisoning|intoxication)|died [^.;]{0,200}?\boverdos(?:ing|ed) on",
    "a crash": r"(?:killed|died|dead) (?:instantly )?in (?:an? |the )?(?:[\w-]+ ){0,3}?(?:crash|collision)|died (?:in \d{4} )?when [^.;]{3,80}? crashed",
    "an accident": r"(?:killed|died|dead) (?:instantly )?in (?:an? |the )?(?:[\w-]+ ){0,3}?accident|(?:was|were|and|accidentally) drowned|^drowned",
    "battle": r"(?:killed|died|slain) (?:in (?:action|combat|(?:the |a )?battle)|at the Battle|during the Battle)",
    "others": r"(?:was|were|been|got) (?:[a-z]+ ){0,2}?(?:murdered|assassinated|executed|beheaded|hanged|guillotined|lynched|poisoned|crucified|stabbed to death|burn(?:ed|t) (?:alive|at the stake|to death)|"
    r"shot dead|shot and killed|shot to death|(?:shot|stabbed|killed) by)|and (?:murdered|assassinated|executed|beheaded)",
    "illness": r"died (?:[a-z]+ ){0,2}?(?:of|from|due to) (?:an? )?(?!(?:[a-z-]+ ){0,3}?(?:gunshot|wounds?|injur\w+|stab\w*|blood|poison\w*|drown\w*|hunger|starvation|exposure|the|his|her|hypothermia)\b)"
    r"(?P<cause>[a-z][^,;.()]{2,50})|died (?:peacefully )?in (?:his|her) sleep",
}
_COMPILED = {manner: re.compile(rf"(?<![\w-])(?:{words})(?![\w-])") for manner, words in _MANNERS.items()}
# Manners that exclude each other; an overdose may be an accident, an illness or suicide.
_APART = {frozenset(pair.split(" / ")) for pair in (
    "suicide / an accident", "suicide / battle", "suicide / others", "suicide / illness", "suicide / an animal", "an accident / others", "an accident / illness",
    "an accident / battle", "battle / illness", "others / illness", "an animal / others", "an animal / illness", "an animal / drugs", "drugs / others",
    "an animal / battle", "drugs / battle", "a crash / suicide", "a crash / others", "a crash / illness", "a crash / battle", "a crash / an animal",
    "a crash / drugs",
)}  # fmt: skip
# Illnesses that exclude each other.
_ILLNESSES = re.compile(
    r"\b(?:cancer|leuka?emia|tumou?r|lymphoma|pneumonia|tuberculosis|malaria|cholera|dysentery|plague|smallpox|typhoid|typhus|aids|influenza|syphilis|"
    r"stroke|heart (?:attack|failure|disease)|cardiac arrest|diabetes|scurvy|measles|old age)\b"
)
_AMONG = ("cancer leukemia leukaemia tumor tumour lymphoma", "heart cardiac", "typhoid typhus")
_CRASHED = {  # what crashes
    "by air": re.compile(r"\b(?:planes?|air(?:craft|plane)?|jets?|flight|helicopters?|aviation|bombers?|MiG-\d+)\b", re.IGNORECASE),
    "by road": re.compile(r"\b(?:cars?|automobiles?|motor(?:cycle|bike|way)?|traffic|road|bus|lorry|truck)\b", re.IGNORECASE),
    "by rail": re.compile(r"\b(?:trains?|rail(?:way)?)\b", re.IGNORECASE),
}  # fmt: skip
_KILLED = re.compile(r"(?:was|were|got) (?P<how>killed|murdered|assassinated)")
_VIOLENT = re.compile(r"\b(?:murdered|assassinated)\b")
_HE = re.compile(r"(?:^|\b(?:and|when|where|until|before|but) )(?:[Hh]e|[Ss]he) [^.;]{0,60}$|\b(?:he|she) $")


def death(claim: str, pages: Sequence[Page]) -> Ruling | None:
    """The sentence of the person's page that tells how they died; None if there is none, or if the claim may be true beside it."""
    match = _CLAIMS.match(claim)
    if match is None:
        return None
    did, killed = match["did"], _KILLED.fullmatch(match["did"])
    asked = next(_manners(did), None)
    if asked is None and killed is None:
        return None
    found = [one for page in pages_meant(match["subject"], pages)[:1] for one in _deaths(page)]
    if killed:
        return next((Ruling(one, True) for one, manner, _ in found if _agrees(killed["how"], manner, one)), None)
    if asked is None or not found or not all(_excludes(*asked, manner, words) for _, manner, words in found):
        return None
    sentence, _, words = found[0]
    return Ruling.quoting(sentence, words, (did, words))


def _manners(text: str, title: str = "") -> Iterator[tuple[str, str]]:
    """How the text says that someone died, and its words. title: of a page, whose subject it must be."""
    for manner, pattern in _COMPILED.items():
        match = pattern.search(text)
        before = text[: match.start()] if match else ""
        if match and (not title or is_about(title, before) or _HE.search(before)):
            yield manner, match.group()


def _deaths(page: Page) -> Iterator[tuple[Sentence, str, str]]:
    """The sentences that tell how the page's subject died: the manner and its words."""
    for sentence in page.sentences():
        for manner, words in islice(_manners(sentence.text, page.title), 1):
            yield sentence, manner, words


def _agrees(verb: str, manner: str, sentence: Sentence) -> bool:
    """Whether someone who died in this manner was killed, or murdered, as the verb says."""
    if verb.lower() == "killed":
        return manner in ("others", "a crash", "an accident", "battle", "an animal")
    return manner == "others" and _VIOLENT.search(sentence.text) is not None


def _excludes(asked: str, asked_words: str, manner: str, words: str) -> bool:
    """Whether one manner of death excludes the other: two plain names of illnesses do, and crashes of different vehicles."""
    if asked != manner:
        return frozenset((asked, manner)) in _APART
    texts = (asked_words, words)
    if asked == "a crash":
        ours, theirs = ({kind for kind, pattern in _CRASHED.items() if pattern.search(text)} for text in texts)
    else:
        ours, theirs = (set(map(_family, _ILLNESSES.findall(text.lower()))) for text in texts)
    return asked in ("a crash", "illness") and bool(ours and theirs) and ours.isdisjoint(theirs)


def _family(illness: str) -> str:
    return next((names for names in _AMONG if illness.split()[0] in names.split()), illness)
