"""Reads a claim as typed: its statement, whether that is the positive form of a denial, or why there can be no verdict."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from retrieval.models.english.denials import positive_of
from retrieval.models.english.exclaiming import exclaimed
from retrieval.models.english.forms import form_of, is_greeting
from retrieval.models.english.grammar import parse
from retrieval.models.english.headlines import in_sentence_case
from retrieval.models.english.statements import asks, begins_as_question, is_wh_question, statement_of
from retrieval.text.extraction.mentions import Parsed
from retrieval.text.extraction.quoting.reading import speech_in
from retrieval.text.extraction.quoting.saying import SAYING, SHORTEST_QUOTATION
from retrieval.text.languages.claims import other_than_english
from retrieval.text.names.abbreviations import in_full
from retrieval.text.names.rulers import with_numerals
from retrieval.text.typed.contrast import without_contrast
from retrieval.text.typed.emphasis import without_emphasis
from retrieval.text.typed.framing import Framed, unframed
from retrieval.text.typed.idioms import in_plain_words
from retrieval.text.typed.noise import without_noise, without_quotes
from retrieval.types import Claim, NoVerdict, ReadClaim

NAMES = ("ner",)  # spaCy's step that finds names
LONGEST_PARSED = 2_000  # characters to parse; a claim is far shorter
# Without one of these, a text quotes nobody: a verb of saying, "said", "told", or "according to".
_STEMS = "|".join(sorted(verb.removesuffix("e").removesuffix("y") for verb in SAYING))
_SAYS = re.compile(
    rf"\b(?:(?:{_STEMS})(?:e|y|es|s|ys|ed|ied|ies|d)?|said|told|wrote|(?-i:according)|(?-i:^According))\b",
    re.IGNORECASE,
)
# The plainest form, which the parser sometimes misses.
_SAID_THAT = re.compile(
    r"(?:The|A|An|My|Our|Some|Many|Most|One|Two|Several) (?:[\w-]+ ){1,4}(?:has |have )?(?:said|says?|claims?|claimed|stated|states?|announced|reported|insists?|insisted|"
    r"believes?|told (?:me|us|reporters)) that (\S.*)"
)
_TITLE_ASKS = re.compile(r"\s(?:Wh[aeoy]\w*|How|Is|Are|Do|Does|Did|Can|Will)\b")  # "… in Why Him?"
_REFERS = re.compile(r"(?:its?|his|her|their|he|she|they|this|that|these|those|we|i|our|my|you)\b", re.IGNORECASE)
SAID = "Only what is said was checked, not whether it was said."
ASKED = "The question was read as the statement “{}”"
PART = "Only “{}” was checked, not what the claim sets it against."
DENIED = "This is a denial: “{}” was checked, and its verdict was reversed."
WHY = {
    NoVerdict.QUESTION: "This is a question, and a verdict needs a statement: a question only gets the nearest sentences. Write the answer that you expect as a "
    "sentence that can be true or false, to have it checked.",
    NoVerdict.PHRASE: "This is a name or a phrase without a verb, not a statement, so there is nothing to check. Write a whole sentence about it that can "
    "be true or false.",
    NoVerdict.GREETING: "This is no statement about the world, so there is nothing to check. Write a sentence that can be true or false.",
    NoVerdict.OPINION: "This is an opinion: no page can show that it is true or false, so there is no verdict. Write what can be looked up: a number, a "
    "date, a place, or who says so.",
    NoVerdict.REQUEST: "This is a wish or a request, not a statement, so there is nothing to check. Write a sentence that can be true or false.",
    NoVerdict.PREDICTION: "This is a prediction: the future cannot be looked up, so there is no verdict. Write what is known today, such as a plan "
    "or a date that was announced.",
    NoVerdict.HYPOTHESIS: "This says what might be, not what is, so there is no verdict. Write it as a plain statement to have it checked.",
}


class PlainReading:
    """Removes labels, marks and other noise around a statement, in any language. Implements `ClaimReader`."""

    def read(self, claim: Claim) -> ReadClaim:
        """See `ClaimReader`."""
        return ReadClaim(_reading(claim, without_noise(claim.text)))


@dataclass(frozen=True)
class EnglishReading:
    """Reads English claims. Implements `ClaimReader`. language: spaCy's. turns: whether denials are judged by their
    positive sentences.

    In other languages, only what surrounds the claim is removed, as in `PlainReading`.
    """

    language: Any
    turns: bool = True

    def read(self, claim: Claim) -> ReadClaim:
        """The claim with its reading; its text stays as typed."""
        bare = without_noise(claim.text)
        if is_greeting(bare):
            return _none(claim, bare, NoVerdict.GREETING)
        if other_than_english(bare):
            return ReadClaim(_reading(claim, bare))
        if not bare.endswith("?"):
            bare = in_sentence_case(self._grammar, bare, claim.text.isupper()) or bare
        bare = in_full(bare)
        framed = _unframed(bare)
        said = self._said(framed.text)
        if said and not self._why(inner := _unframed(said)):
            return self._stated(
                claim, bare, replace(inner, denied=framed.denied != inner.denied), framed.asked, (SAID,)
            )
        if why := self._why(framed):
            return _none(claim, framed.text, why)
        return self._stated(claim, bare, framed, framed.asked)

    def _grammar(self, text: str) -> Any:
        """spaCy's reading of a text without its names, which take half of the time; only quotations need them."""
        return self.language(text, disable=NAMES)

    def _why(self, framed: Framed) -> NoVerdict | None:
        """Why there can be no verdict; None for a statement, and for a question that can be turned into one."""
        text = framed.text
        if why := exclaimed(text, self._grammar):
            return why
        if is_wh_question(text):
            return NoVerdict.QUESTION
        statement = self._statement(text)
        return form_of(statement, parse(self._grammar, statement)) if statement else NoVerdict.QUESTION

    def _statement(self, text: str) -> str:
        """The statement that a yes/no question asks about, empty if none can be made; any other text unchanged."""
        if begins_as_question(text) and asks(text, self._grammar(text[:LONGEST_PARSED])):
            return statement_of(self._grammar, text)
        if text.endswith("?") and not _TITLE_ASKS.search(text):
            return f"{text[:-1].rstrip()}."
        return text

    def _stated(self, claim: Claim, bare: str, framed: Framed, asked: bool, notes: tuple[str, ...] = ()) -> ReadClaim:
        """The reading of a statement. bare: the statement with its frames, which stay if `turns` is False."""
        text = self._statement(framed.text)
        asked = asked or framed.asked or text != framed.text
        if framed.denied and not self.turns:
            return ReadClaim(_reading(claim, bare))
        plain = without_contrast(text)
        if plain != text:
            notes, text = (*notes, PART.format(plain)), plain
        positive = positive_of(self._grammar, text) if self.turns else None
        turned, read = framed.denied != (positive is not None), with_numerals(positive or text)
        told = (DENIED.format(read),) if turned else (ASKED.format(read),) if asked else ()
        return ReadClaim(_reading(claim, read, turned), told + notes)

    def _said(self, text: str) -> str:
        """The quotation in the text, as a sentence; empty if it quotes nobody."""
        if not _SAYS.search(text):
            return ""
        if match := _SAID_THAT.match(text):
            return _sentence(match[1])
        (found,) = speech_in(text[:LONGEST_PARSED], [Parsed(0, 0, self.language(text[:LONGEST_PARSED]))])
        if len(found) != 1 or found[0].speaker is None or found[0].others or found[0].whole:
            return ""
        inner = without_quotes(" ".join(text[start:end] for start, end in found[0].spans).strip(" ,;:"))
        return _sentence(inner)


def _unframed(text: str) -> Framed:
    """The statement without frames and without words that only add emphasis, in plain words."""
    framed = unframed(text)
    return replace(framed, text=in_plain_words(without_emphasis(framed.text)))


def _sentence(said: str) -> str:
    """The quotation as a sentence; empty if it is too short, or refers to something outside it."""
    if said.count(" ") < SHORTEST_QUOTATION - 1 or _REFERS.match(said):
        return ""
    return said[0].upper() + said[1:] + "." * said[-1].isalnum()


def _reading(claim: Claim, read: str, turned: bool = False) -> Claim:
    return replace(claim, read="" if read == claim.text else read, turned=turned)


def _none(claim: Claim, read: str, why: NoVerdict) -> ReadClaim:
    return ReadClaim(_reading(claim, read), (WHY[why],), why)
