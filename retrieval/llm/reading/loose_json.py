"""JSON as models write it: with trailing commas, single quotes, comments, bare keys, Python's names for true and null, or
escapes that JSON does not have."""

from __future__ import annotations

import re

_STRING = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'', re.DOTALL)
_PIECE = re.compile(r"(?://|#)[^\n]*|\s+|[\w.+-]+|.", re.DOTALL)
_WORD = re.compile(r"[\w.+-]+")
_ESCAPED = re.compile(r'\\.|"', re.DOTALL)
_NAMES = {"True": "true", "False": "false", "None": "null"}


def strict_json(text: str, start: int, most: int) -> tuple[str, int]:
    """The object that begins there, as strict JSON, and where it ends. No value is invented. O(most).

    Raises ValueError if its brackets do not close within `most` characters.
    """
    written: list[str] = []
    depth, at, end = 0, start, min(len(text), start + most)
    while at < end:
        if text[at] in "\"'":
            string = _STRING.match(text, at, end)
            if string is None:
                break
            at = string.end()
            written.append(_in_double_quotes(string.group()))
            continue
        if text.startswith("/*", at):
            closed = text.find("*/", at + 2, end)
            if closed < 0:
                break
            at = closed + 2
            continue
        piece = _PIECE.match(text, at, end)
        assert piece
        at, said = piece.end(), piece.group()
        if said.isspace() or said.startswith(("//", "#")):
            continue
        if _WORD.fullmatch(said) and written and _WORD.fullmatch(written[-1]):
            break  # two values without a comma
        if said in "}]" and written[-1:] == [","]:
            written.pop()
        if said == ":" and written and _WORD.fullmatch(written[-1]):
            written[-1] = f'"{written[-1]}"'
        written.append(_NAMES.get(said, said))
        depth += (said in "{[") - (said in "}]")
        if depth == 0:
            return "".join(written), at
    raise ValueError("an object that does not end")


def _in_double_quotes(string: str) -> str:
    """The same text as a JSON string. An escaped mark that JSON does not escape stands for itself."""
    return f'"{_ESCAPED.sub(_one_in_double_quotes, string[1:-1])}"'


def _one_in_double_quotes(found: re.Match[str]) -> str:
    said = found.group()
    if said == '"':
        return '\\"'
    return said if said[1] in '"\\/' or said[1].isalnum() else said[1]
