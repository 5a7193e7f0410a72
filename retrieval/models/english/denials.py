"""Turns a denial into the sentence that it denies: "Norway is not a member" -> "Norway is a member".

Only a single, plain negation of the main verb is removed. A statement with a quantifier, "only", "no longer", a second
negation or another clause stays as it is.
"""

from __future__ import annotations

import re
from typing import Any

from retrieval.models.english.grammar import CONTRACTED, ParsedClaim, parse
from retrieval.models.english.inflection import without_do
from retrieval.text.grammar import AUXILIARIES, capitalised, has_child

_NEGATIONS = frozenset(
    "not n't n’t never no none neither nor nobody nothing nowhere cannot without hardly scarcely barely seldom rarely".split()
)
# Words with which the negation may deny more than the positive sentence, or something else.
_DOUBTFUL = frozenset(
    "only merely simply just exclusively entirely necessarily always also even yet until longer anymore more less fewer but rather instead "
    "because since unless although though except besides so too if whether all every everyone everybody everything each most many both few "
    "several some exactly quite fully completely solely again once alone else".split()
)
_MODALS = frozenset("may might must should could would shall ought".split())  # "may not": perhaps, or forbidden
_CLAUSES = ("advcl", "ccomp", "csubj", "parataxis")
_NOT_ALL = re.compile(r"Not (all|every|everyone|everybody|everything|each)\b(?! of the time)", re.IGNORECASE)
_NEITHER = re.compile(r"Neither (?=.+ nor )", re.IGNORECASE)
_HAVING_NO = ("have", "be", "contain", "include")
_UNCOUNTED = ("education", "equipment", "evidence", "experience", "food", "information", "knowledge", "money", "water")


def positive_of(language: Any, statement: str) -> str | None:
    """The statement without its negation; None if none can be removed cleanly. language: spaCy's."""
    if not _may_negate(statement):
        return None
    if match := _NOT_ALL.match(statement):
        rest = statement[match.end() :]
        return f"{match[1].capitalize()}{rest}" if not _may_negate(rest) else None
    either = _NEITHER.match(statement)
    parsed = parse(language, f"n{statement[1:]}" if either else statement)
    negations = [token for token in parsed.tokens if _negates(parsed, token)]
    if _is_doubtful(parsed):
        return None
    if either and len(negations) == 2:
        # "Neither A nor B was there" -> "A or B was there": the claim denies both, and either makes that true.
        first, second = negations
        return capitalised(_rewritten(parsed, {first.i}, {second.i: "or"})) if second.lower_ == "nor" else None
    if len(negations) != 1:
        return None
    (negation,) = negations
    if _contrasts(parsed, negation):
        return None
    if negation.lower_ == "no" and negation.dep_ == "det":
        return _without_no(parsed, negation)
    return _without(parsed, negation) if negation.dep_ == "neg" and _of_main_verb(negation) else None


def _may_negate(text: str) -> bool:
    spaced = text.lower().replace("n't", " n't").replace("n’t", " n’t")
    return not _NEGATIONS.isdisjoint(re.findall(r"[a-z]+(?:['’]t)?", spaced))


def _negates(parsed: ParsedClaim, token: Any) -> bool:
    """Whether a word negates; one with a capital inside the statement belongs to a title."""
    return token.lower_ in _NEGATIONS and (parsed.text(token.i).islower() or token.i == 0)


def _is_doubtful(parsed: ParsedClaim) -> bool:
    texts = [parsed.text(token.i) for token in parsed.tokens]
    words = {text.lower() for place, text in enumerate(texts) if text[:1].islower() or not place}
    return bool(words & _DOUBTFUL) or any(word == "non" or word.startswith("non-") for word in words)


def _of_main_verb(negation: Any) -> bool:
    """Whether a word negates the sentence's main verb, which governs no other clause."""
    verb = negation.head
    predicate = verb.dep_ in ("attr", "acomp", "prep") and verb.head.lemma_ == "be"
    if (predicate and verb.head.i < negation.i < verb.i) or verb.dep_ in AUXILIARIES:
        verb = verb.head
    plain = verb.dep_ == "ROOT" and verb.pos_ in ("VERB", "AUX", "NOUN", "ADJ", "PROPN")
    return plain and not _has_other_clause(verb)


def _has_other_clause(verb: Any) -> bool:
    joined = any(child.dep_ == "conj" and child.pos_ in ("VERB", "AUX") for child in verb.children)
    return joined or has_child(verb, *_CLAUSES)


def _contrasts(parsed: ParsedClaim, negation: Any) -> bool:
    """Whether "not" excludes an alternative after a positive statement: "a peanut is a legume not a nut"."""
    before = parsed.tokens[: negation.i]
    stated = any(token.pos_ in ("VERB", "AUX") for token in before)
    return negation.lower_ == "not" and stated and before[-1].pos_ in ("NOUN", "PROPN", "ADJ", "NUM", "PUNCT")


def _without(parsed: ParsedClaim, negation: Any) -> str | None:
    """The statement without "not" or "never", and without a `do` that only supports the negation."""
    helper = _helper(negation)
    if helper is not None and helper.lower_ in _MODALS:
        return None
    gone = {negation.i}
    words: dict[int, str] = {}
    if helper is not None and helper.lower_ in ("do", "does", "did") and negation.lower_ != "never":
        verb = next((t for t in parsed.tokens[negation.i + 1 :] if t.pos_ in ("VERB", "AUX") and t.i > helper.i), None)
        if verb is None:
            return None
        words[verb.i] = without_do(helper.lower_, verb.lemma_.lower() if verb.tag_ != "VB" else verb.lower_)
        gone.add(helper.i)
    elif helper is not None and helper.lower_ in CONTRACTED and negation.lower_ in ("n't", "n’t"):
        words[helper.i] = CONTRACTED[helper.lower_]
    words |= {token.i: _article(token.nbor(1), token.head) for token in parsed.tokens[:-1] if token.lower_ == "any"}
    gone |= {token.i for token in parsed.tokens if token.lower_ == "ever"}
    return _rewritten(parsed, gone | {i for i, word in words.items() if not word}, words)


def _helper(negation: Any) -> Any | None:
    """The auxiliary before the negation."""
    before = [negation.nbor(-step) for step in (1, 2) if step <= negation.i]
    return next((token for token in before if token.pos_ == "AUX"), None)


def _article(after: Any, noun: Any) -> str:
    """The word that replaces "no" or "any": an article, or nothing before plurals and uncountable nouns."""
    if noun.tag_ not in ("NN", "NNP") or noun.lower_ in _UNCOUNTED:
        return ""
    return "an" if after.lower_[:1] in "aeio" else "a"


def _without_no(parsed: ParsedClaim, negation: Any) -> str | None:
    """ "has no middle name" -> "has a middle name"; "There are no lions" -> "There are lions"."""
    noun, verb = negation.head, negation.head.head
    after = parsed.tokens[negation.i + 1].lower_ if negation.i + 1 < len(parsed.tokens) else ""
    if noun.dep_ not in ("dobj", "attr") or verb.dep_ != "ROOT" or verb.lemma_ not in _HAVING_NO or after == "longer":
        return None
    if _has_other_clause(verb):
        return None
    article = _article(negation.nbor(1), noun)
    return _rewritten(parsed, set() if article else {negation.i}, {negation.i: article})


def _rewritten(parsed: ParsedClaim, gone: set[int], words: dict[int, str]) -> str:
    """The sentence with these words replaced, and without those in `gone`."""
    text, at = "", 0
    for token in parsed.tokens:
        start, end = parsed.starts[token.i], parsed.ends[token.i]
        if token.i in gone or (token.i in words and words[token.i] != parsed.text(token.i)):
            text += parsed.claim[at:start] + ("" if token.i in gone else words[token.i])
            at = end
    text = " ".join((text + parsed.claim[at:]).split())
    text = re.sub(r"\s+([.,;:!?])", r"\1", text)
    return capitalised(text) if parsed.claim[:1].isupper() else text
