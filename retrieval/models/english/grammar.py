"""Parses a claim, and finds the words that move when the statement becomes a question.

A one-word name stands in for each longer name while the claim is parsed, so that "Some Like It Hot" has no verb. As in
all English questions, the auxiliary goes before its subject, and `do` is added if there is none
(Huddleston and Pullum, The Cambridge Grammar of the English Language, 2002, chapter 3).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from retrieval.text.grammar import ALL_SUBJECTS, AUXILIARIES, FINITE, auxiliaries, capitalised, end_of, is_finite

# A one-word name that the parser knows; it replaces longer names.
STAND_IN = "London"
QUOTED = re.compile(r"“[^”]+”|\"[^\"]+\"|«[^»]+»|(?<!\w)[‘'][^'‘’]+[’'](?!\w)")
_WORD = r"(?:(?:[A-ZÀ-ÖØ-Þ]\.)+|[A-ZÀ-ÖØ-Þ][\w&]*(?:[-'’](?!s\b)\w+)*)"
_BETWEEN = r"(?:of the|of|the|de|la|del|von|van)"
NAME = re.compile(rf"{_WORD}(?: (?:{_BETWEEN} )?(?:{_WORD}|[0-9][\w.]*\w))+")
# A title with a bracket that tells it from others: "Queen (band)".
BRACKETED = re.compile(
    rf"{_WORD}(?: (?:{_BETWEEN} )?(?:{_WORD}|[0-9]\w*))* \((?!born\b)(?:[0-9]{{4}} )?[A-Za-z][A-Za-z0-9 -]{{2,30}}\)"
)
# Capitalised at the start of a sentence, but not part of the name that follows.
_OPENERS = frozenset(
    "a an the in on at by for from with during since after before until when while although though because if as "
    "there both".split()
)
CONTRACTED = {"n't": "not", "n’t": "not", "ca": "can", "wo": "will", "sha": "shall", "'ve": "have", "’ve": "have"}
CONTRACTED |= {"'ll": "will", "’ll": "will", "'re": "are", "’re": "are", "'m": "am", "’m": "am"}
_NOMINAL = ("det", "amod", "compound", "nummod", "poss", "nmod")
# Words that lose their capital once they no longer begin the sentence.
_SMALL = ("DET", "PRON", "ADP", "ADV", "SCONJ", "CCONJ", "PART", "NUM", "AUX")
# VBN: without an auxiliary, what the tagger calls a past participle is the past tense.
_DO = {"VBD": "did", "VBN": "did", "VBZ": "does", "VBP": "do"}


@dataclass
class ParsedClaim:
    """The claim's words and spaCy's parse of them. starts, ends: offsets of each token in the claim."""

    claim: str
    tokens: Any
    starts: list[int]
    ends: list[int]

    def text(self, index: int) -> str:
        """A token as the claim writes it."""
        return self.claim[self.starts[index] : self.ends[index]]

    def span_text(self, tokens: Sequence[int]) -> str:
        """The claim's text from the first of these tokens to the last."""
        return self.claim[self.starts[tokens[0]] : self.ends[tokens[-1]]]

    def within(self, start: int, end: int) -> list[int]:
        """The tokens that overlap these characters of the claim."""
        return [i for i in range(len(self.tokens)) if self.starts[i] < end and start < self.ends[i]]


@dataclass
class Clause:
    """A clause of a question. Words are given by the numbers of their tokens."""

    verb: int
    helper: int | None  # the auxiliary that goes to the front; None for `do`
    front: str  # the text before the subject
    subject: range  # the main clause's if `own_subject` is False
    own_subject: bool = True
    begins: int = 0  # the first word after the subject
    replaced: dict[int, str] = field(default_factory=dict)  # word -> its new text

    @property
    def start(self) -> int:
        """Its first token."""
        return self.subject.start if self.own_subject else self.begins


def parse(language: Any, claim: str, names: Iterable[tuple[int, int]] = ()) -> ParsedClaim:
    """Parse a claim. language: spaCy's; names: spans known to be names."""
    text, shifts, position = "", list[tuple[int, int, int]](), 0
    for start, end in protected(claim, names):
        text += claim[position:start]
        shifts.append((len(text), start, end))
        text += STAND_IN
        position = end
    tokens = language(text + claim[position:])
    starts = [_in_claim(token.idx, shifts, first=True) for token in tokens]
    ends = [_in_claim(end_of(token), shifts, first=False) for token in tokens]
    return ParsedClaim(claim, tokens, starts, ends)


def _in_claim(position: int, shifts: Sequence[tuple[int, int, int]], *, first: bool) -> int:
    """The offset in the claim for an offset in the parsed text. first: whether it begins a token; else it ends one."""
    moved = position
    for at, start, end in shifts:
        if position > at or (first and position == at):
            after = at + len(STAND_IN)
            if position < after or (position == after and not first):
                return start if first else end
            moved = position - after + end
    return moved


def protected(claim: str, names: Iterable[tuple[int, int]] = ()) -> list[tuple[int, int]]:
    """Quotations and names of several words, in text order; where some overlap, the longest."""
    found = [match.span() for match in QUOTED.finditer(claim)]
    runs = [_without_opener(claim, *match.span()) for name in (BRACKETED, NAME) for match in name.finditer(claim)]
    named = [
        _without_opener(claim, start, end, ("the", "both", "there"))
        for begins in (str.isupper, str.isdigit)
        for start, end in names
        if " " in claim[start:end] and begins(claim[start]) and _ends_as_name(claim[start:end])
    ]
    for start, end in sorted([*runs, *named], key=lambda s: s[0] - s[1]):
        free = all(end <= other_start or other_end <= start for other_start, other_end in found)
        if free and (" " in claim[start:end] or "-" in claim[start:end]):
            found.append((start, end))
    return sorted(set(found))


def _ends_as_name(text: str) -> bool:
    last = text.rpartition(" ")[2]
    return last[0].isupper() or last.isdigit()


def _without_opener(claim: str, start: int, end: int, openers: Collection[str] = _OPENERS) -> tuple[int, int]:
    """A run of capitalised words without a function word that merely begins the sentence: "In March", "The Beatles"."""
    first, _, rest = claim[start:end].partition(" ")
    if start == 0 and first.lower() in openers and rest:
        return start + len(first) + 1, end
    return start, end


def clauses(parsed: ParsedClaim) -> list[Clause]:
    """The clauses of the first sentence with a finite verb, the main one first; empty if there is none."""
    for sentence in parsed.tokens.sents:
        if main := _main(sentence):
            return [main, *_joined(parsed, main)]
    return []


def _main(sentence: Any) -> Clause | None:
    root = sentence.root
    for token in [root, *(t for t in sentence if t.dep_ in ("ccomp", "conj"))]:
        subject = _subject(token)
        if subject is not None and (clause := _clause(token, subject)):
            return clause
    return _misread(sentence)


def _misread(sentence: Any) -> Clause | None:
    """A verb that the tagger mistook for a participle or a plural: "the car sold badly", "hot air rises"."""
    for token in sentence:
        if token.i == sentence.start or auxiliaries(token) or token.text == STAND_IN:
            continue
        if token.tag_ in ("VBN", "VBD") and token.dep_ in ("acl", "amod", "ROOT", "relcl"):
            head = token.head if token.dep_ == "acl" and token.head.i < token.i else None
            parts = [child.i for child in head.children if child.dep_ in _NOMINAL] if head is not None else []
            start = min([*parts, head.i]) if head is not None else sentence.start
        elif token.tag_ == "NNS" and token.i == sentence.root.i and any(c.i < token.i for c in token.children):
            start = min(child.i for child in token.children if child.i < token.i)
        else:
            continue
        front = "does" if token.tag_ == "NNS" else "did"
        return Clause(token.i, None, front, range(start, token.i), begins=token.i, replaced={token.i: _bare(token)})
    return None


def _joined(parsed: ParsedClaim, main: Clause) -> list[Clause]:
    found: list[Clause] = []
    waiting = [child for child in parsed.tokens[main.verb].children if child.dep_ == "conj"]
    while waiting:
        token = waiting.pop(0)
        waiting += [child for child in token.children if child.dep_ == "conj"]
        subject = _subject(token)
        if not is_finite(token):
            continue  # "was written and directed": one auxiliary serves both
        if clause := _clause(token, main.subject if subject is None else subject):
            clause.own_subject = subject is not None
            found.append(clause)
    return found


def _subject(verb: Any) -> range | None:
    """The tokens of the verb's subject, which may be `there` or a clause."""
    holders = [verb, *auxiliaries(verb)]
    subjects = [child for holder in holders for child in holder.children if child.dep_ in ALL_SUBJECTS]
    for child in sorted(subjects, key=lambda child: (child.dep_ != "expl", child.i)):
        if child.i < verb.i or child.dep_ == "expl":
            return range(child.left_edge.i, child.right_edge.i + 1)
    return None


def _clause(verb: Any, subject: range) -> Clause | None:
    """This verb's clause; None if the verb is not finite."""
    helpers = [c for v in (verb, *auxiliaries(verb)) for c in auxiliaries(v) if c.i < verb.i and c.tag_ in FINITE]
    before = [c.i for c in verb.children if c.dep_ in (*AUXILIARIES, "neg", "advmod") and c.i < verb.i]
    begins = min(before, default=verb.i)
    if begins <= subject.start:
        begins = verb.i
    if helpers or (verb.lemma_ == "be" and verb.tag_ in FINITE):
        helper = min(helpers, key=lambda child: child.i, default=verb)
        replaced = {c.i: "not" for c in verb.children if c.dep_ == "neg" and c.text.lower() in CONTRACTED}
        return Clause(verb.i, helper.i, _helper_word(helper, verb), subject, True, begins, replaced)
    if verb.tag_ in _DO and verb.pos_ in ("VERB", "AUX"):
        return Clause(verb.i, None, _DO[verb.tag_], subject, True, begins, {verb.i: _bare(verb)})
    return None


def _bare(verb: Any) -> str:
    """The verb as it follows `do`. Two lemmas are corrected, because the lemmatiser gives "identifie" and "premier"."""
    lemma = {"premier": "premiere"}.get(verb.lemma_.lower(), str(verb.lemma_).lower())
    return f"{lemma[:-2]}y" if lemma.endswith("ie") and len(lemma) > 4 else lemma


def _helper_word(helper: Any, verb: Any) -> str:
    word = str(helper.text).lower()
    if word in ("'s", "’s"):
        perfect = helper.nbor(1).lower_ in ("been", "got", "had", "never", "already")
        return "has" if perfect or (verb.tag_ == "VBN" and helper.dep_ == "aux") else "is"
    if word in ("'d", "’d"):
        return "had" if verb.tag_ == "VBN" else "would"
    return CONTRACTED.get(word, word)


Piece = tuple[str, int | None]  # a word and its token; None for a word that was added


def in_polar_order(parsed: ParsedClaim, found: Sequence[Clause]) -> list[Piece]:
    """The claim's words in the order of a yes/no question, without the question mark. found: from `clauses`."""
    main = found[0]
    sentence = parsed.tokens[main.verb].sent
    last = sentence_end(parsed, main.verb)
    removed = {clause.helper for clause in found}
    replaced = {i: word for clause in found for i, word in clause.replaced.items()}
    inserted: dict[int, list[Piece]] = {}
    for clause in found[1:]:
        if not _same_support(main, clause):
            subject = () if clause.own_subject else clause.subject
            inserted[clause.start] = [(clause.front, None), *((uncapitalised(parsed, i), None) for i in subject)]
    prefix = [i for i in range(sentence.start, main.subject.start) if i not in removed]
    pieces: list[Piece] = [(main.front, None)]
    for i in range(main.subject.start, last):
        pieces += inserted.get(i, [])
        if i not in removed:
            pieces.append((replaced.get(i) or uncapitalised(parsed, i), i))
    while prefix and parsed.text(prefix[-1]) == ",":
        prefix.pop()
    if any(parsed.tokens[i].pos_ in ("VERB", "AUX") for i in prefix):
        pieces.append((",", None))
    return pieces + pieces_of(parsed, prefix)


def clause_in_polar_order(parsed: ParsedClaim, found: Sequence[Clause], place: int) -> list[Piece]:
    """The words of one clause of several in the order of a yes/no question."""
    if len(found) == 1:
        return in_polar_order(parsed, found)
    clause = found[place]
    others = [i for i in clause_tokens(parsed, found, place) if i != clause.helper and i not in clause.subject]
    rest = [(clause.replaced.get(i) or uncapitalised(parsed, i), i) for i in others]
    return [(clause.front, None), *pieces_of(parsed, clause.subject), *rest]


def clause_tokens(parsed: ParsedClaim, found: Sequence[Clause], place: int) -> range:
    """The tokens of one of several clauses, from its subject or verb to the conjunction before the next one."""
    begins, last = found[place].start, sentence_end(parsed, found[place].verb)
    if place + 1 < len(found):
        last = found[place + 1].start
        while last > begins and (parsed.tokens[last - 1].dep_ == "cc" or parsed.text(last - 1) == ","):
            last -= 1
    return range(begins, last)


def sentence_end(parsed: ParsedClaim, index: int) -> int:
    """The end of a token's sentence, as a token's number, without the final mark."""
    sentence = parsed.tokens[index].sent
    last = int(sentence.end)
    while last > sentence.start and parsed.tokens[last - 1].text in (".", "!", "?"):
        last -= 1
    return last


def _same_support(main: Clause, clause: Clause) -> bool:
    """Whether the main clause's `did` serves this verb too: "won and sold" -> "Did it win and sell"."""
    return main.helper is None and clause.helper is None and main.front == clause.front and not clause.own_subject


def uncapitalised(parsed: ParsedClaim, index: int) -> str:
    """The text of a token, without a capital that only marks the beginning of the sentence."""
    token, text = parsed.tokens[index], parsed.text(index)
    if not token.is_sent_start or token.text in (STAND_IN, "I") or (text.isupper() and len(text) > 1):
        return text
    if parsed.claim[parsed.ends[index] :][:1] == "-" and parsed.claim[parsed.ends[index] + 1 :][:1].isupper():
        return text  # "Ice-T"
    named = token.ent_type_ not in ("", "DATE", "CARDINAL", "ORDINAL", "TIME")
    singular = token.tag_ == "NNS" and (token.head.tag_ == "VBZ" or token.head.text == "was")
    if (
        token.pos_ in _SMALL
        or (token.pos_ == "ADJ" and not named)
        or (token.tag_ in ("NN", "NNS", "VBG", "VBN") and not named and not singular)
    ):
        return text[0].lower() + text[1:]
    return text


def pieces_of(parsed: ParsedClaim, indices: Iterable[int]) -> list[Piece]:
    """The pieces of a question for these tokens, in the same order."""
    return [(uncapitalised(parsed, i), i) for i in indices]


def as_question(parsed: ParsedClaim, pieces: Sequence[Piece]) -> str:
    """The words as a sentence that ends in a question mark, spaced as in the claim."""
    text, before = "", None
    for word, index in pieces:
        glued = index and before == index - 1 and parsed.ends[index - 1] == parsed.starts[index]
        clitic = index is not None and word[:1] in ",;:.)’'" and (word[:1] != "'" or len(word) < 4)
        text += word if not text or ((glued or clitic) and word != "not") else f" {word}"
        before = index
    text = re.sub(r"\s+([,;:])", r"\1", text).rstrip(" ,;:.!?")
    return f"{capitalised(text)}?" if text else ""
