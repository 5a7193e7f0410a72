"""Finds quotations by grammar, with their speakers: "X said that …", "“…”, X said", "According to X, …", "X: “…”"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from retrieval.text.extraction.quoting import saying
from retrieval.text.extraction.quoting.beside import LONGEST_GESTURE, Statements, is_gesture, statements_beside
from retrieval.text.extraction.quoting.marks import MARKS, closes_before_it_opens
from retrieval.text.extraction.quoting.saying import Span, bare, says
from retrieval.text.grammar import (
    ONLY_BESIDE_MARKS,
    SAYING,
    SAYS,
    SUBJECTS,
    child_of,
    end_of,
    has_child,
    is_clause,
    root_of,
)

_LABELLED = re.compile(
    r"(?P<who>[A-Z][\w.’'-]*(?: [\w.’'-]+){0,6}): (?P<what>[“\"«‘'](?:[^“”\"«»‘’]|(?<=\w)’(?=\w))+[”\"»’'])\.?\s*\Z"
)


@dataclass(frozen=True)
class Quotation:
    """A quotation, by offsets in its sentence."""

    spans: tuple[Span, ...]  # together they form one statement
    speaker: Span | None  # None if the text names none
    others: Statements = ()  # further statements in the sentence
    asides: tuple[Span, ...] = ()  # facts about the speaker, without their subject: "won in 2010"
    whole: bool = False  # whether the sentence states more than these, so that all of it is a claim too
    sentence: int = 0  # number of the one that names the speaker


def quotation_in(doc: Any) -> Quotation | None:
    """The quotation in a sentence, if the grammar shows one; None for plain statements and for denials."""
    match = _LABELLED.match(doc.text)
    if match and not any(map(is_clause, doc.char_span(*match.span("who"), alignment_mode="expand"))):
        return Quotation((bare(doc.text, *match.span("what")),), match.span("who"))
    return _by_verb(doc) or _named_then_noun(doc) or _according_to(doc) or _interjected(doc)


def _by_verb(doc: Any) -> Quotation | None:
    for verb in doc:
        if verb.dep_ not in ("ROOT", "parataxis") or not says(verb):
            continue
        who, content = child_of(verb, "nsubj"), child_of(verb, "ccomp")
        if verb.dep_ == "parataxis" and content is None:
            return _between_commas(doc, verb, who)
        if who is None or content is None or content.pos_ not in ("VERB", "AUX"):
            return None
        marked = any(child.dep_ == "mark" and child.lower_ == "that" for child in content.children)
        if not marked and (not has_child(content, *SUBJECTS) or verb.lemma_.lower() in ONLY_BESIDE_MARKS):
            return None
        return _speaker_first(doc, verb, who, content) if content.i > verb.i else _speaker_last(doc, verb, who, content)
    return None


def _named_then_noun(doc: Any) -> Quotation | None:
    """ "Trump claims that …", if the parser takes the verb for a noun and finds no other verb."""
    for token in doc[1:-2]:
        if token.pos_ != "NOUN" or token.lemma_.lower() not in SAYING or not token.lower_.endswith("s"):
            continue
        that, before = token.nbor(1), doc[: token.i]
        nouns = all(word.pos_ in ("PROPN", "NOUN", "DET") for word in before)
        if (
            nouns
            and before[-1].tag_ in ("NNP", "NNPS", "NN")
            and root_of(doc).i <= token.i
            and (that.lower_, that.dep_) == ("that", "mark")
        ):
            span = bare(doc.text, that.nbor(1).idx, len(doc.text))
            return Quotation((span,), bare(doc.text, 0, token.idx))
    return None


def _speaker_first(doc: Any, verb: Any, who: Any, content: Any) -> Quotation | None:
    """ "X said that …": everything that follows is quoted, except "…, adding that …"."""
    first = content.left_edge
    if first.i < verb.i:
        return _between_commas(doc, verb, who)
    while first.i < content.i and ((first.dep_ == "mark" and first.lower_ == "that") or first.is_punct):
        first = first.nbor(1)
    others = statements_beside(verb, who, end_of(content.right_edge), len(doc.text))
    aside = [
        child for child in content.children if child.dep_ == "advcl" and child.left_edge.lower_ in saying.OTHER_SIDE
    ]
    known = saying.naming(verb, who) | {token.i for token in content.subtree}
    if any(is_clause(token) and token.i not in known for token in doc[: content.i]):
        return None  # "Although prices fell, X said that …"
    if others is None or who.i > content.i or any(says(token) for child in aside for token in child.subtree):
        return None
    end = saying.joint(doc, others[0][0][0], content.i + 1) if others else len(doc.text)
    return _quotation(doc, (bare(doc.text, first.idx, end),), who, others)


def _speaker_last(doc: Any, verb: Any, who: Any, content: Any) -> Quotation | None:
    """ "…, X said": everything before is quoted, and the rest too if it continues: "…, X said, and …"."""
    between = min(verb.i, who.left_edge.i)
    if content.right_edge.i > verb.i:
        return _between_commas(doc, verb, who)
    before = bare(doc.text, 0, doc[between].idx)
    others = statements_beside(verb, who, doc[between].idx, len(doc.text))
    if others is None or (others and saying.has_saying(doc, before)):
        return None  # "Lee says prices rose; Green says they fell"
    goes_on = [span for span, is_quoted in others if not is_quoted and not saying.has_saying(doc, span)]
    if goes_on:
        first = saying.joint(doc, goes_on[0][0], max(saying.naming(verb, who)) + 1)
        start = bare(doc.text, first, len(doc.text))[0]
        whole = (before, (start, goes_on[0][1]))
        return _quotation(doc, whole, who, tuple(other for other in others if other[0] != goes_on[0]))
    return _quotation(doc, (before,), who, others)


def _between_commas(doc: Any, verb: Any, who: Any) -> Quotation | None:
    """ "The bridge, X said, was closed": both sides of "X said" are quoted."""
    if who is None or any(child.dep_ in ("mark", "advcl", "conj") and not is_gesture(child) for child in verb.children):
        return None
    start, end = min(who.left_edge.i, verb.i), max(who.right_edge.i, verb.i)
    while end + 1 < len(doc) and not doc[end + 1].is_punct:
        end += 1
    if end + 2 < len(doc) and doc[end + 2].tag_ == "VBG":  # "The tower, she adds, smiling, is 330 metres tall"
        commas = [token.i for token in doc[end + 3 : end + 4 + LONGEST_GESTURE] if token.text == ","]
        end = commas[0] - 1 if commas else end
    if start < 2 or end + 2 >= len(doc) or doc[start - 1].text != "," or doc[end + 1].text != ",":
        return None
    if any(is_clause(token) for token in doc[verb.i + 1 : end + 1]):
        return None
    spans = (bare(doc.text, 0, doc[start].idx), bare(doc.text, doc[end + 1].idx, len(doc.text)))
    return None if any(saying.has_saying(doc, span) for span in spans) else _quotation(doc, spans, who)


def _according_to(doc: Any) -> Quotation | None:
    for token in doc:
        if token.lower_ != "according" or token.i + 1 >= len(doc) or (who := saying.speaker_after(token)) is None:
            continue
        end = end_of(who.right_edge)
        before, after = doc.text[: token.idx].strip(saying.SIGNS), doc.text[end:].strip(saying.SIGNS + ".")
        if before and after:
            return None  # in the middle of the sentence, two pieces would remain
        if after and not doc.text[end:].lstrip(MARKS).startswith(","):
            return None  # "According to the mayor wages rose": where the name ends is unclear
        span = (0, token.idx) if before else (end, len(doc.text))
        return _quotation(doc, (bare(doc.text, *span),), who)
    return None


_SAYS = rf"(?:(?!told|tells){SAYS}|(?:informs|tells|assures) us)"  # whom somebody told is no speaker
_WHO = r"(?:(?:the|a|an|its|his|her|their|our|this|one) (?:[\w’'-]+ ){0,3}?[\w’'-]+|[A-Z][\w.’'-]*(?: [A-Z][\w.’'-]*){0,3})"
_INTERJECTED = re.compile(rf", (?:{_SAYS} (?P<behind>{_WHO})|(?P<before>{_WHO}) {_SAYS})(?=,|[.!]?\Z)")


def _interjected(doc: Any) -> Quotation | None:
    """ "The Louvre, says the guide, is in Lyon.", "…, writes the Guardian.", if the parser misses it."""
    found = list(_INTERJECTED.finditer(doc.text))
    if len(found) != 1 or any(mark in doc.text for mark in '"“”«»'):
        return None
    speaker = found[0].span("behind" if found[0]["behind"] else "before")
    if any(map(is_clause, doc.char_span(*speaker, alignment_mode="expand"))):
        return None  # "The crew, warned the storm was near, left."
    parts = ((0, found[0].start()), (found[0].end(), len(doc.text)))
    spans = tuple(bare(doc.text, *part) for part in parts if any(map(str.isalnum, doc.text[slice(*part)])))
    return Quotation(spans, speaker) if spans and saying.words_in(doc.text, spans) > saying.SHORTEST_QUOTATION else None


def _quotation(doc: Any, spans: tuple[Span, ...], who: Any, others: Statements = ()) -> Quotation | None:
    speaker = saying.speaker_span(who, 0, len(doc.text))
    short = saying.words_in(doc.text, spans) < saying.SHORTEST_QUOTATION
    if short or saying.is_share(who) or speaker[1] - speaker[0] > saying.LONGEST_SPEAKER:
        return None
    if any(closes_before_it_opens(doc.text[start:end]) for start, end in spans):
        return None
    return Quotation(spans, speaker, others, *saying.facts_about(who, speaker[1], len(doc.text)))
