"""Pasted text whose lines were broken to fit, and lines that begin something of their own."""

from __future__ import annotations

import pytest

from retrieval.text.pasted.prose import read_prose


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (
            "The mill was not sold in\n1932 by the council of the\ntown, although its well-\nknown owner had asked for\nit. It burned in 1950.\n\nIt is old.",
            "The mill was not sold in 1932 by the council of the town, although its well-known owner had asked for it. It burned in 1950.\n\nIt is old.",
        ),
        ("Roses are red\nthe mill is old\nviolets are blue\nthe lock was sold",) * 2,
        ("12 eggs\n3 cups of flour\nnot self-raising\na pinch of salt",) * 2,
        (
            "[12/05/2024, 09:14:22] Ann: The mill was not sold in 1990\n[12/05/2024, 09:15:02] Bob Hill: It was sold in 1991.",
        ) * 2,
        ("The o\ufb03cial \ufb01rst \uff2d\uff49\uff4c\uff4c is \uff15\uff10 m high.", "The official first Mill is 50 m high."),
        ("He wrote “[t]he mill is old”.[b]", "He wrote “[t]he mill is old”."),
        ("<details><summary>More</summary>The mill is old.</details>It burned.", "More\nThe mill is old.\nIt burned."),
        ("<p>The mill<video>No video here.</video> is old.</p>", "The mill is old."),
        ("<p>It was built by Ann Lee,<br>who sold it in 1932.</p>", "It was built by Ann Lee, who sold it in 1932."),
        ("The mill | Harlow | was sold in 1932 by the council |\nThe lock | Harlow | was sold in 1950 by the council |\nThe weir | Harlow | was sold in 1951 by the council |",) * 2,
    ],
)  # fmt: skip
def test_lines_run_on_where_they_were_broken_and_only_there(text: str, shown: str) -> None:
    prose = read_prose(text)
    assert prose.text.strip() == shown.strip()
    assert len(prose.starts) == len(prose.text) == len(prose.ends)
