"""Reads a claim as typed: its statement, whether that is the positive form of a denial, or why there can be no verdict."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from retrieval.models.english.denials import positive_of
from retrieval.models.english.forms import exclaimed, form_of, is_greeting
from retrieval.models.english.grammar import parse
from retrieval.models.english.headlines import in_sentence_case
from retrieval.models.english.parser import CHARACTERS_PARSED
from retrieval.models.english.statements import asks, begins_as_question, is_wh_question, statement_of
from retrieval.text.extraction.mentions import Parsed
from retrieval.text.extraction.quoting.reading import speech_in
from retrieval.text.extraction.quoting.saying import SHORTEST_QUOTATION
from retrieval.text.grammar import SAYING, SAYS, capitalised
from retrieval.text.languages.detecting import other_than_english
from retrieval.text.names.abbreviations import in_full, with_numerals
from retrieval.text.typed.framing import Framed, unframed
from retrieval.text.typed.noise import without_noise, without_quotes
from retrieval.text.typed.wording import in_plain_words, without_contrast, without_emphasis
from retrieval.types import Claim, NoVerdict, ReadClaim

NAMES = ("ner",)  # spaCy's step that finds names
# Without one of these, a text quotes nobody: a verb of saying, "said", "told", or "according to".
_STEMS = "|".join(sorted(verb.removesuffix("e").removesuffix("y") for verb in SAYING))
_SAYS = re.compile(
    rf"\b(?:(?:{_STEMS})(?:e|y|es|s|ys|ed|ied|ies|d)?|said|told|wrote|(?-i:according)|(?-i:^According))\b",
    re.IGNORECASE,
)
# The plainest form, which the parser sometimes misses.
_SAID_THAT = re.compile(
    rf"(?:The|A|An|My|Our|Some|Many|Most|One|Two|Several) (?:[\w-]+ ){{1,4}}(?:has |have )?(?:{SAYS}|say|claim|state|insist|believe|"
    r"told (?:me|us|reporters)) that (\S.*)"
)
_TITLE_ASKS = re.compile(r"\s(?:Wh[aeoy]\w*|How|Is|Are|Do|Does|Did|Can|Will)\b")  # "… in Why Him?"
_REFERS = re.compile(r"(?:its?|his|her|their|he|she|they|this|that|these|those|we|i|our|my|you)\b", re.IGNORECASE)
QUOTATION_NOTE = "Only what is said is checked, not whether it was said."
QUESTION_NOTE = "The question is read as the statement “{}”"
PART_NOTE = "Only “{}” is checked, not what the claim sets it against."
DENIAL_NOTE = "This is a denial: “{}” is checked, and its verdict is reversed."
NO_VERDICT_NOTES = {
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
    """Reads English claims, and others as `PlainReading` does. Implements `ClaimReader`."""

    language: Any  # spaCy's
    turns: bool = True  # whether denials are judged by their positive sentences

    def read(self, claim: Claim) -> ReadClaim:
        """The claim with its reading; its text stays as typed."""
        bare = without_noise(claim.text)
        if is_greeting(bare):
            return _without_verdict(claim, bare, NoVerdict.GREETING)
        if other_than_english(bare):
            return ReadClaim(_reading(claim, bare))
        if not bare.endswith("?"):
            bare = in_sentence_case(self._grammar, bare, claim.text.isupper()) or bare
        bare = in_full(bare)
        framed = _unframed(bare)
        quotation = self._quotation(framed.text)
        if quotation and not self._why(inner := _unframed(quotation)):
            inner = replace(inner, denied=framed.denied != inner.denied, asked=framed.asked or inner.asked)
            return self._stated(claim, bare, inner, (QUOTATION_NOTE,))
        if why := self._why(framed):
            return _without_verdict(claim, framed.text, why)
        return self._stated(claim, bare, framed)

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
        if begins_as_question(text) and asks(text, self._grammar(text[:CHARACTERS_PARSED])):
            return statement_of(self._grammar, text)
        if text.endswith("?") and not _TITLE_ASKS.search(text):
            return f"{text[:-1].rstrip()}."
        return text

    def _stated(self, claim: Claim, bare: str, framed: Framed, notes: tuple[str, ...] = ()) -> ReadClaim:
        """The reading of a statement. bare: the statement with its frames; it is read if it denies but may not turn."""
        text = self._statement(framed.text)
        asked = framed.asked or text != framed.text
        if framed.denied and not self.turns:
            return ReadClaim(_reading(claim, bare))
        plain = without_contrast(text)
        if plain != text:
            notes, text = (*notes, PART_NOTE.format(plain)), plain
        positive = positive_of(self._grammar, text) if self.turns else None
        turned, read = framed.denied != (positive is not None), with_numerals(positive or text)
        about_form = (DENIAL_NOTE.format(read),) if turned else (QUESTION_NOTE.format(read),) if asked else ()
        return ReadClaim(_reading(claim, read, turned), about_form + notes)

    def _quotation(self, text: str) -> str:
        """The quotation in the text, as a sentence; empty if it quotes nobody."""
        if not _SAYS.search(text):
            return ""
        if match := _SAID_THAT.match(text):
            return _sentence(match[1])
        start = text[:CHARACTERS_PARSED]
        (found,) = speech_in(start, [Parsed(0, 0, self.language(start))])
        if len(found) != 1 or found[0].speaker is None or found[0].others or found[0].whole:
            return ""
        return _sentence(without_quotes(" ".join(text[a:b] for a, b in found[0].spans).strip(" ,;:")))


def _unframed(text: str) -> Framed:
    """The statement without frames and without words that only add emphasis, in plain words."""
    framed = unframed(text)
    return replace(framed, text=in_plain_words(without_emphasis(framed.text)))


def _sentence(quotation: str) -> str:
    """The quotation as a sentence; empty if it is too short, or refers to something outside it."""
    if quotation.count(" ") < SHORTEST_QUOTATION - 1 or _REFERS.match(quotation):
        return ""
    return capitalised(quotation) + "." * quotation[-1].isalnum()


def _reading(claim: Claim, read: str, turned: bool = False) -> Claim:
    return replace(claim, read="" if read == claim.text else read, turned=turned)


def _without_verdict(claim: Claim, read: str, why: NoVerdict) -> ReadClaim:
    return ReadClaim(_reading(claim, read), (NO_VERDICT_NOTES[why],), why)
