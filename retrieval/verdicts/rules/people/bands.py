"""Claims that someone was in a band, or did something in it: "Bono is U2's drummer".

The list of members on the band's page decides, else what the person's page says.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from retrieval.text.titles import fold, without_bracket
from retrieval.types import Page, Sentence
from retrieval.verdicts.rules.ruling import ClaimForms, Ruling, matches_on_a, pages_called, pages_meant

SENTENCES_ON_BANDS = 6  # of a page
NAMES_OF_A_LIST = 3  # at least
SINGER = "singer"
# Words of claims for who plays something -> those of pages. A bass guitar is no guitar here.
_VOICE = r"(?<!backing )vocal\w*|singer|frontman"
_PLAYED = {
    "drummer|percussionist|drums": r"drum\w*|percussion\w*",
    "bassist|bass|bass player|bass guitarist": r"bass(?:ist| guitar\w*)?",
    "guitarist|guitar|guitar player|lead guitarist": r"(?<!bass )guitar\w*",
    "singer|lead singer|vocalist|lead vocalist|frontman": _VOICE,
    "keyboardist|keyboards|keyboard player|pianist|piano": r"keyboard\w*|pian\w*",
}
_WORDS = {role: words for roles, words in _PLAYED.items() for role in roles.split("|")}
_ANY_ROLE = re.compile(rf"\b(?:{'|'.join(_PLAYED.values())})\b")
_ROLE = rf"(?P<{{}}>{'|'.join(sorted(_WORDS, key=len, reverse=True))})"
_CLAIMS = ClaimForms(
    r"(?P<one>(?:(?!never |not )[^,;:?!]){2,50}?) (?:(?:is|was)(?: once| originally)? (?:in|(?:an? |one of the )?(?:[a-z]+ )?members? of"
    rf"|(?:the |an? )?{_ROLE.format('role')} (?:of|in|for|with)|(?P<band2>[^,;:?!]{{2,50}}?)['’]s? {_ROLE.format('role2')})"
    r"|(?:plays?|played)(?: (?P<with>drums|guitar|bass|piano|keyboards))? (?:in|for)|(?P<sings>sings?|sang) (?:in|for|with)|drummed (?:in|for|with))"
    r"(?: (?:the (?:band|group) )?(?P<band>(?:the )?[^,;:?!]{2,50}?))?"
)
_BAND = re.compile(r"\b(?:is|was|are|were) an? [^.;]{0,60}?\b(?:band|group|duo|trio|quartet|quintet)\b")
_LIST = re.compile(
    r"\b(?:compris\w+|consist\w+ of|line-?up[^.;]{0,60}?|members[^.;]{0,40}?|composed of|formed by|founded by)\b"
)
_NAME = re.compile(r"[A-Z][\w'’.-]+ (?:[A-Z][\w'’.-]+ ?)+")


def in_band(claim: str, pages: Sequence[Page]) -> Ruling | None:
    """The sentence of the band's page that lists its members and, if the claim names a role, what they play."""
    match = _CLAIMS.match(claim)
    band = match and (match["band2"] or match["band"])
    if match is None or not band:
        return None
    one, role = match["one"], (match["role"] or match["role2"] or match["with"] or "").lower()
    for page in pages_called(band, pages):
        for sentence, found in matches_on_a(_BAND, page, _LIST, SENTENCES_ON_BANDS):
            is_list = len(_NAME.findall(sentence.text[found.start() :])) >= NAMES_OF_A_LIST
            if is_list and (ruling := _listed(one, role, page, sentence)):
                listed_as = _plays(one, SINGER, sentence) if match["sings"] else None
                return ruling if listed_as is None or listed_as.holds == ruling.holds else None
    return _known_as(one, role, band, pages) if role else None


def _known_as(one: str, role: str, band: str, pages: Sequence[Page]) -> Ruling | None:
    """Decided by the person's page, "best known as the lead singer of Quill"; None if it names the claim's role elsewhere."""
    words = _WORDS[role]
    name = re.escape(re.sub(r"^the ", "", band, flags=re.IGNORECASE))
    role_in_band = re.compile(
        rf"\b(?:as|being|was|is) (?:the |an? )?(?P<role>[^.;()]{{3,80}}?) (?:of|for|in|with) (?:the )?(?:[A-Za-z]+ ){{0,4}}(?i:{name})\b"
    )
    for page in pages_meant(one, pages)[:1]:
        for sentence in page.sentences()[:SENTENCES_ON_BANDS]:
            found = role_in_band.search(sentence.text)
            if found is None or not _ANY_ROLE.search(found["role"]):
                continue
            if re.search(rf"\b(?:{words})\b", found["role"]):
                return Ruling(sentence, True)
            # "drummer Lars Ulrich" is somebody else.
            others = rf"\b(?:{words})(?:/\w+)* (?!{re.escape(without_bracket(page.title))})[A-Z][\w'’.-]+ [A-Z]"
            if not re.search(rf"\b(?:{words})\b", re.sub(others, "", page.text)):
                return Ruling.quoting(sentence, found["role"], (role, found["role"]))
    return None


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
    behind = re.search(rf"{name}(?:[^,;()]{{0,20}} \(([^()]{{3,80}})\)| on ([a-z][a-z ]{{2,40}}))", sentence.text)
    found = behind or re.search(rf"\b((?:[a-z-]+ ){{1,4}}){name}", sentence.text)
    played = next(filter(None, found.groups()), "").strip() if found else ""
    if not _ANY_ROLE.search(played):
        return None
    words = _WORDS[role]
    if re.search(rf"\b(?:{words})\b", played):
        # "The singer" of a band leads; "guitar, vocals" leaves that open.
        return None if words == _VOICE and "," in played and "lead vocals" not in played else Ruling(sentence, True)
    return Ruling.quoting(sentence, played, (role, played))
