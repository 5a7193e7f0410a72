"""Verbs of saying, clauses and spans in a parsed sentence, for the other modules of this folder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from retrieval.text.extraction.quoting.marks import MARKS
from retrieval.text.extraction.splitting import is_mark

Span = tuple[int, int]

SAYING = frozenset(
    "say tell claim state announce add argue write declare assert insist warn note explain report maintain allege confirm "
    "deny reveal stress reply suggest contend remark estimate believe tweet retweet post comment testify boast point admit "
    "acknowledge concede recall observe repeat conclude complain emphasize emphasise reiterate proclaim blog respond "
    "continue quip swear answer retort counter underline".split()
)
ONLY_BESIDE_MARKS = frozenset(
    "continue point post comment respond answer counter retweet".split()
)  # which often have other meanings too
UNNAMED = "someone unnamed"  # the speaker, if the text has only a pronoun
LEAST_WORDS = 3  # of a quotation
SUBJECTS = ("nsubj", "nsubjpass", "expl", "csubj")
SIGNS = MARKS + " ,;:"


def bare(text: str, start: int, end: int) -> Span:
    """The span without quotation marks, commas and spaces at its ends."""
    while start < end and text[start] in SIGNS:
        start += 1
    while end > start and text[end - 1] in SIGNS and not _plural_owner(text, end):
        end -= 1
    return start, end


def _plural_owner(text: str, end: int) -> bool:
    return text[end - 1] in "'’" and end > 1 and text[end - 2] == "s" and text[end : end + 2].strip()[:1].isalnum()


_HARDLY = frozenset("hardly scarcely barely rarely seldom nowhere".split())


def says(verb: Any) -> bool:
    """Whether a word is a verb of saying, not negated, whose subject speaks, unlike that of "was told"."""
    lemma = verb.lemma_.lower()
    if lemma not in SAYING or lemma == "deny" or not verb.tag_.startswith("VB"):
        return False
    return not any(child.dep_ in ("neg", "auxpass") or child.lower_ in _HARDLY for child in verb.children)


_SHARES = frozenset(
    "percent % cent half third thirds quarter quarters majority minority most many some few all none nobody no neither nor nothing not "
    "hardly scarcely barely little".split()
)


def is_share(who: Any) -> bool:
    """Whether a subject is a share of people ("Sixty percent of visitors said") or nobody, and so part of the
    statement.
    """
    return any(token.lower_ in _SHARES for token in who.doc[who.left_edge.i : who.i + 1])


def naming(verb: Any, who: Any) -> set[int]:
    """The words that only name the speaker: "Ann Lee has said"."""
    helpers = {child.i for child in verb.children if child.dep_ in ("aux", "auxpass")}
    return {token.i for token in who.subtree} | {verb.i} | helpers


def words_in(text: str, spans: Sequence[Span]) -> int:
    """The number of words in these parts of a text together."""
    return sum(text[start:end].count(" ") + 1 for start, end in spans)


def is_clause(token: Any) -> bool:
    """Whether a word is the finite verb of a clause."""
    return token.tag_ in ("VBD", "VBZ", "VBP", "MD") and token.pos_ in ("VERB", "AUX")


def has_saying(doc: Any, span: Span) -> bool:
    """Whether somebody says something in a part of a sentence."""
    return any(says(token) for token in doc if span[0] <= token.idx < span[1])


def joint(doc: Any, start: int, least: int = 0) -> int:
    """The first word of the "and", "but that" or ", adding that" before a statement. least: the first word to look at."""
    place = next((token.i for token in doc if token.idx >= start), len(doc))
    while place > least and (
        is_mark(doc[place - 1]) or doc[place - 1].dep_ in ("cc", "mark") or doc[place - 1].lemma_.lower() in SAYING
    ):
        place -= 1
    return int(doc[place].idx) if place < len(doc) else len(doc.text)
