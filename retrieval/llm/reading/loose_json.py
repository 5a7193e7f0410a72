"""JSON as models write it: trailing commas, other quotation marks, comments, unquoted or bold keys, unquoted words as
values, Python's names for true and null, full-width colons and commas, unknown escapes, no comma at the end of a line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

MARKS = "\"'“”„＂"  # quotation marks around a string
_STRING = re.compile(
    r'"""(?:[^\\]|\\.)*?"""|"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'|[“”„](?:[^“”\\]|\\.)*[“”]|＂(?:[^＂\\]|\\.)*＂',
    re.DOTALL,
)
_PIECE = re.compile(r"(?://|#)[^\n]*|/\*(?:.*?\*/)?|\s+|\*\*|[\w.+-]+|.", re.DOTALL)
_WORD = re.compile(r"[\w.+-]+")
_NAME = re.compile(r"[^\W\d]\w*")
_LITERALS = frozenset({"true", "false", "null", "NaN", "Infinity"})
_LEFT_OPEN = ("...", "…")  # placeholders for a value
_ESCAPED = re.compile(r'\\.|"', re.DOTALL)
_NAMES = {"True": "true", "False": "false", "None": "null", "：": ":", "，": ","}


class OpenFormError(ValueError):
    """An object with dots in place of a value: a template for an answer, or a shortened text. end: where it ends."""

    def __init__(self, end: int) -> None:
        super().__init__("a form with its content left open")
        self.end = end


def strict_json(text: str, start: int, most: int) -> tuple[str, int]:
    """The object that begins there, as strict JSON, and where it ends. No value is invented. O(most).

    Raises OpenFormError if a value is left open, ValueError if its brackets do not close within `most` characters.
    """
    tokens: list[str] = []
    depth, left_open = 0, False
    for token, at, line_ended in _pieces(text, start, min(len(text), start + most)):
        before = tokens[-1] if tokens else ""
        if _WORD.fullmatch(token) and _WORD.fullmatch(before):
            break  # two values without a comma
        if line_ended and token[0] in '"{[' and (before[-1:] in ('"', "}", "]") or _WORD.fullmatch(before)):
            tokens.append(",")
        if token in (",", "}", "]") and _NAME.fullmatch(before) and before not in _LITERALS:
            tokens[-1] = f'"{before}"'
        if token in ("}", "]") and before == ",":
            tokens.pop()
        left_open = left_open or token in _LEFT_OPEN
        if token == ":" and _WORD.fullmatch(before):
            tokens[-1] = f'"{before}"'
        tokens.append(token)
        depth += (token in ("{", "[")) - (token in ("}", "]"))
        if depth == 0 and left_open:
            raise OpenFormError(at)
        if depth == 0:
            return "".join(tokens), at
    raise ValueError("an object that does not end")


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[str, int, bool]]:
    """Strings, words and signs as JSON writes them, where each ends, whether it begins a line; up to an unclosed one."""
    at, line_ended = start, False
    while at < end:
        piece = (_STRING if text[at] in MARKS else _PIECE).match(text, at, end)
        if piece is None or piece.group() == "/*":
            return
        at, token = piece.end(), piece.group()
        if token.isspace() or token == "**" or token.startswith(("//", "#", "/*")):
            line_ended = line_ended or "\n" in token
            continue
        yield _in_double_quotes(token) if token[0] in MARKS else _NAMES.get(token, token), at, line_ended
        line_ended = False


def _in_double_quotes(string: str) -> str:
    """The same text as a JSON string. If JSON has no such escape, the escaped character stands for itself."""
    mark = 3 if string.startswith('"""') else 1
    return f'"{_ESCAPED.sub(_escaped, string[mark:-mark])}"'


def _escaped(match: re.Match[str]) -> str:
    token = match.group()
    if token == '"':
        return '\\"'
    return token if token[1] in '"\\/' or token[1].isalnum() else token[1]
