"""Claims that someone was in a band, or did something in it: "Mick Jagger was a member of the Beatles", "Bono is U2's drummer".

A band's page lists its members and what they play. A network seldom takes the absence of a name, or another instrument behind
it, for a refutation. Here the list decides, else what the person's page says.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from retrieval.text.titles import fold, without_bracket
from retrieval.types import Page, Sentence
from retrieval.verdicts.rules.ruling import Ruling, pages_called, pages_meant

LOOKED_AT = 6  # sentences of a page
LEAST = 3  # names that make a list
SINGER = "singer"
# Words of claims for those who play something, and of pages. A bass guitar is no guitar here.
_VOICE = r"(?<!backing )vocal\w*|singer|frontman"
_PLAYED = {
    "drummer|percussionist|drums": r"drum\w*|percussion\w*",
    "bassist|bass|bass player|bass guitarist": r"bass(?:ist| guitar\w*)?",
    "guitarist|guitar|guitar player|lead guitarist": r"(?<!bass )guitar\w*",
    "singer|lead singer|vocalist|lead vocalist|frontman": _VOICE,
    "keyboardist|keyboards|keyboard player|pianist|piano": r"keyboard\w*|pian\w*",
}
_ROLE = rf"(?P<{{}}>{'|'.join(sorted('|'.join(_PLAYED).split('|'), key=len, reverse=True))})"
_CLAIM = re.compile(
    r"^(?P<one>(?:(?!never |not )[^,;:?!]){2,50}?) (?:(?:is|was)(?: once| originally)? (?:in|(?:an? |one of the )?(?:[a-z]+ )?members? of"
    rf"|(?:the |an? )?{_ROLE.format('role')} (?:of|in|for|with)|(?P<band2>[^,;:?!]{{2,50}}?)['’]s? {_ROLE.format('role2')})"
    r"|(?:plays?|played)(?: (?P<with>drums|guitar|bass|piano|keyboards))? (?:in|for)|(?P<sings>sings?|sang) (?:in|for|with)|drummed (?:in|for|with))"
    r"(?: (?:the (?:band|group) )?(?P<band>(?:the )?[^,;:?!]{2,50}?))?[.!]?$",
    re.IGNORECASE,
)
_BAND = re.compile(r"\b(?:is|was|are|were) an? [^.;]{0,60}?\b(?:band|group|duo|trio|quartet|quintet)\b")
_LIST = re.compile(
    r"\b(?:compris\w+|consist\w+ of|line-?up[^.;]{0,60}?|members[^.;]{0,40}?|composed of|formed by|founded by)\b"
)
_NAME = re.compile(r"[A-Z][\w'’.-]+ (?:[A-Z][\w'’.-]+ ?)+")


def in_band(claim: str, pages: Sequence[Page]) -> Ruling | None:
    """The sentence of the band's page that lists its members; None if there is none, if the name is elsewhere on the page, or
    if the list does not say what the person plays.
    """
    match = _CLAIM.match(" ".join(claim.split()))
    band = match and (match["band2"] or match["band"])
    if match is None or not band:
        return None
    one, role = match["one"], (match["role"] or match["role2"] or match["with"] or "").lower()
    for page in pages_called(band, pages):
        first = page.sentences()[:LOOKED_AT]
        if not first or not _BAND.search(first[0].text):
            continue
        for sentence in first:
            behind = _LIST.search(sentence.text)
            listed = behind and len(_NAME.findall(sentence.text[behind.start() :])) >= LEAST
            if listed and (told := _listed(one, role, page, sentence)):
                listed_as = _plays(one, SINGER, sentence) if match["sings"] else None
                return told if listed_as is None or listed_as.holds == told.holds else None
    return _known_as(one, role, band, pages) if role else None


def _known_as(one: str, role: str, band: str, pages: Sequence[Page]) -> Ruling | None:
    """Decided by the person's own page: "best known as the lead singer of Quill". Refutes only if the page nowhere names the
    claim's role.
    """
    words, role_in_band = _words_for(role), _role_in(band)
    for page in pages_meant(one, pages)[:1]:
        for sentence in page.sentences()[:LOOKED_AT]:
            told = role_in_band.search(sentence.text)
            if told is None or not any(re.search(rf"\b(?:{one})\b", told["told"]) for one in _PLAYED.values()):
                continue
            if re.search(rf"\b(?:{words})\b", told["told"]):
                return Ruling(sentence, True)
            # "drummer Lars Ulrich" is somebody else.
            others = rf"\b(?:{words})(?:/\w+)* (?!{re.escape(without_bracket(page.title))})[A-Z][\w'’.-]+ [A-Z]"
            if not re.search(rf"\b(?:{words})\b", re.sub(others, "", page.text)):
                note = f"“{without_bracket(page.title)}” says: {told['told']}."
                return Ruling(sentence, False, note, (role, told["told"]))
    return None


def _role_in(band: str) -> re.Pattern[str]:
    """What a page says that its subject is in the band."""
    name = re.escape(re.sub(r"^the ", "", band, flags=re.IGNORECASE))
    return re.compile(
        rf"\b(?:as|being|was|is) (?:the |an? )?(?P<told>[^.;()]{{3,80}}?) (?:of|for|in|with) (?:the )?(?:[A-Za-z]+ ){{0,4}}(?i:{name})\b"
    )


def _words_for(role: str) -> str:
    return next(played for roles, played in _PLAYED.items() if role in roles.split("|"))


def _listed(one: str, role: str, page: Page, sentence: Sentence) -> Ruling | None:
    folded = fold(one)
    if re.search(rf"\b{re.escape(folded)}\b", fold(sentence.text)):
        return _plays(one, role, sentence) if role else Ruling(sentence, True)
    if " " in folded and folded.split()[-1] not in fold(page.text).split():
        return Ruling(sentence, False, f"“{without_bracket(page.title)}” lists other members.")
    return None


def _plays(one: str, role: str, sentence: Sentence) -> Ruling | None:
    """Decided by what the list gives for this name: "Bono (vocals, guitar)", "Bono on vocals", "drummer Larry Mullen"."""
    name = rf"(?i:\b{re.escape(one)}\b)"
    behind = re.search(
        rf"{name}(?:[^,;()]{{0,20}} \((?P<told>[^()]{{3,80}})\)| on (?P<told2>[a-z][a-z ]{{2,40}}))", sentence.text
    )
    found = behind or re.search(rf"\b(?P<told>(?:[a-z-]+ ){{1,4}}){name}", sentence.text)
    told = next(filter(None, found.groupdict().values()), "").strip() if found else ""
    if not any(re.search(rf"\b(?:{words})\b", told) for words in _PLAYED.values()):
        return None
    words = _words_for(role)
    if re.search(rf"\b(?:{words})\b", told):
        # "The singer" of a band leads; "guitar, vocals" leaves that open.
        return None if words == _VOICE and "," in told and "lead vocals" not in told else Ruling(sentence, True)
    return Ruling(sentence, False, f"“{without_bracket(sentence.title)}” says: {told}.", (role, told))
