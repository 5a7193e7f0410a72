"""Turns yes/no questions into statements: "Was Obama born in Kenya?" -> "Obama was born in Kenya." """

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile
from typing import Any

from retrieval.models.english.grammar import CONTRACTED, ParsedClaim, clauses, parse
from retrieval.models.english.inflection import without_do
from retrieval.text.grammar import FINITE, NOUN_SUBJECTS, auxiliaries, capitalised

_BE = frozenset("is are was were am isn't aren't wasn't weren't isn’t aren’t wasn’t weren’t".split())
_DO = frozenset("do does did don't doesn't didn't don’t doesn’t didn’t".split())
_OTHERS = frozenset(
    "has have had can could will would shall should may might must hasn't haven't hadn't can't couldn't won't wouldn't shouldn't "
    "hasn’t haven’t hadn’t can’t couldn’t won’t wouldn’t shouldn’t".split()
)
_WH = re.compile(
    r"(?:(?:and|so|but|hey|ok|please) )?(?:(?:in|on|at|by|for|from|of|to|with|since|until|about) )?"
    r"(?:who|whom|whose|what|when|where|why|how|which)(?:['’](?:s|re|d|ll))?\b",
    re.IGNORECASE,
)
_WH_ASKS = re.compile(
    r"(?:(?:in|on|at|by|for|from|of|to|with|since) )?(?:who|whom|what|when|where|why|how)(?:['’]s)? ?(?:(?:is|was|are|were|did|does|do|has|have|had|can|"
    r"will|would|should|could)\b|(?:many|much|long|old|tall|high|far|big|large|often|deep|fast|heavy)\b)|(?:what|which|whose) \w+ (?:is|was|are|were|did|does|do|has|have)\b",
    re.IGNORECASE,
)
_PERSONAL = frozenset("i you we u me us".split())
_NOT_AFTER = frozenset("of 's ’s and or".split())
LONGEST_QUESTION = 40  # words of a question that becomes a statement


def is_wh_question(text: str) -> bool:
    """Whether a text asks who, what, when, where, why, how or which."""
    if text.rstrip(" \"”'’").endswith("?"):
        return bool(_WH.match(text))
    if text[:1].islower() and _WH.match(text):
        return not _has_be(text) or _WH_ASKS.match(text) is not None
    asks = _WH_ASKS.match(text)
    # "What Is Love is a song", "When It Rains was released in 2010"
    return asks is not None and not re.search(r"\s[A-Z]", text[: asks.end()]) and not _has_be(text[asks.end() :])


def _has_be(text: str) -> bool:
    return not _BE.isdisjoint(re.findall(r"[\w'’]+", text.lower()))


def begins_as_question(text: str) -> bool:
    """Whether a text's first word can begin a yes/no question."""
    return text.partition(" ")[0].lower() in _BE | _DO | _OTHERS


def asks(text: str, doc: Any) -> bool:
    """Whether a text that begins like a question is one that yes or no answers. doc: spaCy's parse."""
    if text.rstrip(" \"”'’").endswith("?"):
        return True
    finite = [token for token in doc if token.tag_ in FINITE and token.dep_ != "relcl"]
    return doc[0].tag_ != "NNP" and len(finite) <= 1


def statement_of(language: Any, question: str) -> str:
    """The statement that a yes/no question asks about; empty if it cannot be made cleanly."""
    words = question.rstrip(' ?!."”').split()
    words = words[:-2] if [word.lower() for word in words[-2:]] == ["or", "not"] else words
    if not 3 <= len(words) <= LONGEST_QUESTION or "or" in words or "," in words[-1]:
        return ""
    helper, rest = re.sub(r"n['’]t$", "", words[0].lower()), words[1:]
    helper = CONTRACTED.get(helper, helper)
    rest = rest[1:] if rest[0].lower() == "not" else rest
    if rest[0].lower() in _PERSONAL:
        return ""
    for split in _splits(language, helper, rest):
        statement = _stated(rest[:split], helper, rest[split:])
        if _is_clean(language, statement, statement[: len(" ".join(rest[:split]))], helper):
            return statement
    return ""


def _splits(language: Any, helper: str, rest: list[str]) -> Iterator[int]:
    """Possible lengths of the subject, in words: those that the question's parse suggests, then all, shortest first."""
    if rest[0].lower() == "there":
        yield 1
        return
    text = " ".join([helper, *rest])
    parsed = parse(language, text)
    subjects = [token for token in parsed.tokens if token.dep_ in NOUN_SUBJECTS and token.left_edge.i == 1]
    ends = {parsed.ends[subject.right_edge.i] for subject in subjects}
    first = [len(text[:end].split()) - 1 for end in sorted(ends)]
    first += _before_participle(parsed) if helper in _BE else []
    others = [
        length for length in range(1, len(rest)) if not (rest[length - 1][:1].isupper() and rest[length][:1].isupper())
    ]
    yield from dict.fromkeys(length for length in [*first, *others, *range(1, len(rest))] if 0 < length < len(rest))


def _before_participle(parsed: ParsedClaim) -> list[int]:
    """The lengths of a subject that may end before a participle: "was | the tunnel under the river | built"."""
    for token in parsed.tokens[2:]:
        articles = [other for other in parsed.tokens[2 : token.i] if other.pos_ == "DET"]
        if token.tag_ in ("VBN", "VBD") and all(article.nbor(-1).pos_ in ("ADP", "CCONJ") for article in articles):
            return [len(parsed.claim[: parsed.starts[token.i]].split()) - 1]
    return []


def _stated(subject: list[str], helper: str, rest: list[str]) -> str:
    if helper in _DO:
        adverbs = takewhile(lambda word: word.endswith("ly") or word in ("ever", "still", "also"), rest)
        verb = len(list(adverbs)) % len(rest)  # the first word, if all seem adverbs
        rest = [*rest[:verb], without_do(helper, rest[verb]), *rest[verb + 1 :]]
    else:
        rest = [helper, *rest]
    return f"{capitalised(' '.join([*subject, *(word for word in rest if word != 'ever')]))}."


def _is_clean(language: Any, statement: str, subject: str, helper: str) -> bool:
    """Whether the statement's parse has this subject, directly followed by the verb."""
    behind = statement[len(subject) :].split()
    if behind[helper not in _DO :][:1] and behind[helper not in _DO].rstrip(".").lower() in _NOT_AFTER:
        return False
    if subject.count(",") % 2 or subject.split()[-1].lower() in "the a an of in on at by and first only most".split():
        return False
    parsed = parse(language, statement)
    main = next(iter(clauses(parsed)), None)
    if main is None or not main.subject:
        return False
    if parsed.starts[main.subject.start] != 0 or parsed.ends[main.subject.stop - 1] != len(subject):
        return False
    if helper in _BE and subject != "There" and any(map(_is_half, parsed.tokens)):
        return False
    verb = main.verb if main.helper is None else main.helper
    between = statement[len(subject) : parsed.starts[verb]].split()
    return main.verb >= main.subject.stop and all(word.endswith("ly") or word in ("also", "still") for word in between)


def _is_half(token: Any) -> bool:
    """Whether a word seems cut off from its phrase: "the bermuda is triangle", "was directed by Ann Lee released"."""
    if token.pos_ == "VERB" and token.tag_ in ("VBN", "VBD") and token.i and not auxiliaries(token):
        return bool(token.nbor(-1).pos_ == "PROPN")
    bare = token.tag_ == "NN" and token.text.islower() and not any(child.i < token.i for child in token.children)
    return bare and token.dep_ == "attr" and token.head.lemma_ == "be"
