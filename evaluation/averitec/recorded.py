"""Recorded replies of a language model, to repeat a run exactly, without the model and without cost."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

from retrieval.errors import CorpusError, LLMError, SettingError
from retrieval.protocols import LLM
from retrieval.types import Limits, Reply


class Recorded:
    """Answers calls from a file. Implements `LLM`. If the file lacks a call, the model is asked, if there is one, and
    its reply recorded.

    The file is JSON lines of key (sha256 of the whole call), model, text, tokens and seconds.
    """

    def __init__(self, path: Path, llm: LLM | None = None) -> None:
        """Raises CorpusError if the file cannot be read, SettingError if it is missing and there is no model to ask."""
        self._path, self._llm = path, llm
        self._replies: dict[str, Reply] = {}
        model = self._read() if path.exists() else ""
        if not (llm or self._replies):
            raise SettingError(f"{path} holds no replies. Set LLM_MODEL to record some, or name another file.")
        self.id = llm.id if llm else model

    def complete(
        self,
        instructions: str,
        content: str,
        schema: Mapping[str, object] | None = None,
        *,
        limits: Limits | None = None,
    ) -> Reply:
        """The reply to exactly this call. Raises LLMError if it is not recorded and there is no model."""
        key = hashlib.sha256(json.dumps([instructions, content, schema], sort_keys=True).encode()).hexdigest()
        if key not in self._replies:
            if self._llm is None:
                raise LLMError(f"{self._path} holds no reply to this call. Set LLM_MODEL to have it recorded.")
            self._replies[key] = self._llm.complete(instructions, content, schema, limits=limits)
            self._record(key, self._replies[key])
        return self._replies[key]

    def _record(self, key: str, reply: Reply) -> None:
        row = {"key": key, "model": self.id, "text": reply.text, "prompt_tokens": reply.prompt_tokens}
        row |= {"reply_tokens": reply.reply_tokens, "seconds": round(reply.seconds, 3)}
        with self._path.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(row, ensure_ascii=False) + "\n")

    def _read(self) -> str:
        model = ""
        try:
            for line in self._path.read_text("utf-8").splitlines():
                row = json.loads(line)
                counts = (row["prompt_tokens"], row["reply_tokens"], row["seconds"])
                self._replies[row["key"]] = Reply(row["text"], *counts)
                model = row["model"]
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise CorpusError(f"{self._path} cannot be read as recorded replies ({error!r}). Name another.") from error
        return model
