"""Writes equations on one line: `E=mc²`, `(a+b)/2`. Reads MathML (W3C), Word's equations (ECMA-376, part 1, 22.1), LaTeX."""

from __future__ import annotations

import re
from typing import Any

from retrieval.text.files.raised import SUPERSCRIPT

_RAISED = re.compile(r"[0-9+\-−()n]+")
_UNSEEN = str.maketrans("", "", "\u2061\u2062\u2063\u2064")  # invisible operators, such as invisible times
_SILENT = frozenset(
    "annotation annotation-xml mphantom maligngroup malignmark mprescripts none rPr ctrlPr fPr sSupPr sSubPr sSubSupPr "
    "dPr radPr naryPr funcPr limLowPr limUppPr accPr barPr boxPr borderBoxPr eqArrPr groupChrPr mPr oMathParaPr phantPr sPrePr "
    "del moveFrom".split()  # the last two: removed by tracked changes in Word
)
_GREEK = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma tau upsilon phi chi psi omega"
_COMMANDS = {name: chr(0x3B1 + place) for place, name in enumerate(_GREEK.split())} | {
    "times": "×", "cdot": "·", "approx": "≈", "sim": "~", "leq": "≤", "le": "≤", "geq": "≥", "ge": "≥", "neq": "≠", "ne": "≠", "pm": "±",
    "div": "÷", "to": "→", "rightarrow": "→", "infty": "∞", "circ": "°", "degree": "°", "ldots": "…", "dots": "…", "left": "", "right": "",
    "displaystyle": "", "quad": " ", "qquad": " ",
    "Delta": "Δ", "Omega": "Ω", "Sigma": "Σ", "sum": "∑", "int": "∫", "euro": "€", "pounds": "£", "percent": "%",
}  # fmt: skip
_INNERMOST = re.compile(
    r"\\(?P<fraction>[dt]?frac)\s?\{(?P<above>[^{}]{0,200})\}\s?\{(?P<below>[^{}]{0,200})\}|\\sqrt\s?\{(?P<root>[^{}]{0,200})\}"
    r"|(?P<place>[\^_])\s?\{(?P<moved>[^{}]{0,200})\}|(?:\\[a-zA-Z]{1,20}\s?)?\{(?P<plain>[^{}]{0,200})\}"
)
_SINGLE = re.compile(
    r"(?P<place>[\^_])\s?(?P<moved>\\[a-z]{1,12}|[^\s\\])|\\(?P<command>[a-zA-Z]{1,20})\s?|\\(?P<sign>.)|(?P<tilde>~)"
)
_DEEPEST_LEVEL = 50  # deeper levels are left out


def linear(element: Any, depth: int = 0) -> str:
    """The equation in a MathML or Word element."""
    name = name_of(element)
    if name in _SILENT or depth > _DEEPEST_LEVEL:
        return ""
    if name in ("mi", "mn", "mo", "mtext", "ms", "t"):
        # MathML ignores line breaks and double spaces; Word shows spaces.
        text = "".join(element.itertext()).translate(_UNSEEN)
        return " ".join(text.split()) if name != "t" else text
    if name == "semantics":
        first = next(iter(element), None)
        return "" if first is None else linear(first, depth + 1)
    if name == "mspace":
        return " "
    parts = [linear(part, depth + 1) for part in element if name_of(part) not in _SILENT]
    return _made(name, element, parts)


def _made(name: str, element: Any, parts: list[str]) -> str:
    """The element on one line, from those of its parts."""
    match name, parts:
        case "mfrac" | "f", [above, below]:
            return f"{_grouped(above)}/{_grouped(below)}"
        case "msup" | "sSup", [base, exponent]:
            return base + raised(exponent)
        case "msub" | "sSub", [base, index]:
            return base + (index if index.isdecimal() else f"_{_grouped(index)}")
        case "msubsup" | "sSubSup", [base, index, exponent]:
            return f"{base}_{_grouped(index)}{raised(exponent)}"
        case "mroot", [under, degree]:
            return f"{raised(degree)}√{_grouped(under)}"
        case "rad", [degree, under]:
            return f"{raised(degree)}√{_grouped(under)}"
        case "msqrt", _:
            return f"√{_grouped(''.join(parts))}"
        case "d" | "mfenced", _:
            return f"{element.get('open', '(')}{', '.join(parts)}{element.get('close', ')')}"
        case "mtr" | "mr" | "mlabeledtr", _:
            return ", ".join(parts)
    return ("; " if name in ("mtable", "m", "eqArr") else "").join(parts)


def from_latex(source: str) -> str:
    """The equation in LaTeX source; a command that names no sign stays as its name. O(n) for each level of braces."""
    text = source
    for _ in range(6):
        text = _INNERMOST.sub(_unfolded, text)
    return " ".join(_SINGLE.sub(_sign, text).replace("\ue000", "^").replace("\ue001", "_").split())


def _unfolded(match: re.Match[str]) -> str:
    if match["fraction"]:
        return f"{_grouped(match['above'])}/{_grouped(match['below'])}"
    if match["root"] is not None:
        return f"√{_grouped(match['root'])}"
    return _moved(match["place"], match["moved"]) if match["place"] else match["plain"]


def _sign(match: re.Match[str]) -> str:
    if match["place"]:
        return _moved(match["place"], _SINGLE.sub(_sign, match["moved"]))
    if match["command"]:
        shown = _COMMANDS.get(match["command"], match["command"])
        return shown if shown.isalpha() or not match[0][-1].isspace() else f"{shown} "
    return " " if match["tilde"] or match["sign"] in ",;: " else match["sign"] if match["sign"] != "!" else ""


def _moved(place: str, text: str) -> str:
    """An exponent or an index; its `^` or `_` is written as a private character, so that it is not interpreted again."""
    if text.strip() in ("\\circ", "°"):
        return "°"
    if place == "^":
        return raised(text).replace("^", "\ue000")
    return text if text.isdecimal() else f"\ue001{_grouped(text)}"


def raised(text: str) -> str:
    """The exponent in superscript characters, if Unicode has them; else after `^`."""
    return text.translate(SUPERSCRIPT) if _RAISED.fullmatch(text) else f"^{_grouped(text)}" if text else ""


def _grouped(text: str) -> str:
    return text if len(text) <= 1 or text.isalnum() or re.fullmatch(r"[\d.,]+", text) else f"({text})"


def name_of(element: Any) -> str:
    """An element's name without namespace; empty for comments and processing instructions."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""
