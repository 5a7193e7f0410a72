"""Lets a Haystack ChatGenerator be our language model."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from haystack.dataclasses import ChatMessage

from retrieval.errors import LLMError
from retrieval.llm.answers import read_answer
from retrieval.llm.client import LEAST_REPLY, counted, prompt_tokens
from retrieval.types import Limits, Reply


class ChatGeneratorModel:
    """Any component whose `run` takes `messages` and returns `replies`. Its own parameters decide their length and form."""

    def __init__(self, generator: Any) -> None:
        self._generator = generator
        self.id = str(getattr(generator, "model", "") or type(generator).__name__)

    def complete(
        self,
        instructions: str,
        content: str,
        schema: Mapping[str, object] | None = None,
        *,
        limits: Limits | None = None,
    ) -> Reply:
        """See `LLM`. Any error of the generator becomes an LLMError with the same message."""
        began, prompt = time.monotonic(), prompt_tokens(instructions, content, schema)
        if limits and limits.tokens - prompt < LEAST_REPLY:
            raise LLMError(f"The prompt for {self.id} is too long for the rest of this claim's budget.")
        try:
            messages = [ChatMessage.from_system(instructions), ChatMessage.from_user(content)]
            message = self._generator.run(messages=messages)["replies"][0]
            choice = {"message": {"content": message.text}, "finish_reason": message.meta.get("finish_reason")}
            answer = read_answer({"choices": [choice], "usage": message.meta.get("usage")})
        except Exception as error:  # of any kind, because the component is not ours
            seconds = round(time.monotonic() - began, 3)
            raise LLMError(f"{self.id} did not answer: {str(error)[:200]}", Reply("", seconds=seconds)) from error
        reply = counted(answer, prompt, round(time.monotonic() - began, 3))
        if answer.finish != "stop" or not answer.text:
            raise LLMError(f"{self.id} gave no complete reply ({answer.finish[:20]}).", replace(reply, text=""))
        return reply
