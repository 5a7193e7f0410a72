"""Recognises exclamations, thanks and wishes by how they begin and by the lack of a verb: "What a lovely day!"

In doubt, the text is a statement, as in `forms.py`: titles begin like that too ("How Green Was My Valley won an
Oscar.").
"""

from __future__ import annotations

import re
from typing import Any

from retrieval.models.english.grammar import FINITE, parse
from retrieval.types import NoVerdict

_WHAT = re.compile(r"(?:(?:oh|wow|ah|my),? )?what (?:an? |(?-i:[a-z]+ )+)", re.IGNORECASE)
_HOW = re.compile(r"(?:(?:oh|wow|ah|my),? )?how (?:very |so |truly )?(?-i:[a-z]+)\b", re.IGNORECASE)
# What the exclamation is about, at its end: "… that goal was".
_ABOUT_IT = re.compile(
    r" (?:(?:that|this|it|he|she|they|those|these|you|we|i)(?: [a-z]+)? (?:is|was|are|were|have|had|made|did)|"
    r"(?:it['’]s|you['’]re|we['’]ve|i['’]ve) (?:been|had))$",
    re.IGNORECASE,
)
_SAID_TO_ALL = re.compile(
    r"(?:many thanks|thanks|thank you|welcome|congratulations|congrats|happy|merry|good luck|best (?:wishes|regards)|cheers|bravo|hurray|hooray|"
    r"all the best|kind regards|well done|good job|nice (?:work|job|one)|rest in peace|rip|good (?:morning|afternoon|evening|night))\b",
    re.IGNORECASE,
)
_FELT = re.compile(
    r"(?:such (?:an? )?|so |(?:love|loving|loved|hate|hating|enjoying) (?:this|that|these|it|my|your)\b)", re.IGNORECASE
)
_SUCKS = re.compile(
    r"(?:this|that|it|everything|life) (?:just |really |totally )?(?:sucks|rocks|stinks)", re.IGNORECASE
)
_TO_ANYBODY = re.compile(
    r"(?:i (?:don['’]t|do not) (?:know|care|understand)|i have no idea|no idea|you['’]re welcome|you are welcome|"
    r"i['’]m (?:so |very |really )?\w+|who cares|whatever)",
    re.IGNORECASE,
)
_WISHED = re.compile(
    r"(?:(?:god|heaven) (?-i:save|bless|help|forbid)\b|may (?-i:the|he|she|they|we|you|it|your|god)\b|"
    r"(?:hope|wish) (?-i:you|we|it|that|they|to|everyone)\b)",
    re.IGNORECASE,
)
_SEEMING_VERB = re.compile(r" [a-z]{3,}(?:s|ed)\b")  # perhaps a verb that the tagger takes for a noun, such as "stars"


def exclaimed(text: str, language: Any) -> NoVerdict | None:
    """Why a text that exclaims, thanks or wishes gets no verdict; None if it may be a statement. language: spaCy's."""
    bare = text.rstrip(" !.…")
    if _TO_ANYBODY.fullmatch(bare):
        return NoVerdict.GREETING
    if _SUCKS.fullmatch(bare):
        return NoVerdict.OPINION
    if found := _SAID_TO_ALL.match(bare):
        titled = bare[found.end() :].lstrip()[:1].isupper() and _SEEMING_VERB.search(bare, found.end())
        return None if titled or _has_verb(bare, language) else NoVerdict.GREETING
    if _WISHED.match(bare):
        return None if _has_verb(bare, language, spared=4) else NoVerdict.REQUEST
    if _FELT.match(bare):
        loud = text.endswith("!") or not re.match("so ", bare, re.IGNORECASE)
        return NoVerdict.OPINION if loud and not _has_verb(bare, language) else None
    if (_WHAT.match(bare) or _HOW.match(bare)) and _is_about(text, bare, language):
        return NoVerdict.OPINION
    return None


def _is_about(text: str, bare: str, language: Any) -> bool:
    """Whether the text only calls something lovely, tall and so on, and states nothing else."""
    if text.endswith("?"):
        return False
    called = _ABOUT_IT.sub("", bare)
    if _WHAT.match(bare):
        whole = re.match(r"(?:\w+,? )?what an? ", bare, re.IGNORECASE) is not None or text.endswith("!")
        return whole and not _has_verb(called, language)
    tokens = list(parse(language, called).tokens)
    verbs = [token for token in tokens if token.tag_ in FINITE]
    described = any(token.pos_ in ("ADJ", "ADV") and token.lower_ not in ("many", "much") for token in tokens[1:3])
    return described and (not verbs or (text.endswith("!") and verbs == tokens[-1:]))


def _has_verb(bare: str, language: Any, spared: int = 1) -> bool:
    """Whether there is a finite verb after the first `spared` words, which the tagger may mistake for one."""
    return any(token.tag_ in FINITE for token in list(parse(language, bare).tokens)[spared:])
