"""Sentences that assert without evidence: orders, unnamed authorities, the claim quoted or reported. English only:
other languages pass unchecked. The rules match wordings, not intentions, so they are narrow: docs/experiments.md counts
the sentences of an encyclopedia that each of them affects.
"""

from __future__ import annotations

import re

from retrieval.text.words import content_words

QUOTED = 0.8  # share of the claim's words in quotation marks from which the sentence quotes the claim
MARKS = "\"“«„'‘"
LEAST_QUOTED = 4  # words; anything shorter is a title or a turn of phrase

_WHO = (
    r"(?:experts?|specialists|scientists|researchers|historians|scholars|academics|analysts|economists|doctors|"
    r"physicians|insiders|(?:well-informed )?sources|observers|authorities|officials|studies|people|everyone|everybody)"
)
_SUCH = (
    r"(?:(?:the|many|multiple|most|some|several|all|leading|top|various|numerous|independent|renowned|respected|international|"
    r"unnamed|anonymous|recent|scientific)\s+)*"
)
_NEAR = (
    r"(?:\s+(?:close to|familiar with|involved in|inside|within) (?:the|this) \w+)?"  # "sources close to the matter"
)
_SAY = (
    r"(?:(?:all|now|also|have|has|widely|generally|unanimously|long)\s+)*"
    r"(?:say|says|said|agree|agrees|agreed|confirm|confirms|confirmed|know|knows|known|believe|believes|"
    r"acknowledge|acknowledged|insist|maintain|show|shows|shown|prove|proves|proved|proven)\b"
)
_NAMELESS = re.compile(
    rf"(?:according to|in the (?:view|opinion) of)\s+{_SUCH}{_WHO}{_NEAR}\s*,|{_SUCH}{_WHO}{_NEAR}\s+{_SAY}|"
    rf"(?:a|one|another)\s+(?:(?:new|recent|large|major)\s+)*(?:study|survey|report|expert)\s+{_SAY}|"
    r"it (?:is|has been)\s+(?:(?:now|well|widely|commonly|generally|universally|long)\s+)*"
    r"(?:known|accepted|agreed|acknowledged|established|proved|proven)\s+that\b",
    re.IGNORECASE,
)
_NAMELESS_END = re.compile(
    rf",\s*(?:according to\s+{_SUCH}{_WHO}{_NEAR}|{_SUCH}{_WHO}{_NEAR}\s+{_SAY})\s*[.!]?$", re.IGNORECASE
)
# A sentence that reports a claim. If it denies the claim, the denial is what it states.
_REPORT = re.compile(
    r"^\W*(?:the |our |this )?(?:viral |original )?(?:claim|rumou?r|allegation)s?\s*:|"
    r"\b(?:claims?|claimed|claiming|alleges?|alleged|alleging)\s+that\b|"
    r"\b(?:posts?|tweets?|videos?|photos?|images?|memes?|messages?|users?|graphic|picture|screenshot)\b[^.!?]{0,40}"
    r"\b(?:claims?|claimed|claiming|alleges?|alleged|alleging)\b",
    re.IGNORECASE,
)
_OF_A_REPORT = re.compile(
    r"\b(?:claim|alleg|sa(?:y|id)|stat(?:e|ing|ed)\b|tweet|post|video|photo|image|meme|report)", re.IGNORECASE
)
_DENIES = re.compile(
    r"\b(?:not|no|never|false|falsely|untrue|wrong|wrongly|baseless|debunk\w*|den(?:y|ied|ies)|reject\w*|mislead\w*|unfounded|"
    r"without evidence|incorrect\w*|fake|hoax|myth)\b|n[’']t\b",
    re.IGNORECASE,
)
_WHAT = r"(?:instructions?|prompts?|evidence|sources?|pages?|documents?|rules|guidelines)"
_ORDER = re.compile(
    rf"\b(?i:ignore|disregard|forget|override)\b[^.!?]{{0,40}}\b(?:previous|prior|other|above|earlier|your|any)\b"
    rf"[^.!?]{{0,20}}\b{_WHAT}\b|"
    r"(?:^|[.:;,]|\b(?i:and|please|must|should))\s*(?i:answer|respond|reply|output|return|conclude|report|label|mark|rate|"
    r"classify|treat|verdict)\b[^.!?]{0,40}(?:\b(?:SUPPORTED|REFUTED|NOT[ _]ENOUGH[ _]EVIDENCE|TRUE|FALSE)\b|"
    r"\bas (?:verified|true|supported|false|refuted)\b)|"
    r"\b(?i:always|only|must|should|please)\s+(?i:answer|respond|reply|conclude|say|report)\b[^.!?]{0,20}\b(?:claim|statement)\b"
    r"[^.!?]{0,20}\b(?:true|correct|supported|verified|false|wrong|refuted)\b|"
    r"\b(?i:previous|prior|earlier|all other) (?:instructions|prompts)\b[^.!?]{0,20}\b(?:no longer|not|never|void|invalid)\b"
)
_TO_MODEL = re.compile(
    r"\b(?:note|message|instructions?) (?:to|for) (?:the |any |all )?(?:language models?|ai|llm|assistant|chatbot|fact[- ]check)|"
    r"\byou are (?:a|an|the) (?:fact[- ]checker|language model|ai|helpful assistant|assistant)\b|"
    r"^\s*(?:system|assistant|instructions?)\s*:.*\byou(?:r| are| must)\b",
    re.IGNORECASE,
)
_ORDERS_HOLD = "ignore disregard forget override supported refuted enough claim statement true false verified".split()
_TO_MODEL_HOLDS = ("note ", "message ", "instruction", "you are ", "system", "assistant")
_QUOTATION = re.compile(
    r"“([^“”]{12,400})”|\"([^\"]{12,400})\"|«([^«»]{12,400})»|„([^„“”]{12,400})[“”]|(?<!\w)['‘](.{12,400}?)['’](?!\w)"
)


def may_give_orders(text: str) -> bool:
    """A quick test of a whole page before `gives_orders`; it is also true of many pages that give no orders."""
    lower = text.lower()
    return any(word in lower for word in (*_ORDERS_HOLD, *_TO_MODEL_HOLDS))


def gives_orders(text: str) -> bool:
    """Whether the sentence tells its readers what to conclude, or addresses a model."""
    return bool(_ORDER.search(text) or _TO_MODEL.search(text))


def names_no_source(text: str) -> bool:
    """Whether it begins or ends with an unnamed authority: "Experts say that …", "…, according to experts."."""
    return bool(_NAMELESS.match(text) or _NAMELESS_END.search(text))


def reports(claim: str, text: str) -> bool:
    """Whether it only reports a claim: "The claim: …", "Posts claim that …". False if it denies the claim, or if the claim
    that is checked is itself about what somebody says.
    """
    return bool(_REPORT.search(text)) and not _DENIES.search(text) and not _OF_A_REPORT.search(claim)


def quotes(claim: str, text: str) -> bool:
    """Whether it only quotes the claim, as somebody else's words."""
    if not any(mark in text for mark in MARKS):
        return False
    words = content_words(claim)
    for found in _QUOTATION.finditer(text):
        quoted = next(filter(None, found.groups()))
        if len(quoted.split()) >= LEAST_QUOTED and len(content_words(quoted) & words) >= QUOTED * len(words) > 0:
            return True
    return False
