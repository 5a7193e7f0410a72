"""Pages cut into sentences, and the sentences that answer the questions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, replace

from retrieval import stage_names
from retrieval.protocols import Encoder
from retrieval.stages.esoteric.question_ranking import asked_texts
from retrieval.stages.sentences import UNREAD, likely_sentences
from retrieval.text.ranking import best_questions, merge_overlaps, thesis_scale, unit_length
from retrieval.text.sentences import encode_with_titles
from retrieval.types import Evidence, FactCheck, Page, Progress, Sentence

SENTENCES_A_BATCH = 32

Splitter = Callable[[str], Sequence[tuple[int, int]]]


@dataclass(frozen=True)
class Passages:
    """The sentences of the pages that best answer a question.

    The page's lines are its sentences; if it has none, `split` finds them. Only `encoded` sentences are compared with the
    questions, those that share most words with the claim, because comparing takes time.

    questions, passages: None keeps the first `top_k` sentences without asking. used: the encoders' names.
    """

    questions: Encoder | None
    passages: Encoder | None
    split: Splitter
    _: KW_ONLY
    encoded: int
    top_k: int
    cutoff: float
    used: str = ""
    name = stage_names.SENTENCES
    reads = ("claim", "questions", "pages")
    writes = ("sentences", "pages", "details")

    def run(self, check: FactCheck) -> Iterator[Progress]:
        pages = tuple(replace(hit, page=with_lines(hit.page, self.split)) for hit in check.pages)
        likely = likely_sentences(check.claim.statement, pages, self.encoded)
        total = max(1, len(likely))
        yield Progress(self.name, 0, total, replace(check, pages=pages))
        scores: list[list[float]] = []
        if self.questions and self.passages and likely:
            queries = self.questions.encode(asked_texts(check))
            for first in range(0, len(likely), SENTENCES_A_BATCH):
                batch = likely[first : first + SENTENCES_A_BATCH]
                pairs = [(sentence.title, sentence.text) for sentence in batch]
                products = encode_with_titles(self.passages, pairs) @ queries.T
                scores += [thesis_scale(list(map(float, row)), unit_length(queries)) for row in products]
                yield Progress(self.name, len(scores), total, replace(check, pages=pages))
        kept = self._kept(likely, scores)
        details = check.telling(
            self.name,
            f"{len(likely)} likely sentences of {sum(len(hit.page.lines) for hit in pages)} compared with the questions"
            f"{f' by {self.used}' if self.used else ''}; {len(kept)} kept (at most {self.top_k}, cutoff {self.cutoff:g}).",
        )
        yield Progress(self.name, total, total, replace(check, pages=pages, sentences=kept, details=details))

    def _kept(self, likely: Sequence[Sentence], scores: Sequence[Sequence[float]]) -> tuple[Evidence, ...]:
        if not scores:
            return tuple(Evidence(sentence, 0.0, UNREAD, "words") for sentence in likely[: self.top_k])
        best = best_questions(scores, self.top_k)
        found = [(score, likely[row]) for row, (score, _) in best.items() if score >= self.cutoff]
        return tuple(
            Evidence(sentence, 0.0, UNREAD, "question", rank_score=score, rank_method="question")
            for score, sentence in found[: self.top_k]
        )


def with_lines(page: Page, split: Splitter) -> Page:
    """The page with sentences that do not overlap; each merged piece has the number of its first line."""
    lines = page.lines or tuple((number, *span) for number, span in enumerate(split(page.text)))
    merged = merge_overlaps([(start, end) for _, start, end in lines])
    if len(merged) == len(page.lines):
        return page
    numbers = {start: number for number, start, _ in sorted(lines, reverse=True)}
    return replace(page, lines=tuple((numbers[start], start, end) for start, end in merged))


def english_sentences(text: str) -> list[tuple[int, int]]:
    """Offsets of the sentences of a text, by spaCy's small English model. Raises ModelError if it is missing."""
    from retrieval.models.english.parser import english

    document = english()(text)
    return [(s.start_char, s.end_char) for s in document.sents if text[s.start_char : s.end_char].strip()]
