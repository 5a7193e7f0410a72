"""Decodes texts without a declared encoding as UTF-8, and lines that are not UTF-8 as Windows-1252; see also
`charsets`.
"""

from __future__ import annotations

from typing import NamedTuple

LONGEST_CHARACTER = 4  # bytes in UTF-8


class Decoded(NamedTuple):
    """A decoded text. odd: how many of its `lines` are not UTF-8. broken: how many of these are not Windows-1252
    either, so that � replaces their unreadable characters. remark: a further note.
    """

    text: str
    lines: int = 0
    odd: int = 0
    broken: int = 0
    remark: str = ""

    def note(self) -> str:
        """A note on problems in decoding, without a full stop; empty if there were none."""
        if not self.odd:
            return self.remark
        if self.odd == 1:
            beginning = f"1 of its {self.lines:,} lines is not UTF-8 and was read as Windows-1252; look at its accents"
            return f"{beginning}, and for �, since it is neither" if self.broken else beginning
        beginning = f"{self.odd:,} of its {self.lines:,} lines are not UTF-8 and were read as Windows-1252; look at their accents"
        if not self.broken:
            return beginning
        return f"{beginning}, and for � in {self.broken:,} of them that {'is' if self.broken == 1 else 'are'} neither"


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
    for line in content.removeprefix(b"\xef\xbb\xbf").split(b"\n"):
        try:
            lines.append(line.decode("utf-8"))
        except UnicodeDecodeError:
            read = line.decode("cp1252", "replace")
            odd, broken = odd + 1, broken + ("\ufffd" in read)
            lines.append(read)
    return Decoded("\n".join(lines), len(lines) - (not lines[-1]), odd, broken)  # a last line break begins no line
