"""A short context in front of each sentence of the evidence, from the page around it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from retrieval import stage_names
from retrieval.errors import ReplyError
from retrieval.llm.budget import NO_LIMIT, Budget, blamed, call_for
from retrieval.llm.prompts import prompt, quoted
from retrieval.llm.replies import check_own_words, read_context
from retrieval.protocols import LLM, PairScorer, RelevanceClassifier
from retrieval.text.chunks import TokenCount, chunk_around
from retrieval.text.sentences import as_read
from retrieval.types import Evidence, FactCheck, LLMCall, Page, Progress, QuestionAnswer, Sentence

REPLY_TOKENS = 200


@dataclass(frozen=True)
class Contexts:
    """Writes the context of each evidence sentence and puts it in front of the sentence in its pair.

    The evidence keeps the words of the page; its relevance and stance are those of sentence and context together, so
    that a local verdict considers the context. Without a language model, the context is the page's title and the
    sentence before; so it is if the model writes none, and then a note says so.

    tokens: of the part of the page that a language model is shown, by `count`. kept: pairs of a question that `reranker`,
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
        total = max(1, len(check.questions))
        done: list[QuestionAnswer] = []
        llm, faults, contexts = self.llm, list[str](), dict[Sentence, str]()
        for number, pair in enumerate(check.questions, 1):
            yield Progress(self.name, len(done), total, check)
            evidence = check.evidence[pair.sources[0] - 1]
            page, context = pages[evidence.sentence.page_id], ""
            if llm is not None:
                check, call = self._asked(llm, check, number, evidence, page)
                yield Progress(self.name, len(done), total, check)  # so that the reply is recorded before it is read
                check, context, fault = _read(check, call, (evidence.title, page.text))
                faults += [fault] if fault else []
                llm = None if call.error else llm  # a model that does not answer is not asked again
            context = context or sentence_before(page, evidence)
            contexts[evidence.sentence] = context
            done.append(replace(pair, answer=f"{context} {evidence.sentence.text}".strip()))
        notes = (
            [
                f"Contexts that the language model did not write are the page's title and the sentence before. {faults[0]}"
            ]
            if faults
            else []
        )
        check = replace(check, questions=tuple(done), notes=(*check.notes, *notes))
        check = self._reranked(check) if self.kept else check
        check = self._read_again(check, contexts) if self.shown else _alone(check)
        yield Progress(self.name, total, total, check)

    def _read_again(self, check: FactCheck, contexts: Mapping[Sentence, str]) -> FactCheck:
        """The evidence with relevance and stance of sentence and context; the sentence comes first, because long texts are cut."""
        evidence = list(check.evidence)
        places = [place for place, one in enumerate(evidence) if one.sentence in contexts]
        texts = [f"{as_read(evidence[place])} {contexts[evidence[place].sentence]}" for place in places]
        for rows, relevances, stances in self.judge.score(check.claim.statement, texts):
            for row, relevance, stance in zip(rows, relevances, stances, strict=True):
                evidence[places[row]] = replace(evidence[places[row]], relevance=relevance, stance=stance)
        again = {e.sentence: e for e in evidence}
        sentences = tuple(again.get(e.sentence, e) for e in check.sentences)
        return replace(check, evidence=tuple(evidence), sentences=sentences)

    def _asked(
        self, llm: LLM, check: FactCheck, number: int, evidence: Evidence, page: Page
    ) -> tuple[FactCheck, LLMCall]:
        """The check with one more call in its record, and the call."""
        sentence = evidence.sentence
        around = chunk_around(page.text, sentence.start, sentence.end, self.tokens, self.count)
        content = f"<page>\n{quoted(evidence.title)}\n{quoted(around)}\n</page>\n<sentence>\n{quoted(sentence.text)}\n</sentence>"
        return call_for(llm, self.budget, check, f"context {number}", prompt("context"), content, None, REPLY_TOKENS)

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


def _read(check: FactCheck, call: LLMCall, shown: Sequence[str]) -> tuple[FactCheck, str, str]:
    """The check, the context of a reply, and its fault; one of the two is empty. shown: the quoted part of the page."""
    if call.error:
        return check, "", call.error
    try:
        context = read_context(call.reply.text)
        check_own_words(context, shown)  # not the reply: quotation marks around a copy are left out of the context
    except ReplyError as error:
        return blamed(check, call.purpose, str(error)), "", str(error)
    return check, context, ""


def _alone(check: FactCheck) -> FactCheck:
    """The check with each answer without its context, as on the page."""
    pairs = (replace(p, answer=check.evidence[p.sources[0] - 1].sentence.text) for p in check.questions)
    return replace(check, questions=tuple(pairs))


def sentence_before(page: Page, evidence: Evidence) -> str:
    """Title of the page, if it may be read, and the sentence before, in brackets; empty if there is neither."""
    before = [s.text for s in page.sentences() if s.end <= evidence.sentence.start][-1:]
    context = ": ".join(filter(None, (evidence.title, *before)))
    return f"[{context}]" if context else ""
