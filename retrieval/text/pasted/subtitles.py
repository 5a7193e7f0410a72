"""Reads subtitles and transcripts with times (SubRip, WebVTT, SBV, or "0:05" above each line) as running text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from retrieval.text.pasted.inline import Cut

_TIME = r"(?:\d{1,2}:)?\d{1,2}:\d\d"
_CUE = re.compile(
    rf"\s*(?:{_TIME}[.,]\d{{1,3}}\s*(?:-->|,)\s*{_TIME}[.,]\d{{1,3}}(?:\s.{{0,200}})?|(?P<alone>[\[(]?{_TIME}[\])]?\s*))"
)
_HEAD = re.compile(r"(?:\ufeff?WEBVTT|NOTE|STYLE|REGION)(?:\s.*)?")
_TAG = re.compile(
    r"<(?:v(?:\.\w{1,20})?[ \t](?P<who>[^<>\n]{1,60})|/?[a-z][^<>\n]{0,60}|[\d:.]{5,12})>|\{\\[^{}\n]{1,60}\}"
)
_ENDED = re.compile(r"[.!?…:♪\"”»)\]][\"”’»)\]]{0,3}\s*\Z")
_NEW = re.compile(r"\s*(?:[-–—•>]{1,3}\s)?")  # before the words of another speaker
FEWEST_CUES = 2
FEWEST_ENDS = 0.1  # share of lines that end a sentence; with fewer, there is no punctuation, and lines divide the text


def is_subtitles(raw: str) -> bool:
    """Whether the lines of a text have times above them."""
    return sum(_CUE.fullmatch(line) is not None for line in raw.split("\n")) >= FEWEST_CUES


def subtitle_cuts(raw: str) -> list[Cut]:
    """The cuts, in text order, of everything between the spoken lines, and of tags."""
    lines = list(_spoken_lines(raw))
    ended = [_ENDED.search(_TAG.sub("", raw[start:end])) is not None for start, end in lines]
    punctuated = sum(ended) >= FEWEST_ENDS * len(lines)
    timed = any(found and not found["alone"] for found in map(_CUE.fullmatch, raw.split("\n")))
    cuts: list[Cut] = []
    place = 0
    for number, (start, end) in enumerate(lines):
        mark = _NEW.match(raw, start, end)
        first = mark.end() if mark else start
        separate = raw[start:first].strip() or raw[first : first + 1] in "♪" or raw.startswith("<v", first)
        separate = separate or (not timed and raw[first].isupper())  # the text may be a chat
        goes_on = number > 0 and punctuated and not ended[number - 1] and not separate
        cuts += [(place, first, " " if goes_on else "\n" if number else "")] if place < first else []
        tags = _TAG.finditer(raw, first, end)
        cuts += [(*tag.span(), f"{tag['who'].upper()}: " if tag["who"] else "") for tag in tags]
        place = end
    return [*cuts, (place, len(raw), "")] if place < len(raw) else cuts


def spoken(raw: str) -> str:
    """The spoken lines alone."""
    cuts = subtitle_cuts(raw)
    starts = [0, *(end for _, end, _ in cuts)]
    parts = (f"{raw[place:start]}{shown}" for place, (start, _, shown) in zip(starts, cuts, strict=False))
    return "".join(parts) + raw[starts[-1] :]


def _spoken_lines(raw: str) -> Iterator[tuple[int, int]]:
    """The spans of the spoken lines, without times, notes, and numbers and names of cues."""
    place, heading, apart = 0, False, True  # apart: nothing is directly above
    before: tuple[int, int, bool] | None = None
    for line in [*raw.split("\n"), ""]:
        start, end = place, place + len(line.rstrip())
        place += len(line) + 1
        cue = _CUE.fullmatch(line)
        names_cue = cue and not cue["alone"] and before and (before[2] or raw[before[0] : before[1]].strip().isdigit())
        if before and not names_cue:
            yield before[:2]
        before = None
        if cue:
            heading = False
            continue
        blank = not line.strip()
        heading = not blank and (heading or _HEAD.fullmatch(line) is not None)
        if not blank and not heading:
            before = start, end, apart
        apart = blank
