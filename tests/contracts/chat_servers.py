"""Chat-completion servers as people have them, and replies as models write them: each a script for `tests.llm.stub`."""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections.abc import Callable
from typing import Any

from tests.llm.stub import Answer, Handler, Json, completion, raw, says, verdict

Refuses = Callable[[Json], bool]
VERDICT = verdict("REFUTED", "It opened in 1931.", (1,))
OTHER = verdict("SUPPORTED", "It opened in 1932.", (1,))


def refusing(refuses: Refuses, status: int, error: Any, answer: Answer | None = None) -> Answer:
    """Answers error to each request that it refuses."""

    def reply(handler: Handler, body: Json) -> None:
        if refuses(body):
            handler.send(status, json.dumps(error))
        else:
            (answer or says(VERDICT))(handler, body)

    return reply


def has(*names: str) -> Refuses:
    return lambda body: any(body.get(name) is not None for name in names)


def schema(body: Json) -> bool:
    return (body.get("response_format") or {}).get("type") == "json_schema"


def system(body: Json) -> bool:
    return any(message["role"] == "system" for message in body["messages"])


def said(message: str, **more: Any) -> Json:
    return {"error": {"message": message, **more}}


def choice(message: Json, finish: Any = "stop", usage: Any = None, **more: Any) -> Answer:
    """A completion with this message, and no count of tokens unless given."""
    body: Json = {"id": "1", "object": "chat.completion", "created": 1, "model": "m", **more}
    body["choices"] = [{"index": 0, "finish_reason": finish, "message": {"role": "assistant", **message}}]
    return raw(200, json.dumps(body if usage is None else {**body, "usage": usage}))


def changed(**parts: Any) -> str:
    return json.dumps({**json.loads(VERDICT), **parts})


def called(arguments: str) -> str:
    """The verdict as a model writes that it calls a tool. arguments: its name for them."""
    return json.dumps({"name": "reply", arguments: json.loads(VERDICT)})


def packed(pack: Callable[[bytes], bytes], name: str) -> Answer:
    """The verdict, in this encoding."""

    def reply(handler: Handler, _: Json) -> None:
        body = pack(completion(VERDICT).encode())
        handler.send_response(200)
        for header, value in (
            ("Content-Type", "application/json"),
            ("Content-Encoding", name),
            ("Content-Length", str(len(body))),
        ):
            handler.send_header(header, value)
        handler.end_headers()
        handler.wfile.write(body)

    return reply


def streams(text: str, thinking: str = "", finish: str | None = "stop", done: bool = True) -> Answer:
    """The reply as server-sent events, ten characters each."""
    deltas: list[Json] = [
        {"role": "assistant", "content": ""},
        *([{"reasoning_content": thinking}] if thinking else []),
    ]
    deltas += [{"content": text[at : at + 10]} for at in range(0, len(text), 10)]
    choices = [{"index": 0, "delta": delta, "finish_reason": None} for delta in deltas]
    choices += [{"index": 0, "delta": {}, "finish_reason": finish}] if finish else []
    events = [
        json.dumps({"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [one]})
        for one in choices
    ]
    events += [json.dumps({"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 9}})] + ["[DONE]"] * done
    return raw(200, ": keep-alive\n\n" + "".join(f"data: {event}\r\n\r\n" for event in events), "text/event-stream")


REPLIES: dict[str, Answer] = {
    "plain": says(VERDICT),
    "fence": says(f"```json\n{VERDICT}\n```"),
    "fence in prose": says(f"Here is my verdict:\n```json\n{VERDICT}\n```\nAsk me for more."),
    "prose": says(f"I compared the sources. {VERDICT} I hope that helps."),
    "prose with braces": says(f"The set {{a, b}} is {{{{empty}}}}. {VERDICT}"),
    "think": says(f"<think>\nIs it 1932? {OTHER}\n</think>\n\n{VERDICT}"),
    "think, opened by the template": says(f"It may be 1932: {OTHER}\n</think>\n{VERDICT}"),
    "thinking": says(f"<thinking>Let me see.</thinking>{VERDICT}"),
    "magistral": says(f"[THINK]Let me see.[/THINK]{VERDICT}"),
    "channels": says(f"<|channel|>analysis<|message|>{OTHER}<|end|><|start|>assistant<|channel|>final<|message|>{VERDICT}"),
    "im_start": says(f"<|im_start|>assistant\n{VERDICT}<|im_end|>"),
    "eot": says(f"{VERDICT}<|eot_id|>"),
    "one key more": says(json.dumps({**json.loads(VERDICT), "certainty": "high"})),
    "ratings with a point": says(VERDICT.replace(": 5", ": 5.0").replace(": 1", ": 1.0")),
    "ratings as text": says(VERDICT.replace(": 5", ': "5"').replace('": 1', '": "1"')),
    "line break in a text": says(VERDICT.replace("It opened", "It\nopened")),
    "template, then verdict": says(f"Form: {json.dumps(dict.fromkeys(json.loads(VERDICT), '...'))}\n{VERDICT}"),
    "indented": says(json.dumps(json.loads(VERDICT), indent=4)),
    "reasoning_content": choice({"content": VERDICT, "reasoning_content": f"Is it {OTHER}?"}, usage={"prompt_tokens": 9, "completion_tokens": 9}),
    "thinking as parts": says([{"type": "thinking", "thinking": [{"type": "text", "text": OTHER}]}, {"type": "text", "text": VERDICT}]),
    "STOP": says(VERDICT, finish="STOP"),
    "eos": says(VERDICT, finish="eos"),
    "end_turn": says(VERDICT, finish="end_turn"),
    "stop_sequence": says(VERDICT, finish="stop_sequence"),
    "no finish reason": choice({"content": VERDICT}, None),
    "no usage": choice({"content": VERDICT}),
    "usage null": raw(200, json.dumps({**json.loads(completion(VERDICT)), "usage": None})),
    "usage in floats": choice({"content": VERDICT}, usage={"prompt_tokens": 9.0, "completion_tokens": 9.0}),
    "nothing but choices": raw(200, json.dumps({"choices": [{"message": {"content": VERDICT}}]})),
    "JSON as text/plain": raw(200, completion(VERDICT), "text/plain"),
    "byte order mark": raw(200, "\ufeff" + completion(VERDICT), "text/plain"),
    "byte order mark in the text": says("\ufeff" + VERDICT),
    "think with spaces": says(f"< think >Is it {OTHER}?</ think >{VERDICT}"),
    "think with an attribute": says(f'<think effort="low">{OTHER}</think>{VERDICT}'),
    "think, escaped": says(f"&lt;think&gt;{OTHER}&lt;/think&gt;{VERDICT}"),
    "analysis": says(f"<analysis>{OTHER}</analysis>{VERDICT}"),
    "seed:think": says(f"<seed:think>{OTHER}</seed:think>{VERDICT}"),
    "longcat_think": says(f"<longcat_think>{OTHER}</longcat_think>{VERDICT}"),
    "Cohere": says(f"<|START_THINKING|>{OTHER}<|END_THINKING|><|START_RESPONSE|>{VERDICT}<|END_RESPONSE|>"),
    "OpenThinker": says(f"<|begin_of_thought|>{OTHER}<|end_of_thought|>\n<|begin_of_solution|>{VERDICT}<|end_of_solution|>"),
    "answer after thinking": says(f"<reasoning>{OTHER}</reasoning>\n<answer>\n{VERDICT}\n</answer>"),
    "channels without marks": says(f"analysisWe compare: {OTHER}assistantfinal{VERDICT}"),
    "comma too many": says(VERDICT[:-1] + ",}"),
    "single quotes": says(str(json.loads(VERDICT))),
    "set in prose": says(f'Of {{"a", "b"}} and {{1, 2}}: {VERDICT}'),
    "twice the same": says(f"{VERDICT}\n{VERDICT}"),
    "fence of tildes": says(f"~~~json\n{VERDICT}\n~~~"),
    "text as parts": says([{"type": "text", "text": VERDICT[:20]}, {"type": "text", "text": VERDICT[20:]}]),
    "text with a value": says([{"type": "text", "text": {"value": VERDICT, "annotations": []}}]),
    "reasoning as parts": says([{"type": "reasoning", "text": OTHER}, {"type": "output_text", "text": VERDICT}]),
    "the object itself": says(json.loads(VERDICT)),
    "a tool's arguments": choice({"content": None, "tool_calls": [{"id": "1", "type": "function", "function": {"name": "reply", "arguments": VERDICT}}]}, "tool_calls"),
    "a function's arguments": choice({"content": None, "function_call": {"name": "reply", "arguments": VERDICT}}, "function_call"),
    "text of a completion": raw(200, json.dumps({"choices": [{"text": VERDICT, "finish_reason": "stop"}]})),
    "refusal null": choice({"content": VERDICT, "refusal": None}),
    "FINISH_REASON_STOP": says(VERDICT, finish="FINISH_REASON_STOP"),
    "eos_token_found": says(VERDICT, finish="eos_token_found"),
    "stream all the same": streams(VERDICT),
    "stream with thinking": streams(VERDICT, thinking=OTHER),
    "stream that never says why it ends": streams(VERDICT, finish=None),
    "list of one": says(f"```json\n[\n{VERDICT}\n]\n```"),
    "comments in a fence": says('```jsonc\n{\n  // the verdict\n' + VERDICT[1:-1].replace(', "label"', ', /* last */ "label"') + "\n}\n```"),
    "comments of a shell": says('```\n{\n  # the verdict\n' + VERDICT[1:-1] + "\n}\n```"),
    "fence never closed": says(f"```json\n{VERDICT}"),
    "fence never opened": says(f"{VERDICT}\n```"),
    "sentences as text": says(changed(sentences="1")),
    "sentences as one number": says(changed(sentences=1)),
    "sentences in words": says(changed(sentences=["Sentence 1"])),
    "label in bold": says(changed(label="**Refuted**")),
    "label with a point": says(changed(label="REFUTED.")),
    "names with capitals": says(json.dumps({name.upper(): value for name, value in json.loads(VERDICT).items()})),
    "names with spaces": says(json.dumps({f" {name} ": value for name, value in json.loads(VERDICT).items()})),
    "within another": says(json.dumps({"answer": json.loads(VERDICT)})),
    "within another, as text": says(json.dumps({"status": "ok", "response": VERDICT})),
    "within two others": says(json.dumps({"result": {"verdict": [json.loads(VERDICT)]}})),
    "bare names": says("The verdict: " + re.sub(r'"(\w+)":', r"\1:", VERDICT)),
    "escapes that JSON lacks": says(VERDICT.replace("It opened", r"\'It\' opened for \$1")),
    "labels in one word": says(VERDICT.replace("NOT_ENOUGH_EVIDENCE", "NotEnoughEvidence")),
    "thinking, told in words": says(f"Thinking...\nIs it {OTHER}?\n...done thinking.\n\n{VERDICT}"),
    "call in a text": says(f"<tool_call>\n{called('arguments')}\n</tool_call>"),
    "call of Llama": says(f"<|python_tag|>{called('parameters')}"),
    "call of Mistral": says(f"[TOOL_CALLS][{called('arguments')}]"),
    "call of a function": says(json.dumps({"type": "function", "function": json.loads(called("arguments"))})),
    "call with its arguments as text": says(json.dumps({"name": "reply", "arguments": VERDICT})),
    "call made twice": choice({"content": None, "tool_calls": [{"id": str(number), "type": "function", "function": {"name": "reply", "arguments": VERDICT}} for number in range(2)]}, "tool_calls"),
    "call beside an empty text": choice({"content": " ", "tool_calls": [{"id": "1", "type": "function", "function": {"name": "reply", "arguments": json.loads(VERDICT)}}]}, "tool_calls"),
    "call as a part": says([{"type": "tool_use", "id": "1", "name": "reply", "input": json.loads(VERDICT)}], finish="tool_use"),
    "JSON in a text of JSON": says(json.dumps(VERDICT)),
    "escaped quotation marks": says(VERDICT.replace('"', '\\"')),
    "HTML": says("<pre><code>" + VERDICT.replace('"', "&quot;") + "</code></pre>"),
    "boxed": says("The answer is $\\boxed{" + VERDICT + "}$."),
    "thinking in a thinking": says(f"<think>a <think>{OTHER}</think> b {OTHER}</think>{VERDICT}"),
    "monologue": says(f"<inner_monologue>{OTHER}</inner_monologue>{VERDICT}"),
    "a name for thinking that nobody knows": says(f'<pondering depth="2">{OTHER}</pondering>\n{VERDICT}'),
    "two such names": says(f"<draft>{OTHER}</draft><check>{OTHER}</check><final>{VERDICT}</final>"),
    "thinking to open": says(f'<details type="reasoning" done="true">\n<summary>Thought for 2 s</summary>\n> {OTHER}\n</details>\n{VERDICT}'),
    "thoughts with bars": says(f"<|thoughts|>{OTHER}<|/thoughts|>{VERDICT}"),
    "wide marks": says(f"＜think＞{OTHER}＜/think＞{VERDICT}"),
    "wide bars": says(f"<｜think｜>{OTHER}<｜/think｜>{VERDICT}"),
    "MedGemma": says(f"<unused94>thought\nIs it {OTHER}?<unused95>{VERDICT}"),
    "Gemma": says(f"<|channel>thought\n{OTHER}<channel|>{VERDICT}"),
    "Solar": says(f"<|think|>{OTHER}<|end|><|begin|>assistant<|content|>{VERDICT}<|end|>"),
    "Granite": says(f"Here is my thought process: {OTHER}\n\nHere is my response: {VERDICT}"),
    "fence of thinking": says(f"```thinking\n{OTHER}\n```\n```json\n{VERDICT}\n```"),
    "thought as a part": says([{"type": "text", "text": OTHER, "thought": True}, {"type": "text", "text": VERDICT}]),
    "reasoning with details": choice({"content": VERDICT, "reasoning": OTHER, "reasoning_details": [{"type": "reasoning.text", "text": OTHER}]}),
    "parts, one of them null": says([None, {"type": "text", "text": VERDICT}]),
    "gzip": packed(gzip.compress, "gzip"),
    "deflate": packed(zlib.compress, "deflate"),
    "201": raw(201, completion(VERDICT)),
    "stream of lines for an event": raw(200, "data: " + json.dumps(json.loads(completion(VERDICT)), indent=1).replace("\n", "\ndata: ") + "\n\ndata: [DONE]\n\n", "text/event-stream"),
    "stream without empty lines": raw(200, "".join(f"data:{json.dumps({'choices': [{'delta': {'content': part}}]})}\n" for part in (VERDICT[:9], VERDICT[9:])) + "data:[DONE]\n", "text/event-stream"),
    "stream of a completion's text": raw(200, "".join(f"data: {json.dumps({'choices': [{'text': part}]})}\n\n" for part in (VERDICT[:9], VERDICT[9:])) + "data: [DONE]\n\n", "text/event-stream"),
    "stream of a call": raw(200, "".join(f"data: {json.dumps({'choices': [{'delta': {'tool_calls': [{'index': 0, 'function': {'arguments': part}}]}}]})}\n\n" for part in (VERDICT[:9], VERDICT[9:])) + "data: [DONE]\n\n", "text/event-stream"),
    "tokens counted as 0": choice({"content": VERDICT}, usage={"prompt_tokens": 0, "completion_tokens": 9}),
    "quotation marks of a typesetter": says(json.dumps({**json.loads(VERDICT), "reason": "So."}).replace(', "', ", “").replace('{"', "{“").replace('"', "”")),
    "colons of wide script": says(VERDICT.replace('": ', '"：').replace(', "', '，"')),
    "no comma at the end of a line": says(json.dumps(json.loads(VERDICT), indent=2).replace(",\n", "\n")),
    "names in bold": says(re.sub(r'"(\w+)":', r'**"\1"**:', VERDICT)),
    "label of FEVER": says(changed(label="REFUTES")),
    "names of AVeriTeC": says(changed(label="Refuted", ratings={"Supported": 1, "Refuted": 5, "Not Enough Evidence": 1, "Conflicting Evidence/Cherrypicking": 1})),
    "names of SciFact": says(changed(label="CONTRADICT", ratings={"SUPPORT": 1, "CONTRADICT": 5, "NOT_ENOUGH_INFO": 1, "CONFLICTING": 1})),
    "ratings in a list": says(changed(ratings=[{"label": name, "rating": value} for name, value in json.loads(VERDICT)["ratings"].items()])),
    "ratings with a reason each": says(changed(ratings={name: {"score": value, "reason": "So."} for name, value in json.loads(VERDICT)["ratings"].items()})),
    "ratings out of five": says(changed(ratings={name: f"{value} out of 5" for name, value in json.loads(VERDICT)["ratings"].items()})),
    "ratings and what they mean": says(changed(ratings={name: f"{value} ({'entirely' if value == 5 else 'not at all'})" for name, value in json.loads(VERDICT)["ratings"].items()})),
    "reason in a list": says(changed(reason=["It opened in 1931.", "So it did."])),
    "sources with their text": says(changed(sentences=[{"number": 1, "page": "Bridge", "text": "It opened in 1931."}])),
    "values in its schema": says(json.dumps({"type": "object", "properties": json.loads(VERDICT), "required": ["label"]})),
    "thinking, quoted": says(f"> It may be 1932.\n> {OTHER}\n\n{VERDICT}"),
    "Ollama's own form": raw(200, json.dumps({"model": "m", "message": {"role": "assistant", "content": VERDICT, "thinking": OTHER}, "done": True, "done_reason": "stop", "prompt_eval_count": 9, "eval_count": 9})),
    "completion within another": raw(200, json.dumps({"code": 0, "msg": "ok", "data": json.loads(completion(VERDICT))})),
    "error null": choice({"content": VERDICT}, error=None),
    "no reason, but true": says(VERDICT, finish=True),
    "headings of HuatuoGPT": says(f"## Thinking\n\nIs it {OTHER}? No.\n\n## Final Response\n\n{VERDICT}"),
    "gpt-oss calls a tool": says(f"<|channel|>analysis<|message|>{OTHER}<|end|><|start|>assistant<|channel|>commentary to=functions.reply <|constrain|>json<|message|>{VERDICT}<|call|>"),
    "a turn too many": says(f"{VERDICT}<|im_end|>\n<|im_start|>user\nAnd the next?<|im_end|>\n<|im_start|>assistant\n{OTHER}<|im_end|>"),
    "its form, left open, then the verdict": says(f'I answer as {{"reason": "...", "sentences": [...], "ratings": {{...}}, "label": "..."}}\n\n{VERDICT}'),
    "the input, cut short, then the verdict": says(f'Given {{"claim": "The bridge", "sentences": [...]}}:\n{VERDICT}'),
    "three quotation marks": says("result = " + VERDICT.replace('"It opened in 1931."', '"""It opened in "1931"."""')),
    "label without quotation marks": says(VERDICT.replace('"label": "REFUTED"', '"label": REFUTED')),
    "label in a list": says(changed(label=["REFUTED"])),
    "label in parentheses": says(changed(label="(Refuted)")),
    "ratings in pairs": says(changed(ratings=list(map(list, json.loads(VERDICT)["ratings"].items())))),
    "ratings, an object each": says(changed(ratings=[{name: value} for name, value in json.loads(VERDICT)["ratings"].items()])),
    "ratings in a text": says(changed(ratings=", ".join(f"{name}: {value}" for name, value in json.loads(VERDICT)["ratings"].items()))),
    "sources with their words": says(changed(sentences=["[1] It opened, they say, in 1931."])),
    "sources by id": says(changed(sentences=[{"id": 1}])),
    "sources as a range": says(changed(sentences="1-1")),
    "sources, words by number": says(changed(sentences={"1": "It opened in 1931."})),
    "within a final verdict": says(json.dumps({"final_verdict": json.loads(VERDICT)})),
}  # fmt: skip

SERVERS: dict[str, Answer] = {
    "no temperature": refusing(has("temperature"), 400, said("Unsupported value: 'temperature' does not support 0 with this model.", param="temperature")),
    "no seed": refusing(has("seed", "random_seed"), 422, {"detail": [{"type": "extra_forbidden", "loc": ["body", "random_seed"], "msg": "Extra inputs: seed", "input": 1}]}),
    "no seed, in words": refusing(has("seed", "random_seed"), 400, said("Unrecognized request argument supplied: seed")),
    "no system role": refusing(system, 400, said("System role not supported")),
    "no system role, 500": refusing(system, 500, said("jinja: Conversation roles must alternate user/assistant")),
    "no developer instruction": refusing(system, 400, [{"error": {"code": 400, "message": "Developer instruction is not enabled for models/m"}}]),
    "no schema, 400": refusing(schema, 400, said("json_schema is not supported, use json_object")),
    "no schema, 404": refusing(schema, 404, said("not found")),
    "no schema, 422": refusing(schema, 422, {"detail": "Unprocessable"}),
    "no schema, 500": refusing(schema, 500, said("Internal server error")),
    "no format at all": refusing(has("response_format"), 400, said("response_format is not supported")),
    "no format, untold": refusing(has("response_format"), 500, {}),
    "no max_tokens": refusing(has("max_tokens"), 400, said("Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", param="max_tokens")),
    "no limit of tokens": refusing(has("max_tokens", "max_completion_tokens"), 400, said("max_tokens: extra field")),
    "nothing but the model": refusing(lambda body: bool(set(body) - {"model", "messages", "stream", "n", "safe_prompt"} & {k for k, v in body.items() if v is not None}) and has("temperature", "seed", "random_seed", "max_tokens", "max_completion_tokens", "response_format")(body), 400, said("bad request")),
    "several, one after the other": refusing(has("temperature"), 400, said("temperature"), refusing(schema, 400, said("json_schema"), refusing(system, 400, said("role system")))),
    "untold temperature": refusing(has("temperature"), 400, said("invalid argument")),
    "untold system role": refusing(system, 400, "Bad Request"),
    "no effort": refusing(has("reasoning_effort"), 400, said("Unknown parameter: reasoning_effort")),
    "streams only": refusing(lambda body: not body.get("stream"), 400, said("This model only supports streaming: set stream to true."), streams(VERDICT)),
    "streams only, 422": refusing(lambda body: not body.get("stream"), 422, {"detail": "non-streaming requests must set stream=true"}, streams(VERDICT)),
    "no schema, 422, in FastAPI's words": refusing(has("response_format"), 422, {"detail": [{"type": "extra_forbidden", "loc": ["body", "response_format"], "msg": "Extra inputs are not permitted", "input": {}}]}),
    "JSON but no schema, 422": refusing(schema, 422, {"detail": [{"loc": ["body", "response_format", "type"], "msg": "Input should be 'text' or 'json_object'"}]}),
    "top_p in place of temperature": refusing(has("temperature"), 400, said("Only top_p is supported; `temperature` is deprecated for this model.")),
    "only user and assistant, 500": refusing(system, 500, said("Only user and assistant roles are supported!")),
    "a role to begin with, 500": refusing(system, 500, {"error": {"code": 500, "message": "raise_exception: Conversation must start with user"}}),
    "no temperature of 0": refusing(has("temperature"), 422, {"error": "Input validation error: `temperature` must be strictly positive", "error_type": "validation"}),
    "no such temperature, 403": refusing(has("temperature"), 403, said("temperature is not allowed")),
    "no schema, 503": refusing(schema, 503, said("Structured outputs are not available")),
    "no schema for a keyword": refusing(schema, 400, said("Invalid schema for response_format 'reply': 'minimum' is not permitted.")),
    "fewer tokens": refusing(has("max_tokens"), 400, said("Range of max_tokens should be [1, 512]")),
    "no thinking": refusing(has("reasoning_effort"), 400, {"error": '"m" does not support thinking'}),
    "a list of errors": refusing(has("temperature"), 400, {"errors": [{"message": "temperature: not supported", "code": 7}]}),
    "an error behind another": refusing(has("temperature"), 400, {"error": {"message": "Provider returned error", "code": 400, "metadata": {"raw": "temperature is not supported"}}}),
    "an error in words": refusing(has("temperature"), 400, {"reason": "temperature is not supported"}),
    "error in a stream that names it": lambda handler, body: (raw(200, 'data: {"error": {"message": "temperature is not supported", "code": 400}}\n\n', "text/event-stream") if has("temperature")(body) else says(VERDICT))(handler, body),
    "no endpoint for the parameters": refusing(has("seed", "random_seed"), 404, said("No endpoints found that can handle the requested parameters.", code=404)),
    "role by its place": refusing(system, 400, said("messages[0].role: Input should be 'user' or 'assistant'")),
    "two untold parts": refusing(has("temperature"), 422, {"detail": "Unprocessable"}, refusing(has("seed", "random_seed"), 422, {"detail": "Unprocessable"})),
    "error in a success that names it": refusing(has("temperature"), 200, said("temperature is not supported", code=400)),
}  # fmt: skip

NO_ANSWERS: dict[str, tuple[Answer, str]] = {
    "thinking cut off": (says(f"<think>{OTHER}", finish="length"), "on thinking"),
    "thinking that ends nowhere": (says(f"<think>{OTHER}"), "on thinking"),
    "reasoning_content alone": (choice({"content": "", "reasoning_content": OTHER}, "length"), "on thinking|cut off"),
    "MAX_TOKENS": (says(VERDICT[:30], finish="MAX_TOKENS"), "cut off"),
    "two verdicts": (says(f"{VERDICT} or {OTHER}"), "several that fit"),
    "no verdict": (says("I would say that it is REFUTED."), "not one JSON object"),
    "a key missing": (says(VERDICT.replace('"label"', '"verdict"')), "`label` is missing"),
    "within a quotation": (says(json.dumps({"quotation": json.loads(VERDICT)})), "missing"),
    "two within another": (says(json.dumps({"draft": json.loads(OTHER), "answer": json.loads(VERDICT)})), "missing"),
    "quota used up": (raw(429, json.dumps(said("Check your plan and billing details.", code="insufficient_quota"))), "quota is used up"),
    "broken": (says(VERDICT[:-1]), "not one JSON object"),
    "error in a success": (raw(200, json.dumps(said("The model crashed while loading"))), "The model crashed while loading"),
    "error text in a success": (raw(200, '{"error": "Out of memory"}'), "Out of memory"),
    "detail in a success": (raw(200, '{"detail": "No worker is free"}'), "No worker is free"),
    "error within a choice": (raw(200, json.dumps({"choices": [{"finish_reason": "error", "error": {"message": "Upstream is gone"}, "message": {"content": ""}}]})), "Upstream is gone|ended its reply early"),
    "a page": (raw(200, "<html>", "text/html"), "not send a chat completion"),
    "nested without end": (raw(200, "[" * 100_000), "not send a chat completion"),
    "tool calls": (says("", finish="tool_calls"), "ended its reply early"),
    "another tool's arguments": (choice({"content": None, "tool_calls": [{"id": "1", "type": "function", "function": {"name": "search", "arguments": '{"query": "bridge"}'}}]}, "tool_calls"), "missing"),
    "refusal": (choice({"content": None, "refusal": "I cannot help with that."}), "declines to answer"),
    "refusal as a part": (says([{"type": "refusal", "refusal": "No."}]), "declines to answer"),
    "no choices": (raw(200, json.dumps({"id": "1", "choices": []})), "empty reply"),
    "choices null": (raw(200, json.dumps({"id": "1", "choices": None, "error": {"message": "No provider"}})), "No provider"),
    "content filter": (says("", finish="content_filter"), "ended its reply early"),
    "SAFETY": (says("", finish="SAFETY"), "ended its reply early"),
    "FINISH_REASON_MAX_TOKENS": (says(VERDICT[:40], finish="FINISH_REASON_MAX_TOKENS"), "cut off"),
    "single quotes, cut off": (says(str(json.loads(VERDICT))[:-2]), "not one JSON object"),
    "stream that breaks off": (streams(VERDICT, finish=None, done=False), "cut off"),
    "stream with an error": (raw(200, 'data: {"error": {"message": "Overloaded", "code": 500}}\n\n', "text/event-stream"), "Overloaded|failed"),
    "stream of nothing": (raw(200, "data: [DONE]\n\n", "text/event-stream"), "not send a chat completion"),
    "moved": (raw(307, "", Location="http://127.0.0.1:9/v1"), "another address"),
    "bad key, 400": (raw(400, json.dumps(said("API key not valid. Please pass a valid API key."))), "Set LLM_KEY"),
    "too long": (raw(400, json.dumps(said("This model's maximum context length is 512 tokens. Please reduce the length."))), "longer than the context"),
    "two in a list": (says(f"[{VERDICT}, {OTHER}]"), "several that fit"),
    "two in elements": (says(f"<verdict>{VERDICT}</verdict><verdict>{OTHER}</verdict>"), "several that fit"),
    "another call in a text": (says('<tool_call>{"name": "search", "arguments": {"query": "bridge"}}</tool_call>'), "missing"),
    "two calls": (choice({"content": None, "tool_calls": [{"id": one, "type": "function", "function": {"name": "reply", "arguments": one}} for one in (VERDICT, OTHER)]}, "tool_calls"), "ended its reply early"),
    "thinking in a fence alone": (says(f"```thinking\n{OTHER}\n```"), "on thinking"),
    "reasoning alone": (choice({"content": None, "reasoning": OTHER}), "on thinking"),
    "negated, of FEVER": (says(changed(label="NOT SUPPORTS")), "none of the four"),
    "no end of a reason in a list": (says(changed(reason=["It opened.", 3])), "missing or malformed"),
    "sources of sources": (says(changed(sentences=[{"number": {"number": 1}}])), "not a source number"),
    "a label rated twice, by two names": (says(changed(ratings={"REFUTED": 5, "REFUTES": 1, "SUPPORTED": 1, "CONFLICTING": 1, "NOT_ENOUGH_EVIDENCE": 1})), "twice"),
    "Ollama, with nothing": (raw(200, json.dumps({"model": "m", "message": {"role": "assistant", "content": ""}, "done": True})), "empty reply"),
    "negated": (says(changed(label="NOT REFUTED")), "none of the four"),
    "two labels": (says(changed(label="REFUTED, SUPPORTED")), "none of the four"),
    "its schema": (says(json.dumps({"type": "object", "properties": {"label": {"type": "string"}}})), "missing"),
    "incomplete": (says(VERDICT[:40], finish="incomplete"), "cut off"),
    "context exceeded": (says(VERDICT[:40], finish="model_context_window_exceeded"), "cut off"),
    "sensitive": (says("", finish="sensitive"), "ended its reply early"),
    "error beside no choices": (raw(200, json.dumps({"error": {"message": "Down"}, "choices": []})), "Down"),
    "list of errors in a success": (raw(200, json.dumps({"success": False, "errors": [{"message": "Not loaded"}], "result": None})), "Not loaded"),
    "MiniMax": (raw(200, json.dumps({"choices": None, "base_resp": {"status_code": 1004, "status_msg": "login fail"}})), "login fail"),
    "true for an error": (raw(200, '{"error": true, "message": "Down"}'), "Down"),
    "choices of something else": (raw(200, '{"choices": [1]}'), "not send a chat completion"),
    "nothing": (raw(204, ""), "not send a chat completion"),
    "moved for ever": (raw(308, "", Location="/v1/chat/completions/"), "another address"),
    "no credit": (raw(402, json.dumps(said("Insufficient balance"))), "no credit left .402: Insufficient balance"),
    "another country": (raw(403, json.dumps(said("Not available in your country"))), "Not available in your country"),
    "gzip, and far too much": (packed(lambda whole: gzip.compress(b" " * 50_000_000 + whole), "gzip"), "cut off its answer"),
    "gzip that is none": (packed(lambda whole: whole, "gzip"), "cut off its answer"),
    "gzip, cut off": (packed(lambda whole: gzip.compress(whole)[:-20], "gzip"), "not send a chat completion"),
    "label with a cross, which may deny it": (says(changed(label="❌ REFUTED")), "none of the four"),
    "left open": (says('{"reason": "It opened.", "sentences": [1], "ratings": {...}, "label": "REFUTED"}'), "not one JSON object"),
    "a text that a filter stops": (raw(400, json.dumps(said("The prompt triggered the content management policy.", code="content_filter"))), "does not let its model read this text"),
    "too long, told in tokens": (raw(422, json.dumps({"error": "Input validation error: `inputs` must have less than 1024 tokens. Given: 2100"})), "longer than the context"),
    "too long, 413": (raw(413, json.dumps(said("Request too large for model"))), "longer than the context"),
}  # fmt: skip
