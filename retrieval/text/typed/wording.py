"""Rewords a statement as an encyclopedia would put it: without words that only add emphasis ("is actually", "…, in fact"), without
the contrast ("Canberra, not Sydney, is the capital"), in plain words ("tied the knot with" is "married").

The networks look for emphasis in the evidence and leave the claim open (docs/experiments.md); a sentence of a page seldom
mentions both sides of a contrast; and turns of speech are seldom in an encyclopedia. Words in front of a statement are frames (`framing.py`).
"""

from __future__ import annotations

import re

from retrieval.text.grammar import capitalised
from retrieval.text.quantities.ago import with_years
from retrieval.text.typed.framing import LEAST_STATEMENT

# Removed after "not" too: "isn't really a bear" denies the bear, but "isn't certainly a bear" denies the certainty.
_STRESS = r"really|actually|truly|indeed|in fact|in reality|in actual fact|as a matter of fact"
_CERTAIN = (
    r"definitely|certainly|surely|undoubtedly|undeniably|clearly|obviously|plainly|literally|basically|essentially|simply|genuinely|"
    r"honestly|famously|absolutely|totally|of course|without (?:a )?doubt|no doubt|for sure|"
    r"also(?! (?:known|called|named|titled|spelled|written|referred|recogni))"
)
_ANY = f"{_STRESS}|{_CERTAIN}"
_AUXILIARY = (
    r"is|are|was|were|am|be|been|has|have|had|do|does|did|can|could|will|would|shall|should|may|might|must|[’']s|[’']re"
)
_AFTER_VERB = re.compile(rf"\b({_AUXILIARY})(?:,? (?:{_ANY})\b)+,?(?= \w)(?! not\b)")
# The present tense itself means now, which rules compare with what has ended.
_NOW = re.compile(r"\b(is|are|has|have) (?:still|currently|presently)(?= \w)(?! not\b)")
_STILL_DOES = re.compile(r"(?<=\w) (?:still|currently|presently)(?= (?!is\b|was\b|has\b|does\b)[a-z]{2,}s\b)")
_AFTER_NOT = re.compile(rf"(\bnot|n[’']t)(?:,? (?:{_STRESS})\b)+,?(?= \w)")
# Before a verb, only if the text has capitals: "love actually stars Hugh Grant" is about a film.
_BEFORE_VERB = re.compile(
    rf"(?<=\w)(?:,? (?:{_ANY})\b)+,?(?= (?:(?:{_AUXILIARY})(?:n[’']t)?|\w+ed|invented|wrote|won|made|began|became|came|took|gave|fell|"
    r"grew|drew|sang|ran|led|met|built|found|sold|lost|left|went|said|told|knew|got|held|kept|stood|fought|taught|"
    r"bought|brought|caught|shot|flew|drove|rose|chose|spoke|stole|wore|bore)\b)"
)
_IN_QUESTION = re.compile(rf",? (?:{_STRESS}|still|currently)\b,?(?= \w)")
_KNOWN = re.compile(r"\b(is|are|was|were) (?:well[- ])?known to be\b")
_HAPPENS = re.compile(r"\bhappen(s|ed|) to be\b")
_BE = {"s": "is", "ed": "was", "": "are"}
_AT_END = re.compile(
    rf"(?<=[\w)”\"])(?:,? (?:{_STRESS}|{_CERTAIN}|tbh|lol|lmao|ngl|btw|fyi|imo|imho|iirc|afaik|you know|i (?:think|guess|believe|suppose|heard)|"
    r"to be (?:honest|fair)|as far as i know)|,? [–—-]+ fact|,? (?-i:too(?<!me too)|as well)|, (?:fact|period|full stop|seriously|100 ?%|believe me|trust me|right|though|no\?|"
    r"believe it or not|by the way))(?=[.!]*$)",
    re.IGNORECASE,
)
# "It was Bell who invented the telephone", "it was in 1912 that the Titanic sank"
_CLEFT = re.compile(
    r"^(?i:it (?:is|was|were)|it['’]s) (?P<who>(?:the )?[A-Z][^,;:?!]{1,60}?),? (?:who|that|which) (?P<did>[^;:?!]{3,}?)(?P<end>[.!]?)$"
)
_CLEFT_WHEN = re.compile(
    r"^(?i:it (?:is|was)|it['’]s) (?P<when>(?:in|on|at|during|under|by|near) [^,;:?!]{2,40}?) that (?P<did>[^;:?!]{5,}?)(?P<end>[.!]?)$"
)
_RATHER = r"rather than|instead of|as opposed to"
_NOT = rf"(?:(?:and |but )?not|{_RATHER})"
_OTHER = r"(?:(?:in|on|at|by|from|to|as|with|for) )?(?:[\w'’.&-]+ ){0,4}[\w'’&-]+"
_IN_THE_MIDDLE = re.compile(rf"^(?P<subject>[^,;:?!]{{2,60}}), (?P<contrast>{_NOT} {_OTHER}), (?P<rest>[^;:?!]{{3,}})$")
_CONTRAST_AT_END = re.compile(
    rf"^(?P<subject>[^;:?!]{{8,}}?)(?P<contrast>, {_NOT} {_OTHER}| (?:and not|{_RATHER}) {_OTHER})(?P<rest>[.!]?)$"
)
_MEASURE = re.compile(r"\d[\d.,]* \w")  # "100 rather than 90 degrees": the unit belongs to both
# A further statement is not a mere contrast: "…, not that he knew".
_CONTRAST_STATES = re.compile(
    r"\b(?:not|that|is|are|was|were|has|have|had|will|would|can|could|do|does|did|be|been|only|just|even|yet|until|because|"
    r"if|when|who|which|all|every|always|necessarily|more|less|\w{3,}ed)\b",
    re.IGNORECASE,
)
_DENIES = re.compile(r"\bnot\b|n[’']t\b|\bnever\b")
_HE = r"(?:he|she)"
# What is "not as tall as" another is shorter.
_NOT_AS = (
    ("tall", "shorter"), ("high", "lower"), ("(?:big|large)", "smaller"), ("long", "shorter"), ("heavy", "lighter"), ("fast", "slower"),
    ("deep", "shallower"), ("(?:hot|warm)", "colder"), ("cold", "warmer"), ("old", "younger"), ("populous", "less populous"),
)  # fmt: skip
_TABLE = (
    (r"\b(?:tied the knot with|got (?:married|hitched) to|was wed to|wed)\b", "married"),
    (r"\b(?:kicked the bucket|passed on|lost (?:his|her) life)\b", "died"),
    (r"\b(?:is|was) the (?:brains?|mastermind|creator|man|woman|mind|genius|person|guy) behind\b", "created"),
    (r"\b(?:almost|nearly|practically|virtually) nothing but\b", "almost only"),
    (r"\bnothing but\b", "only"),
    (r"\bstart(?P<tense>ed|s) (?:out|off) (?:by )?(?=\w+ing\b)", r"began by "),
    (r"\bstart(?P<tense>ed|s) (?:out|off) as\b", r"start\g<tense> as"),
    (r"\bdied (?:at|aged) (?:just|only|a mere) (?=\d)", "died at the age of "),
    (rf"\b(?:was|were) (?:just |only )?(?P<age>\d+)(?: years old)? when {_HE} died\b", r"died at the age of \g<age>"),
    (rf"\bdied when {_HE} was (?:just |only )?(?P<age>\d+)(?: years old)?(?=[.!]?$)", r"died at the age of \g<age>"),
    (r"\b(?P<be>is|was) (?:just|only) (?P<age>\d+)(?= (?:years old )?when)", r"\g<be> \g<age>"),
    (r"\bsat on the throne for\b", "reigned for"),
    (r"\bus (?=(?:states?|presidents?|vice presidents?|city|cities|army|navy|senators?|senate|congress|constitution|supreme court|dollars?)\b)", "US "),
    (r"\b(?:got|bagged|scooped|picked up|took home|landed) (?=(?:an?|the|his|her|their|two|three|four|five|six|\d+) (?:[\w-]+ ){0,3}?"
     r"(?i:oscars?|academy awards?|grammys?|emmys?|tonys?|golden globes?|nobel prizes?|medals?|prizes?)\b)", "won "),
    (r"\bplay(?:s|ed) the (?:lead|leading|main|title)(?: role| character| part)? in\b", "stars in"),
    *((rf"\b(?P<be>is|was|are|were)(?:n['’]t| not) (?:nearly |quite |even |anywhere near )?as {more} as\b", rf"\g<be> {less} than")
      for more, less in _NOT_AS),
    (r"^[Tt]he (?:word|term) (?=[\"“']?\w+[\"”']? (?:comes|came|derives|is derived|originates|originated)\b)", "The name "),
)  # fmt: skip
_CAN_FIND = re.compile(
    r"^(?:[Yy]ou|[Oo]ne|[Pp]eople|[Ww]e) can (?P<how>find|see) (?P<what>(?:(?! (?:in|on|at) )[^,;:?!]){2,40})(?= (?:in|on|at) )"
)
_FOUND = {"find": "found", "see": "seen"}
_IDIOMS = tuple((re.compile(idiom), plain) for idiom, plain in _TABLE)


def without_emphasis(statement: str) -> str:
    """The statement without words that only add emphasis; capitalised ones stay, because titles have them ("Love Actually").
    Linear in its length.
    """
    if match := _CLEFT.match(statement):
        statement = f"{match['who'][0].upper()}{match['who'][1:]} {match['did']}{match['end']}"
    elif match := _CLEFT_WHEN.match(statement):
        statement = f"{match['did'][0].upper()}{match['did'][1:]} {match['when']}{match['end']}"
    found = _HAPPENS.sub(lambda match: _BE[match[1]], _KNOWN.sub(r"\1", statement))
    found = _AFTER_NOT.sub(r"\1", _STILL_DOES.sub("", _NOW.sub(r"\1", _AFTER_VERB.sub(r"\1", found))))
    if found.endswith("?"):
        found = _IN_QUESTION.sub("", found)
    elif found != found.lower():
        found = _BEFORE_VERB.sub("", found)
    last = _AT_END.search(found)
    if last is None or found.count(" ", 0, last.start()) < LEAST_STATEMENT - 1:
        return found
    return found[: last.start()] + found[last.end() :]


def without_contrast(statement: str) -> str:
    """The statement without the alternative that it rejects; unchanged if it has none. Linear in its length."""
    match = _IN_THE_MIDDLE.match(statement) or _CONTRAST_AT_END.match(statement)
    if match is None:
        return statement
    other = re.sub(rf"^,? ?{_NOT} ", "", match["contrast"])
    subject, rest = match["subject"], match["rest"]
    found = f"{subject}{rest if rest in ('', '.', '!') else f' {rest}'}"
    if (
        _CONTRAST_STATES.search(other)
        or _MEASURE.match(other)
        or _DENIES.search(found)
        or found.count(" ") < LEAST_STATEMENT - 1
    ):
        return statement
    return found


def in_plain_words(statement: str) -> str:
    """The statement with plain words for its turns of speech. Linear in its length."""
    statement = _CAN_FIND.sub(lambda found: capitalised(f"{found['what']} can be {_FOUND[found['how']]}"), statement)
    for idiom, plain in _IDIOMS:
        statement = idiom.sub(plain, statement)
    return with_years(statement)
