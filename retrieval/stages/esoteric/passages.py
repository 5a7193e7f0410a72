"""Pages cut into sentences, and the sentences that answer the questions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, replace

from retrieval import stage_names
from retrieval.protocols import Encoder, Matrix
from retrieval.stages.esoteric.question_ranking import asked_texts
from retrieval.stages.sentences import UNREAD, most_likely
from retrieval.text.bm25 import Bm25, folded_words
from retrieval.text.ranking import best_questions, merge_overlaps, thesis_scale, unit_length
from retrieval.text.sentences import encode_with_titles
from retrieval.text.witnesses import Witnesses, witnesses
from retrieval.types import Evidence, FactCheck, Page, Progress, Sentence

SENTENCES_COMPARED_AT_ONCE = 32

Splitter = Callable[[str], Sequence[tuple[int, int]]]


@dataclass(frozen=True)
class Passages:
    """The sentences of the pages that best answer a question. Only the `encoded` sentences that share most words with the
    claim are compared, because a comparison takes time.

    split: finds sentences if a page has no lines, or if `afresh`. questions, passages: None keeps the first `top_k`
    sentences without asking. used: the encoders' names. titles: whether sentences are compared with their page's title.
    """

    questions: Encoder | None
    passages: Encoder | None
    split: Splitter
    _: KW_ONLY
    encoded: int
    top_k: int
    cutoff: float
    used: str = ""
    titles: bool = True
    afresh: bool = False
    name = stage_names.SENTENCES
    reads = ("claim", "questions", "pages")
    writes = ("sentences", "pages", "details", "notes")

    def run(self, check: FactCheck) -> Iterator[Progress]:
        check, eligible = divided(check, self.split, self.afresh)
        likely = most_likely(check.claim.statement, eligible, self.encoded)
        total = max(1, len(likely))
        yield Progress(self.name, 0, total, check)
        scores: list[list[float]] = []
        if self.questions and self.passages and likely:
            queries = self.questions.encode(asked_texts(check))
            for first in range(0, len(likely), SENTENCES_COMPARED_AT_ONCE):
                batch = likely[first : first + SENTENCES_COMPARED_AT_ONCE]
                scores += asked_scores(self.passages, queries, batch, self.titles)
                yield Progress(self.name, len(scores), total, check)
        kept = self._kept(likely, scores)
        check = check.telling(
            self.name,
            f"{len(likely)} likely sentences of {sum(len(hit.page.lines) for hit in check.pages)} compared with the questions"
            f"{f' by {self.used}' if self.used else ''}; {len(kept)} kept (at most {self.top_k}, cutoff {self.cutoff:g}).",
        )
        yield Progress(self.name, total, total, replace(check, sentences=kept))

    def _kept(self, likely: Sequence[Sentence], scores: Sequence[Sequence[float]]) -> tuple[Evidence, ...]:
        if not scores:
            return tuple(Evidence(sentence, 0.0, UNREAD, "words") for sentence in likely[: self.top_k])
        best = best_questions(scores, self.top_k)
        answers = [_answer(likely[row], score) for row, (score, _) in best.items() if score >= self.cutoff]
        return tuple(answers[: self.top_k])


@dataclass(frozen=True)
class DualPassages:
    """The sentences nearest to the claim by BM25, and each question's best answer: what the thesis's version 1.7 had before
    its relevance classifier (its table 6). The thesis finds answers with a network (FARMReader), this stage by vectors.

    by_words: sentences by BM25. The other parameters are those of `Passages`.
    """

    questions: Encoder
    passages: Encoder
    split: Splitter
    _: KW_ONLY
    encoded: int
    by_words: int
    cutoff: float
    titles: bool = True
    afresh: bool = False
    name = stage_names.SENTENCES
    reads = ("claim", "questions", "pages")
    writes = ("sentences", "pages", "details", "notes")

    def run(self, check: FactCheck) -> Iterator[Progress]:
        check, eligible = divided(check, self.split, self.afresh)
        yield Progress(self.name, 0, 1, check)
        by_words = self._nearest(check.claim.statement, [sentence for _, sentence in eligible.sentences])
        likely = most_likely(check.claim.statement, eligible, self.encoded)
        answers = self._answers(check, likely)
        evidence = {sentence: Evidence(sentence, 0.0, UNREAD, "words") for sentence in by_words}
        evidence |= {one.sentence: one for one in answers}
        check = check.telling(
            self.name,
            f"{len(by_words)} sentences by BM25 and {len(answers)} that answer a question best; {len(evidence)} in all.",
        )
        yield Progress(self.name, 1, 1, replace(check, sentences=tuple(evidence.values())))

    def _nearest(self, claim: str, sentences: Sequence[Sentence]) -> list[Sentence]:
        texts = [folded_words(f"{one.title} {one.text}" if self.titles else one.text) for one in sentences]
        scores = Bm25(texts).scores(folded_words(claim))
        order = sorted(range(len(sentences)), key=lambda row: (-scores[row], row))
        return [sentences[row] for row in order[: self.by_words] if scores[row] > 0]

    def _answers(self, check: FactCheck, likely: Sequence[Sentence]) -> list[Evidence]:
        if not likely:
            return []
        queries = self.questions.encode(asked_texts(check))
        scores = asked_scores(self.passages, queries, likely, self.titles)
        best: dict[Sentence, float] = {}
        for number in range(len(queries)):
            row = max(range(len(likely)), key=lambda row: (scores[row][number], -row))
            if scores[row][number] >= self.cutoff:
                best[likely[row]] = max(scores[row][number], best.get(likely[row], 0.0))
        return [_answer(sentence, score) for sentence, score in best.items()]


def _answer(sentence: Sentence, score: float) -> Evidence:
    """A sentence found by the question that it answers best. score: for that question."""
    return Evidence(sentence, 0.0, UNREAD, "question", rank_score=score, rank_method="question")


def asked_scores(encoder: Encoder, queries: Matrix, sentences: Sequence[Sentence], titles: bool) -> list[list[float]]:
    """A score for each sentence and question, on the thesis's scale. queries: the questions' vectors."""
    if titles:
        vectors = encode_with_titles(encoder, [(sentence.title, sentence.text) for sentence in sentences])
    else:
        vectors = encoder.encode([sentence.text for sentence in sentences])
    unit = unit_length(queries)
    return [thesis_scale(list(map(float, row)), unit) for row in vectors @ queries.T]


def divided(check: FactCheck, split: Splitter, afresh: bool) -> tuple[FactCheck, Witnesses]:
    """The check with its pages divided into sentences, and those sentences that may be evidence. See `with_lines`."""
    pages = tuple(replace(hit, page=with_lines(hit.page, split, afresh)) for hit in check.pages)
    eligible = witnesses(check.claim.statement, pages)
    return replace(check.noting(eligible.note), pages=pages), eligible


def with_lines(page: Page, split: Splitter, afresh: bool = False) -> Page:
    """The page with sentences that do not overlap; each merged piece has the number of its first line. afresh: sentences by
    `split` in place of the page's own, each with the number of the line that it begins in.
    """
    if afresh and page.lines:
        cut = tuple((_line_at(page, start), start, end) for start, end in split(page.text))
        return replace(page, lines=cut) if cut else page
    lines = page.lines or tuple((number, *span) for number, span in enumerate(split(page.text)))
    merged = merge_overlaps([(start, end) for _, start, end in lines])
    if len(merged) == len(page.lines):
        return page
    numbers = {start: number for number, start, _ in sorted(lines, reverse=True)}
    return replace(page, lines=tuple((numbers[start], start, end) for start, end in merged))


def _line_at(page: Page, start: int) -> int:
    """The number of the page's line that contains this character, or else of the next line."""
    return next((number for number, _, end in page.lines if start < end), page.lines[-1][0])


def english_sentences(text: str) -> list[tuple[int, int]]:
    """Offsets of the sentences of a text, by spaCy's small English model. Raises ModelError if it is missing."""
    from retrieval.models.english.parser import english

    document = english()(text)
    return [(s.start_char, s.end_char) for s in document.sents if text[s.start_char : s.end_char].strip()]
