"""Another language is said, not guessed at."""

from __future__ import annotations

import pytest

from retrieval.text.extraction.language import ENGLISH, described, language_of

TEXTS = {
    "de": "Der Turm wurde für die Weltausstellung gebaut und ist heute eines der bekanntesten Bauwerke der Stadt.",
    "fr": "La tour a été construite pour l'exposition et elle est un des monuments les plus connus de la ville.",
    "es": "La torre fue construida para la exposición y es uno de los monumentos más conocidos de la ciudad.",
    "cs": "Věž byla postavena pro světovou výstavu a dnes je to jedna z nejznámějších staveb, která se ve městě nachází.",
}


@pytest.mark.parametrize("language", TEXTS)
def test_languages_are_known_by_their_commonest_words(language: str) -> None:
    assert language_of(TEXTS[language]) == language


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Башня была построена для всемирной выставки и стоит в городе.", "in Cyrillic script"),
        ("بني البرج من أجل المعرض العالمي وهو اليوم من أشهر معالم المدينة.", "in Arabic script"),
        ("המגדל נבנה לתערוכה העולמית והוא אחד הסמלים של העיר.", "in Hebrew script"),
        ("塔は万国博覧会のために建てられた。", "in Chinese characters"),
    ],
)
def test_other_scripts_are_named(text: str, said: str) -> None:
    if said == "in Chinese characters":
        assert described(text) in ("in Chinese characters", "in Japanese script")
    else:
        assert described(text) == said


def test_english_passes_with_foreign_names_in_it_and_when_it_is_short() -> None:
    assert (
        language_of("Emil Zátopek was born in Kopřivnice and ran for the army in the years after the war.") == ENGLISH
    )
    assert language_of("Zátopek won.") == ENGLISH
    assert language_of("Apollo 11 was launched by a Saturn V rocket.") == ENGLISH
    assert language_of("") == ENGLISH
