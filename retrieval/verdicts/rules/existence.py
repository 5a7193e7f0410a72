"""Claims that something exists, or no longer does, and what is only believed.

A network takes a page about a thing for a sign that it exists, "Mermaids exist" beside "a legendary creature", and a sentence that
reports a belief, "a cryptid that reputedly inhabits Loch Ness", for one that states it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from retrieval.text.titles import fold, without_bracket
from retrieval.text.words import content_words
from retrieval.types import Page, Sentence
from retrieval.verdicts.rules.ruling import ClaimForms, Ruling, matches, pages_called, pages_in_any_number

_EXISTS = ClaimForms(
    r"(?:the |an? )?(?P<subject>[^,;:?!]{2,60}?) (?:"
    r"(?P<gone>no longer exists?|(?:does|do)(?: not|n['’]t) exist any ?(?:more|longer)|ceased to exist)|"
    r"(?P<still>still exists?(?: today)?|exists? today)|exists?|"
    r"(?P<ever>existed|(?:is|are|was|were) (?:an? )?(?:real|actual|historical)"
    r"(?: (?:animals?|creatures?|person|people|man|woman|humans?|king|queen|place|city|island|event|being))?))"
)
_GONE = re.compile(
    r"\bwas an? [^.;]{3,160}?\b(?:existed|lasted|ruled|from|between)\b[^.;]{0,60}?\d{2,4}\b|\bwas an? (?:former|defunct|historical|ancient)\b"
)
_UNREAL = re.compile(r"\b(?:legendary|mythical|mythological|fictional|fictitious|imaginary)\b", re.IGNORECASE)

LEAST_REPORTED = 0.5  # share of the words in common from which the claim is what is reported
_FALSE = r"(?:superstition|misconception|rumou?r|hoax|conspiracy theor(?:y|ies)|urban legend)s?"
_DOUBTFUL = r"(?:alleged|supposed|purported|reputed|putative)"
_HEDGE = re.compile(r"\b(?:reputedly|purportedly|supposedly|allegedly|ostensibly)\b", re.IGNORECASE)
# What follows is reported: the rest of the clause, or the next words if a noun is only described.
_REPORTED = re.compile(
    rf"(?i)\b(?:(?:purport(?:s|ed|ing)? to|(?:rumou?red|alleged|reputed|purported|claimed) to|(?:was|were) (?:once |long |previously )?(?:thought|believed) to (?:have|be)|(?:beliefs?|myths?|{_FALSE}) (?:that|of)|"
    rf"(?:claims|claimed|claiming|alleges?|alleged) that)\b.*|{_DOUBTFUL}(?! to\b)(?: [^ ,]+){{1,6}})"
)
_DOUBTFUL_THING = re.compile(rf"\b{_DOUBTFUL} ([\w'’-]+)", re.IGNORECASE)
# A claim with such a word is itself about what is believed or said.
_TELLS = re.compile(
    r"(?i)\b(?:belie[fv]|alleg|accus|suspect|rumou?r|legend|myth|hoax|conspir|theor|folk|supersti|suppos|purport|reput|claim|sa(?:id|ys?)\b|"
    r"tradition|pseudo|fiction|fake|false|forg|misconcept)"
)
_ON_A_BELIEF = re.compile(
    rf"(?i)\b(?:is|are|was|were) (?:an?|the|any)(?: [\w-]+,?){{0,3}} (?:belief that|{_FALSE}|discredited|debunked)\b"
)
_OPEN = re.compile(
    rf"(?i)\b(?:cryptid|folklore|legend|mytholog|speculat|believers?\b|existence|reputed|{_DOUBTFUL}|{_FALSE})"
)


def existence(claim: str, pages: Sequence[Page]) -> Ruling | None:
    """The first sentence of the subject's page, if it says that the thing is no more, or that it is legendary or fictional."""
    match = _EXISTS.match(claim)
    if match is None:
        return None
    subject, gone = match["subject"], match["gone"]
    for sentence, _ in matches([] if match["ever"] else pages_called(subject, pages)[:1], _GONE, first=1):
        note = "" if gone else f"“{without_bracket(sentence.title)}” says that it is no more."
        return Ruling(sentence, bool(gone), note)
    for sentence, found in matches([] if gone or match["still"] else _best_named(subject, pages), _UNREAL, first=1):
        return Ruling.quoting(sentence, found.group())
    return None


def _best_named(subject: str, pages: Sequence[Page]) -> list[Page]:
    """The first page of this name: "Mermaids exist" is about mermaids, not about a film that is called so."""
    return pages_in_any_number(subject, pages)[:1]


def only_believed(claim: str, pages: Sequence[Page], sentences: Sequence[Sentence]) -> list[Sentence]:
    """Those of the sentences that only report that somebody believes or alleges what the claim says."""
    if not sentences or _TELLS.search(claim):
        return []
    if match := _EXISTS.match(claim):
        own = {page.id for page in _best_named(match["subject"], pages)}
        return [
            one for one in sentences if one.page_id not in own or _OPEN.search(one.text) or _UNREAL.search(one.text)
        ]
    shown = {one.page_id for one in sentences}
    others = [page for page in pages if page.id in shown and fold(without_bracket(page.title)) not in fold(claim)]
    on_belief = {sentence.page_id for sentence, _ in matches(others, _ON_A_BELIEF, first=1)}
    words = content_words(claim)
    return [one for one in sentences if one.page_id in on_belief or _reports(words, one)]


def _reports(words: frozenset[str], sentence: Sentence) -> bool:
    """Whether what is reported has the words that the sentence shares with the claim, or one of the claim's things is doubted."""
    reported = " ".join(_reported(sentence.text))
    if not reported:
        return False
    shared = (words - content_words(sentence.title)) & content_words(sentence.text)
    things = content_words(" ".join(_DOUBTFUL_THING.findall(sentence.text)))
    return not things.isdisjoint(shared) or len(shared & content_words(reported)) >= LEAST_REPORTED * len(shared) > 0


def _reported(text: str) -> Iterator[str]:
    """The parts of a sentence that it does not state itself. A hedge covers its part between two commas."""
    for clause in re.split(r"[;:.]", text):
        yield from (found.group() for found in _REPORTED.finditer(clause))
        yield from (part for part in clause.split(",") if _HEDGE.search(part))
