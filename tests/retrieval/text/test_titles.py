"""Names are looked up under a key in which case, accents and signs do not count."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.text.titles import begins_with_title, fold, starts_of, without_bracket, word_runs

ANY_TEXT = st.text() | st.text(st.characters()) | st.text("aé'’.&-_ ()øÆŁıİßΣς!?", max_size=30)


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("Beyoncé", "beyonce"),
        ("BEYONCÉ", "beyonce"),
        ("Emil Za\u0301topek", "emil zatopek"),
        ("Søren Kierkegaard", "soren kierkegaard"),
        ("Łódź", "lodz"),
        ("Straße", "strasse"),
        ("İstanbul", "istanbul"),
        ("Æthelred Œuvre Þór", "aethelred oeuvre thor"),
        ("O'Neil", "oneil"),
        ("Ocean’s Eleven", "oceans eleven"),
        ("J. R. R. Tolkien", "j r r tolkien"),
        ("St. Louis", "st louis"),
        ("AT&T", "at and t"),
        ("Simon & Garfunkel", "simon and garfunkel"),
        ("Simon and Garfunkel", "simon and garfunkel"),
        ("Savages_(2012_film)", "savages 2012 film"),
        ("Jean-Luc Godard", "jean luc godard"),
        ("  New \t York\u00a0City ", "new york city"),
        ("Mother!", "mother!"),
        ("!!!", "!!!"),
        ("C++", "c++"),
        ("東京", "東京"),
        ("ﬁlm Ｆｕｌｌ ①", "film full 1"),
        ("ΠΡΟΣΩΔΊΑ", "προσωδια"),
        ("προσῳδία", "προσωιδια"),
        ("\u0345", "ι"),
        ("", ""),
        ("...", ""),
        ("\0 \ud800 🎬", ""),
    ],
)
def test_fold(name: str, key: str) -> None:
    assert fold(name) == key


@pytest.mark.parametrize(
    ("text", "names", "starts"),
    [
        ("the nile is long", ["nile", "the nile", "a nile", "nil", "is"], ["nile", "the nile", "a nile"]),
        ("an otter swims", ["otter", "otters", "an otter swims"], ["otter", "an otter swims"]),
        ("the who play", ["the who", "the", ""], ["the who"]),
    ],
)
def test_names_at_the_start(text: str, names: list[str], starts: list[str]) -> None:
    assert starts_of(text, names) == starts


@pytest.mark.parametrize("text", ["Who played.", "The Who played.", "A WHO play.", "Whoever plays."])
def test_a_title_at_the_start(text: str) -> None:
    assert begins_with_title(text, "The Who (band)")
    assert not begins_with_title(text, "The Band")
    assert not begins_with_title(text, "—")


@given(ANY_TEXT)
def test_fold_is_idempotent_and_blind_to_form_and_case(text: str) -> None:
    key = fold(text)
    assert fold(key) == key
    assert key == " ".join(key.split())
    assert fold(unicodedata.normalize("NFD", text)) == fold(unicodedata.normalize("NFC", text)) == key
    assert fold(text.casefold()) == key


@pytest.mark.parametrize(
    ("title", "bare"),
    [
        ("Savages (2012 film)", "Savages"),
        ("Savages", "Savages"),
        ("Savages (film) ", "Savages"),
        ("A (b) (c)", "A (b)"),
        ("(500) Days of Summer", "(500) Days of Summer"),
        ("(film)", "(film)"),
        ("A (b (c))", "A (b (c))"),
        ("A (b", "A (b"),
        ("", ""),
    ],
)
def test_without_bracket(title: str, bare: str) -> None:
    assert without_bracket(title) == bare


def runs(text: str, longest: int = 8) -> list[str]:
    return [text[start:end] for start, end in word_runs(text, longest)]


def test_word_runs_by_start_longest_first() -> None:
    assert runs("one two three", 2) == ["one two", "one", "two three", "two", "three"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("St. Louis, U.S.", ["St.", "Louis", "U.S"]),
        ("Ocean’s O'Neil", ["Ocean’s", "O'Neil"]),
        ("AT&T", ["AT", "&", "T"]),
        ("Jean-Luc won 5%!", ["Jean-Luc", "won", "5", "%", "!"]),
        ("Beyoncé 東京", ["Beyoncé", "東京"]),
        ("— … ,", []),
        ("", []),
    ],
)
def test_words(text: str, words: list[str]) -> None:
    assert runs(text, 1) == words


@given(text=ANY_TEXT, longest=st.integers(1, 9))
def test_every_run_is_a_part_of_the_text(text: str, longest: int) -> None:
    found = list(word_runs(text, longest))
    assert all(0 <= start < end <= len(text) for start, end in found)
    assert [start for start, _ in found] == sorted(start for start, _ in found)
    assert len(set(found)) == len(found)
    words = sum(1 for _ in word_runs(text, 1))
    assert len(found) == sum(min(longest, words - first) for first in range(words))
