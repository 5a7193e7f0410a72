"""Other forms of a name: number, numerals, signs that stand for letters, spelling."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.text.names.forms import MOST_WORDS_WITH_FORMS, forms, number_forms, singular_forms, with_forms
from retrieval.text.ranking import title_spans
from retrieval.text.titles import fold


@pytest.mark.parametrize(
    ("many", "one"),
    [
        ("otters", "otter"),
        ("berries", "berry"),
        ("zombies", "zombie"),
        ("wolves", "wolf"),
        ("knives", "knife"),
        ("foxes", "fox"),
        ("potatoes", "potato"),
        ("mice", "mouse"),
        ("policewomen", "policewoman"),
        ("bacteria", "bacterium"),
        ("sea lions", "sea lion"),
        ("emus", "emu"),
        ("kiwis", "kiwi"),
    ],
)
def test_a_plural_and_its_singular_find_each_other(many: str, one: str) -> None:
    assert one in number_forms(many)
    assert one in singular_forms(many)
    assert many in number_forms(one)


@pytest.mark.parametrize("name", ["glass", "virus", "analysis", "u2", "12", "at&t", "", "as"])
def test_what_is_no_plural_has_no_singular(name: str) -> None:
    assert singular_forms(name) == ()


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("world war 2", "world war ii"),
        ("world war ii", "world war 2"),
        ("edward the 7th", "edward vii"),
        ("edward the seventh", "edward vii"),
        ("rocky 4", "rocky iv"),
        ("hg wells", "h g wells"),
        ("95 theses", "ninety five theses"),
        ("twelve monkeys", "12 monkeys"),
        ("venus and serena williams", "venus williams"),
        ("ke$ha", "kesha"),
        ("p!nk", "pink"),
        ("se7en", "seven"),
        ("the harbour", "the harbor"),
        ("theatre", "theater"),
    ],
)
def test_people_write_a_name_otherwise(written: str, meant: str) -> None:
    assert meant in set(forms(written))


def test_four_is_not_for() -> None:
    assert "for" not in set(forms("four"))


def test_the_forms_stand_where_the_name_stands_and_never_take_the_place_of_one_that_is_written() -> None:
    runs = title_spans("Otters and an otter met.")
    found = with_forms(runs)
    assert {key: found[key] for key in runs} == runs
    assert found["otter"] == runs["otter"] != runs["otters"]


NAMES = st.text(max_size=60).map(fold) | st.lists(
    st.sampled_from(["otters", "fox", "the", "8th", "ii", "7", "a$ap", "colour", "men", "ss"]), min_size=1, max_size=7
).map(" ".join)


@given(NAMES)
def test_forms_are_few_folded_and_not_the_name(name: str) -> None:
    found = list(forms(name))
    assert name not in found
    assert len(found) <= 16
    assert all(fold(form) == form for form in found if form.isascii())
    assert not found or len(name.split()) <= MOST_WORDS_WITH_FORMS
