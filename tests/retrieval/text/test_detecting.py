"""The language of a document: said only where it is clear."""

from __future__ import annotations

import pytest

from retrieval.text.languages.detecting import detect_language


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Die Stadt liegt am Meer, und die Straßenbahn zum Hafen wurde im Mai eröffnet.", "de"),
        ("La ciudad está junto al mar y el tranvía del puerto se inauguró en mayo de ese año.", "es"),
        ("The town lies by the sea, and the tram to the harbour was opened in May of that year.", "en"),
        ("La ville se trouve au bord de la mer et le tramway du port a été ouvert au mois de mai.", "fr"),
        ("Berlin", ""),
        ("", ""),
        ("3 5 8 13 21 34 55 89 144 233 377", ""),
        ("\x00\ud800 " * 20, ""),
    ],
)
def test_the_language_of_a_text(text: str, code: str) -> None:
    assert detect_language(text) == code
