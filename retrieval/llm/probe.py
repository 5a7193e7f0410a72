"""Asks the configured language model about one small claim, and reports what works."""

from __future__ import annotations

from collections.abc import Sequence

from retrieval.errors import LLMError
from retrieval.llm.answers import Answer
from retrieval.llm.budget import VERDICT_TOKENS
from retrieval.llm.client import ChatModel
from retrieval.llm.prompts import verdict as prompt
from retrieval.llm.replies import Opinion, read_verdict
from retrieval.settings import Settings
from retrieval.types import Evidence, Label, Limits, Reply, Sentence, Stance

CLAIM = "The harbour bridge of Lowe was opened in 1932."
QUOTED = (
    "The harbour bridge of Lowe is a steel bridge over the river.",
    "The mayor opened it for traffic on 12 March 1931.",
)
EXPECTED = Label.REFUTED
FORMS = {"schema": "JSON by a schema", "json": "JSON, without a schema", "": "JSON as the prompt asks for it"}


def probe(model: ChatModel, settings: Settings) -> tuple[bool, list[str]]:
    """Whether a check could use the model, and ten lines on what works. Makes one call, which may cost money."""
    sentences = [Sentence("Lowe", "Lowe", 0, 0, len(text), text) for text in QUOTED]
    evidence = [Evidence(sentence, 1.0, Stance(0, 0, 1), "claim") for sentence in sentences]
    limits = Limits(settings.llm_tokens, VERDICT_TOKENS, settings.llm_seconds)
    reply, answer, opinion, problem = Reply(""), None, None, ""
    try:
        content = prompt.content(CLAIM, evidence)
        reply, answer = model.exchange(prompt.instructions(), content, prompt.schema(len(evidence)), limits)
        opinion = read_verdict(reply.text, len(evidence))
    except LLMError as error:
        reply, problem = error.cost or reply, str(error)
    return opinion is not None, _lines(model, settings, reply, answer, opinion, problem)


def known(model: ChatModel, settings: Settings) -> list[str]:
    """The same lines for the last reply that this process received. Makes no call, so no verdict is tried."""
    reply, answer = model.last or (Reply(""), None)
    problem = model.left_out or ("" if answer else "Nothing was asked here yet. Ask the model: python -m retrieval llm")
    return [line for line in _lines(model, settings, reply, answer, None, problem) if not line.startswith("Verdict:")]


def _lines(
    model: ChatModel, settings: Settings, reply: Reply, answer: Answer | None, opinion: Opinion | None, problem: str
) -> list[str]:
    tokens = f"{'about ' if reply.estimated else ''}{reply.prompt_tokens:,} read, {reply.reply_tokens:,} written"
    named = f", which its server calls {answer.model}" if answer and answer.model not in ("", model.id) else ""
    price = "the server does not say" if answer is None or answer.price is None else f"{answer.price:.6f} US dollars"
    return [
        f"Address:   {settings.shown('llm_url') or 'the address of Mistral'} (LLM_KIND {settings.llm_kind})",
        f"Model:     {model.id}{named}",
        f"Reply:     {FORMS[model.form.reply] if answer else 'none'}",
        f"Left out:  {', '.join(model.form.refused()) or 'nothing'}",
        f"Thinking:  {'not known' if answer is None else 'yes; it is skipped' if answer.thought else 'none'}"
        f" (LLM_THINKING {settings.llm_thinking or 'not set'})",
        f"Tokens:    {tokens}{' (estimated: the server does not count)' if reply.estimated else ''}",
        f"Seconds:   {reply.seconds:.1f}",
        f"Price:     {price}",
        f"Verdict:   {_judged(opinion)}",
        f"In short:  {problem or 'It can be used.'}",
    ]


def _judged(opinion: Opinion | None) -> str:
    if opinion is None:
        return "none"
    if opinion.label is EXPECTED:
        return f"{opinion.label}, as it should be"
    return f"{opinion.label}, where {EXPECTED} is right, so check a few claims by hand"


def text_of(lines: Sequence[str]) -> str:
    """The lines for printing, without control characters that a terminal would act on."""
    return "\n".join("".join(char if char.isprintable() else " " for char in line) for line in lines)
