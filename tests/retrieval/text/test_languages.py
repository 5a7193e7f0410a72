"""German and Spanish beside English: where sentences end, which words count, and what is said of a claim's language."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.stores.embedded.store import EmbeddedStore
from retrieval.text.extraction.language import clearly_other
from retrieval.text.languages import (
    ENGLISH,
    GERMAN,
    LANGUAGES,
    SPANISH,
    Language,
    find_language,
    language_of_wiki,
    several_languages,
)
from retrieval.text.languages.detecting import other_than_english, sentence_other_than_english
from retrieval.text.ranking import overlap_scores, title_spans
from retrieval.text.sentences import sentence_spans
from retrieval.text.words import content_words, searched

SAMPLE = Path(__file__).parents[3] / "data" / "sample"
NOT_ENGLISH = Path(__file__).with_name("claims_not_english.tsv")
NAMES_OF_ELSEWHERE = (
    "Selena Gomez", "Beyoncé", "Beyoncé sings.", "Gisele Bündchen won.", "La La Land", "Die Hard won.", "São Paulo grew.",
    "Emil Zátopek won.", "Václav Havel met Nelson Mandela.", "Der Spiegel sold well.", "La Traviata premiered.",
    "Anneliese van der Pol acts.", "Georges Gilles de la Tourette described symptoms.", "Dan Trachtenberg makes films.",
    "Daag stars Akkineni Nageswara Rao.", "Vincent van Gogh painted.", "Kenny Rogers sang Lucille.", "Günter Grass wrote Die Blechtrommel.",
    "Franco-Prussian war ended.", "COVID-19 vaccines cause autism", "obama was born in kenya", "TRUMP WON", "1 + 1 = 2", "",
)  # fmt: skip


FOREIGN = (
    "Die Straßenbahn zum Hafen wurde am 3. Mai 1987 eröffnet.", "Die Stadt Brackwasser liegt am Meer.",
    "Los aspectos formativos son los puntos de convergencia de los esfuerzos educativos.", "東京は日本の首都です。",
    "Le tramway du port a été ouvert en 1987.", "Москва - столица России.", "Il tram del porto fu inaugurato nel 1987.",
)  # fmt: skip
STILL_ENGLISH = (
    "Il sogno di un giorno is a 1916 Italian film directed by Augusto Genina.", "Telephones - mobile cellular: 99,900 (2004)",
    "“Marilyn Monroe” (Nicki Minaj song)", "Triptych by Chikanobu.", "De Sylva v.", "Staub v.", "Set i",
    "Chalco de Díaz Covarrubias, April 13, 1913 – d.", "Candrakīrti (Sanskrit: चन्द्रकीर्ति; Wylie: “zla ba grags pa”)", "John Adams", "Gil Kane ([dʒɪl_keɪn] born Eli Katz [ˈiːlaɪ_kæts]",
    "Tuula Yrjölä is a Finnish diplomat.", "His 1942 film “Non ti pago!”", "",
)  # fmt: skip


def test_sentences_of_pages() -> None:
    assert all(sentence_other_than_english(sentence) for sentence in FOREIGN)
    assert not any(sentence_other_than_english(sentence) for sentence in STILL_ENGLISH)


def test_the_samples_sentences_are_english(sample_store: EmbeddedStore) -> None:
    pages = [page for batch in sample_store.scan() for _, page in batch]
    assert not [one.text for page in pages for one in page.sentences() if sentence_other_than_english(one.text)]


@pytest.mark.parametrize(
    ("language", "sentences"),
    [
        (GERMAN, ["Er wurde am 3. Mai 1920 geboren.", "Am 4. März zog er um."]),
        (GERMAN, ["Die Stadt hat z. B. drei Tore, d. h. bzw. Türme.", "Dr. Weber schrieb Bd. 3 darüber."]),
        (GERMAN, ["Sie liegt im 12. Jh. n. Chr. brach.", "Die Brücke ist 300 m lang."]),
        (GERMAN, ["Es gab 14.", "Die anderen gingen."]),
        (SPANISH, ["El Sr. García vive en la Av. Central.", "La Dra. Ruiz, p. ej., también."]),
        (SPANISH, ["Nació en EE. UU. en 1950.", "Véase la pág. 3.", "¿Quién lo dijo?", "¡Nadie!"]),
        (ENGLISH, ["Mr. Smith was born on 3 May.", "It is so."]),
    ],
)
def test_sentences(language: Language, sentences: list[str]) -> None:
    text = " ".join(sentences)
    assert [text[start:end] for start, end in sentence_spans(text, language)] == sentences


@given(st.text(max_size=300), st.sampled_from([*LANGUAGES.values(), find_language("fr")]))
def test_sentences_hold_every_character(text: str, language: Language) -> None:
    spans = sentence_spans(text, language)
    assert "".join("".join(text[a:b].split()) for a, b in spans) == "".join(text.split())
    assert all(a < b for a, b in spans)
    assert spans == sorted(spans)


def test_words() -> None:
    assert content_words("Die Häuser der Städte", GERMAN) == content_words("das Haus, die Stadt", GERMAN)
    assert content_words("las casas y los puentes", SPANISH) == content_words("casa, puente", SPANISH)
    assert content_words("the cities") == content_words("city")
    assert searched(["die", "stadt", "in"], GERMAN) == ["stadt"]
    assert searched(["die", "stadt"]) == ["die", "stadt"]
    near, far = overlap_scores("Die Brücken der Stadt", ["Eine Brücke in Städten.", "Die der und das."], GERMAN)
    assert near > far == 0
    assert "der" not in title_spans("in der Stadt", language=GERMAN)


def test_several_corpora_declare_all_their_languages() -> None:
    cases = ((["", "en"], ""), (["en", "en"], "en"), (["", ""], ""), (["", "de"], "de+en"), (["de", "de"], "de"))
    for codes, together in cases:
        assert several_languages(codes) == together
    assert find_language("de+en").name == "German and English"
    assert find_language("de+en").stemmer == "german"


def test_profiles() -> None:
    assert find_language("").code == find_language("en").code == find_language("en-GB").code == "en"
    assert (find_language("fr").name, find_language("fr").stemmer) == ("French", "")
    assert find_language("xx").name == "“xx”"
    codes = [language_of_wiki(wiki) for wiki in ("enwiki", "simplewiki", "dewiki", "eswiki", "zh_yuewiki")]
    assert codes == ["en", "en", "de", "es", "zh-yue"]


@pytest.mark.parametrize(
    ("claim", "code", "other"),
    [
        ("Berlin ist die Hauptstadt von Deutschland.", "en", "de"),
        ("Berlin ist die Hauptstadt von Deutschland.", "de", ""),
        ("Berlin is the capital of Germany and of its states.", "de", "en"),
        ("La capital de España es Madrid, en el centro.", "en", "es"),
        ("La La Land won six Oscars.", "en", ""),
        ("Die Hard is a film.", "en", ""),
        ("Marie Curie won two Nobel Prizes.", "de", ""),
        ("Москва столица России", "en", "und"),
        ("", "en", ""),
    ],
)
def test_a_claim_in_another_language_is_said_and_not_guessed(claim: str, code: str, other: str) -> None:
    assert clearly_other(claim, code) == other


def test_an_english_claim_is_never_taken_for_another_language() -> None:
    """Nor is one of FEVER's 9,999 training claims: docs/experiments.md."""
    files = [SAMPLE / "claims.jsonl", SAMPLE / "adversarial.jsonl"]
    claims = [json.loads(line)["claim"] for file in files for line in file.read_text("utf-8").splitlines()]
    assert len(claims) > 300
    assert [other_than_english(name) for name in NAMES_OF_ELSEWHERE] == [""] * len(NAMES_OF_ELSEWHERE)
    for claim in claims:
        assert [other_than_english(form) for form in (claim, claim.lower(), claim.upper())] == ["", "", ""], claim


def test_a_short_claim_in_another_language_is_noticed() -> None:
    """The claims were written after the rule and chose nothing in it."""
    rows = [line.split("\t") for line in NOT_ENGLISH.read_text("utf-8").splitlines()]
    told = [(code, other_than_english(claim)) for code, claim in rows]
    assert len(told) == 72
    assert sum(code == other for code, other in told) >= 69
    assert all(other in (code, "") for code, other in told)
    assert other_than_english("Москва столица России") == "und"


def test_a_claim_takes_less_than_a_millisecond() -> None:
    other_than_english("Kafka lebte lange in Prag.")  # loads the detector
    started = time.process_time()
    for _ in range(200):
        other_than_english("Steffi Graf gewann 22 Grand-Slam-Turniere.")
    assert time.process_time() - started < 200 * 0.001


@given(st.text(max_size=200))
def test_any_text_can_be_asked_about(text: str) -> None:
    assert isinstance(other_than_english(text), str)
