"""Numbers as people write them: digits in groups, scales, number words, dozens, Roman numerals; their value and one form.

text2num 3.1 reads no years ("nineteen forty-five"), halves or dozens, so it would replace `_sum_of_words` alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal


def _numbered(names: str, first: int) -> dict[str, int]:
    return {name: number for number, name in enumerate(names.split(), first)}


UNITS = _numbered(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen",
    0,
)
TENS = {name: 10 * n for name, n in _numbered("twenty thirty forty fifty sixty seventy eighty ninety", 2).items()}
SCALES = {"thousand": 10**3, "lakh": 10**5, "million": 10**6, "crore": 10**7, "billion": 10**9, "trillion": 10**12}
SHORT_SCALES = {"m": 10**6, "mn": 10**6, "bn": 10**9, "tn": 10**12, "k": 10**3, "b": 10**9}
ORDINALS = _numbered(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth twentieth",
    1,
)
ORDINAL_WORDS = {number: name for name, number in ORDINALS.items()}
IN_ORDER = rf"(?:(?:{'|'.join(TENS)})-)?(?:{'|'.join(sorted(ORDINALS, key=len, reverse=True))})"
LARGEST_ORDINAL_WORD = 10  # "tenth", but "11th"
_LARGE_SCALES = [(name, scale) for name, scale in reversed(SCALES.items()) if name.endswith("llion")]
_GROUPS = str.maketrans("", "", ",'’ \u00a0\u202f")
_POINTS = re.compile(r"\d{1,3}(?:\.\d{3}){2,}")
_LONGEST = 12  # words of one number
_WORD = "|".join(sorted([*UNITS, *TENS], key=len, reverse=True))
_SCALE = "|".join(["hundred", *SCALES])
# "two thirds", "forty-second": not the numbers that they begin with.
_FRACTION = r"(?!-(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)\b)(?![ -](?:half|halves|thirds?|quarters?|fourths?|fifths?|sixths?|sevenths?|eighths?|ninths?|tenths?)\b)"
# A number in words begins with a small one, or with "a hundred", "half a million", "a dozen".
WORDS = (
    rf"(?:half a |a half )?(?:a |two |three |four |five )?dozen(?! of\b)|half a (?:thousand|million|billion|trillion)|"
    rf"a (?:{_SCALE})(?: (?:{_SCALE}))?|"
    rf"(?:{_WORD})(?:(?:[ -]| and | and a |-and-a-)(?:{_WORD}|{_SCALE}|half)\b){{0,{_LONGEST}}}"
)
# Groups of three: "17,075,400", "17 075 400", "17'075'400", "17.075.400"; Indian ones: "1,70,75,400".
DIGITS = (
    r"\d{1,3}(?:(?:[,'’\u00a0\u202f]\d{3}){1,5}(?![,'’\u00a0\u202f]?\d)| \d{3}(?: \d{3}){0,4}(?![ ]?\d))(?:\.\d{1,9})?|\d{1,3}(?:\.\d{3}){2,5}(?!\d)|"
    r"\d{1,2}(?:,\d\d){1,4},\d{3}(?!\d)|\d{1,15}(?:\.\d{1,9})?(?:[eE][+-]?\d{1,2})?"
)
LARGEST_ROMAN = 39
LARGEST_WRITTEN = 20  # digits after the first; a larger number is written with its exponent, "2e+30"
ROMAN = r"(?:X{0,3}(?:IX|IV|V?I{0,3}))"
# Matched at digits.
IN_DIGITS = re.compile(
    rf"(?<![\w.,/:'’$€£¥])(?<!\w-)(?P<digits>{DIGITS})(?P<half> and a half)?(?:[ -]?(?P<scale>{'|'.join(SCALES)})s?\b| ?(?P<short>k|mn|bn|tn)\b)?(?![\d_/:]|[.,]\d|-\d)"
)
IN_WORDS = re.compile(rf"(?<![\w'’-])(?:{WORDS})(?![\w'’]){_FRACTION}", re.IGNORECASE)
NUMBER_WORDS = frozenset({*UNITS, *TENS, "dozen", "hundred", *SCALES} - {"one", "zero"})


@dataclass(frozen=True, slots=True)
class Number:
    """value: exact. step: of the last written digit, a million for "17 million". year: "nineteen forty-five"."""

    start: int
    end: int
    value: Decimal
    step: Decimal
    year: bool = False


def number_of_words(match: re.Match[str]) -> Number | None:
    """The number of a match of `IN_WORDS`; None if the words make none, or only "one"."""
    text = match[0].lower()
    words = text.replace("-", " ").split()
    year = _year(words)
    value: Decimal | None = None
    if "dozen" in text:
        value = Decimal(12 * next((UNITS[word] for word in words if word in UNITS), 1)) / (2 if "half" in text else 1)
    elif text.startswith("half a "):
        value = Decimal(SCALES[words[2]]) / 2
    elif words != ["one"]:
        value = Decimal(year) if year else _sum_of_words(words)
    return None if value is None else Number(*match.span(), value, _whole_step(value), year=year is not None)


def whole_number(text: str) -> int | None:
    """The whole number that the text is, in digits or in words; None if it is none."""
    text = text.lower()
    if text.isdecimal() or text in UNITS:
        return UNITS[text] if text in UNITS else int(text)
    words = IN_WORDS.fullmatch(text)
    number = number_of_words(words) if words else None
    return int(number.value) if number and number.value == int(number.value) else None


def read_digits(digits: str, scale: str | None, half: bool, span: tuple[int, int]) -> Number:
    """digits: as written. scale: "million". half: "and a half" follows."""
    plain = digits.replace(".", "") if _POINTS.fullmatch(digits) else digits.translate(_GROUPS)
    value = Decimal(plain) + (Decimal("0.5") if half else 0)
    times = {**SCALES, **SHORT_SCALES}[scale.lower()] if scale else 1
    decimals = len(plain.partition(".")[2]) if "e" not in plain.lower() else 0
    step = Decimal(10) ** -decimals if decimals else _whole_step(value)
    return Number(*span, value * times, (Decimal("0.1") if half else step) * times)


def _year(words: list[str]) -> int | None:
    """ "nineteen forty-five" -> 1945; None if the two numbers make no year."""
    century, *rest = (TENS.get(word, UNITS.get(word, 0)) for word in words)
    if not 10 <= century <= 20 or not rest:
        return None
    if words[1:] == ["hundred"]:
        return 100 * century if century != 10 else None
    one_number = len(rest) == 1 and rest[0] >= 10
    two_numbers = len(rest) == 2 and words[1] in TENS and 0 < rest[1] < 10
    return 100 * century + sum(rest) if one_number or two_numbers else None


def _sum_of_words(words: list[str]) -> Decimal | None:
    """The number that the words make by the grammar of English, else None."""
    total, group, least = Decimal(0), Decimal(0), 10**15
    room = 1000  # what the next small word must stay below: "twenty" leaves room for "three", not for "thirty"
    for word in words:
        if word in ("and", "a"):
            continue
        if word == "half":
            group += Decimal("0.5")
        elif word == "hundred":
            if not 0 < (group or 1) < 20:
                return None
            group, room = (group or Decimal(1)) * 100, 100
        elif word in SCALES:
            if SCALES[word] >= least:
                return None
            least = SCALES[word]
            total, group, room = total + (group or 1) * least, Decimal(0), 1000
        else:
            value = TENS.get(word, UNITS.get(word, 0))
            if value >= room or (group and not value):
                return None
            group, room = group + value, 10 if word in TENS else 1
    return total + group


def _whole_step(value: Decimal) -> Decimal:
    """17,000,000 is given to the nearest million, 17,075,400 to the nearest hundred; numbers below 100 exactly."""
    zeros = int(value.normalize().as_tuple().exponent)
    return Decimal(10) ** max(0, min(zeros, value.adjusted() - 1))


def value_of_ordinal(word: str) -> int:
    """ "forty-second" -> 42. word: a match of `IN_ORDER`."""
    tens, _, last = word.lower().rpartition("-")
    return TENS.get(tens, 0) + ORDINALS[last]


def form_of(value: Decimal) -> str:
    """The one form of a number: "80.7 million", "17,075,400", "6,853", "14.20"."""
    if value != value.to_integral_value():
        return f"{value:,f}"
    if value.adjusted() > LARGEST_WRITTEN:
        return f"{value.normalize():e}"
    whole = int(value)
    if abs(whole) < 10**6:
        return f"{whole:,}"
    for name, scale in _LARGE_SCALES:
        share = Decimal(whole) / scale
        if abs(share) >= 1 and share == share.quantize(Decimal("0.001")):
            return f"{share.normalize():,f} {name}"
    return f"{whole:,}"


def roman(number: int) -> str:
    """A number from 1 to `LARGEST_ROMAN` in Roman numerals, small."""
    return "x" * (number // 10) + ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")[number % 10]


def read_roman(text: str) -> int:
    """Value of a Roman numeral up to 39; 0 for any other word."""
    if not text or not re.fullmatch(ROMAN, text):
        return 0
    values = [{"I": 1, "V": 5, "X": 10}[letter] for letter in text]
    return sum(-a if a < b else a for a, b in zip(values, [*values[1:], 0], strict=True))
