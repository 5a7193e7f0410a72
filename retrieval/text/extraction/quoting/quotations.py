"""What was said in a sentence, and by whom: "X said that …", "“…”, X said", "According to X, …", "X: “…”"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from retrieval.text.extraction.dates import WEEKDAYS
from retrieval.text.extraction.quoting.marks import MARKS, closes_before_it_opens
from retrieval.text.extraction.splitting import is_mark

SAYING = frozenset(
    "say tell claim state announce add argue write declare assert insist warn note explain report maintain allege confirm "
    "deny reveal stress reply suggest contend remark estimate believe tweet retweet post comment testify boast point admit "
    "acknowledge concede recall observe repeat conclude complain emphasize emphasise reiterate proclaim blog respond "
    "continue quip answer retort counter underline".split()
)
ONLY_BESIDE_MARKS = frozenset(
    "continue point post comment respond answer counter retweet".split()
)  # else often no saying
LEAST_WORDS = 3  # of what was said
LONGEST_SPEAKER = 80  # characters
SUBJECTS = ("nsubj", "nsubjpass", "expl", "csubj")
_SIGNS = MARKS + " ,;:"
_OTHER_SIDE = frozenset("while whereas although though but".split())
_LABELLED = re.compile(
    r"(?P<who>[A-Z][\w.’'-]*(?: [\w.’'-]+){0,6}): (?P<what>[“\"«‘'](?:[^“”\"«»‘’]|(?<=\w)’(?=\w))+[”\"»’'])\.?\s*\Z"
)

Span = tuple[int, int]


@dataclass(frozen=True)
class Attribution:
    """Who says something, and where that stands. others: statements beside it, each with whether the same person
    makes it; None if what stands beside it is neither that nor a circumstance.
    """

    speaker: Span
    others: tuple[tuple[Span, bool], ...] | None = ()


@dataclass(frozen=True)
class Quotation:
    """What was said, by offsets in its sentence, and by whom (None: the sentence does not tell). spans: together one
    statement. others: further statements, each with whether the same person makes it.
    """

    spans: tuple[Span, ...]
    speaker: Span | None
    others: tuple[tuple[Span, bool], ...] = ()


def quotation_in(doc: Any) -> Quotation | None:
    """The quotation in a sentence, if its grammar shows one; None for plain statements and for denials."""
    if match := _LABELLED.match(doc.text):
        return Quotation((bare(doc.text, *match.span("what")),), match.span("who"))
    return _by_verb(doc) or _named_then_noun(doc) or _according_to(doc)


def attribution_in(doc: Any, start: int, end: int) -> Attribution | None:
    """Who says what stands in quotation marks beside doc.text[start:end]: "said Ann Lee, the mayor"."""
    tokens = [token for token in doc if start <= token.idx < end]
    for verb in tokens:
        if not _says(verb):
            continue
        own = [child for child in verb.children if child.dep_ in SUBJECTS and start <= child.idx < end]
        who = own[0] if own else _nearest_noun(verb, tokens)
        if who is None:
            continue
        return Attribution(_speaker(doc, who, start, end), _beside(verb, who, start, end))
    for token in tokens[:-1]:
        if token.lower_ == "according" and (told := _pobj(token)) is not None:
            return Attribution(_speaker(doc, told, start, end))
    return None


def bare(text: str, start: int, end: int) -> Span:
    """A span without quotation marks, commas and spaces at its ends."""
    while start < end and text[start] in _SIGNS:
        start += 1
    while end > start and text[end - 1] in _SIGNS and not _plural_owner(text, end):
        end -= 1
    return start, end


def _plural_owner(text: str, end: int) -> bool:
    return text[end - 1] in "'’" and end > 1 and text[end - 2] == "s" and text[end : end + 2].strip()[:1].isalnum()


def _says(verb: Any) -> bool:
    """Whether a word says something, and does not deny it."""
    lemma = verb.lemma_.lower()
    if lemma not in SAYING or lemma == "deny" or not verb.tag_.startswith("VB"):
        return False
    return not any(child.dep_ == "neg" for child in verb.children)


def _nearest_noun(verb: Any, tokens: Sequence[Any]) -> Any | None:
    """The noun beside a verb whose subject the parser does not see: behind it first, if nothing precedes it."""
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


def _by_verb(doc: Any) -> Quotation | None:
    for verb in doc:
        if verb.dep_ not in ("ROOT", "parataxis") or not _says(verb):
            continue
        who = next((child for child in verb.children if child.dep_ == "nsubj"), None)
        what = next((child for child in verb.children if child.dep_ == "ccomp"), None)
        if verb.dep_ == "parataxis" and what is None:
            return _between_commas(doc, verb, who)
        if who is None or what is None or what.pos_ not in ("VERB", "AUX"):
            return None
        marked = any(child.dep_ == "mark" and child.lower_ == "that" for child in what.children)
        if not marked and not any(child.dep_ in SUBJECTS for child in what.children):
            return None
        if verb.lemma_.lower() in ONLY_BESIDE_MARKS and not marked:
            return None
        return _told_first(doc, verb, who, what) if what.i > verb.i else _told_last(doc, verb, who, what)
    return None


def _named_then_noun(doc: Any) -> Quotation | None:
    """ "Trump claims that …", where the parser takes the verb for a noun and finds no other."""
    for token in doc[1:-2]:
        if token.pos_ != "NOUN" or token.lemma_.lower() not in SAYING or not token.lower_.endswith("s"):
            continue
        that, before = token.nbor(1), doc[: token.i]
        root = next(other for other in doc if other.dep_ == "ROOT")
        name = before[-1].tag_ in ("NNP", "NNPS", "NN") and all(one.pos_ in ("PROPN", "NOUN", "DET") for one in before)
        if name and root.i <= token.i and (that.lower_, that.dep_) == ("that", "mark"):
            span = bare(doc.text, that.nbor(1).idx, len(doc.text))
            return Quotation((span,), bare(doc.text, 0, token.idx))
    return None


def _told_first(doc: Any, verb: Any, who: Any, what: Any) -> Quotation | None:
    """ "X said that …": all that follows, but for what is not said: "…, adding that …"."""
    first = what.left_edge
    if first.i < verb.i:
        return _between_commas(doc, verb, who)
    while first.i < what.i and ((first.dep_ == "mark" and first.lower_ == "that") or first.is_punct):
        first = first.nbor(1)
    others = _beside(verb, who, what.right_edge.idx + len(what.right_edge), len(doc.text))
    aside = [child for child in what.children if child.dep_ == "advcl" and child.left_edge.lower_ in _OTHER_SIDE]
    own = {token.i for token in who.subtree} | {token.i for token in what.subtree} | {verb.i}
    own |= {child.i for child in verb.children if child.dep_ in ("aux", "auxpass")}
    if any(_is_clause(token) and token.i not in own for token in doc[: what.i]):
        return None  # "Although prices fell, X said that …"
    if others is None or who.i > what.i or any(_says(token) for child in aside for token in child.subtree):
        return None
    end = _joint(doc, others[0][0][0]) if others else len(doc.text)
    return _quotation(doc, (bare(doc.text, first.idx, end),), who, others)


def _told_last(doc: Any, verb: Any, who: Any, what: Any) -> Quotation | None:
    """ "…, X said": all that precedes; and what follows, if it goes on: "…, X said, and …"."""
    between = min(verb.i, who.left_edge.i)
    if what.right_edge.i > verb.i:
        return _between_commas(doc, verb, who)
    before = bare(doc.text, 0, doc[between].idx)
    others = _beside(verb, who, doc[between].idx, len(doc.text))
    if others is None:
        return None
    goes_on = [span for span, said in others if not said and not _has_saying(doc, span)]
    if goes_on:
        start = bare(doc.text, _joint(doc, goes_on[0][0]), len(doc.text))[0]
        whole = (before, (start, goes_on[0][1]))
        return _quotation(doc, whole, who, tuple(one for one in others if one[0] != goes_on[0]))
    return _quotation(doc, (before,), who, others)


def _between_commas(doc: Any, verb: Any, who: Any) -> Quotation | None:
    """ "The bridge, X said, was closed": what stands on both sides of "X said" is said."""
    if who is None or any(child.dep_ in ("mark", "advcl", "conj") for child in verb.children):
        return None
    own = [who.left_edge.i, who.right_edge.i, verb.i]
    start, end = min(own), max(own)
    while end + 1 < len(doc) and not doc[end + 1].is_punct:
        end += 1
    if start < 2 or end + 2 >= len(doc) or doc[start - 1].text != "," or doc[end + 1].text != ",":
        return None
    if any(_is_clause(token) for token in doc[verb.i + 1 : end + 1]):
        return None
    before, after = bare(doc.text, 0, doc[start].idx), bare(doc.text, doc[end + 1].idx, len(doc.text))
    return _quotation(doc, (before, after), who)


def _beside(verb: Any, who: Any, start: int, end: int) -> tuple[tuple[Span, bool], ...] | None:
    """Statements that stand beside "X said" in a part of its sentence; None if there is a clause that is none."""
    found: list[tuple[Span, bool]] = []
    seen = {token.i for token in who.subtree} | {verb.i}
    seen |= {child.i for child in verb.children if child.dep_ in ("aux", "auxpass")}
    for child in verb.children:
        inside = start <= child.idx < end and child.i > verb.i
        if not inside or child.dep_ not in ("advcl", "conj", "parataxis", "ccomp") or child.i in seen:
            continue
        other = _statement(child, end)
        if other is None:
            if _is_clause(child) or child.dep_ != "parataxis":
                return None
            continue
        found.append(other)
        seen |= {token.i for token in child.subtree}
    rest = [token for token in verb.doc if start <= token.idx < end and token.i not in seen]
    if any(_is_clause(token) for token in rest):
        return None
    return tuple(sorted(found))


def _statement(clause: Any, end: int) -> tuple[Span, bool] | None:
    """A clause beside "X said" as a statement, and whether X makes it: "adding that …", "but …"."""
    subject = next((child for child in clause.children if child.dep_ in SUBJECTS), None)
    stop = min(end, clause.right_edge.idx + len(clause.right_edge))
    if subject is None and _says(clause):
        what = next((child for child in clause.children if child.dep_ == "ccomp" and child.i > clause.i), None)
        if what is None or not any(child.dep_ in SUBJECTS for child in what.children):
            return None
        first = what.left_edge
        while first.i < what.i and first.lower_ == "that":
            first = first.nbor(1)
        return bare(clause.doc.text, first.idx, stop), True
    if subject is None or not (_is_clause(clause) or any(map(_is_clause, clause.children))):
        return None
    first = clause.left_edge
    if clause.dep_ == "advcl" and first.lower_ not in _OTHER_SIDE:
        return None
    if first.lower_ in _OTHER_SIDE:
        first = first.nbor(1)
    return bare(clause.doc.text, first.idx, stop), False


def _is_clause(token: Any) -> bool:
    return token.tag_ in ("VBD", "VBZ", "VBP", "MD") and token.pos_ in ("VERB", "AUX")


def _has_saying(doc: Any, span: Span) -> bool:
    return any(_says(token) for token in doc if span[0] <= token.idx < span[1])


def _joint(doc: Any, start: int) -> int:
    """Where the "and", "but that" or ", adding that" before a statement begins."""
    place = next((token.i for token in doc if token.idx >= start), len(doc))
    while place and (
        is_mark(doc[place - 1]) or doc[place - 1].dep_ in ("cc", "mark") or doc[place - 1].lemma_.lower() in SAYING
    ):
        place -= 1
    return int(doc[place].idx) if place < len(doc) else len(doc.text)


def _pobj(token: Any) -> Any | None:
    following = token.nbor(1)
    if following.lower_ != "to":
        return None
    return next((child for child in following.children if child.dep_ == "pobj"), None)


def _according_to(doc: Any) -> Quotation | None:
    for token in doc:
        if token.lower_ != "according" or token.i + 1 >= len(doc) or (who := _pobj(token)) is None:
            continue
        end = who.right_edge.idx + len(who.right_edge)
        before, after = doc.text[: token.idx].strip(_SIGNS), doc.text[end:].strip(_SIGNS + ".")
        if before and after:
            return None  # in the middle: the rest would be two pieces
        span = (0, token.idx) if before else (end, len(doc.text))
        return _quotation(doc, (bare(doc.text, *span),), who)
    return None


def _quotation(
    doc: Any, spans: tuple[Span, ...], who: Any, others: tuple[tuple[Span, bool], ...] = ()
) -> Quotation | None:
    words = sum(doc.text[start:end].count(" ") + 1 for start, end in spans)
    speaker = _speaker(doc, who, 0, len(doc.text))
    if words < LEAST_WORDS or speaker[1] - speaker[0] > LONGEST_SPEAKER:
        return None
    if any(closes_before_it_opens(doc.text[start:end]) for start, end in spans):
        return None
    return Quotation(spans, speaker, others)


def _speaker(doc: Any, who: Any, start: int, end: int) -> Span:
    opening = who.left_edge
    while opening.i < who.i and opening.text in WEEKDAYS:  # "On Monday Ann Lee said"
        opening = opening.nbor(1)
    first, last = max(start, opening.idx), min(end, who.right_edge.idx + len(who.right_edge))
    named = [child for child in who.children if child.dep_ == "appos" and child.ent_type_ == "PERSON"]
    if who.ent_type_ != "PERSON" and named and named[0].idx < last:  # "the mayor of Harlow, Ann Lee"
        return bare(doc.text, first, named[0].idx + len(named[0]))
    comma = doc.text.find(",", who.idx, last)  # "the historian Ewa Lindner, who leads tours"
    return bare(doc.text, first, comma if comma > 0 else last)
