"""A short context in front of each sentence of the evidence, from the page around it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby

from retrieval import stage_names
from retrieval.llm.budget import NO_LIMIT, Budget, Request
from retrieval.llm.prompts import prompt, quoted
from retrieval.llm.replies import check_own_words, read_context
from retrieval.protocols import LLM, PairScorer, RelevanceClassifier
from retrieval.stages.judge import TextRequest, texts_for_pairs
from retrieval.text.chunks import TokenCount, chunk_around
from retrieval.text.sentences import as_read
from retrieval.types import Evidence, FactCheck, Page, Progress, QuestionAnswer, Sentence

CONTEXT_TOKENS = 200
BY_RULE = "Contexts that the language model did not write are the page's title and the sentence before."


@dataclass(frozen=True)
class Contexts:
    """Writes the context of each evidence sentence and puts it in front of the sentence in its pair.

    The evidence keeps the words of the page; its relevance and stance are those of sentence and context together, so
    that a local verdict considers the context. If no language model writes one, the context is the page's title and the
    sentence before.

    tokens: of the part of the page that a language model is shown, by `count`. kept: pairs per question that `reranker`,
    which reads context and sentence, keeps; 0: all. shown: whether contexts stay in front of their sentences afterwards.
    """

    llm: LLM | None
    judge: PairScorer
    count: TokenCount
    tokens: int = 768
    kept: int = 0
    reranker: RelevanceClassifier | None = None
    shown: bool = True
    budget: Budget = NO_LIMIT
    name = stage_names.CONTEXTS
    reads = ("claim", "questions", "evidence", "sentences", "pages")
    writes = ("questions", "evidence", "sentences", "calls", "notes")

    def run(self, check: FactCheck) -> Iterator[Progress]:
        if not check.evidence:  # nothing was found: no pair has a sentence
            yield Progress(self.name, 1, 1, check)
            return
        pages = {hit.page.id: hit.page for hit in check.pages}
        evidence = [check.evidence[pair.sources[0] - 1] for pair in check.questions]

        def request(number: int, _: QuestionAnswer) -> TextRequest:
            answer = evidence[number - 1]
            return self._request(number, answer, pages[answer.sentence.page_id])

        check, texts, fault = yield from texts_for_pairs(self.name, self.llm, self.budget, check, request)
        contexts: dict[Sentence, str] = {}
        pairs: list[QuestionAnswer] = []
        for pair, answer, text in zip(check.questions, evidence, texts, strict=True):
            context = text or sentence_before(pages[answer.sentence.page_id], answer)
            contexts[answer.sentence] = context
            pairs.append(replace(pair, answer=f"{context} {answer.sentence.text}".strip()))
        check = replace(check, questions=tuple(pairs)).noting(f"{BY_RULE} {fault}" if fault else "")
        check = self._reranked(check) if self.kept else check
        check = self._read_again(check, contexts) if self.shown else _without_contexts(check)
        total = max(1, len(pairs))
        yield Progress(self.name, total, total, check)

    def _request(self, number: int, evidence: Evidence, page: Page) -> TextRequest:
        def read(reply: str) -> str:
            context = read_context(reply)  # a copy in quotation marks loses these
            check_own_words(context, (evidence.title, page.text))
            return context

        sentence = evidence.sentence
        around = chunk_around(page.text, sentence.start, sentence.end, self.tokens, self.count)
        content = f"<page>\n{quoted(evidence.title)}\n{quoted(around)}\n</page>\n<sentence>\n{quoted(sentence.text)}\n</sentence>"
        return TextRequest(f"context {number}", Request(prompt("context"), content, reply_tokens=CONTEXT_TOKENS), read)

    def _read_again(self, check: FactCheck, contexts: Mapping[Sentence, str]) -> FactCheck:
        """The evidence with relevance and stance of sentence and context; the sentence comes first, because long texts are cut."""
        evidence = list(check.evidence)
        places = [place for place, one in enumerate(evidence) if one.sentence in contexts]
        texts = [f"{as_read(evidence[place])} {contexts[evidence[place].sentence]}" for place in places]
        for rows, relevances, stances in self.judge.score(check.claim.statement, texts):
            for row, relevance, stance in zip(rows, relevances, stances, strict=True):
                evidence[places[row]] = replace(evidence[places[row]], relevance=relevance, stance=stance)
        updated = {e.sentence: e for e in evidence}
        sentences = tuple(updated.get(e.sentence, e) for e in check.sentences)
        return replace(check, evidence=tuple(evidence), sentences=sentences)

    def _reranked(self, check: FactCheck) -> FactCheck:
        """The best pairs of each question, by relevance of context and sentence to the question."""
        pairs: list[QuestionAnswer] = []
        evidence: list[Evidence] = []
        for question, grouped in groupby(check.questions, key=lambda pair: pair.question):
            assert self.reranker
            group = list(grouped)
            scores = self.reranker.relevance(question, [pair.answer for pair in group])
            for row in sorted(range(len(group)), key=lambda row: (-scores[row], row))[: self.kept]:
                evidence.append(check.evidence[group[row].sources[0] - 1])
                pairs.append(replace(group[row], sources=(len(evidence),)))
        return replace(check, questions=tuple(pairs), evidence=tuple(evidence), sentences=tuple(evidence))


def _without_contexts(check: FactCheck) -> FactCheck:
    """The check with each answer without its context, as on the page."""
    pairs = (replace(p, answer=check.evidence[p.sources[0] - 1].sentence.text) for p in check.questions)
    return replace(check, questions=tuple(pairs))


def sentence_before(page: Page, evidence: Evidence) -> str:
    """Title of the page, if it may be read, and the sentence before, in brackets; empty if there is neither."""
    before = [s.text for s in page.sentences() if s.end <= evidence.sentence.start][-1:]
    context = ": ".join(filter(None, (evidence.title, *before)))
    return f"[{context}]" if context else ""
