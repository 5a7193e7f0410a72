"""Writes raised text on the line: note marks are left out, exponents become `10^9` or `km²`, `th` stays behind its number."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import groupby, zip_longest
from typing import NamedTuple

SEEN = 40  # characters before raised text that decide its kind

SUPERSCRIPT = str.maketrans("0123456789+-−–()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁽⁾ⁿ")
_ORDINAL = re.compile(r"(?i)st|nd|rd|th|er|re|ère|ers|e|ème|eme|de|ste|o|[ªº]s?|me|mo|ma|ta")
_NOTE_LETTER = re.compile(r"[a-z](?:\s*[,;]\s*[a-z])*")
_POWER = re.compile(r"[+\-−–]?\d{1,4}")
_CHARGE = re.compile(r"\d?[+\-−–]")
_SIGN = re.compile(r"[™®©℠°ªº′″]|TM|SM|\(R\)", re.IGNORECASE)
_WORDS = re.compile(r"\s*[^\W\d_]{2,}")
# The base of a power: ten, a letter for a quantity, a unit, a sum in brackets.
_TEN = re.compile(r"(?:^|[^\w.,])(?:10|2)$")
_VARIABLE = re.compile(r"(?:(?:^|[^\w'’]|\d)[B-HJ-Zb-zΑ-ω]|(?:^|[^\w'’])[b-df-hj-np-tv-z]{2})$")
_UNIT = re.compile(r"(?:^|[^A-Za-z])(?:[kdcmµμnhM]?m|mi|km|ft|yd|[mk]?s|[mkµμ]?g|ha|sec|metres?|meters?|feet|miles?)$")
_DECADE = re.compile(r"\d0s$")
_INCH = re.compile(r"\d\s?in$")
_SUM = re.compile(r"[\w)]\s*[+\-−*/=]\s*[\w(]+\)$")
_ELEMENT = re.compile(r"(?:^|[^A-Za-z])(?:[A-Z][a-z]?\d{0,2}){1,4}$")
_ISOTOPE = re.compile(r"[A-Z][a-z]?(?![a-z])")


class Run(NamedTuple):
    """A piece of a line. note: whether it is a note mark, whatever it looks like."""

    text: str
    raised: bool = False
    note: bool = False


def join_runs(runs: Iterable[Run]) -> str:
    """The pieces joined to a line."""
    groups = groupby((run for run in runs if run.text), key=lambda run: run[1:])
    merged = [Run("".join(run.text for run in same), *look) for look, same in groups]
    line: list[str] = []
    before = ""
    for run, following in zip_longest(merged, merged[1:], fillvalue=Run("")):
        line.append("" if run.note else set_apart(before, run.text, following.text) if run.raised else run.text)
        before = (before + line[-1])[-SEEN:]
    return "".join(line)


def set_apart(before: str, raised: str, after: str = "") -> str:
    """The raised text as written between its neighbours; empty for a note mark."""
    text = raised.strip()
    last = before[-1:]
    if not text or text[0] == "[":
        return ""
    if not last or last.isspace():
        return _without_base(text, after, bool(before.strip()))
    if text[0].isdigit() and last.isdigit() and after.lstrip()[:1] in ("/", "⁄"):
        return f" {text}"  # the fraction of "2 1/2"
    if last.isdigit() and (_ORDINAL.fullmatch(text) or _SIGN.fullmatch(text)):
        return "°" if text == "o" else text
    if _CHARGE.fullmatch(text) and _ELEMENT.search(before):
        return text.translate(SUPERSCRIPT)
    if _POWER.fullmatch(text):
        return _power(before, text)
    return _beside(last, text, raised)


def _without_base(text: str, after: str, follows_text: bool) -> str:
    """Raised text at the start of a line or after a space: an isotope's number, or a note mark."""
    if not text.isdecimal():
        return text
    isotope = _ISOTOPE.match(after)
    if follows_text and not after[:1].isalnum():
        return ""
    return text.translate(SUPERSCRIPT) + ("" if isotope or not after[:1].isalnum() else " ")


def _power(before: str, text: str) -> str:
    if _TEN.search(before):
        return f"^{text}"
    small = text.lstrip("+-−–") in ("2", "3", "1")
    if _DECADE.search(before):
        return ""
    if (small and (_UNIT.search(before) or _INCH.search(before))) or _VARIABLE.search(before):
        return text.translate(SUPERSCRIPT)
    return f"^{text}" if _SUM.search(before) else ""


def _beside(last: str, text: str, raised: str) -> str:
    """Raised text that is not a number, after a letter, a figure or a sign."""
    if _SIGN.fullmatch(text):
        return {"TM": "™", "SM": "℠"}.get(text.upper(), text)
    if text == "n":
        return "ⁿ"
    if _NOTE_LETTER.fullmatch(text) or not any(map(str.isalpha, text)):
        return ""
    if last.isalpha() and text.isalpha():
        return raised  # "Mme", "Dr"
    return f" {text} " if _WORDS.match(text) else ""
