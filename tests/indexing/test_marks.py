"""Marks of Markdown beyond CommonMark, and times of subtitles, in documents: none stays in a sentence."""

from __future__ import annotations

from indexing.converters import CONVERTERS


def lines(kind: str, source: str) -> list[str]:
    return [line for line in CONVERTERS[kind](source.encode()).text.split("\n") if line]


def test_what_commonmark_lacks_leaves_no_marks() -> None:
    source = "It is ~~not~~ open[^1].\n\n[^1]: See *here*.\n\n- [ ] It is long.\n\n> [!NOTE]\n> It is ==not== red.\n\nH~2~O, 10^9^, a[1].\n"
    assert lines(".md", source) == ["It is open.", "See here.", "It is long.", "It is not red.", "H2O, 10^9, a[1]."]


def test_subtitles_are_running_text() -> None:
    source = "1\n00:00:01,000 --> 00:00:04,000\nThe weir is not\n\n2\n00:00:04,500 --> 00:00:08,000\nopen to ships.\n"
    assert lines(".txt", source) == ["The weir is not open to ships."]
