"""A sentence that reports a belief supports nothing but a claim about that belief."""

from __future__ import annotations

import pytest

from retrieval.stages.comparing.deciding import CompareThings
from retrieval.types import Claim, Evidence, FactCheck, Hit, Stance
from retrieval.verdicts.rules.existence import only_believed
from tests.making import make_page

PAGES = [
    make_page(
        "Lake Orm", "Lake Orm is a lake in Norr.", "A giant eel allegedly lives in its depths, according to fishers."
    ),
    make_page("Giant eel of Orm", "The giant eel of Orm is an animal that reputedly lives in Lake Orm."),
    make_page(
        "Hollow Moon",
        "The Hollow Moon is an archaic belief that the Moon is an empty shell.",
        "The shell is a mile thick.",
    ),
    make_page("Grell", "The grell is a legendary bird of the far north.", "Grells have four wings."),
    make_page("Grells (film)", "Grells is a 1999 film about birds."),
    make_page(
        "Ada Brod",
        "Ada Brod was a queen of Norr.",
        "Her supposed daughter lived in Rika.",
        "She ruled from 1204 to 1220.",
    ),
    make_page("Sugar", "It is a common belief that sugar makes children restless.", "Sugar is sweet."),
]
SENTENCES = [sentence for page in PAGES for sentence in page.sentences()]


def believed(claim: str) -> list[str]:
    return [sentence.text for sentence in only_believed(claim, PAGES, SENTENCES)]


@pytest.mark.parametrize(
    ("claim", "reported"),
    [
        ("A giant eel lives in Lake Orm.", "A giant eel allegedly lives in its depths, according to fishers."),
        ("A giant eel lives in Lake Orm.", "The giant eel of Orm is an animal that reputedly lives in Lake Orm."),
        ("The Moon is an empty shell.", "The Hollow Moon is an archaic belief that the Moon is an empty shell."),
        ("The Moon is an empty shell.", "The shell is a mile thick."),  # the whole page is on the belief
        ("Sugar makes children restless.", "It is a common belief that sugar makes children restless."),
        ("Ada Brod had a daughter.", "Her supposed daughter lived in Rika."),
        ("The giant eel of Orm exists.", "The giant eel of Orm is an animal that reputedly lives in Lake Orm."),
        ("Grells exist.", "Grells is a 1999 film about birds."),  # not about the subject
    ],
)
def test_what_is_only_reported(claim: str, reported: str) -> None:
    assert reported in believed(claim)


@pytest.mark.parametrize(
    ("claim", "stated"),
    [
        ("Ada Brod was a queen.", "Ada Brod was a queen of Norr."),
        ("Sugar is sweet.", "Sugar is sweet."),
        ("Lake Orm is in Norr.", "Lake Orm is a lake in Norr."),
        ("The shell of the Hollow Moon is a mile thick.", "The shell is a mile thick."),  # the claim is on that belief
        ("Grells have four wings.", "Grells have four wings."),
        (
            "A giant eel is said to live in Lake Orm.",
            "A giant eel allegedly lives in its depths, according to fishers.",
        ),
        (
            "People believe that sugar makes children restless.",
            "It is a common belief that sugar makes children restless.",
        ),
        ("Ada Brod existed.", "Ada Brod was a queen of Norr."),
        ("Lake Orm still exists.", "Lake Orm is a lake in Norr."),
    ],
)
def test_what_is_stated_stays(claim: str, stated: str) -> None:
    assert stated not in believed(claim)


def test_a_reported_belief_takes_no_side_and_weighs_little() -> None:
    reported = PAGES[1].sentences()[0]
    check = FactCheck(
        Claim("c", "A giant eel lives in Lake Orm."),
        pages=tuple(Hit(page, 1.0, "bm25") for page in PAGES),
        sentences=(Evidence(reported, 0.9, Stance(0.9, 0.05, 0.05), "test"),),
    )
    *_, last = CompareThings().run(check)
    (found,) = last.check.sentences
    assert found.stance.neutral > 0.9
    assert found.weight <= 0.1
