"""Claims that reword who made something, or how many parts it has, made by rule from the sentences of a page.

"Apple is a company founded by Steve Jobs and Steve Wozniak" supports "Steve Jobs founded Apple" and refutes
"Bill Gates founded Apple"; "composed of 50 states" refutes "has 51 states". A claim about another relation stays open.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from retrieval.text.sentences import pair_text
from retrieval.types import Sentence
from training.data.made.twins import Named
from training.data.pairs import NEUTRAL, REFUTES, SUPPORTS, Pair

# Participle -> past tense
MAKING = {
    deed: {"co-founded": "founded", "written": "wrote"}.get(deed, deed)
    for deed in (
        "founded co-founded established created directed produced written composed designed developed invented discovered "
        "painted recorded performed published built owned"
    ).split()
}
MAKERS = ("PERSON", "ORG")  # spaCy's types
OFTEN, OFTEN_KEPT = "directed", 0.08  # nine in ten such sentences of an encyclopedia are about films, so few are used
# Relations that a sentence about another relation leaves open: a book's writer need not have published it.
OTHER_RELATIONS = ("directed", "painted", "published", "owned", "discovered", "performed", "recorded")
OPEN_SHARE = 0.35  # of sentences that get a claim about a relation they do not mention
NUMBER_WORDS = "two three four five six seven eight nine ten eleven twelve".split()
HOLDING = ("has", "consists of", "is made up of", "contains", "comprises", "is composed of", "includes")

MADE_BY = re.compile(rf"\b({'|'.join(MAKING)}) (?:in (?:1[0-9]|20)\d\d )?by (?=[A-Z])")
# Words before the participle or number that make it describe something other than the page's subject.
_OF_ANOTHER = re.compile(r"\b(?:from|by|that|which|who|whose|whom|novel|book|based|series|not|never)\b")
_BETWEEN_MAKERS = re.compile(r"^(?:, (?:and )?| and | & )$")
_HOLDS = re.compile(
    r"\b(?:consist(?:s|ed|ing) of|composed of|made up of|compris(?:es|ed|ing)|contain(?:s|ing)|has|had)"
    rf" (?:exactly )?(\d{{1,3}}|{'|'.join(NUMBER_WORDS)}) ((?:[a-z][a-z-]+ ){{0,2}}?[a-z-]+s)\b(?= |[.,;])"
)
_SHARES_OF = frozenset("times percent years months days hours minutes seconds meters metres kilometers miles".split())


def maker_pairs(sentences: Iterable[Named], names: Mapping[str, Sequence[str]], rng: random.Random) -> Iterator[Pair]:
    """Five or six pairs for every sentence that says who made the page's subject.

    names: names by type, from which a false maker is drawn.
    """
    for named in sentences:
        found = find_makers(named)
        if found is None:
            continue
        participle, kind, spans = found
        if participle == OFTEN and rng.random() > OFTEN_KEPT:
            continue
        text, title = named.sentence.text, named.sentence.title
        subject, beside, past = title.split(" (")[0], pair_text(title, text), MAKING[participle]
        start, end = rng.choice(spans)
        maker, other = text[start:end], rng.choice(names[kind])
        if other in text or other in title:
            continue
        changed = pair_text(title, text[:start] + other + text[end:])
        for name, agrees, against in ((maker, beside, changed), (other, changed, beside)):
            claim = rng.choice((f"{name} {past} {subject}.", f"{subject} was {participle} by {name}."))
            yield Pair(claim, agrees, 1, SUPPORTS)
            yield Pair(claim, against, 1, REFUTES)
        yield Pair(f"{other} {past} {subject}.", beside, 1, REFUTES)
        unsaid = [word for word in OTHER_RELATIONS if word not in text]
        if rng.random() < OPEN_SHARE and unsaid:
            word = rng.choice(unsaid)
            claims = (f"{maker} {MAKING[word]} {subject}.", f"{subject} was {word} by {other}.")
            yield Pair(rng.choice(claims), beside, 0, NEUTRAL)


def find_makers(named: Named) -> tuple[str, str, list[tuple[int, int]]] | None:
    """(participle, type, the makers' offsets) of a sentence about its page's subject; None if it names no maker."""
    text, subject = named.sentence.text, named.sentence.title.split(" (")[0]
    match = MADE_BY.search(text)
    if match is None or not text.startswith((subject, "It ")) or _OF_ANOTHER.search(text, len(subject), match.start()):
        return None
    kinds = {start: (end, kind) for start, end, kind in named.names if kind in MAKERS}
    if match.end() not in kinds:
        return None
    kind = kinds[match.end()][1]
    spans = [(start, end) for start, (end, other) in sorted(kinds.items()) if start >= match.end() and other == kind]
    makers = spans[:1]
    for (_, end), (start, last) in pairwise(spans):
        if not _BETWEEN_MAKERS.match(text[end:start]):
            break
        makers.append((start, last))
    whole = all(re.match(r"[.,; ]", text[end:] or ".") and not text[end:].startswith("'s") for _, end in makers)
    return (match[1], kind, makers) if whole else None


def count_pairs(sentences: Iterable[Sentence], rng: random.Random) -> Iterator[Pair]:
    """Four pairs for every sentence that says how many parts its page's subject has."""
    for sentence in sentences:
        subject, text = sentence.title.split(" (")[0], sentence.text
        match = _HOLDS.search(text)
        if match is None or not text.startswith((subject, "It ")) or match[2].split()[-1] in _SHARES_OF:
            continue
        if _OF_ANOTHER.search(text, 0, match.start()) or len(text[: match.start()].split()) > len(subject.split()) + 8:
            continue
        count = _value(match[1])
        other = max(2, count + rng.choice((-10, -3, -2, -1, 1, 1, 2, 3, 10)))
        if other == count:
            other = count + 1
        changed = text[: match.start(1)] + _in_words(other, match[1].isdigit()) + text[match.end(1) :]
        beside, against = pair_text(sentence.title, text), pair_text(sentence.title, changed)
        for number, agrees, disagrees in ((count, beside, against), (other, against, beside)):
            number_words = _in_words(number, rng.choice((True, False)))
            claim = f"{subject} {rng.choice(HOLDING)} {number_words} {match[2]}."
            yield Pair(claim, agrees, 1, SUPPORTS)
            yield Pair(claim, disagrees, 1, REFUTES)


def _value(words: str) -> int:
    return int(words) if words.isdigit() else NUMBER_WORDS.index(words) + 2


def _in_words(number: int, digits: bool) -> str:
    """The number in digits, or as a word if it has one."""
    if digits or not 2 <= number <= len(NUMBER_WORDS) + 1:
        return str(number)
    return NUMBER_WORDS[number - 2]
