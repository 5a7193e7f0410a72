"""Verbs of saying in a parsed sentence, their speakers, and facts about the speakers: "Ann Lee, who won in 2010, said"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from retrieval.text.extraction.dates import WEEKDAYS
from retrieval.text.extraction.quoting.marks import MARKS
from retrieval.text.grammar import SAYING, SUBJECTS, auxiliaries, child_of, end_of, is_mark

Span = tuple[int, int]

UNNAMED = "someone unnamed"  # the speaker, if the text has only a pronoun
SHORTEST_QUOTATION = 3  # words
LONGEST_SPEAKER = 80  # characters
_DAYS = (*WEEKDAYS, "Yesterday", "Today")
SIGNS = MARKS + " ,;:"
OTHER_SIDE = frozenset("while whereas although though but".split())
_HARDLY = frozenset("hardly scarcely barely rarely seldom nowhere".split())
_SHARES = frozenset(
    "percent % cent half third thirds quarter quarters majority minority most many some few all none nobody no neither nor nothing not "
    "hardly scarcely barely little".split()
)


def bare(text: str, start: int, end: int) -> Span:
    """The span without quotation marks, commas and spaces at its ends."""
    while start < end and text[start] in SIGNS:
        start += 1
    while end > start and text[end - 1] in SIGNS and not _plural_owner(text, end):
        end -= 1
    return start, end


def _plural_owner(text: str, end: int) -> bool:
    return text[end - 1] in "'’" and end > 1 and text[end - 2] == "s" and text[end : end + 2].strip()[:1].isalnum()


def says(verb: Any) -> bool:
    """Whether a word is a verb of saying, not negated, whose subject speaks, unlike that of "was told"."""
    lemma = verb.lemma_.lower()
    if lemma not in SAYING or lemma == "deny" or not verb.tag_.startswith("VB"):
        return False
    return not any(child.dep_ in ("neg", "auxpass") or child.lower_ in _HARDLY for child in verb.children)


def is_share(who: Any) -> bool:
    """Whether a subject is nobody or a share of people, and so part of the statement: "Half of the visitors said"."""
    return any(token.lower_ in _SHARES for token in who.doc[who.left_edge.i : who.i + 1])


def naming(verb: Any, who: Any) -> set[int]:
    """The words that only name the speaker: "Ann Lee has said"."""
    return {token.i for token in (*who.subtree, verb, *auxiliaries(verb))}


def words_in(text: str, spans: Sequence[Span]) -> int:
    """The number of words in these parts of a text together."""
    return sum(text[start:end].count(" ") + 1 for start, end in spans)


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


def nearest_noun(verb: Any, tokens: Sequence[Any]) -> Any | None:
    """The noun before, or else after, a verb for which the parser finds no subject."""
    nouns = [word for word in tokens if word.pos_ in ("PROPN", "NOUN", "PRON") and word.dep_ not in ("pobj", "dobj")]
    before = [token for token in nouns if token.i < verb.i]
    after = [token for token in nouns if token.i > verb.i]
    if before or not after:
        return before[-1] if before else None
    last = after[0]
    while last.dep_ in ("compound", "nmod") and last.head in after:
        last = last.head
    return last


def speaker_after(token: Any) -> Any | None:
    """The speaker after "according to"; None if there is none."""
    following = token.nbor(1)
    return child_of(following, "pobj") if following.lower_ == "to" else None


def speaker_span(who: Any, start: int, end: int) -> Span:
    """The span that names the speaker in a part of a sentence."""
    text, opening = who.doc.text, who.left_edge
    while opening.i < who.right_edge.i and opening.text in _DAYS:  # "On Monday Ann Lee said"
        opening = opening.nbor(1)
    first, last = max(start, opening.idx), min(end, end_of(who.right_edge))
    named = [child for child in who.children if child.dep_ == "appos" and child.ent_type_ == "PERSON"]
    if who.ent_type_ != "PERSON" and named and named[0].idx < last:  # "the mayor of Harlow, Ann Lee"
        return bare(text, first, end_of(named[0]))
    ends = [text.find(sign, who.idx, last) for sign in (",", " (")]  # "the historian Ewa Lindner, who leads tours"
    return bare(text, first, min((end for end in ends if end > 0), default=last))


def facts_about(who: Any, start: int, end: int) -> tuple[tuple[Span, ...], bool]:
    """The clauses about a speaker, each without its "who", and whether others need the whole sentence ("whose father")."""
    text, asides, others = who.doc.text, [], False
    names = {who.i} | {child.i for child in who.children if child.dep_ == "appos"}
    clauses = [token for token in who.subtree if token.dep_ == "relcl" and start <= token.idx < end]
    inner = {token.i for clause in clauses for token in clause.subtree if token.i != clause.i}
    for clause in clauses:
        first = clause.left_edge
        if clause.i in inner or first.idx < start:
            continue  # part of another clause, or of the speaker's name
        if clause.head.i in names and first.dep_ in SUBJECTS and _means(first, clause.head):
            asides.append(bare(text, first.nbor(1).idx, min(end, end_of(clause.right_edge))))
        else:
            others = True
    return tuple(asides), others


def _means(pronoun: Any, head: Any) -> bool:
    """Whether "who" or "which" can only mean its head: the word before it, or a person if the other noun is a place."""
    before = pronoun.nbor(-1) if pronoun.i else pronoun
    while before.is_punct and before.i:
        before = before.nbor(-1)
    if before.i == head.i:
        return pronoun.lower_ in ("who", "which")
    return pronoun.lower_ == "who" and before.ent_type_ in ("GPE", "LOC", "FAC", "ORG")
