"""Look-alike and invisible characters: ligatures, letters of "bold" fonts, soft hyphens; and emoji."""

from __future__ import annotations

import re
import unicodedata

# Soft hyphen, joiners, variation selectors, tags of flags: all invisible.
_UNSEEN = re.compile(
    "[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200c\u200d\u3164\ufe00-\ufe0f\U000e0000-\U000e007f]+"
)
# Pictures, arrows and dingbats, but no signs of units, money, rights, degrees or musical keys.
_PICTURES = re.compile(
    "[\u20e3\u2190-\u21ff\u2300-\u23ff\u2460-\u24ff\u25a0-\u265f\u2670-\u27bf\u2900-\u297f\u2b00-\u2bff\u3030\u303d\ufffc\ufffd"
    "\U0001f000-\U0001f0ff\U0001f1e6-\U0001faff]+"
)
# Ligatures, full-width forms, mathematical and enclosed letters. Superscripts keep their meaning: 10\u2079 is not 109.
_FORMS = re.compile("[\ufb00-\ufb06\uff01-\uff5e\U0001d400-\U0001d7ff\U0001f130-\U0001f149]")
_SAME = str.maketrans({"\u2010": "-", "\u2011": "-", "\u2024": ".", "\u02bc": "\u2019"})


def plain_characters(text: str) -> str:
    """The text without invisible characters and pictures; look-alikes become the letters that they stand for. Linear."""
    text = _FORMS.sub(lambda match: unicodedata.normalize("NFKC", match[0]), text)
    text = _PICTURES.sub(" ", _UNSEEN.sub("", text)).translate(_SAME)
    return unicodedata.normalize("NFC", " ".join(text.split()))
