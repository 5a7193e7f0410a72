"""Plain text whose lines were broken to fit a page."""

from __future__ import annotations

import pytest

from retrieval.text.files.plain_text import tidy, unwrap

WRAPPED = (
    "The weir rises at the upper end of the long valley and was built by the owner of the mill, who\n"
    "needed more water in the dry months of the year than the river alone could give to his wheels.\n"
)


@pytest.mark.parametrize(
    ("cut", "whole"),
    [("set-\ntled", "settled"), ("well-\nknown", "well-known"), ("mid-\n1990s", "mid-1990s"), ("Austro-\nHungarian", "Austro-Hungarian"), ("unem\u00ad\nployed", "unemployed")],
)  # fmt: skip
def test_words_cut_at_the_end_of_a_line_keep_their_own_hyphens(cut: str, whole: str) -> None:
    text = f"{WRAPPED}The people of the lower valley, said the report of that year, were then all {cut} when the last of\nthese mills was closed."
    assert f"were then all {whole} when the last of these" in tidy(unwrap(text))


def test_hyphens_at_which_no_line_breaks_are_hyphens() -> None:
    assert tidy("mid\u20111990s, well\u2010known") == "mid-1990s, well-known"
