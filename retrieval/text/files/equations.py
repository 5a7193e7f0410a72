"""Writes equations on one line: `E=mc²`, `(a+b)/2`. Reads MathML (W3C) and Word's equations (ECMA-376, part 1, 22.1)."""

from __future__ import annotations

import re
from typing import Any

_SUPERSCRIPT = str.maketrans("0123456789+-−()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁽⁾ⁿ")
_RAISED = re.compile(r"[0-9+\-−()n]+")
_UNSEEN = str.maketrans("", "", "\u2061\u2062\u2063\u2064")  # invisible times and the like
_SILENT = frozenset(
    "annotation annotation-xml mphantom maligngroup malignmark mprescripts none rPr ctrlPr fPr sSupPr sSubPr sSubSupPr "
    "dPr radPr naryPr funcPr limLowPr limUppPr accPr barPr boxPr borderBoxPr eqArrPr groupChrPr mPr oMathParaPr phantPr sPrePr "
    "del moveFrom".split()  # the last two: removed by tracked changes in Word
)
_DEEPEST_LEVEL = 50  # deeper levels are left out


def linear(element: Any, depth: int = 0) -> str:
    """The equation in an element of MathML or of Word."""
    name = _name(element)
    if name in _SILENT or depth > _DEEPEST_LEVEL:
        return ""
    if name in ("mi", "mn", "mo", "mtext", "ms", "t"):
        # MathML ignores line breaks and double spaces; in Word, spaces are meant.
        text = "".join(element.itertext()).translate(_UNSEEN)
        return " ".join(text.split()) if name != "t" else text
    if name == "semantics":
        first = next(iter(element), None)
        return "" if first is None else linear(first, depth + 1)
    if name == "mspace":
        return " "
    parts = [linear(part, depth + 1) for part in element if _name(part) not in _SILENT]
    return _made(name, element, parts)


def _made(name: str, element: Any, parts: list[str]) -> str:
    if name in ("mfrac", "f") and len(parts) == 2:
        return f"{_grouped(parts[0])}/{_grouped(parts[1])}"
    if name in ("msup", "sSup", "mover") and len(parts) == 2:
        return parts[0] + (raised(parts[1]) if name != "mover" else parts[1])
    if name in ("msub", "sSub") and len(parts) == 2:
        return parts[0] + (parts[1] if parts[1].isdecimal() else f"_{_grouped(parts[1])}")
    if name in ("msubsup", "sSubSup") and len(parts) == 3:
        return f"{parts[0]}_{_grouped(parts[1])}{raised(parts[2])}"
    if name == "msqrt":
        return f"√{_grouped(''.join(parts))}"
    if name == "mroot" and len(parts) == 2:
        return f"{raised(parts[1])}√{_grouped(parts[0])}"
    if name == "rad" and len(parts) == 2:
        return f"{raised(parts[0]) if parts[0] else ''}√{_grouped(parts[1])}"
    if name == "d":
        return f"({', '.join(parts)})"
    if name == "mfenced":
        return f"{element.get('open', '(')}{', '.join(parts)}{element.get('close', ')')}"
    if name in ("mtr", "mr", "mlabeledtr"):
        return ", ".join(parts)
    return ("; " if name in ("mtable", "m", "eqArr") else "").join(parts)


def raised(text: str) -> str:
    """The exponent in superscript characters, where there are any; else after `^`."""
    return text.translate(_SUPERSCRIPT) if _RAISED.fullmatch(text) else f"^{_grouped(text)}" if text else ""


def _grouped(text: str) -> str:
    return text if len(text) <= 1 or text.isalnum() or re.fullmatch(r"[\d.,]+", text) else f"({text})"


def _name(element: Any) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""
