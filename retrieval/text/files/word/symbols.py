"""Characters of the fonts Symbol and Wingdings, which Word stores by their position in the font (ECMA-376, 17.3.3.30)."""

from __future__ import annotations

PRIVATE = 0xF000  # the offset that Word adds to the position

# Adobe's Symbol from 0x20; spaces where it has no character, or a piece of a tall bracket.
_SYMBOL = (
    " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_ αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼ "
    "                                "
    "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…  ↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑           〉∫⌠ ⌡          "
)
_WINGDINGS = {
    0x4A: "☺", 0x4C: "☹", 0x6C: "●", 0x6E: "■", 0x6F: "☐", 0x71: "☐", 0xA7: "▪", 0xA8: "☐", 0xB7: "•", 0xD8: "➢",
    0xDF: "←", 0xE0: "→", 0xE1: "↑", 0xE2: "↓", 0xFB: "✗", 0xFC: "✓", 0xFD: "☒", 0xFE: "☑",
}  # fmt: skip


def symbol(font: str, code: int) -> str:
    """The character at a position in a font; empty if it is unknown, or a picture without meaning."""
    place = code - PRIVATE if PRIVATE <= code <= PRIVATE + 0xFF else code
    if place > 0xFF:
        return chr(place) if place < 0xD800 else ""
    if font.casefold().startswith(("wingdings", "webdings", "marlett")):
        return _WINGDINGS.get(place, "") if font.casefold() == "wingdings" else ""
    if "symbol" in font.casefold():
        return _SYMBOL[place - 0x20].strip() if 0x20 <= place < 0x20 + len(_SYMBOL) else ""
    return chr(place) if code < PRIVATE and place >= 0x20 else ""


def without_private(text: str, font: str) -> str:
    """The text with its characters from 0xF000, which are positions in a font, replaced by what they show."""
    if not any(PRIVATE <= ord(sign) <= PRIVATE + 0xFF for sign in text):
        return text
    font = font if "dings" in font.casefold() else "Symbol"
    return "".join(symbol(font, ord(sign)) if PRIVATE <= ord(sign) <= PRIVATE + 0xFF else sign for sign in text)
