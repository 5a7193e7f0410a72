"""Makes an encyclopedia of invented words in the FEVER dump's format, to measure how the program scales.

    python -m indexing.synthetic OUT --pages 1000000 [--seed 0] [--files 109]

Lengths follow the quantiles of shared/data/fever/wiki-pages.zip (118,863 pages of the real dump): 4.86 sentences a
page, 24.8 tokens a sentence, 669 characters a page, 19 % of titles with a bracket, 4 % with an accent. Words follow
Zipf's law, with those of English in the first ranks. The links, which that extract lacks, are about one every two
sentences. The same seed, pages and files give the same bytes; each file is made on its own, so memory stays constant.
"""

from __future__ import annotations

import argparse
import json
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

BATCH = 2_000  # pages made at once
WORDS = 400_000
_ZIPF = (1.07, 2.7)  # exponent and shift of Zipf's and Mandelbrot's law
_SHARES = (0, 5, 25, 50, 75, 90, 95, 99, 99.9, 100)  # per cent, of the quantiles below
_SENTENCES = (1, 1, 2, 3, 5, 12, 17, 21, 33, 60)  # a page
_TOKENS = (1, 9, 16, 23, 31, 41, 47, 63, 93, 378)  # a sentence, without its full stop

# The dump's most frequent tokens, most frequent first; some stand for a whole bracket or quotation.
_COMMON = (
    "the , of and in a is to , by was -LRB-_1987_-RRB- ''_lies_'' as on for film with from 's an that or his It at are "
    "American which it directed also In has he be ; its This were who first one had their her not known He -- have "
    "series two city school they county after She most other between been ``_The_'' born album time during 2010 1999 "
    "team 12 3.5 -COLON- % world new band season"
)  # fmt: skip
_KINDS = ("film", "{year} film", "album", "band", "politician", "footballer, born {year}", "novel", "TV series", "song",
          "{year} album", "Texas", "ship")  # fmt: skip
_IS = ("a village in", "an American film by", "a town near", "a footballer for", "an album by", "a river of", "a novel by")
_SYLLABLES = [a + b for a in "b d f g k l m n p r s t v z ch sh th br st tr".split() for b in "a e i o u".split()]
_ENDS = ("", "n", "r", "s", "l", "ck", "nd", "m")
_ACCENTS = str.maketrans("aeiouc", "áéíöüç")
