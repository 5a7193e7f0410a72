"""Tells texts from claims, stores them, and finds them again."""

from __future__ import annotations

from collections.abc import Sequence

from flask import request

from app.accounts.service import find_row
from app.http.problems import Problem
from app.http.security import person
from app.http.services import services
from app.jobs.readers.documents import safe_name
from app.jobs.readers.texts import FILE_TYPES
from app.tables.texts import StoredText
from retrieval.errors import ClaimError
from retrieval.output.tables.reading import TYPES as TABLE_TYPES
from retrieval.text.addresses import web_address
from retrieval.text.languages import ENGLISH
from retrieval.text.sentences import sentence_spans

FEWEST_WORDS = 3  # in a sentence, for an input to count as a text of several sentences
WEB_IS_OFF = (
    "This is an address, and reading the open web is switched off here (WEB is off), so the page was not fetched. Paste "
    "its text instead, or ask whoever runs this server to set WEB (`pages` is enough)."
)


def is_text(typed: str) -> bool:
    """Whether the input is a text, not a claim: it is longer than a claim may be, or has several sentences."""
    if len(typed.strip()) > services().settings.claim_length:
        return True
    spans = sentence_spans(typed)
    return sum(len(typed[start:end].split()) >= FEWEST_WORDS for start, end in spans) > 1


def looks_like_several(claim: str) -> bool:
    """Whether a claim has several sentences, however short."""
    return len(sentence_spans(claim)) > 1


def sentence_rules() -> dict[str, str]:
    """The patterns by which `sentence_spans` ends sentences, in the syntax of JavaScript."""
    names = ("before_name", "before_number", "perhaps", "begins")
    return {name: getattr(ENGLISH, name).replace(r"[^\W\d_]", r"\p{L}") for name in names}


def take_text(text: str, title: str = "") -> str:
    """Store a text and start finding its claims; returns its id. Raises ClaimError and what `TextReader.take` raises."""
    if not any(map(str.isalpha, text)):
        raise ClaimError("There is no text. Paste one, or choose a file.")
    services().rate.take(person())
    return services().text_reader.take(text, " ".join(title.split()), person())


def take_text_file() -> str:
    """As `take_text`, with the file of this request."""
    kinds = f"neither a text ({' '.join(FILE_TYPES)}) nor a table ({' '.join(TABLE_TYPES)})"
    name, content = sent_file(FILE_TYPES, kinds, "text")
    if not content.strip():
        raise Problem(422, f"“{name}” is empty. Choose another file.")
    return services().text_reader.take("", request.form.get("title", ""), person(), name, content)


def sent_file(types: Sequence[str], kinds: str, instead: str) -> tuple[str, bytes]:
    """Name and content of the file in this request, which counts towards the rate limit. Raises Problem.

    kinds: completes "FILE is …" for a file of another type. instead: what to paste if uploads are turned off.
    """
    sent = request.files.get("file") or next(iter(request.files.values()), None)
    if sent is None or not sent.filename:
        raise Problem(422, f"No file was chosen. Choose one of the types {' '.join(types)}.")
    name = safe_name(sent.filename)
    if not name.lower().endswith(tuple(types)):
        raise Problem(422, f"“{name}” is {kinds}. Save it as one of them.")
    if not services().settings.upload_megabytes:
        raise Problem(403, f"Uploads are turned off. Paste the {instead} instead, or set UPLOAD_MEGABYTES.")
    services().rate.take(person())
    return name, sent.stream.read()


def address_in(typed: str) -> str:
    """The web address, if the input is one and nothing else; otherwise empty."""
    return web_address(typed.strip()) if len(typed.split()) == 1 else ""


def take_address(address: str, title: str = "") -> str:
    """Fetch a web page and start finding its claims; returns the text's id. Raises Problem 403 if the web is switched off,
    and what `TextReader.take` raises.
    """
    if not services().settings.fetches_pages:
        raise Problem(403, WEB_IS_OFF)
    services().rate.take(person())
    return services().text_reader.take("", " ".join(title.split()), person(), source=address)


def find_text(text_id: str, wait: float = 0) -> StoredText:
    """The text with this id. Raises Problem 404 if the viewer may not see it. wait: seconds to wait for its claims."""
    missing = "There is no text with this id; it may have been deleted. Paste it again on the home page."
    return find_row(lambda name: services().text_reader.get(name, wait), text_id, missing)
