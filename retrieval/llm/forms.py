"""The form of requests to a server: what it refuses is left out, and the request is sent again at once.

If a refusal names a part, that part is left out. If it names none, the parts are left out one after the other, and the form
that works is used from then on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from typing import Any

from retrieval.llm.answers import Fault

REFUSALS = frozenset({200, 400, 403, 404, 405, 409, 415, 422, 500, 501, 503})  # 200: an error in its body
UNTOLD = frozenset({400, 422})  # may mean any part, if the message names none
UNTOLD_SCHEMA = frozenset({404, 415, 500, 501})  # may mean the schema, if the message names nothing
REPLIES = ("schema", "json", "")
TOKENS = ("max_tokens", "max_completion_tokens", "")

_NAMES = {
    "reply": re.compile(r"response_format|json_schema|json_object|json mode|structured output|guided|grammar|schema"),
    "tokens": re.compile(r"max_tokens|max_completion_tokens|max_new_tokens|maxoutputtokens"),
    "temperature": re.compile(r"temperature"),
    "seed": re.compile(r"\b(?:random_)?seed\b"),
    "system": re.compile(
        r"\bsystem['\"`]?[ _-](?:role|message|prompt|instruction)|\brole\b[^.]{0,80}\bsystem\b|'system'|\"system\"|"
        r"developer instruction|roles must alternate|\bmessages\b[^.]{0,40}\brole\b|\bmessages[.[]\d{1,4}\]?\.role|"
        r"only user[^.]{0,20}assistant|\bstart with (?:an? |the )?user|(?:unsupported|invalid|unexpected|unknown) (?:message )?role"
    ),
    "whole": re.compile(
        r"\bstream(?:ing)?\b[^.]{0,60}\b(?:required?|must|only|true|enabled?)\b|"
        r"\b(?:must|only|requires?|enable|set|use)\b[^.]{0,60}\bstream"
    ),
    "thinking": re.compile(r"reasoning|thinking|\beffort\b"),
}
# Refusals that no other form can avoid.
_OTHER_REASONS = re.compile(
    r"quota|credit|billing|balance|no such model|model[^.]{0,80}(?:not found|not exist|unknown|unavailable|overloaded)"
)
_PARAMETERS = re.compile(r"\b(?:requested|these|some|unsupported) parameters?\b")
_WRITING: tuple[str, ...] = ("temperature", "seed", "thinking")
_CONTENT = re.compile(r"\bcontent[ _](?:management|filter|policy)|\bmoderation\b")
_TITLES = {
    "reply": ("a JSON schema", "a form of the reply"),
    "tokens": ("`max_tokens`", "a limit of tokens"),
    "temperature": ("`temperature`",),
    "seed": ("a seed",),
    "system": ("a system role",),
    "thinking": ("an effort of thinking",),
    "whole": ("an answer that is no stream",),
}
_TOO_LONG = re.compile(
    r"(?<!took )too long|context[ _](?:length|window|size)|maximum context|(?:prompt|input|request)[^.]{0,40}too (?:large|many)|"
    r"\binputs?\b[^.]{0,40}(?:less|fewer|at most)\b[^.]{0,20}tokens|tokens\W{1,4}\+ \W?max_new_tokens|"
    r"exceed[^.]{0,60}\bcontext|reduce the length"
)
_KEY = re.compile(r"api[ _-]?key|authenticat|unauthori[sz]ed|credentials")


@dataclass(frozen=True, slots=True)
class Form:
    """The form of a request. reply: how a schema is requested, one of REPLIES. tokens: the name of the token limit, one of
    TOKENS; empty for none.

    temperature, seed, thinking: whether they are sent. system: whether the instructions are sent in a role of their own.
    whole: whether the answer is requested in one piece, not as a stream.
    """

    reply: str = "schema"
    tokens: str = "max_tokens"
    temperature: bool = True
    seed: bool = True
    system: bool = True
    thinking: bool = True
    whole: bool = True

    def without(self, part: str, said: str = "") -> Form:
        """The form with the next alternative for that part, or without it. said: what the server says about it."""
        if part == "reply" and "response_format" in said and not re.search("json_schema|json_object", said):
            return replace(self, reply="")  # whatever is in it
        if part == "reply":
            return replace(self, reply=_after(REPLIES, self.reply))
        if part == "tokens":
            return replace(self, tokens=_after(TOKENS, self.tokens))
        left_out: dict[str, Any] = {part: False}
        return replace(self, **left_out)

    def refused(self) -> list[str]:
        """The parts that are omitted or replaced, in words."""
        plain, found = Form(), []
        for part, titles in _TITLES.items():
            if getattr(self, part) != getattr(plain, part):
                found.append(titles[-1] if getattr(self, part) in ("", False) else titles[0])
        return found


def _after(ways: tuple[str, ...], now: str) -> str:
    return ways[min(ways.index(now) + 1, len(ways) - 1)]


BARE = Form("", "", False, False, False, False)


def sent_parts(form: Form, schema: bool, thinking: bool) -> tuple[str, ...]:
    """The parts that a request in this form really contains. schema, thinking: whether the request has them at all."""
    asked = {"reply": schema, "thinking": thinking}
    return tuple(one.name for one in fields(Form) if getattr(form, one.name) and asked.get(one.name, True))


def named_parts(status: int, said: str, sent: tuple[str, ...]) -> tuple[str, ...]:
    """The part among those sent that a refusal names. said: the server's message."""
    words = said.lower()
    if status not in REFUSALS or _hopeless(words):
        return ()
    return tuple(part for part in sent if _NAMES[part].search(words))


def guesses(form: Form, status: int, said: str, sent: tuple[str, ...]) -> Iterator[Form]:
    """The forms to try if a refusal names nothing: each without one part, then one without what sets how a model writes,
    then one without any.
    """
    words = said.lower()
    if status not in UNTOLD | UNTOLD_SCHEMA or _hopeless(words):
        return
    any_part = status in UNTOLD or bool(_PARAMETERS.search(words))
    if "reply" in sent:
        yield form.without("reply")
        if form.without("reply").reply:
            yield form.without("reply").without("reply")
    if any_part:
        others = [part for part in sent if part not in ("reply", "whole")]
        yield from (form.without(part) for part in others)
        if sum(part in _WRITING for part in sent) > 1:
            yield form.without("temperature").without("seed").without("thinking")
        if len(sent) > 1:
            yield BARE


def is_too_long(fault: Fault) -> bool:
    """Whether the request was refused because prompt and reply together exceed the model's context."""
    return fault.kind == "status" and (
        fault.status == 413 or (fault.status in REFUSALS and bool(_TOO_LONG.search(fault.said.lower())))
    )


def names_key(fault: Fault) -> bool:
    """Whether a request was refused because of its key."""
    return fault.kind == "status" and fault.status == 400 and bool(_KEY.search(fault.said.lower()))


def names_text(fault: Fault) -> bool:
    """Whether a request was refused because of what it says, as content filters do."""
    return bool(_CONTENT.search(fault.said.lower()))


def _hopeless(words: str) -> bool:
    return any(pattern.search(words) for pattern in (_OTHER_REASONS, _TOO_LONG, _KEY, _CONTENT))
