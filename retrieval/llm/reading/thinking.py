"""Removes thinking, channels, chat template marks and code fences from around a model's answer."""

from __future__ import annotations

import re
from dataclasses import dataclass

# Either half of a pair: `<think>` of DeepSeek and Qwen, `[THINK]` of Mistral, `◁think▷` of Kimi, `<|START_THINKING|>` of
# Cohere, `<|begin_of_thought|>` of OpenThinker, `<unused94>` of MedGemma, `<|channel>` of Gemma, and others; with spaces or
# attributes, in wide characters, and as a server may escape them.
_WORDS = (
    r"think|thinking|thoughts?|thought[_ ]process|reasoning|reason|rationale|reflection|analysis|scratchpad|deliberation|"
    r"monologue|planning|plan|cot|chain_of_thought|step_by_step"
)
_MARK = re.compile(
    rf"(?:[<＜]|&lt;) {{0,3}}(/?) {{0,3}}(?:[a-z]{{1,12}}[:_-]?)?(?:{_WORDS})(?: [^<>{{}}]{{0,60}})?(?:[>＞]|&gt;)|"
    r"\[(/?)(?:think|thinking|reasoning)\]|◁(/?)think▷|<unused9(?:4|(5))>|<\|channel>thought|(<channel\|>)|"
    r"[<＜][|｜]?(/|end_of_|end_)?(?:begin_of_|begin_|start_of_|start_)?(?:think|thinking|thoughts?|reasoning)[|｜]?[>＞]",
    re.IGNORECASE,
)
# Any other element before an answer, with a name that no answer uses; a fence of thinking.
_ELEMENT = re.compile(r"<([a-z][\w-]{0,40})(?: [^<>{}]{0,60})?>", re.IGNORECASE)
ANSWERS = frozenset(
    {"answer", "response", "output", "final", "final_answer", "result", "verdict", "json", "pre", "code"}
)
_OBJECT = re.compile(r"\{\s{0,99}[\"']")
_QUOTED = re.compile(r"(?:>[^\n]*\n\s*)+")  # some servers quote the thinking
_FENCE = "```"
_FENCED = re.compile(rf"```(?:{_WORDS})\n", re.IGNORECASE)
# gpt-oss writes into channels: `final` for the reader, `commentary` for a tool. Some servers drop the marks. Solar's
# channel is `content`; Granite, Ollama and HuatuoGPT announce the answer in words.
_CHANNEL = "<|channel|>"
_FINAL = re.compile(
    r"<\|channel\|>(?:final|commentary (?:to=|json))[^<]{0,40}(?:<\|constrain\|>[^<]{0,40})?<\|message\|>|^analysis[A-Z].*assistantfinal(?:json)?|"
    r"<\|content\|>|^Here (?:is|are) my thought(?:s| process):.*\nHere is my response:|"
    r"^Thinking\.{3}\n.*\n\.{3}done thinking\.\n|"
    r"^(?:#{1,4} |\*\*)(?:Thinking|Reasoning|Analysis)\b.*\n(?:#{1,4} |\*\*)(?:Final )?(?:Response|Answer|Verdict)\b[:* ]{0,4}\n",
    re.DOTALL,
)
_BEGINNINGS = (
    *("<|im_start|>assistant", "<|start|>assistant", "<|start_header_id|>assistant<|end_header_id|>"),
    *("<|assistant|>", "<|im_start|>", "<start_of_turn>model", "<s>", "<|START_RESPONSE|>", "<|begin_of_solution|>"),
    *("<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>", "<answer>", "<response>", "<output>", "<final>", "<final_answer>"),
    *("<|begin_of_box|>", "[BEGIN FINAL RESPONSE]", "\ufeff", "\u200b"),
)
TURN_ENDS = (
    *("<|im_end|>", "<|end|>", "<|eot_id|>", "<|eom_id|>", "<|endoftext|>", "<|end_of_text|>", "<|return|>"),
    *("<|call|>", "<end_of_turn>", "<｜end▁of▁sentence｜>", "</s>", "<|END_OF_TURN_TOKEN|>"),
)
_ENDINGS = (
    *TURN_ENDS,
    *("<|END_RESPONSE|>", "<|end_of_solution|>", "<|end_of_box|>"),
    *("</answer>", "</response>", "</output>", "</final>", "</final_answer>", "[END FINAL RESPONSE]", "[/INST]"),
)
_MOST_THINKING_MARKS = 8  # at either end


@dataclass(frozen=True, slots=True)
class Spoken:
    """A reply without thinking. thought: whether thinking was removed, even if nothing else remains."""

    text: str
    thought: bool


def spoken(text: str) -> Spoken:
    """The reply without thinking, and without marks at its ends; empty if it is nothing but thinking. O(n).

    The chat template may open the thinking before the reply begins, so everything before the last closing mark is
    thinking, whether opened or not. Unclosed thinking runs to the end. If a reply begins with JSON, marks inside it are
    quotations.
    """
    plain = _without_ends(text)
    thought = False
    for _ in range(_MOST_THINKING_MARKS):
        thought_end = _thinking_end(plain)
        plain, thought = _without_ends(plain[thought_end:]), thought or bool(thought_end)
    if plain.startswith(("{", "```")):
        return Spoken(plain, thought)
    if final := max(_FINAL.finditer(plain), key=re.Match.end, default=None):
        return Spoken(_without_ends(plain[final.end() :]), True)
    if plain.startswith(_CHANNEL):
        return Spoken("", True)
    marks = list(_MARK.finditer(plain))
    closed = max((mark.end() for mark in marks if any(mark.groups())), default=0)
    rest = plain[closed:]
    brace = rest.find("{")
    limit = closed + (brace if brace >= 0 else len(rest))
    opened = next((mark.start() for mark in marks if closed <= mark.start() < limit), None)
    if opened is not None:
        rest = plain[closed:opened]
    return Spoken(_without_ends(rest), thought or bool(closed) or opened is not None)


def _thinking_end(plain: str) -> int:
    """Where thinking at the start of a reply ends: a fence, or quoted lines or an element before an object; else 0."""
    if (lines := _QUOTED.match(plain)) and _OBJECT.search(plain, lines.end()):
        return lines.end()
    if fence := _FENCED.match(plain):
        return plain.find("\n```", fence.end()) + 4 if "\n```" in plain[fence.end() :] else len(plain)
    element = _ELEMENT.match(plain)
    if element is None or element[1].lower() in ANSWERS or _MARK.match(plain):
        return 0
    end = f"</{element[1]}>"
    at = plain.find(end, element.end()) + len(end)
    rest = plain[at:] if at >= element.end() + len(end) else ""
    return at if _OBJECT.search(rest) and f"<{element[1]}" not in rest else 0


def _without_ends(text: str) -> str:
    """The text without chat template marks at its beginning and end."""
    for _ in range(_MOST_THINKING_MARKS):
        text = text.strip()
        before = text
        for mark in _BEGINNINGS:
            text = text.removeprefix(mark)
        for mark in _ENDINGS:
            text = text.removesuffix(mark)
        if text == before:
            break
    return text


def without_fence(text: str) -> str:
    """The text inside a fence that encloses all of it, else the text itself; stripped. O(n).

    It uses no regular expression, because a hostile reply could make one backtrack forever.
    """
    stripped = text.strip()
    opening, _, rest = stripped.partition("\n")
    named = opening.removeprefix(_FENCE).strip().lower()
    if not opening.startswith(_FENCE) or named not in ("", "json") or not rest.endswith(_FENCE):
        return stripped
    return rest.removesuffix(_FENCE).strip()
