"""The language of a text whose claims are sought: English is never taken for another, others are named or not told."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import pytest

from retrieval.text.languages.detecting import described_language, text_language

ROOT = Path(__file__).parents[3]
SAMPLE = ROOT / "data" / "sample"


def threes(claims: Sequence[str]) -> list[str]:
    return [" ".join(claims[first : first + 3]) for first in range(0, len(claims) - 2, 3)]


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("Die Hauptstadt ist Berlin. Sie ist groß.", "de", "German"),
        ("La capitale est Paris. Elle est grande.", "fr", "French"),
        ("Varšava je hlavní město Polska.", "cs", "Czech"),
        (
            "Mji mkuu wa Tanzania ni Dodoma. Nairobi ni mji mkuu wa Kenya. Watu wengi wanaishi katika mji huo mkubwa.",
            "und",
            "in a language that ESOTERIC does not know",
        ),
        ("Варшава это столица Польши.", "und", "in Cyrillic script"),
    ],
)
def test_short_texts_in_other_languages_do_not_pass_as_english(text: str, code: str, said: str) -> None:
    assert (text_language(text), described_language(text, text_language(text))) == (code, said)


@pytest.mark.parametrize("text", ["Warszawa Praga Wien Roma.", "Stanisław Lem died in Kraków."])
def test_a_text_of_names_does_not_tell(text: str) -> None:
    assert text_language(text) == ""


def test_english_texts_are_english() -> None:
    claims = [json.loads(line)["claim"] for line in (SAMPLE / "claims.jsonl").read_text("utf-8").splitlines()]
    articles = [path.read_text("utf-8") for path in (SAMPLE / "texts").glob("*.[mt][dx]*")]
    assert len(articles) == 3
    assert {text_language(text) for text in [*threes(claims), *articles]} == {"en"}
    assert {text_language(claim) for claim in claims} <= {"en", ""}


def test_texts_of_claims_in_other_languages_are_named() -> None:
    claims = defaultdict(list)
    for line in Path(__file__).with_name("claims_not_english.tsv").read_text("utf-8").splitlines():
        code, claim = line.split("\t")
        claims[code].append(claim)
    for code, some in claims.items():
        assert {text_language(text) for text in threes(some)} == {code}
        assert "en" not in {text_language(claim) for claim in some}
