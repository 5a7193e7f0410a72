"""Removes signs of posts on social networks: "RT @name:", hashtags, pictographs, mentions that only address people."""

from __future__ import annotations

import re
from collections.abc import Iterator

from retrieval.text.grammar import SAYS

_START = r"(?:(?<=\n)|\A)[ \t]*"
_NAME = r"@\w(?:[\w.-]{0,60}\w)?(?:@[\w.-]{1,60}\w)?"
_MENTION = rf"{_NAME}(?!\w)"
_PICTURES = r"[\u2600-\u27bf\u2b50\U0001f000-\U0001faff]{1,30}"
_TAG = r"[#＃](?=\w{0,99}[^\W\d_])\w{1,100}"
_ANNOUNCING = r"(?:[#＃](?:breaking|breakingnews|news|justin|fact|facts|factcheck|didyouknow|dyk|til|thread|update|urgent|alert|watch)\b:?)"
_SHORTENED = r"(?:https?://)?(?:t\.co|pic\.(?:twitter|x)\.com)/\w{1,40}"
_POST = re.compile(
    rf"(?P<before>{_START}(?:(?:(?:RT|MT|QT)[ \t]{{1,3}})?\.?{_NAME}:?[ \t]{{1,3}}|(?i:{_ANNOUNCING})[ \t]{{1,3}}|(?:{_TAG}[ \t]{{1,3}}){{2,20}}|{_PICTURES}[ \t]{{0,3}}|\(?\d{{1,2}}/(?:\d{{1,2}}|[nN])?\)?[ \t]{{1,3}}){{1,20}}"
    rf"(?=[\"“'‘«(#]?[^\W_a-z]))"
    rf"|(?P<others>(?:(?<=\s)|\A)(?:{_NAME}[ \t]{{1,3}}){{1,20}}(?={_NAME}[ \t]{{1,3}}(?:{SAYS}|posted|thinks)\b))"
    rf"|(?P<part>(?<=[.!?…])[ \t]{{1,3}}\(?\d{{1,2}}/\d{{1,2}}\)?[ \t]*(?=\n|\Z))"
    r"|(?P<edited>[ \t]{1,3}\(edited\)[ \t]*(?=\n|\Z))"
    rf"|(?P<dot>{_START}\.(?=@\w))"
    rf"|(?P<again>(?<=\s)RT[ \t]+{_NAME}:[ \t]*)"
    rf"|(?P<behind>(?:[ \t]{{1,3}}(?:{_TAG}|{_SHORTENED})){{2,30}}[ \t]*(?=\n|\Z)|[ \t]{{1,3}}{_SHORTENED}|"
    rf"(?<=[.!?…\"”’»)])(?:[ \t]{{1,3}}{_TAG}){{1,30}}[ \t]*(?=\n|\Z))"
    rf"|(?P<last>(?<!\b(?i:in))(?<!\b(?i:is|of|at|on|by|to|an|as))(?<!\b(?i:the|and|for|was|are|has))(?<!\b(?i:from|with|were|near|have))"
    rf"[ \t]{{1,3}}{_TAG}[ \t]*(?=\n|\Z))"
    rf"|(?P<via>[ \t]{{1,3}}\((?i:via|h/t|cc) {_NAME}\))"
    rf"|(?P<called>(?:(?<=[.!?…\"”’»)])(?:[ \t]{{1,3}}{_MENTION}){{1,20}}[ \t]*(?=\n|\Z|[ \t][A-Z\"“‘(\d])|[ \t]{{1,3}}(?i:via|cc|h/t):?[ \t]{_NAME}"
    rf"(?:[ \t]{{1,3}}{_NAME}){{0,20}}[ \t]*(?=\n|\Z)|(?:[ \t]{{1,3}}{_NAME}){{2,20}}(?:,(?=[ \t])|[ \t]*(?=[.!?,]?(?:\n|\Z)|[.!?,]|[ \t](?:[A-Z\"“‘]|(?:the|an?|this|it|there|in)\b)))))"
    rf"|(?<![\w&/#])(?P<tag>{_TAG})"
    rf"|(?P<pictures>[ \t]?{_PICTURES})"
)
# Lines that a network adds to posts: "Posted by u/ann 5 years ago", "ann · 5 yr. ago", "2.3k upvotes".
_AGO = r"\d{1,2} ?(?:s|sec|m|min|h|hr|d|mo|w|wk|y|yr|seconds?|minutes?|hours?|days?|weeks?|months?|years?)\.?"
_ADDED = re.compile(
    rf"{_START}(?:Posted by u/[^\n]{{1,60}}|[^\s·][^\n·]{{0,60}} ?· ?{_AGO} ago|[^\s·][^\n·@]{{0,50}}{_NAME} ?· ?{_AGO}|"
    rf"\[(?:deleted|removed)\](?: ?· ?{_AGO}(?: ago)?)?|Replying to(?: {_NAME}){{1,5}}|"
    r"Liked by [^\n]{1,60}|View all [\d,.]+ comments|"
    r"[\d.,]{1,7} ?[kKmM]? (?i:upvotes?|points?|comments?|likes?|retweets?|reposts?|repl(?:y|ies)|views?|shares?|quotes?|bookmarks?))[ \t]*(?=\n|\Z)"
)
_LEARNED = re.compile(rf"{_START}(?:TIL(?:[:,]|[ \t]that\b|[ \t]{{1,3}}(?=[A-Z\d\"“]))|(?:PSA|LPT):)[ \t]{{0,3}}(?=\S)")
_PART = re.compile(
    r"[ \t]{1,3}\(?(?P<number>\d{1,2})/(?P<of>\d{1,2})\)?[ \t]*(?=\n|\Z)"
)  # without a full stop before it
FEWEST_PARTS = 2
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_")


def post_cuts(text: str) -> Iterator[tuple[int, int, str]]:
    """The cuts, in text order. A hashtag inside a sentence becomes its words: "#EiffelTower" is read as "Eiffel Tower"."""
    cuts = [(*match.span(), "") for pattern in (_ADDED, _LEARNED) for match in pattern.finditer(text)]
    cuts += [(*match.span(), "") for match in _parts(text)]
    for match in _POST.finditer(text):
        if not match["tag"]:
            cuts.append((*match.span(), ""))
            continue
        start, end = match.span("tag")
        cuts.append((start, start + 1, ""))
        for hump in _HUMP.finditer(text, start + 2, end):
            place = hump.start()
            cuts.append((place, place + 1, " " if hump[0] else f" {text[place]}"))
    yield from sorted(cuts)


def _parts(text: str) -> list[re.Match[str]]:
    """The numbers of a thread's posts at the ends of lines, if they count to the same number: "1/3", "2/3"."""
    found = [match for match in _PART.finditer(text) if int(match["number"]) <= int(match["of"])]
    numbers = [int(match["number"]) for match in found]
    counts = len({match["of"] for match in found}) == 1 and numbers == list(
        range(numbers[0], numbers[0] + len(numbers))
    )
    return found if counts and len(found) >= FEWEST_PARTS else []
