"""A claim's budget: its record lists every call to a language model, and the next call must fit into the rest.

The record survives a crash, so no spending is forgotten.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from retrieval.errors import LLMError
from retrieval.protocols import LLM
from retrieval.types import FactCheck, Limits, LLMCall, Reply

VERDICT_TOKENS = 700  # of a reply; a verdict takes about 150, the rest is for wordy models


@dataclass(frozen=True, slots=True)
class Request:
    """What a language model is asked. others: text in it from outside, used to recognise a reply that merely copies it."""

    instructions: str
    content: str
    schema: Mapping[str, object] | None = None
    others: tuple[str, ...] = ()
    reply_tokens: int = VERDICT_TOKENS


@dataclass(frozen=True, slots=True)
class Budget:
    """The limits for all calls of one claim: tokens of prompts and replies together, and seconds including waiting."""

    tokens: int
    seconds: float
    why: str = ""  # the error to raise if a wider limit than the claim's is used up, such as a day's

    def left(self, calls: Sequence[LLMCall], reply_tokens: int) -> Limits:
        """The limits of the next call. Raises LLMError if nothing is left."""
        used = spent(calls)
        tokens = self.tokens - used.prompt_tokens - used.reply_tokens
        seconds = self.seconds - used.seconds
        if tokens <= 0 or seconds <= 0:
            limits = f"{self.tokens:,} tokens, {self.seconds:g} s"
            why = f"The budget of this claim is spent ({limits}). Raise LLM_TOKENS or LLM_SECONDS."
            raise LLMError(self.why or why)
        return Limits(tokens, min(reply_tokens, tokens), seconds)


NO_LIMIT = Budget(1_000_000_000, 1e9)


def spent(calls: Sequence[LLMCall]) -> Reply:
    """The tokens and seconds of all calls together, including those without a reply."""
    replies = [call.reply for call in calls]
    return Reply(
        "",
        sum(reply.prompt_tokens for reply in replies),
        sum(reply.reply_tokens for reply in replies),
        sum(reply.seconds for reply in replies),
        any(reply.estimated for reply in replies),
    )


def cost_in_words(calls: Sequence[LLMCall]) -> str:
    """The cost of all calls, and the limits when the last one was made."""
    used, last = spent(calls), calls[-1]
    tokens, seconds = f"{used.prompt_tokens + used.reply_tokens:,}", f"{used.seconds:.1f}"
    if last.tokens_allowed:
        tokens, seconds = f"{tokens} of {last.tokens_allowed:,}", f"{seconds} of {last.seconds_allowed:g}"
    tokens = f"about {tokens}" if used.estimated else tokens
    return f"{len(calls)} call{'s' if len(calls) > 1 else ''}, {tokens} tokens, {seconds} s"


def ask(llm: LLM, budget: Budget, check: FactCheck, purpose: str, request: Request) -> FactCheck:
    """The check with one more call in its record: the reply, or a sentence that says why there is none."""
    began = time.monotonic()
    try:
        limits = budget.left(check.calls, request.reply_tokens)
        call = LLMCall(purpose, llm.complete(request.instructions, request.content, request.schema, limits=limits))
    except LLMError as error:
        cost = error.cost or Reply("", seconds=round(time.monotonic() - began, 3))
        call = LLMCall(purpose, cost, str(error))
    call = replace(call, tokens_allowed=budget.tokens, seconds_allowed=budget.seconds)
    return replace(check, calls=(*check.calls, call))


def call_for(llm: LLM, budget: Budget, check: FactCheck, purpose: str, request: Request) -> tuple[FactCheck, LLMCall]:
    """Like `ask`, but returns the call as well; a call answered before a crash is not made again."""
    answered = [call for call in check.calls if call.purpose == purpose and not call.error]
    if not answered:
        check = ask(llm, budget, check, purpose, request)
        answered = list(check.calls[-1:])
    return check, answered[0]


def blamed(check: FactCheck, purpose: str, error: str) -> FactCheck:
    """The check with this error noted on its last call for that purpose, whose reply was unusable."""
    last = next((call for call in reversed(check.calls) if call.purpose == purpose), None)
    return replace(check, calls=tuple(replace(call, error=error) if call is last else call for call in check.calls))
