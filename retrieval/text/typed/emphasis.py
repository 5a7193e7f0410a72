"""Removes words within a statement that only add emphasis ("is actually", "truly was", "…, in fact").

The networks look for them in the evidence, and leave the claim open (docs/experiments.md). Words in front of a
statement are frames (`framing.py`).
"""

from __future__ import annotations

import re

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
    r"to be (?:honest|fair)|as far as i know)|,? [–—-]+ fact|, (?:fact|period|full stop|seriously|100 ?%|believe me|trust me|right|though|no\?|"
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
_LEAST_WORDS = 3  # that must remain before a word at the end


def without_emphasis(statement: str) -> str:
    """The statement without words that only add emphasis; capitalised ones stay, because titles have them ("Love
    Actually").

    Linear in the length of the statement.
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
    if last is None or found.count(" ", 0, last.start()) < _LEAST_WORDS - 1:
        return found
    return found[: last.start()] + found[last.end() :]
