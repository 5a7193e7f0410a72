"""Decides which sentences of the pages found may be evidence: not mere assertions (orders, unnamed authorities, the claim quoted
or reported), and not copies of another source.

Assertions are found in English only; other languages pass unchecked. The rules match wordings, not intentions, so they are
narrow: docs/experiments.md counts the sentences of an encyclopedia that each of them affects.

A title is not evidence either: what it states must stand in the text below it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from retrieval.protocols import PairScorer
from retrieval.text.ranking import holds_any_name
from retrieval.text.sentences import pair_text
from retrieval.text.titles import fold, holds_name, without_bracket
from retrieval.text.words import content_words
from retrieval.types import Evidence, Hit, Page, Sentence

COPIED = 0.5  # share of the shorter page's sentences, word for word, from which two pages count as one source
LEAST_COPIED = 2  # least number of shared sentences; one suffices if each page has only one
MOST_HOLDERS = 50  # pages compared per sentence; the number of pairs grows with the square
RECITED = 3  # times that a page may repeat a sentence before the sentence no longer counts
SAME_CLAIM = 0.8  # share of the claim's words from which a sentence counts only once over all pages

ORDERS = "pages that give orders to their reader"
COPY = "pages that copy another"
NAMELESS = "sentences that name no source (“experts say”)"
QUOTATION = "sentences that only quote the claim"
REPORT = "sentences that only report a claim"
RECITATION = "sentences that a page recites"
REPETITION = "sentences that another page has word for word"
QUOTED = 0.8  # share of the claim's words in quotation marks from which the sentence quotes the claim
LEAST_QUOTED = 4  # words; anything shorter is a title or a turn of phrase

_WHO = (
    r"(?:experts?|specialists|scientists|researchers|historians|scholars|academics|analysts|economists|doctors|"
    r"physicians|insiders|(?:well-informed )?sources|observers|authorities|officials|studies|people|everyone|everybody)"
)
_SUCH = (
    r"(?:(?:the|many|multiple|most|some|several|all|leading|top|various|numerous|independent|renowned|respected|international|"
    r"unnamed|anonymous|recent|scientific)\s+)*"
)
# "sources close to the matter"
_CLOSE_TO = r"(?:\s+(?:close to|familiar with|involved in|inside|within) (?:the|this) \w+)?"
_SAY = (
    r"(?:(?:all|now|also|have|has|widely|generally|unanimously|long)\s+)*"
    r"(?:say|says|said|agree|agrees|agreed|confirm|confirms|confirmed|know|knows|known|believe|believes|"
    r"acknowledge|acknowledged|insist|maintain|show|shows|shown|prove|proves|proved|proven)\b"
)
_NAMELESS = re.compile(
    rf"(?:according to|in the (?:view|opinion) of)\s+{_SUCH}{_WHO}{_CLOSE_TO}\s*,|{_SUCH}{_WHO}{_CLOSE_TO}\s+{_SAY}|"
    rf"(?:a|one|another)\s+(?:(?:new|recent|large|major)\s+)*(?:study|survey|report|expert)\s+{_SAY}|"
    r"it (?:is|has been)\s+(?:(?:now|well|widely|commonly|generally|universally|long)\s+)*"
    r"(?:known|accepted|agreed|acknowledged|established|proved|proven)\s+that\b",
    re.IGNORECASE,
)
_NAMELESS_END = re.compile(
    rf",\s*(?:according to\s+{_SUCH}{_WHO}{_CLOSE_TO}|{_SUCH}{_WHO}{_CLOSE_TO}\s+{_SAY})\s*[.!]?$", re.IGNORECASE
)
# A sentence that reports a claim. If it denies the claim, the denial is what it states.
_REPORT = re.compile(
    r"^\W*(?:the |our |this )?(?:viral |original )?(?:claim|rumou?r|allegation)s?\s*:|"
    r"\b(?:claims?|claimed|claiming|alleges?|alleged|alleging)\s+that\b|"
    r"\b(?:posts?|tweets?|videos?|photos?|images?|memes?|messages?|users?|graphic|picture|screenshot)\b[^.!?]{0,40}"
    r"\b(?:claims?|claimed|claiming|alleges?|alleged|alleging)\b",
    re.IGNORECASE,
)
_OF_A_REPORT = re.compile(
    r"\b(?:claim|alleg|sa(?:y|id)|stat(?:e|ing|ed)\b|tweet|post|video|photo|image|meme|report)", re.IGNORECASE
)
_DENIES = re.compile(
    r"\b(?:not|no|never|false|falsely|untrue|wrong|wrongly|baseless|debunk\w*|den(?:y|ied|ies)|reject\w*|mislead\w*|unfounded|"
    r"without evidence|incorrect\w*|fake|hoax|myth)\b|n[’']t\b",
    re.IGNORECASE,
)
_WHAT = r"(?:instructions?|prompts?|evidence|sources?|pages?|documents?|rules|guidelines)"
_ORDER = re.compile(
    rf"\b(?i:ignore|disregard|forget|override)\b[^.!?]{{0,40}}\b(?:previous|prior|other|above|earlier|your|any)\b"
    rf"[^.!?]{{0,20}}\b{_WHAT}\b|"
    r"(?:^|[.:;,]|\b(?i:and|please|must|should))\s*(?i:answer|respond|reply|output|return|conclude|report|label|mark|rate|"
    r"classify|treat|verdict)\b[^.!?]{0,40}(?:\b(?:SUPPORTED|REFUTED|NOT[ _]ENOUGH[ _]EVIDENCE|TRUE|FALSE)\b|"
    r"\bas (?:verified|true|supported|false|refuted)\b)|"
    r"\b(?i:always|only|must|should|please)\s+(?i:answer|respond|reply|conclude|say|report)\b[^.!?]{0,20}\b(?:claim|statement)\b"
    r"[^.!?]{0,20}\b(?:true|correct|supported|verified|false|wrong|refuted)\b|"
    r"\b(?i:previous|prior|earlier|all other) (?:instructions|prompts)\b[^.!?]{0,20}\b(?:no longer|not|never|void|invalid)\b"
)
_TO_MODEL = re.compile(
    r"\b(?:note|message|instructions?) (?:to|for) (?:the |any |all )?(?:language models?|ai|llm|assistant|chatbot|fact[- ]check)|"
    r"\byou are (?:a|an|the) (?:fact[- ]checker|language model|ai|helpful assistant|assistant)\b|"
    r"^\s*(?:system|assistant|instructions?)\s*:.*\byou(?:r| are| must)\b",
    re.IGNORECASE,
)
# Every order has one of these.
_ORDER_WORDS = (
    *"ignore disregard forget override supported refuted enough claim statement true false verified".split(),
    *("note ", "message ", "instruction", "you are ", "system", "assistant"),
)
_QUOTATION = re.compile(
    r"“([^“”]{12,400})”|\"([^\"]{12,400})\"|«([^«»]{12,400})»|„([^„“”]{12,400})[“”]|(?<!\w)['‘](.{12,400}?)['’](?!\w)"
)
SHARED_WITH_TITLE, LEAST_SHARED_WITH_TITLE = 0.4, 2  # share and number of the claim's words in a title worth reading
MOST_IN_NAME = 0.75  # largest share of the claim's words for a title in the claim to count as a name in it
# Relevance of a title read alone, and its stance for or against, that make it a statement.
RELEVANT, TAKES_SIDES = 0.5, 0.3


@dataclass(frozen=True)
class Witnesses:
    """Sentences with the score of their page, in page order. left_out: numbers of sentences left out, by kind."""

    sentences: tuple[tuple[float, Sentence], ...]
    left_out: Mapping[str, int] = field(default_factory=dict)

    @property
    def note(self) -> str:
        """See `left_out_note`."""
        return left_out_note(self.left_out)


def left_out_note(left_out: Mapping[str, int]) -> str:
    """A note on the sentences left out; empty if there are none. left_out: numbers by kind."""
    counted = "; ".join(f"{kind}: {count}" for kind, count in left_out.items())
    return f"Left out, because they are not evidence: {counted}." if counted else ""


def witnesses(claim: str, hits: Sequence[Hit], known: Sequence[Page] = ()) -> Witnesses:
    """The sentences of these pages that may be evidence. known: pages read earlier, of which these may be copies."""
    left_out: Counter[str] = Counter()
    hollow = hollow_pages(claim, [hit.page for hit in hits], known)
    words, earlier, witnesses = content_words(claim), set[str](), list[tuple[float, Sentence]]()
    for hit in hits:
        if why := hollow.get(hit.page.id, ""):
            left_out[why] += 1
            continue
        sentences = hit.page.sentences()
        times = Counter(_folded(sentence.text) for sentence in sentences)
        for sentence in sentences:
            if sentence.text.rstrip().endswith(":"):  # it introduces a list or a table that the page lacks
                continue
            key = _folded(sentence.text)
            if why := _hollow(claim, words, sentence.text, times[key], key in earlier):
                left_out[why] += 1
            else:
                witnesses.append((hit.score, sentence))
        earlier.update(times)
    return Witnesses(tuple(witnesses), left_out)


def hollow_pages(claim: str, pages: Sequence[Page], known: Sequence[Page] = ()) -> dict[str, str]:
    """Ids of pages without evidence, each with the reason. known: pages read earlier, of which these may be copies."""
    copies = copied_pages(claim, [*known, *pages])
    found: dict[str, str] = {}
    for page in pages:
        if page.id in copies:
            found[page.id] = COPY
        elif may_give_orders(page.text) and any(gives_orders(sentence.text) for sentence in page.sentences()):
            found[page.id] = ORDERS  # it was made to persuade
    return found


def _hollow(claim: str, words: frozenset[str], text: str, times: int, earlier: bool) -> str:
    """Why the sentence is not evidence; empty if it may be. earlier: whether an earlier page has it."""
    if names_no_source(text):
        return NAMELESS
    if quotes(claim, text):
        return QUOTATION
    if reports(claim, text):
        return REPORT
    if times >= RECITED:
        return RECITATION
    # "He was born in Paris." is about another man on every page: only a sentence with the whole claim means the same on
    # all of them.
    if earlier and words and len(content_words(text) & words) >= SAME_CLAIM * len(words):
        return REPETITION
    return ""


def copied_pages(claim: str, pages: Sequence[Page]) -> set[str]:
    """Ids of pages that share half of their sentences with a page of higher priority: first the one whose exact title or other
    name is in the claim, then the one to which more pages link, then the one with the shorter title. If all this is equal,
    it is unknown which is the copy, and both stay.
    """
    by_id = {page.id: page for page in pages}
    texts = {page.id: {_folded(page.text[start:end]) for _, start, end in page.lines} for page in by_id.values()}
    holders: dict[str, list[str]] = {}  # sentence -> the pages that have it
    for id, sentences in texts.items():
        for text in sentences:
            holders.setdefault(text, []).append(id)
    shared = Counter(pair for ids in holders.values() for pair in combinations(ids[:MOST_HOLDERS], 2))
    copies = set()
    for (first, second), count in shared.items():
        least = min(len(texts[first]), len(texts[second]))
        whole = len(texts[first]) == len(texts[second]) == 1
        if count < COPIED * least or not (count >= LEAST_COPIED or whole):
            continue
        ranks = {id: _rank(by_id[id], claim) for id in (first, second)}
        if ranks[first] != ranks[second]:
            copies.add(min(ranks, key=lambda id: ranks[id]))
        elif texts[first] == texts[second]:
            copies.add(second)
    return copies


def _rank(page: Page, claim: str) -> tuple[bool, int, int]:
    named = holds_name(fold(claim), fold(page.title)) or holds_any_name(claim, page.names)
    return named, page.prior, -len(page.title)


def _folded(text: str) -> str:
    """The key that equal sentences share: case, spaces and final punctuation do not count."""
    return " ".join(text.casefold().split()).rstrip(" .!?") or text


def may_give_orders(text: str) -> bool:
    """A quick test of a whole page before `gives_orders`, which many pages pass that give no orders."""
    lower = text.lower()
    return any(word in lower for word in _ORDER_WORDS)


def gives_orders(text: str) -> bool:
    """Whether the sentence tells its readers what to conclude, or addresses a model."""
    return bool(_ORDER.search(text) or _TO_MODEL.search(text))


def names_no_source(text: str) -> bool:
    """Whether it begins or ends with an unnamed authority: "Experts say that …", "…, according to experts."."""
    return bool(_NAMELESS.match(text) or _NAMELESS_END.search(text))


def reports(claim: str, text: str) -> bool:
    """Whether it only reports a claim: "The claim: …", "Posts claim that …". False if it denies the claim, or if the claim that
    is checked is itself about what somebody says.
    """
    return bool(_REPORT.search(text)) and not _DENIES.search(text) and not _OF_A_REPORT.search(claim)


def quotes(claim: str, text: str) -> bool:
    """Whether it only quotes the claim, as somebody else's words."""
    if not any(mark in text for mark in "\"“«„'‘"):
        return False
    words = content_words(claim)
    for found in _QUOTATION.finditer(text):
        quoted = next(filter(None, found.groups()))
        if len(quoted.split()) >= LEAST_QUOTED and len(content_words(quoted) & words) >= QUOTED * len(words) > 0:
            return True
    return False


def stating_titles(scorer: PairScorer, claim: str, sentences: Sequence[Sentence]) -> frozenset[str]:
    """The sentences' titles that state the claim or its contrary: see `stating`."""
    return stating(scorer, claim, (sentence.title for sentence in sentences))


def stating(scorer: PairScorer, claim: str, titles: Iterable[str]) -> frozenset[str]:
    """The titles that alone, over an empty page, speak for the claim or against it. A name ("Tbilisi") states nothing;
    "Tbilisi is the capital of Armenia" states a claim. Titles that share few words with the claim are not read, so
    ordinary names cost nothing.
    """
    words = content_words(claim)
    likely = [title for title in dict.fromkeys(titles) if _may_state(title, claim, words)]
    found = set[str]()
    for rows, relevances, stances in scorer.score(claim, [pair_text(title, "") for title in likely]) if likely else ():
        for row, relevance, stance in zip(rows, relevances, stances, strict=True):
            if relevance >= RELEVANT and max(stance.supports, stance.refutes) >= TAKES_SIDES:
                found.add(likely[row])
    return frozenset(found)


def titles_note(evidence: Sequence[Evidence]) -> str:
    """A note on titles that were not read; empty if all were."""
    titles = dict.fromkeys(f"“{e.sentence.title}”" for e in evidence if not e.title_read)
    if not titles:
        return ""
    return f"A title is not evidence: sentences under {', '.join(titles)} were read without it, because it takes sides itself."


def _may_state(title: str, claim: str, words: frozenset[str]) -> bool:
    """Whether to read a title alone: it shares words with the claim, and is not a name in it."""
    bare = without_bracket(title)
    shared = len(content_words(bare) & words)
    name = holds_name(fold(claim), fold(bare)) and shared <= MOST_IN_NAME * len(words)
    return shared >= LEAST_SHARED_WITH_TITLE and shared >= SHARED_WITH_TITLE * len(words) and not name
