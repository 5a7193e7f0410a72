"""The form of requests to a server: parts that it refuses are left out, and the request is sent again at once.

If a refusal names a part, that part goes. If it names none, each part is left out in turn, and the form that works is
used from then on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from typing import Any

from retrieval.llm.answers import Fault

REFUSALS = frozenset({200, 400, 403, 404, 405, 409, 415, 422, 500, 501, 503})  # 200: an error in its body
UNNAMED = frozenset({400, 422})  # if the message names no part, any may be meant
UNNAMED_SCHEMA = frozenset({404, 415, 500, 501})  # if the message names no part, the schema may be meant
# The values of a part, each tried after the one before was refused; other parts are sent or not.
WAYS = {"reply": ("schema", "json", ""), "tokens": ("max_tokens", "max_completion_tokens", "")}

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
# Refusals for reasons other than the form.
_OTHER_REASONS = re.compile(
    r"quota|credit|billing|balance|no such model|model[^.]{0,80}(?:not found|not exist|unknown|unavailable|overloaded)"
)
_PARAMETERS = re.compile(r"\b(?:requested|these|some|unsupported) parameters?\b")
_SAMPLING: tuple[str, ...] = ("temperature", "seed", "thinking")
_CONTENT_FILTER = re.compile(r"\bcontent[ _](?:management|filter|policy)|\bmoderation\b")
_DESCRIPTIONS = {
    "reply": ("a JSON schema", "a form of the reply"),
    "tokens": ("`max_tokens`", "a limit of tokens"),
    "temperature": ("`temperature`",),
    "seed": ("a seed",),
    "system": ("a system role",),
    "thinking": ("an effort of thinking",),
    "whole": ("an answer in one piece",),
}
_TOO_LONG = re.compile(
    r"(?<!took )too long|context[ _](?:length|window|size)|maximum context|(?:prompt|input|request)[^.]{0,40}too (?:large|many)|"
    r"\binputs?\b[^.]{0,40}(?:less|fewer|at most)\b[^.]{0,20}tokens|tokens\W{1,4}\+ \W?max_new_tokens|"
    r"exceed[^.]{0,60}\bcontext|reduce the length"
)
_KEY = re.compile(r"api[ _-]?key|authenticat|unauthori[sz]ed|credentials")


@dataclass(frozen=True, slots=True)
class Form:
    """The form of a request. reply: how it asks for a schema. tokens: the parameter that limits the reply. Values: see WAYS.

    temperature, seed, thinking: whether they are sent. system: whether the instructions are sent in the role `system`.
    whole: whether the answer is requested in one piece, not as a stream.
    """

    reply: str = "schema"
    tokens: str = "max_tokens"
    temperature: bool = True
    seed: bool = True
    system: bool = True
    thinking: bool = True
    whole: bool = True

    def without(self, part: str, message: str = "") -> Form:
        """The form with the next alternative for that part, or without it. message: the server's, in lower case."""
        if part == "reply" and "response_format" in message and not re.search("json_schema|json_object", message):
            return replace(self, reply="")  # it refuses every value
        ways = WAYS.get(part, (True, False))
        changes: dict[str, Any] = {part: ways[min(ways.index(getattr(self, part)) + 1, len(ways) - 1)]}
        return replace(self, **changes)

    def parts(self) -> list[str]:
        """The parts of a request in this form."""
        return [part.name for part in fields(self) if getattr(self, part.name)]

    def refused(self) -> list[str]:
        """The parts that are omitted or replaced, in words."""
        changed = {part: getattr(self, part) for part in _DESCRIPTIONS if getattr(self, part) != getattr(Form(), part)}
        return [_DESCRIPTIONS[part][0 if value else -1] for part, value in changed.items()]


BARE = Form("", "", False, False, False, False)


def named_parts(fault: Fault, sent: tuple[str, ...]) -> tuple[str, ...]:
    """The parts among those sent that a refusal names."""
    words = fault.message.lower()
    if fault.status not in REFUSALS or _hopeless(words):
        return ()
    return tuple(part for part in sent if _NAMES[part].search(words))


def guesses(form: Form, fault: Fault, sent: tuple[str, ...]) -> Iterator[Form]:
    """The forms to try if a refusal names no part: without each part, without sampling parameters, without anything."""
    words = fault.message.lower()
    if fault.status not in UNNAMED | UNNAMED_SCHEMA or _hopeless(words):
        return
    if "reply" in sent:
        yield (plainer := form.without("reply"))
        if plainer.reply:
            yield plainer.without("reply")
    if fault.status in UNNAMED or _PARAMETERS.search(words):
        others = [part for part in sent if part not in ("reply", "whole")]
        yield from (form.without(part) for part in others)
        if sum(part in _SAMPLING for part in sent) > 1:
            yield form.without("temperature").without("seed").without("thinking")
        if len(sent) > 1:
            yield BARE


def is_too_long(fault: Fault) -> bool:
    """Whether the request was refused because prompt and reply together exceed the model's context."""
    refused = fault.status in REFUSALS and _TOO_LONG.search(fault.message.lower())
    return fault.kind == "status" and (fault.status == 413 or bool(refused))


def names_key(fault: Fault) -> bool:
    """Whether a request was refused because of its key."""
    return fault.kind == "status" and fault.status == 400 and bool(_KEY.search(fault.message.lower()))


def names_text(fault: Fault) -> bool:
    """Whether a content filter refused the request for its text."""
    return bool(_CONTENT_FILTER.search(fault.message.lower()))


def _hopeless(words: str) -> bool:
    return any(pattern.search(words) for pattern in (_OTHER_REASONS, _TOO_LONG, _KEY, _CONTENT_FILTER))
