"""Decodes texts by the encoding that the server, a byte order mark or the file declares, else by a detected one.

Names of encodings mean what they mean to browsers (WHATWG's Encoding Standard): gb2312 is GB18030, iso-8859-1
Windows-1252.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Sequence
from typing import NamedTuple

from retrieval.errors import CorpusError
from retrieval.text.files.document import other_type

LONGEST_CHARACTER = 4  # bytes in UTF-8
MOST_UNKNOWN_LINES = 10  # at most one line in so many may be in no known encoding
FEWEST_CHARACTERS = 4  # of several bytes each; so many prove UTF-8 even if another multibyte encoding is declared
MOST_DAMAGED = 0.01  # share of characters that may be wrong in the declared encoding
FOREIGN = 0.3  # share of letters outside ASCII; no language written in Windows-1252 has so many
FEWEST_SIGNS = 3  # signs in the middle of words
FEWEST_FOREIGN, FEWEST_DIFFERENT = 20, 8  # letters outside ASCII, and different ones, needed to detect an encoding
READ_FOR_NAME = 4_096  # first bytes of a file, in which it may declare its encoding
READ_TO_DETECT = 50_000  # bytes
FEWEST_SMALL = 0.5  # share of every second byte that is below 32, as no letter is; it proves undeclared UTF-16

_BYTE_ORDER_MARKS = (  # UTF-32 first: its mark begins with that of UTF-16
    (codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"),
)  # fmt: skip
_DECLARED = re.compile(
    rb"""(?i)(?:<meta[^>]{0,300}?\bcharset\s{0,9}=\s{0,9}["']?|\A\s{0,99}<\?xml[^>]{0,200}?\bencoding\s{0,9}=\s{0,9}["'])\s{0,9}([\w.:-]{1,40})"""
)
_ALPHABETS = (
    "cp1251", "koi8_r", "koi8_u", "iso8859_5", "cp866", "mac_cyrillic", "cp1253", "iso8859_7", "cp1255", "cp1256", "iso8859_6", "cp874",
    "cp932", "euc_jp", "gb18030", "big5", "cp949", "johab",
)  # fmt: skip
_SHIFTED = re.compile(rb"\x1b\$[@B]")  # begins Japanese text in ISO-2022-JP
_SIGN_IN_WORD = re.compile(
    r"(?<=[^\W\d_])[\u00a1-\u00a9\u00ab-\u00b4\u00b6\u00b8\u00b9\u00bb-\u00bf\ufffd](?=[^\W\d_])"
)
_SIGN_AT_WORD = re.compile(r"(?<=[^\W\d_])[±¶·¸¦¬Ľľ\ufffd]|[±¶¸¦Ľľ\ufffd](?=[^\W\d_])|[\x80-\x9f]")
# Characters in or after a word that Windows-1252 gives for small letters and apostrophes of a Macintosh or DOS.
_CAPITAL_IN_WORD = re.compile(
    r"(?<=[a-z])(?:[À-ÖØ-ÞŽŠŸŒ](?![A-Z])|[\x80-\x9f‚„†‡ˆ‰‹›•˜¡-©«-´¶¸¹»-¿\ufffd](?=[a-z]))|(?<=[a-z])[‚ˆ](?=\s)"
)
_DRAWN = re.compile("[\u2500-\u259f\ufffd]")  # the lines and boxes of DOS
_TURKISH, _ICELANDIC = re.compile("(?<=[a-zçöü])[ýþð]|[ýþð](?=[a-zçöü])"), re.compile("[áéíóúæ]")
FEWEST_IN_WORDS = 2
_CZECH = re.compile("[řůěťďň]")
_IMPROBABLE = re.compile("[\uff61-\uff9f\u3130-\u318f]")  # forms of Japanese and Korean letters that are rare in texts
_LATER = "[\u00a0-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]"  # Windows-1252 for bytes from 0x80 to 0xBF
_GARBLED, _SURELY_GARBLED = re.compile(f"[ÂÃÄÅÐÑ]{_LATER}|[àáâãä]{_LATER}{{2}}"), re.compile(f"[ÂÃ]{_LATER}|â€{_LATER}")
_SEVERAL_BYTES = re.compile(rb"[\xc2-\xf4][\x80-\xbf]{1,3}")
_MULTIBYTE = ("gb18030", "gbk", "big5", "euc_jp", "cp949", "cp932", "iso2022_jp")


class Decoded(NamedTuple):
    """A decoded text. remark: a note on its encoding."""

    text: str
    lines: int = 0
    odd: int = 0  # lines that are not UTF-8
    broken: int = 0  # odd lines that are not Windows-1252 either; � replaces their unreadable characters
    remark: str = ""

    def note(self) -> str:
        """A note on problems in decoding, without a full stop; empty if there were none."""
        if not self.odd:
            return self.remark
        single = self.odd == 1
        lines, read = f"{self.odd:,} of its {self.lines:,} lines", "read as Windows-1252; look at"
        note = f"is not UTF-8 and was {read} its accents" if single else f"are not UTF-8 and were {read} their accents"
        broken = f" in {self.broken:,} of them that {'is' if self.broken == 1 else 'are'} neither"
        unknown = ", since it is neither" if single else broken
        return f"{lines} {note}" + (f", and for �{unknown}" if self.broken else "")


class Candidate(NamedTuple):
    """An encoding to try. declarer: who declares it; empty if only the bytes do. codec: Python's name for it."""

    declarer: str
    label: str
    codec: str


def declared_charset(content: bytes) -> str:
    """The encoding that an HTML or XML file declares; empty if it declares none."""
    found = _DECLARED.search(without_parts(content[:READ_FOR_NAME]))
    return found[1].decode("ascii", "replace") if found else ""


def decode(content: bytes, header: str = "", declared: str = "") -> Decoded:
    """The text of a file. header, declared: the encodings that the server and the file declare.

    The byte order mark takes precedence, then the server's, then the file's, unless the bytes prove another encoding.
    Without any of them, see `guessed`. Raises CorpusError if the file is not a text.
    """
    if wrong := other_type(content):
        raise CorpusError(wrong)
    marked = [name for mark, name in _BYTE_ORDER_MARKS if content.startswith(mark)][:1]
    utf16 = "utf-16" if "utf-16" in marked else unmarked_utf16(content, 0)
    by_mark = [Candidate("its byte order mark", name.removesuffix("-sig").upper(), name) for name in marked]
    declarations = [_candidate("the server", header, utf16), *by_mark, _candidate("the file", declared)]
    proved = unmarked_utf16(content)
    candidates = [candidate for candidate in declarations if candidate is not None]
    is_ascii = content.isascii() and not proved and not any(candidate.codec in _MULTIBYTE for candidate in candidates)
    unmarked = [Candidate("", "UTF-16", proved)] if proved and not marked else []
    tried = [] if is_ascii else [*unmarked, *_order(content, candidates)]
    is_shifted = not candidates and _SHIFTED.search(content) is not None
    for candidate in () if is_shifted else (*tried, Candidate("", "UTF-8", "utf-8-sig")):
        if (text := _strict(content, candidate.codec)) is not None:
            remark = _disagreement(candidates, candidate) if tried else ""
            return _text_only(Decoded(text, remark=remark))
    return _text_only(_detected(content, marked))


def unmarked_utf16(content: bytes, fewest: float = FEWEST_SMALL) -> str:
    """The UTF-16 codec, if zeros in one half of each pair of bytes prove its order; else empty. fewest: see FEWEST_SMALL."""
    halves = content[:READ_TO_DETECT:2], content[1:READ_TO_DETECT:2]
    zeros, others = sorted(halves, key=lambda half: -half.count(0))
    if zeros.count(0) <= 10 * others.count(0):  # most files have no zeros at all
        return ""
    small_in_zeros, small_in_others = (sum(byte < 32 for byte in half) for half in (zeros, others))
    if small_in_zeros < fewest * len(zeros) or small_in_others > len(others) / 2:
        return ""
    return "utf-16-be" if zeros is halves[0] else "utf-16-le"


def _candidate(declarer: str, label: str, utf16: str = "") -> Candidate | None:
    import webencodings  # type: ignore[import-untyped]

    encoding = webencodings.lookup(label.strip()) if label.isascii() else None
    if encoding is None or encoding.name in ("replacement", "x-user-defined"):
        return None
    # A declaration that is readable as ASCII cannot be UTF-16; the newest Chinese encoding reads the older ones too.
    codec = "gb18030" if encoding.name == "gbk" else encoding.codec_info.name
    if encoding.name.startswith("utf-16"):
        codec = "utf-8" if declarer == "the file" else utf16 or codec
    return Candidate(declarer, label.strip(), "utf-8-sig" if codec == "utf-8" else codec)


def _order(content: bytes, declared: Sequence[Candidate]) -> list[Candidate]:
    """The encodings to try, first the one that the bytes prove, because no text is valid UTF-8 by chance."""
    by_mark = [candidate for candidate in declared if candidate.declarer == "its byte order mark"]
    rivals = [candidate for candidate in declared if candidate.codec in _MULTIBYTE]
    enough = len(_SEVERAL_BYTES.findall(content)) >= FEWEST_CHARACTERS
    is_utf8 = _strict(content, "utf-8-sig") is not None and not content.isascii() and (enough or not rivals)
    return [*by_mark, *([Candidate("", "UTF-8", "utf-8-sig")] if is_utf8 else []), *declared]


def _strict(content: bytes, codec: str) -> str | None:
    """The decoded text; None if it is not in this encoding."""
    try:
        return content.decode(codec)
    except (UnicodeError, LookupError):
        pass
    if codec in ("utf-8-sig", "utf-16", "utf-32"):
        return None
    text = content.decode(codec, "replace")
    return text if text.count("\ufffd") <= MOST_DAMAGED * len(text) else None


def _disagreement(declared: Sequence[Candidate], used: Candidate) -> str:
    """A note if the declared encodings differ from each other or from the one used; else empty."""
    others = [candidate for candidate in declared if candidate.codec != used.codec]
    if not others:
        return ""
    statements = " and ".join(f"{each.declarer} says that its encoding is {each.label}" for each in declared)
    return f"{statements}; it was read as {used.label}; look at its accents"


def _detected(content: bytes, marked: Sequence[str]) -> Decoded:
    found = guessed(content) if marked in ([], ["utf-8-sig"]) else decode_lines(content)
    if found.remark:
        return found
    if marked not in ([], ["utf-8-sig"]) or found.broken > found.lines / MOST_UNKNOWN_LINES:
        raise CorpusError(f"it is not {' or '.join(marked) or 'UTF-8 or Windows-1252'} text; save it as UTF-8")
    return found


def decode_lines(content: bytes) -> Decoded:
    """The text, decoded line by line, so that a line that some program appended in another encoding affects no other."""
    try:
        return Decoded(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        if error.reason == "unexpected end of data" and error.start > len(content) - LONGEST_CHARACTER:
            cut = content[: error.start].decode("utf-8-sig")
            return Decoded(cut, remark="it ends in the middle of a character, so it may have been cut off")
    lines: list[str] = []
    odd = broken = 0
    for line in content.removeprefix(codecs.BOM_UTF8).split(b"\n"):
        try:
            lines.append(line.decode("utf-8"))
        except UnicodeDecodeError:
            lines.append(line.decode("cp1252", "replace"))
            odd, broken = odd + 1, broken + ("\ufffd" in lines[-1])
    return Decoded("\n".join(lines), len(lines) - (not lines[-1]), odd, broken)  # a last line break begins no line


def guessed(content: bytes) -> Decoded:
    """A text with no declared encoding: as UTF-8; as another encoding, with a remark, if it plainly is; else by lines."""
    if _SHIFTED.search(content) and content.isascii() and (text := _strict(content, "iso2022_jp")) is not None:
        return _as_detected(text, "iso2022_jp")
    found = decode_lines(content)
    accented = sum(not line.isascii() for line in content.removeprefix(codecs.BOM_UTF8).split(b"\n"))
    if not found.odd or found.odd < accented:  # some lines are UTF-8: no single other encoding explains the file
        return found
    return _western(content, found) or _european(content, found) or _foreign(content, found) or found


def _western(content: bytes, found: Decoded) -> Decoded | None:
    """The text of an old Macintosh or DOS, or in Turkish: Windows-1252 would give capitals and signs at ends of words."""
    start = found.text[:READ_TO_DETECT]
    if len(_TURKISH.findall(start)) >= FEWEST_SIGNS and not _ICELANDIC.search(start):
        return _as_detected(content.decode("cp1254", "replace"), "cp1254")
    misread = len(_CAPITAL_IN_WORD.findall(start))
    if misread < FEWEST_IN_WORDS or 3 * misread < sum(char > "\x7f" for char in start):
        return None
    for codec in ("mac_roman", "cp850"):
        text = content.decode(codec, "replace")
        if not _CAPITAL_IN_WORD.search(text[:READ_TO_DETECT]) and not _DRAWN.search(text[:READ_TO_DETECT]):
            return _as_detected(text, codec)
    return None


def _european(content: bytes, found: Decoded) -> Decoded | None:
    """The text if it is in a language of Central Europe: as Windows-1252, it would have signs in the middle of words."""
    misread = len(_SIGN_IN_WORD.findall(found.text[:READ_TO_DETECT]))
    if misread < FEWEST_SIGNS and not found.broken:
        return None
    texts = [(text, codec) for codec in ("cp1250", "iso8859_2") if (text := _strict(content, codec)) is not None]
    counted = [(len(_SIGN_AT_WORD.findall(text[:READ_TO_DETECT])), text, codec) for text, codec in texts]
    signs, text, codec = min(counted, key=lambda candidate: candidate[0], default=(misread, "", ""))
    start = text[:READ_TO_DETECT]
    known = misread >= FEWEST_SIGNS or len(_CZECH.findall(start)) >= FEWEST_SIGNS
    is_latin = sum(char > "\x7f" for char in start) < FOREIGN * len(start)
    return _as_detected(text, codec) if known and is_latin and signs * 10 <= misread else None


def _foreign(content: bytes, found: Decoded) -> Decoded | None:
    """The text in an alphabet that Windows-1252 lacks, by charset-normalizer; None if Windows-1252 may be right."""
    letters = [char for char in found.text[:READ_TO_DETECT] if char.isalpha() or char > "\x7f"]
    foreign = [char for char in letters if char > "\x7f"]
    if len(foreign) < max(FEWEST_FOREIGN, FOREIGN * len(letters)) or len(set(foreign)) < FEWEST_DIFFERENT:
        return None
    from charset_normalizer import from_bytes

    for match in from_bytes(content[:READ_TO_DETECT], cp_isolation=list(_ALPHABETS)):
        text = _strict(content, match.encoding)
        if text is not None and len(_IMPROBABLE.findall(text)) < FOREIGN * len(text) / 2:
            return _as_detected(text, match.encoding)
    return None


def _as_detected(text: str, codec: str) -> Decoded:
    return Decoded(text, remark=f"nothing names its encoding; it was read as {codec}, which it resembles most")


def _text_only(found: Decoded) -> Decoded:
    """The text, with parts that were once decoded wrongly repaired. Raises CorpusError if it is binary data."""
    if len(re.findall(r"[\x00-\x08\x0e-\x1f\x7f]", found.text[:100_000])) > len(found.text[:100_000]) / 10:
        raise CorpusError("it holds binary data, not text; save it as text in UTF-8")
    if len(_SURELY_GARBLED.findall(found.text)) < FEWEST_IN_WORDS:
        return found
    repaired = "it had been garbled, as UTF-8 read as Windows-1252, and was put right"
    remark = "; ".join(filter(None, (found.remark, repaired)))
    return found._replace(text=_GARBLED.sub(_ungarbled, found.text), remark=remark)


def _ungarbled(match: re.Match[str]) -> str:
    """ "é" for "Ã©"; unchanged if the result is not valid UTF-8."""
    try:
        return match[0].encode("cp1252").decode()
    except UnicodeError:
        return match[0]


def without_parts(page: bytes, opening: bytes = b"<!--", closing: bytes = b"-->") -> bytes:
    """A page without its comments, or other parts between two tags."""
    first, *others = page.split(opening)
    return first + b"".join(other.partition(closing)[2] for other in others)
