"""The parts of a language model's reply: each is read completely or refused."""

from __future__ import annotations

import contextlib
import html
import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, TypeVar

from retrieval.errors import ReplyError
from retrieval.llm.reading.loose_json import MARKS, OpenFormError, strict_json
from retrieval.llm.reading.thinking import ANSWERS, TURN_ENDS, spoken

Read = TypeVar("Read")

RATINGS = {
    **{"strongly disagree": 1, "disagree": 2, "neutral": 3, "agree": 4, "strongly agree": 5},
    **{"not at all": 1, "entirely": 5, "fully": 5},  # as the prompts say what 1 and 5 mean
}

BROKEN_SKIPPED = 50  # objects in a quotation
_MOST_LEVELS = 3  # objects around an answer
# Keys of an answer in an enclosing object, which may be a tool call.
_AROUND = ANSWERS | {
    *("reply", "data", "content", "function", "arguments", "parameters", "input", "properties"),
    *("judgement", "judgment", "assessment", "evaluation", "conclusion", "value"),
}
# Most characters of an object that is not strict JSON: in a reply, in a quotation.
LONGEST_LOOSE, LONGEST_QUOTED = 30_000, 4_000

# The beginning of an object: a key, perhaps after comments, or the end of an empty object. So a set in prose, such as
# {"a", "b"}, does not match.
_COMMENTS = r"(?:(?://|#)[^\n]{0,200}\n\s*|/\*[^*]{0,200}\*/\s*){0,3}"
_OBJECT = re.compile(
    rf'\{{\s*{_COMMENTS}(?:\}}|"(?:[^"\\]|\\.)*"\s*[:：]|(?:\*\*)?[{MARKS}][\w ]{{1,40}}[{MARKS}](?:\*\*)?\s*[:：])'
)
_BARE = re.compile(rf"\{{\s*{_COMMENTS}[A-Za-z_]\w{{0,40}}\s*:")  # the same with an unquoted key
_TURN_ENDS = re.compile("|".join(map(re.escape, TURN_ENDS)))
_RATING = re.compile(r"([1-5])(?:\.0{1,9})?(?:\s*(?:/|out of|of)\s*5)?(?:\s*[-–—:(=]\s*([a-z ]+?)\)?)?", re.IGNORECASE)
_BETWEEN = re.compile(r"[,;&]| and ")
_LISTED = re.compile(r"(?:source|sentence|passage|quotation|number)? {0,2}#?\[?(\d{1,4})\]?", re.IGNORECASE)
_RANGE = re.compile(r"(\d{1,4}) {0,2}[-–] {0,2}(\d{1,4})")
_WITH_TEXT = re.compile(
    r"(?:(?:source|sentence|passage|quotation) {0,2})?\[(\d{1,4})\]:? {0,2}\S.*|"
    r"(?:source|sentence|passage|quotation) {0,2}#?(\d{1,4}): {0,2}\S.*",
    re.IGNORECASE | re.DOTALL,
)
_NUMBERS = ("number", "id", "index", "source", "sentence", "passage")  # keys that hold a source's number
_MOST_IN_RANGE = 100
_NO_NUMBER = frozenset({"", "none", "null", "n/a", "na", "-", "[]"})


def unreadable(why: str) -> ReplyError:
    """The error that every reader raises. why: the end of the sentence "… cannot be read: …"."""
    return ReplyError(
        f"The reply of the language model cannot be read: {why}. Check again, or choose another LLM_MODEL."
    )


def read_object(text: str, names: Collection[str], read: Callable[[dict[str, Any]], Read]) -> Read:
    """The result of `read` for the only object in a reply that fits. Raises ReplyError if none fits or several do.

    names: the keys that an object needs to fit; other keys and enclosing objects are ignored.
    """
    objects = [obj for obj, _ in json_objects(spoken(text).text) if obj]
    if not objects:
        raise unreadable("it is not one JSON object")
    candidates = (next((level for level in levels(obj) if set(names) <= set(level)), None) for obj in objects)
    whole = [obj for obj in candidates if obj is not None]
    if not whole:
        missing = next(name for name in names if name not in objects[-1])
        raise unreadable(f"`{missing}` is missing or malformed")
    fitting = []
    for obj in whole:
        try:
            fitting.append(read(obj))
        except ReplyError as error:
            fault = error
    if not fitting:
        raise fault
    if any(other != fitting[0] for other in fitting):
        raise unreadable("it is not one JSON object but several that fit")
    return fitting[0]


def levels(obj: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The object, then the only object under a key for answers, then the only one in that, and so on.

    Models wrap answers in `{"answer": …}`, a list, a tool call, or a string of JSON.
    """
    yield obj
    for _ in range(_MOST_LEVELS):
        inner = [(k, part) for k, value in obj.items() for part in (value if isinstance(value, list) else [value])]
        objects = [(name, part) for name, part in inner if isinstance(part, dict)]
        if not objects:
            objects = [(name, part) for name, text in inner if isinstance(text, str) for part in _within(text)]
        if len(objects) != 1 or objects[0][0].removeprefix("final_") not in _AROUND:
            return
        obj = objects[0][1]
        yield obj


def _all(obj: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The object and all objects in it, at any depth."""
    left: list[Any] = [obj]
    while left:
        if isinstance(part := left.pop(), dict):
            yield part
            left += part.values()
        elif isinstance(part, list):
            left += part


def _within(text: str) -> list[dict[str, Any]]:
    with contextlib.suppress(ReplyError):
        return [obj for obj, _ in json_objects(text) if obj]
    return []


def _unescaped(text: str) -> str:
    """JSON without a second escaping as a JSON string or as HTML."""
    if text.startswith('"'):
        with contextlib.suppress(ValueError):
            return str(json.loads(text))
    if '{\\"' in text and '{"' not in text:
        return text.replace('\\"', '"')
    return html.unescape(text) if "&quot;" in text and '{"' not in text else text


def json_objects(text: str) -> list[tuple[dict[str, Any], str]]:
    """The outermost JSON objects of a text, each with its source, up to the end of the model's turn. O(n).

    Objects with dots in place of a value are left out. Raises ReplyError if one is broken or repeats a key, because an
    object inside a broken one is not an answer.
    """
    found, at, text = list[tuple[dict[str, Any], str]](), 0, _unescaped(text)
    opening = _OBJECT if _OBJECT.search(text) else _BARE
    while match := opening.search(text, at):
        if found and _TURN_ENDS.search(text, at, match.start()):
            break
        try:
            obj, at = _decoded(text, match.start())
        except OpenFormError as form:
            at = form.end
        else:
            found.append((obj, text[match.start() : at]))
    return found


def quoted_objects(text: str) -> Iterator[dict[str, Any]]:
    """The JSON objects in a quoted text, even if escaped, and those in them; skips up to `BROKEN_SKIPPED` broken ones."""
    for variant in {text, text.replace('\\"', '"'), html.unescape(text)}:
        for opening in (_OBJECT, _BARE):
            at, broken = 0, 0
            while broken < BROKEN_SKIPPED and (match := opening.search(variant, at)):
                try:
                    obj, at = _decoded(variant, match.start(), LONGEST_QUOTED)
                except (ReplyError, OpenFormError):
                    at, broken = match.start() + 1, broken + 1
                else:
                    yield from _all(obj)


def _decoded(text: str, start: int, most: int = LONGEST_LOOSE) -> tuple[dict[str, Any], int]:
    """The object that begins there, line breaks in strings allowed, and its end. Raises ReplyError or OpenFormError."""
    with contextlib.suppress(ValueError, RecursionError):
        return _DECODER.raw_decode(text, start)
    try:
        strict, end = strict_json(text, start, most)
        return _DECODER.decode(strict), end
    except OpenFormError:
        raise
    except (ValueError, RecursionError):
        raise unreadable("it is not one JSON object") from None


def field(reply: Mapping[str, Any], name: str, kind: type) -> Any:
    """The value under that key. Raises ReplyError if it is missing or of another type."""
    if not isinstance(reply.get(name), kind):
        raise unreadable(f"`{name}` is missing or malformed")
    return reply[name]


def one_line(reply: Mapping[str, Any], name: str, longest: int = 10_000) -> str:
    """The text, or list of sentences, under that key, on one line. Raises ReplyError if it is empty or too long."""
    listed = reply.get(name)
    whole = isinstance(listed, list) and bool(listed) and all(isinstance(item, str) for item in listed)
    line = on_one_line(" ".join(listed) if whole and listed else field(reply, name, str))
    if not line or len(line) > longest:
        raise unreadable(f"`{name}` is empty, or longer than {longest:,} characters")
    return line


def on_one_line(text: str) -> str:
    """The text without line breaks, invisible characters and lone surrogates."""
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())


def numbers(value: Any) -> list[int]:
    """Source numbers from numbers, texts, sources, objects keyed by numbers, or lists of these. Raises ReplyError."""
    if isinstance(value, dict) and value and all(key.isdecimal() and isinstance(value[key], str) for key in value):
        return [number for key in value for number in numbers(key)]
    if value is None or (isinstance(value, str) and value.strip().casefold() in _NO_NUMBER):
        return []
    if isinstance(value, dict):
        named = [value[name] for name in _NUMBERS if isinstance(value.get(name), int)]
        named = named or [value[name] for name in _NUMBERS[:3] if isinstance(value.get(name), str)]
        value = named[0] if len(named) == 1 else value
    if isinstance(value, list):
        if any(isinstance(item, list) for item in value):
            raise unreadable("its source numbers are lists of lists")
        return [number for item in value for number in numbers(item)]
    if isinstance(value, float) and value.is_integer():
        return [int(value)]
    if isinstance(value, int) and not isinstance(value, bool):
        return [value]
    if isinstance(value, str):
        if with_text := _WITH_TEXT.fullmatch(value.strip()):
            return [int(with_text[1] or with_text[2])]
        if (ends := _RANGE.fullmatch(value.strip())) and 0 <= int(ends[2]) - int(ends[1]) < _MOST_IN_RANGE:
            return list(range(int(ends[1]), int(ends[2]) + 1))
        parts = [part.strip() for part in _BETWEEN.split(value)]
        found = [_LISTED.fullmatch(part) for part in parts]
        if all(found):
            return [int(match[1]) for match in found if match]
    raise unreadable(f"{str(value)[:40]!r} is not a source number")


def rating(value: Any) -> int:
    """1 to 5, from a number (4, 4.0, "4", "4/5", "4 - agree") or words. Raises ReplyError if number and words disagree."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= 5:
        return value
    if isinstance(value, str):
        words = " ".join(value.casefold().split())
        if words in RATINGS:
            return RATINGS[words]
        match = _RATING.fullmatch(words)
        if match and (not match[2] or RATINGS.get(match[2].strip()) == int(match[1])):
            return int(match[1])
    raise unreadable(f"{str(value)[:40]!r} is not a rating from 1 to 5")


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object. Raises ValueError if a key repeats, ignoring case and outer spaces."""
    found = {key.strip().lower(): value for key, value in pairs}
    if len(found) < len(pairs):
        raise ValueError("a name occurs twice")
    return found


_DECODER = json.JSONDecoder(object_pairs_hook=_once_each, strict=False)
