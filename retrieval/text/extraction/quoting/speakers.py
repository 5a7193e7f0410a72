"""Finds speakers, and the facts that a sentence mentions about them: "Ann Lee, who won in 2010, said"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from retrieval.text.extraction.dates import WEEKDAYS
from retrieval.text.extraction.quoting.saying import SUBJECTS, Span, bare

LONGEST_SPEAKER = 80  # characters


def nearest_noun(verb: Any, tokens: Sequence[Any]) -> Any | None:
    """The noun beside a verb for which the parser finds no subject: before it, or after it if nothing precedes the
    verb.
    """
    nouns = [
        token for token in tokens if token.pos_ in ("PROPN", "NOUN", "PRON") and token.dep_ not in ("pobj", "dobj")
    ]
    before = [token for token in nouns if token.i < verb.i]
    after = [token for token in nouns if token.i > verb.i]
    if before:
        return before[-1]
    if not after:
        return None
    last = after[0]
    while last.dep_ in ("compound", "nmod") and last.head in after:
        last = last.head
    return last


def speaker_after(token: Any) -> Any | None:
    """The speaker after "according to"; None if there is none."""
    following = token.nbor(1)
    if following.lower_ != "to":
        return None
    return next((child for child in following.children if child.dep_ == "pobj"), None)


def speaker_span(doc: Any, who: Any, start: int, end: int) -> Span:
    """The span that names the speaker in a part of a sentence."""
    opening = who.left_edge
    while opening.i < who.right_edge.i and opening.text in (
        *WEEKDAYS,
        "Yesterday",
        "Today",
    ):  # "On Monday Ann Lee said"
        opening = opening.nbor(1)
    first, last = max(start, opening.idx), min(end, who.right_edge.idx + len(who.right_edge))
    named = [child for child in who.children if child.dep_ == "appos" and child.ent_type_ == "PERSON"]
    if who.ent_type_ != "PERSON" and named and named[0].idx < last:  # "the mayor of Harlow, Ann Lee"
        return bare(doc.text, first, named[0].idx + len(named[0]))
    ends = [doc.text.find(sign, who.idx, last) for sign in (",", " (")]  # "the historian Ewa Lindner, who leads tours"
    return bare(doc.text, first, min((end for end in ends if end > 0), default=last))


def facts_about(who: Any, start: int, end: int) -> tuple[tuple[Span, ...], bool]:
    """The clauses about a speaker between `start` and `end`, each without its "who"; and whether there are others that
    need the whole sentence ("whose father", "the mayor of a town which").
    """
    text, asides, others = who.doc.text, [], False
    names = {who.i} | {child.i for child in who.children if child.dep_ == "appos"}
    clauses = [token for token in who.subtree if token.dep_ == "relcl" and start <= token.idx < end]
    inner = {token.i for clause in clauses for token in clause.subtree if token.i != clause.i}
    for clause in clauses:
        first = clause.left_edge
        if clause.i in inner or first.idx < start:
            continue  # part of another clause, or of the speaker's name
        if clause.head.i in names and first.dep_ in SUBJECTS and _means(first, clause.head):
            last = clause.right_edge
            asides.append(bare(text, first.nbor(1).idx, min(end, last.idx + len(last))))
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
