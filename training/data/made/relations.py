"""Claims about relations and roles, made by rule from sentences that name both sides.

"Orna is the daughter of Pell Varn" supports "Orna is Pell Varn's daughter", and refutes "Pell Varn is the daughter of
Orna" and "Orna is the sister of Pell Varn"; a band's drummer is not its singer.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator

from retrieval.text.sentences import pair_text
from retrieval.types import Sentence
from training.data.pairs import REFUTES, SUPPORTS, Pair

_NAME = r"[A-Z][\w'’-]+(?: (?:of|de|van|von)(?= [A-Z]))?(?: [A-Z][\w'’-]*){1,3}"
_BAND_NAME = r"(?:the )?[A-Z][\w'’-]+(?: [A-Z][\w'’-]+){0,3}"
_PLACE = r"(?:the )?[A-Z][\w'’-]+(?: [A-Z][\w'’-]+){0,2}"
_TITLE = r"(?:(?:King|Queen|Prince|Princess|Emperor|Sir|Lady|Lord|General|Admiral|[a-z]+) ){0,2}"
# Relation -> (its converse, relations that it excludes between the same two).
KIN: dict[str, tuple[str, tuple[str, ...]]] = {
    "son": ("parent", ("brother", "father", "husband", "uncle")),
    "daughter": ("parent", ("sister", "mother", "wife", "aunt")),
    "father": ("child", ("brother", "son", "husband")),
    "mother": ("child", ("sister", "daughter", "wife")),
    "brother": ("sibling", ("son", "father", "husband")),
    "sister": ("sibling", ("daughter", "mother", "wife")),
    "husband": ("spouse", ("brother", "son", "father")),
    "wife": ("spouse", ("sister", "daughter", "mother")),
    "student": ("teacher", ("teacher",)),
    "pupil": ("teacher", ("teacher",)),
    "teacher": ("student", ("student", "pupil")),
}
_BOTH_WAYS = {"brother", "sister", "husband", "wife"}  # symmetric, except for the word's gender
_TAUGHT = {"student", "pupil"}
_KIN = re.compile(
    rf"\b(is|was) (?:the|a) (?:(?:eldest|oldest|older|elder|younger|youngest|second|third|only|first|late) )?({'|'.join(KIN)}) of {_TITLE}({_NAME})"
)
BAND_ROLES = ("singer", "vocalist", "drummer", "bassist", "guitarist", "keyboardist", "saxophonist", "pianist")
_SAME_ROLE = {"singer", "vocalist"}
_BAND = re.compile(
    rf"\b(?:as|is|was) (?:the |a )?(?:(?:lead|former|original|founding|main|current) )*({'|'.join(BAND_ROLES)}) (?:of|for|in|with) (?:the )?(?:[a-z-]+ |[A-Z][a-z]+(?:an|ish|ese) ){{0,4}}?(?:band |group )?({_BAND_NAME})"
)
OFFICES = (
    "president",
    "prime minister",
    "king",
    "queen",
    "emperor",
    "chancellor",
    "governor",
    "mayor",
    "vice president",
)
_OFFICE = re.compile(
    rf"(?i:\b(is|was|became|serv(?:ed|es|ing) as) (?:the )?(?:\d+(?:st|nd|rd|th) |[a-z]+ )?({'|'.join(OFFICES)})) of ({_PLACE})"
)


def kin_pairs(sentences: Iterable[Sentence], rng: random.Random) -> Iterator[Pair]:
    """Up to five pairs for every sentence that says how its page's subject is related to somebody."""
    for sentence in sentences:
        match, subject = _KIN.search(sentence.text), _subject(sentence)
        if match is None or subject is None or match[3] in subject:
            continue
        verb, kin, other = match[1], match[2], match[3].strip()
        beside, (converse, excluded) = pair_text(sentence.title, sentence.text), KIN[kin]
        yield Pair(_related(subject, verb, kin, other, rng), beside, 1, SUPPORTS)
        yield Pair(_related(other, verb, converse, subject, rng), beside, 1, SUPPORTS)
        yield Pair(_related(subject, verb, rng.choice(excluded), other, rng), beside, 1, REFUTES)
        if kin not in _BOTH_WAYS:
            yield Pair(_related(other, verb, kin, subject, rng), beside, 1, REFUTES)
        if kin in _TAUGHT:
            yield Pair(f"{subject} was taught by {other}.", beside, 1, SUPPORTS)
            yield Pair(f"{other} was taught by {subject}.", beside, 1, REFUTES)


def role_pairs(sentences: Iterable[Sentence], rng: random.Random) -> Iterator[Pair]:
    """Two or three pairs for every sentence that gives its page's subject one role in a band, or one office of a place."""
    for sentence in sentences:
        subject = _subject(sentence)
        if subject is None:
            continue
        beside = pair_text(sentence.title, sentence.text)
        if band := _BAND.search(sentence.text):
            free = [role for role in BAND_ROLES if role not in sentence.text and role not in _SAME_ROLE]
            yield Pair(_has_role(subject, band[1], band[2].strip(), rng), beside, 1, SUPPORTS)
            yield Pair(_has_role(subject, rng.choice(free), band[2].strip(), rng), beside, 1, REFUTES)
        elif office := _OFFICE.search(sentence.text):
            title, place = office[2].lower(), office[3].strip()
            free = [role for role in OFFICES if role not in sentence.text.lower()]
            verb = "is" if office[1].lower() == "is" else "was"
            yield Pair(f"{subject} {verb} {title} of {place}.", beside, 1, SUPPORTS)
            if free:
                yield Pair(f"{subject} {verb} the {rng.choice(free)} of {place}.", beside, 1, REFUTES)


def _subject(sentence: Sentence) -> str | None:
    """The page's subject, if the sentence is about it."""
    name = sentence.title.split(" (")[0]
    return name if sentence.text.startswith((name.split()[0], "He ", "She ")) else None


def _related(one: str, verb: str, kin: str, other: str, rng: random.Random) -> str:
    if rng.random() < 0.5:
        return f"{one} {verb} {other}'s {kin}."
    return f"{one} {verb} the {kin} of {other}."


def _has_role(one: str, role: str, band: str, rng: random.Random) -> str:
    if rng.random() < 0.4:
        return f"{one} was {band}'s {role}."
    return f"{one} {rng.choice(('is', 'was'))} the {role} of {band}."
