"""Cuts running text into sentences and passages, by rules; and gives sentences the form in which models read them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise

from retrieval.protocols import Encoder, Matrix, PairEncoder
from retrieval.text.languages import ENGLISH, Language, whole
from retrieval.text.pasted.citations import MARK, PASTED
from retrieval.text.quantities.canonical import canonical_text
from retrieval.text.quantities.dates import MONTHS
from retrieval.types import Evidence, Sentence

LONGEST_UNCUT = 800  # characters of a sentence; a longer one is cut at a space, which bounds passages
SMALLEST_PASSAGE, LARGEST_PASSAGE, SMALLEST_TAIL = 200, 350, 50  # words; a smaller tail joins the previous passage
_LETTERS_PER_WORD = 8  # more than in languages with spaces between words; bounds the passages of other languages

# After the sign: quotation marks, then citation marks, which are part of the sentence; then a space, unless it was forgotten
# ("long.The"). East Asian full stops need no space.
_STOP = re.compile(
    rf"""(?<![.!?…])(?P<sign>[.!?…]+)(?P<close>["'”’»)\]]*)(?P<marks>(?:{PASTED}|\s?{MARK})*)(?:\s+(?=\S)|(?=[^\W\d_a-z]))"""
    r"|[。！？｡]+[」』”’）]*\s*"
)
_ELLIPSIS = re.compile(r"…|\.{3}")
_LAST_WORD = re.compile(r"[\w.&'’-]*\Z")
_NEXT_WORD = re.compile(r"""["'“‘«(\[¿¡]*(?P<word>[\w'’]*)(?P<dot>\.?)""")
_MONTH = re.compile("|".join(MONTHS))
_LONGEST_AROUND = 60  # characters examined on each side of a full stop without a space
_SHARE = re.compile(r"[\d.,]{1,12}[%°]")
_ROMAN = re.compile(r"[IVXLC]{2,8}|[VX]")
_INITIALS = re.compile(r"(?:[A-Z]\.)+[A-Z]")
_ADDRESS = re.compile(r"://|www\.|[@/\\_=<>]", re.IGNORECASE)
_OF_NAMES = re.compile(
    r"(?:\A|\.)(?:com|org|net|edu|gov|info|io|co|uk|de|fr|html?|pdf|docx?|xlsx?|csv|txt|md|js|ts|py|exe|zip|png|jpe?g|gif|xml|"
    r"json)\W{0,9}\Z",
    re.IGNORECASE,
)


def sentence_spans(text: str, language: Language = ENGLISH) -> list[tuple[int, int]]:
    """Half-open offsets of the sentences, in order; together they cover every character that is not a space. A citation mark
    is part of the sentence before it.
    """
    spans: list[tuple[int, int]] = []
    for paragraph in re.finditer(r"[^\n]+", text):
        start = paragraph.start()
        for stop in _STOP.finditer(text, start, paragraph.end()):
            if _ends(text, start, stop, language):
                spans.extend(_bounded(text, start, stop.end()))
                start = stop.end()
        spans.extend(_bounded(text, start, paragraph.end()))
    return spans


def _ends(text: str, start: int, stop: re.Match[str], language: Language) -> bool:
    """Whether the sentence that begins at `start` ends with the matched punctuation."""
    if stop["sign"] is None:
        return True
    following = _NEXT_WORD.match(text, stop.end())
    next_word, dot = following.group("word", "dot") if following else ("", "")
    if next_word[:1].islower() or (
        next_word[:1].isdecimal() and _ELLIPSIS.fullmatch(stop["sign"]) and not stop["marks"]
    ):
        return False
    if stop.end() == stop.end("marks") and not _space_is_missing(text, stop, next_word, language):
        return False
    pasted = stop["marks"][:1].isdecimal()
    if stop["sign"] != "." or (stop["marks"] and not pasted):
        return True
    next_word = stop["marks"] if pasted else next_word  # "Sept.12 The" is no mark
    before = text[max(start, stop.start() - 40) : stop.start()].lstrip()
    return not _is_abbreviation(before, next_word, bool(dot), language)


def _is_abbreviation(before: str, next_word: str, dot: bool, language: Language) -> bool:
    """Whether a full stop is part of the word before it and ends no sentence. dot: whether the next word has one too."""
    last = _LAST_WORD.search(before)
    written = last.group() if last else ""
    word = written.casefold() if len(written) > 1 else written  # "v." is an abbreviation, "George V." is not
    if whole(language.before_name).fullmatch(word) or (word.isdecimal() and word == before):  # "1. Introduction"
        return True
    if whole(language.before_number).fullmatch(word) and (next_word[:1].isdecimal() or _ROMAN.fullmatch(next_word)):
        return True
    if word.isdecimal() and len(word) <= 2 and _MONTH.fullmatch(next_word):  # "3. May 1990"
        return True
    ordinal = language.ordinals and word.isdecimal() and len(word) <= 2
    if ordinal or whole(language.perhaps).fullmatch(word) or whole(language.capitalised).fullmatch(written):
        # "J. K. Rowling" and "3. Mai" go on, "Plan B. The next" does not.
        return whole(language.begins).fullmatch(next_word.casefold()) is None or dot
    return False


def _space_is_missing(text: str, stop: re.Match[str], next_word: str, language: Language) -> bool:
    """Whether a sentence ends though no space follows: "long.The", "U.S.He"; but not in "Node.js", "example.Com/Index"."""
    if stop["marks"]:
        return True
    before = re.split(r"\s", text[max(0, stop.start() - _LONGEST_AROUND) : stop.start()])[-1]
    after = re.split(r"\s", text[stop.end() : stop.end() + _LONGEST_AROUND], maxsplit=1)[0]
    if stop["sign"] not in (".", "!", "?") or '"' in stop["close"] or _ADDRESS.search(f"{before}.{after}"):
        return False
    word = before.strip("\"'“‘«([)]”’»")
    begins = whole(language.begins).fullmatch(next_word.casefold()) is not None
    if next_word[1:] != next_word[1:].lower() or (len(next_word) == 1 and not begins):
        return False
    if _SHARE.fullmatch(word):
        return begins
    if "." in word:
        return begins and _INITIALS.fullmatch(word) is not None and after == next_word
    plain = len(word) > 1 and word[-1:].isalnum() and (begins or word == word.lower()) and not word.isdecimal()
    return (plain or (word.isdecimal() and begins and len(word) == 4)) and not _OF_NAMES.search(after)


def _bounded(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Pieces of text[start:end] of at most LONGEST_UNCUT characters, without outer spaces."""
    while start < end:
        if text[start].isspace():
            start += 1
            continue
        cut = end
        if end - start > LONGEST_UNCUT:
            cut = text.rfind(" ", start, start + LONGEST_UNCUT)
            cut = cut if cut > start else start + LONGEST_UNCUT
        if piece := text[start:cut].rstrip():
            yield start, start + len(piece)
        start = cut


def passages(text: str) -> list[str]:
    """The text, cut before sentences; the passages joined give the text again. A passage ends with a paragraph once it
    has SMALLEST_PASSAGE words, and in any case before it exceeds LARGEST_PASSAGE.
    """
    starts, sizes, last = [0], [0], 0
    for start, end in sentence_spans(text):
        size = max(len(text[start:end].split()), (end - start) // _LETTERS_PER_WORD)
        full = sizes[-1] + size > LARGEST_PASSAGE
        if sizes[-1] and (full or (sizes[-1] >= SMALLEST_PASSAGE and "\n" in text[last:start])):
            starts.append(start)
            sizes.append(0)
        sizes[-1] += size
        last = end
    if len(sizes) > 1 and sizes[-1] < SMALLEST_TAIL:
        starts.pop()
    return [text[start:end] for start, end in pairwise([*starts, len(text)])]


def with_title(sentence: Sentence) -> str:
    """The text of a sentence as the models read it."""
    return pair_text(sentence.title, sentence.text)


def as_read(evidence: Evidence) -> str:
    """The text of evidence as the models read it: without the title if that must not be read, or with another name."""
    return pair_text(evidence.title_as_read, evidence.sentence.text)


def pair_text(title: str, text: str) -> str:
    """A sentence after the title of its page, which shows who "He" is."""
    return f"{title} : {text}"


def read_together(texts: Iterable[str]) -> str:
    """Several `pair_text`s as one text for the reader, one on each line."""
    return "\n".join(text.replace("\n", " ") for text in texts)


def without_title(text: str) -> str:
    """The sentence of a `pair_text`, without the title."""
    return text.partition(" : ")[2] or text


def in_one_form(text: str) -> str:
    """A `pair_text`, or several from `read_together`, as the networks read it: quantities normalised, titles unchanged."""
    lines = (line.partition(" : ") if " : " in line else ("", "", line) for line in text.split("\n"))
    return "\n".join(title + colon + canonical_text(sentence) for title, colon, sentence in lines)


def encode_with_titles(
    encoder: Encoder, pairs: Sequence[tuple[str, str]], join: Callable[[str, str], str] = pair_text
) -> Matrix:
    """Vectors of (title, text), (len(pairs), dimension): encoded as pairs if the encoder was trained so, else joined."""
    if isinstance(encoder, PairEncoder):
        return encoder.encode_pairs(pairs)
    return encoder.encode([join(title, text) for title, text in pairs])


_PRONOUN = re.compile(r"(?:He|She|It|They|His|Her|Its|Their|This|These|That|Those|Both|Another|Such|There)\b")


def begins_with_pronoun(text: str) -> bool:
    """Whether the sentence begins with a word that refers to the previous sentence."""
    return _PRONOUN.match(text) is not None
