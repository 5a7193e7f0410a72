"""Subtitles and transcripts with times: what was said, in whole sentences."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.text.pasted.prose import read_prose
from retrieval.text.pasted.subtitles import is_subtitles, subtitle_cuts

SRT = """1
00:00:01,000 --> 00:00:04,000
The Weser Tunnel was opened

2
00:00:04,500 --> 00:00:08,000
in 2004 and it is <i>not</i>

3
00:00:08,100 --> 00:00:10,000
{\\an8}the longest tunnel.
- Is it long?
- Yes, it is.
"""
VTT = """WEBVTT - a talk
Kind: captions

NOTE made by
hand

intro
00:01.000 --> 00:04.000 align:start position:0%
<v Ann Lee>The tunnel was opened in 2004.</v>

00:05.000 --> 00:08.000
<v Bo>It cost <c.yellow>270</c>

00:08.000 --> 00:09.000
million euros.
"""
TIMES = "0:00\nThe tunnel was opened in 2004. It is not\n0:05\nthe longest tunnel. It cost\n0:12\n270 million euros.\n"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (SRT, "The Weser Tunnel was opened in 2004 and it is not the longest tunnel.\nIs it long?\nYes, it is."),
        (SRT.replace("\n", "\r\n"), "The Weser Tunnel was opened in 2004 and it is not the longest tunnel.\nIs it long?\nYes, it is."),
        (VTT, "ANN LEE: The tunnel was opened in 2004.\nBO: It cost 270 million euros."),
        (TIMES, "The tunnel was opened in 2004. It is not the longest tunnel. It cost 270 million euros."),
        ("0:00:01.000,0:00:04.000\nIt was not\n\n0:00:04.000,0:00:06.000\nopened in 2004.\n", "It was not opened in 2004."),
        ("0:00\nit was opened in 2004\n0:05\nit is not long\n", "it was opened in 2004\nit is not long"),  # nobody wrote its full stops
        ("Ann\n10:14\nIt is long.\nBo\n10:15\nIt is old.", "Ann\nIt is long.\nBo\nIt is old."),
    ],
)  # fmt: skip
def test_a_sentence_goes_on_over_the_pieces_that_show_it(text: str, shown: str) -> None:
    assert read_prose(text).text.strip() == shown


def test_one_time_alone_makes_no_subtitles() -> None:
    assert not is_subtitles("The train leaves at\n10:32\nand arrives at noon.")


@given(st.text(alphabet="a.-\n 0:1,>#<v", max_size=200))
def test_any_text_is_cut_in_order(text: str) -> None:
    cuts = subtitle_cuts(text)
    assert all(start < end for start, end, _ in cuts)
    assert all(one[1] <= other[0] for one, other in pairwise(cuts))
