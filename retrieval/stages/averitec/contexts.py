"""A short context in front of each kept sentence, from the page around it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby

from retrieval.errors import ReplyError
from retrieval.llm.budget import NO_LIMIT, Budget, blamed, call_for
from retrieval.llm.prompts import prompt, quoted
from retrieval.llm.replies import read_context
from retrieval.protocols import LLM, PairScorer
from retrieval.types import Evidence, FactCheck, LLMCall, Page, Progress, QuestionAnswer

REPLY_TOKENS = 200
CHARACTERS_A_TOKEN = 4  # of English text, about


@dataclass(frozen=True)
class Contexts:
    """Writes the context of each evidence sentence and puts it in front of the sentence in its pair.

    The evidence itself stays the page's own words. Without a language model the context is the page's title and the
    sentence before; so it is where the model writes none, and a note says so. kept: pairs left after the second reading, where contexts are written before the reranking: then
    the pair scorer reads context and sentence together, and of each question the best `kept` stay.
    """

    llm: LLM | None
    scorer: PairScorer
    tokens: int = 768
    kept: int = 0
    budget: Budget = NO_LIMIT
    name = "contexts"
    reads = ("questions", "evidence", "pages")
    writes = ("questions", "evidence", "sentences", "calls", "notes")

    def run(self, check: FactCheck) -> Iterator[Progress]:
        if not check.evidence:  # nothing was found, so no pair has a sentence
            yield Progress(self.name, 1, 1, check)
            return
        pages = {hit.page.id: hit.page for hit in check.pages}
        total = max(1, len(check.questions))
        done: list[QuestionAnswer] = []
        llm, faults = self.llm, list[str]()
        for number, pair in enumerate(check.questions, 1):
            yield Progress(self.name, len(done), total, check)
            evidence = check.evidence[pair.sources[0] - 1]
            page, context = pages[evidence.sentence.page_id], ""
            if llm is not None:
                check, call = self._asked(llm, check, number, evidence, page)
                yield Progress(self.name, len(done), total, check)  # so that the reply is kept before it is read
                check, context, fault = _read(check, call)
                faults += [fault] if fault else []
                llm = None if call.error else llm  # who does not answer is not asked for the rest
            context = context or sentence_before(page, evidence)
            done.append(replace(pair, answer=f"{context} {evidence.sentence.text}".strip()))
        notes = (
            [f"{faults[0]} Contexts that it did not write are the page's title and the sentence before."]
            if faults
            else []
        )
        check = replace(check, questions=tuple(done), notes=(*check.notes, *notes))
        yield Progress(self.name, total, total, self._reranked(check) if self.kept else check)

    def _asked(
        self, llm: LLM, check: FactCheck, number: int, evidence: Evidence, page: Page
    ) -> tuple[FactCheck, LLMCall]:
        """The check with one more call in its record, and the call."""
        sentence = evidence.sentence
        around = surroundings(page.text, sentence.start, sentence.end, self.tokens * CHARACTERS_A_TOKEN)
        content = (
            f"<page>\n{quoted(page.title)}\n{quoted(around)}\n</page>\n<sentence>\n{quoted(sentence.text)}\n</sentence>"
        )
        return call_for(llm, self.budget, check, f"context {number}", prompt("context"), content, None, REPLY_TOKENS)

    def _reranked(self, check: FactCheck) -> FactCheck:
        """Of each question's pairs the best by relevance of context and sentence to the question."""
        pairs: list[QuestionAnswer] = []
        evidence: list[Evidence] = []
        for question, grouped in groupby(check.questions, key=lambda pair: pair.question):
            group, scores = list(grouped), dict[int, float]()
            for rows, relevances, _ in self.scorer.score(question, [pair.answer for pair in group]):
                scores |= dict(zip(rows, relevances, strict=True))
            for row in sorted(range(len(group)), key=lambda row: (-scores[row], row))[: self.kept]:
                evidence.append(check.evidence[group[row].sources[0] - 1])
                pairs.append(replace(group[row], sources=(len(evidence),)))
        return replace(check, questions=tuple(pairs), evidence=tuple(evidence), sentences=tuple(evidence))


def _read(check: FactCheck, call: LLMCall) -> tuple[FactCheck, str, str]:
    """The check, the context of a reply, and what is wrong with it; one of the two is empty."""
    if call.error:
        return check, "", call.error
    try:
        return check, read_context(call.reply.text), ""
    except ReplyError as error:
        return blamed(check, call.purpose, str(error)), "", str(error)


def sentence_before(page: Page, evidence: Evidence) -> str:
    """Title of the page and the sentence before, in brackets; the title alone where there is none."""
    before = [s for s in page.sentences() if s.end <= evidence.sentence.start][-1:]
    return f"[{page.title}{': ' + before[0].text if before else ''}]"


def surroundings(text: str, start: int, end: int, length: int) -> str:
    """The text around text[start:end], about `length` characters in all, cut where paragraphs, sentences or words end.

    The cut looks for the coarsest end that leaves at least half of the room, as recursive splitting does.
    """
    room = max(0, length - (end - start)) // 2
    first, last = max(0, start - room), min(len(text), end + room)
    for sign in ("\n", ". ", " "):
        at = text.find(sign, first, start)
        if first and first < at + len(sign) <= start - room // 2:
            first = at + len(sign)
            break
    for sign in ("\n", ". ", " "):
        at = text.rfind(sign, end + room // 2, last)
        if last < len(text) and at >= 0:
            last = at + len(sign)
            break
    return text[first:last].strip()
