"""The form of requests to a server: a part that it refuses is left out, and the request is sent again at once.

If the refusal names the part, that part is left out. If it names nothing, one part after the other is left out, and the
form that works is used from then on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from typing import Any

REFUSALS = frozenset({200, 400, 404, 415, 422, 500, 501})  # 200: an error in the body of a success
UNTOLD = frozenset({400, 422})  # a refusal of any part, if it does not say of which
UNTOLD_SCHEMA = frozenset({404, 415, 500, 501})  # of a schema, if it does not say of what
REPLIES = ("schema", "json", "")
TOKENS = ("max_tokens", "max_completion_tokens", "")

_NAMES = {
    "reply": re.compile(r"response_format|json_schema|json_object|json mode|structured output|guided|grammar|schema"),
    "tokens": re.compile(r"max_tokens|max_completion_tokens|max_new_tokens|maxoutputtokens"),
    "temperature": re.compile(r"temperature"),
    "seed": re.compile(r"\b(?:random_)?seed\b"),
    "system": re.compile(
        r"\bsystem['\"`]?[ _-](?:role|message|prompt|instruction)|\brole\b[^.]{0,80}\bsystem\b|'system'|\"system\"|"
        r"developer instruction|roles must alternate|\bmessages\b[^.]{0,40}\brole\b"
    ),
    "thinking": re.compile(r"reasoning|thinking|\beffort\b"),
}
# Refusals that no other form would change.
_OTHER_REASONS = re.compile(
    r"too long|context[ _](?:length|window|size)|maximum context|quota|credit|billing|balance|api[ _]key|"
    r"no such model|model[^.]{0,80}(?:not found|not exist|unknown|unavailable|overloaded)"
)
_TITLES = {
    "reply": ("a JSON schema", "a form of the reply"),
    "tokens": ("`max_tokens`", "a limit of tokens"),
    "temperature": ("`temperature`",),
    "seed": ("a seed",),
    "system": ("a system role",),
    "thinking": ("an effort of thinking",),
}


@dataclass(frozen=True, slots=True)
class Form:
    """The form of a request. reply: how a schema is asked for, one of REPLIES; tokens: the name of their limit, one of TOKENS, empty for none.

    temperature, seed, thinking: whether they are sent. system: whether the instructions have the system role.
    """

    reply: str = "schema"
    tokens: str = "max_tokens"
    temperature: bool = True
    seed: bool = True
    system: bool = True
    thinking: bool = True

    def without(self, part: str, said: str = "") -> Form:
        """The form with the next variant of that part, or without it. said: the server's message."""
        if part == "reply" and "response_format" in said and "json_schema" not in said:
            return replace(self, reply="")  # whatever is in it
        if part == "reply":
            return replace(self, reply=_after(REPLIES, self.reply))
        if part == "tokens":
            return replace(self, tokens=_after(TOKENS, self.tokens))
        left_out: dict[str, Any] = {part: False}
        return replace(self, **left_out)

    def refused(self) -> list[str]:
        """The parts that are left out or replaced, in words."""
        plain, found = Form(), []
        for part, titles in _TITLES.items():
            if getattr(self, part) != getattr(plain, part):
                found.append(titles[-1] if getattr(self, part) in ("", False) else titles[0])
        return found


def _after(ways: tuple[str, ...], now: str) -> str:
    return ways[min(ways.index(now) + 1, len(ways) - 1)]


BARE = Form("", "", False, False, False, False)


def sent_parts(form: Form, schema: bool, thinking: bool) -> tuple[str, ...]:
    """The parts that a request of this form really contains. schema, thinking: whether it asks for such."""
    asked = {"reply": schema, "thinking": thinking}
    return tuple(one.name for one in fields(Form) if getattr(form, one.name) and asked.get(one.name, True))


def named_parts(status: int, said: str, sent: tuple[str, ...]) -> tuple[str, ...]:
    """The part among those sent that a refusal names. said: the server's message."""
    words = said.lower()
    if status not in REFUSALS or _OTHER_REASONS.search(words):
        return ()
    return tuple(part for part in sent if _NAMES[part].search(words))


def guesses(form: Form, status: int, said: str, sent: tuple[str, ...]) -> Iterator[Form]:
    """The forms to try if a refusal names nothing: each without one part, then without all."""
    if status not in UNTOLD | UNTOLD_SCHEMA or _OTHER_REASONS.search(said.lower()):
        return
    if "reply" in sent:
        yield form.without("reply")
        if form.without("reply").reply:
            yield form.without("reply").without("reply")
    if status in UNTOLD:
        others = [part for part in sent if part != "reply"]
        yield from (form.without(part) for part in others)
        if len(sent) > 1:
            yield BARE
