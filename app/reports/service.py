"""Reads and validates requests: texts to read, reports to start, decisions."""

from __future__ import annotations

from collections.abc import Sequence

from flask import g, request

from app.accounts.service import viewer
from app.checks.api import read_against
from app.http.problems import Problem
from app.http.security import person
from app.http.services import refuse_hidden, refuse_others, services
from app.jobs.readers.documents import safe_name
from app.jobs.readers.texts import FILE_TYPES, LONGEST_TITLE, too_long
from app.reports.forms import NewReport, NewReportClaim
from app.tables.database import made_storable, storable
from app.tables.decisions import LONGEST_NAME, LONGEST_NOTE, Decision
from app.tables.ownership import may_see
from app.tables.reports import MOST_CLAIMS, NewClaim, StoredReport
from app.tables.stored_check import DONE, FAILED, StoredCheck
from app.tables.texts import StoredText
from retrieval.errors import ClaimError
from retrieval.output.record import Json
from retrieval.text.addresses import web_address
from retrieval.text.claims import read_claim
from retrieval.text.extraction.finder import LONGEST_TEXT
from retrieval.text.languages import ENGLISH
from retrieval.text.sentences import sentence_spans
from retrieval.types import Label

FEWEST_WORDS = 3  # of what counts as a sentence beside another one
CLAIM = ("text", "original", "start", "end", "speaker", "context")
WEB_IS_OFF = (
    "This is an address, and reading the open web is switched off here (WEB is off), so the page was not fetched. Paste "
    "its text instead, or have whoever runs this server set WEB (`pages` is enough)."
)
EXAMPLE = 'Send {"claims": [{"text": "One sentence to be checked."}]}.'


def is_text(typed: str) -> bool:
    """Whether the input is a text rather than a claim: longer than a claim may be, or several sentences."""
    if len(typed.strip()) > services().settings.claim_length:
        return True
    spans = sentence_spans(typed)
    return sum(len(typed[start:end].split()) >= FEWEST_WORDS for start, end in spans) > 1


def looks_like_several(claim: str) -> bool:
    """Whether a claim has several sentences, however short."""
    return len(sentence_spans(claim)) > 1


def sentence_rules() -> dict[str, str]:
    """The patterns by which `sentence_spans` parts sentences, as scripts write them."""
    names = ("before_name", "before_number", "perhaps", "begins")
    return {name: getattr(ENGLISH, name).replace(r"[^\W\d_]", r"\p{L}") for name in names}


def take_text(text: str, title: str = "") -> str:
    """Keep a text and start finding its claims; returns its id. Raises ClaimError and what `TextReader.take` raises."""
    if not any(map(str.isalpha, text)):
        raise ClaimError("There is no text. Paste one, or choose a file.")
    own = services()
    own.rate.take(person())
    return own.text_reader.take(text, " ".join(title.split()), person())


def take_text_file() -> str:
    """As `take_text`, with the file of this request."""
    own = services()
    sent = request.files.get("file") or next(iter(request.files.values()), None)
    if sent is None or not sent.filename:
        raise Problem(422, f"No file was chosen. Choose one of the types {' '.join(FILE_TYPES)}.")
    name = safe_name(sent.filename)
    if not name.lower().endswith(FILE_TYPES):
        raise Problem(422, f"“{name}” is not one of the types {' '.join(FILE_TYPES)}. Save it as one of them.")
    if not own.settings.upload_megabytes:
        raise Problem(403, "Uploads are turned off. Paste the text instead, or set UPLOAD_MEGABYTES.")
    own.rate.take(person())
    content = sent.stream.read()
    if not content.strip():
        raise Problem(422, f"“{name}” is empty. Choose another file.")
    return own.text_reader.take("", request.form.get("title", ""), person(), name, content)


def address_in(typed: str) -> str:
    """The web address that the input consists of; empty if it is anything else."""
    return web_address(typed.strip()) if len(typed.split()) == 1 else ""


def take_address(address: str, title: str = "") -> str:
    """Fetch the page at an address of the web and start finding its claims; returns the text's id. Raises Problem 403
    if the web is switched off, and what `TextReader.take` raises.
    """
    own = services()
    if not own.settings.fetches_pages:
        raise Problem(403, WEB_IS_OFF)
    own.rate.take(person())
    return own.text_reader.take("", " ".join(title.split()), person(), source=address)


def find_text(text_id: str, wait: float = 0) -> StoredText:
    """The text with this id; waits while it is being read, up to a number of seconds. Raises Problem 404, also for
    others than its owner."""
    if storable(text_id) and (found := services().text_reader.get(text_id, wait)) and may_see(found, viewer()):
        return found
    raise Problem(404, "There is no text with this id; it may have been deleted. Paste it again on the home page.")


def find_report(report_id: str, to_change: bool = False) -> StoredReport:
    """The report with this id. Raises Problem 404 if missing or not visible to the user, 403 if they may not change
    it."""
    found = services().jobs.reports.reports.get(report_id) if storable(report_id) else None
    if found and may_see(found, viewer()):
        if to_change:
            refuse_others(found)
        return found
    raise Problem(404, "There is no report with this id; it may have been deleted. Look for it in the list of reports.")


def start_report(asked: NewReport) -> str:
    """Start the requested report; returns its id. Raises Problem and what `ReportRuns.start` raises."""
    own = services()
    content, title, given, origin = asked.text or "", asked.title or "", asked.claims, None
    if asked.text_id:
        text = find_text(asked.text_id)
        content, title, origin = "" if text.is_table else text.content, title or text.title, text.origin
        if given is None:
            given = [
                NewReportClaim(**{name: claim[name] for name in CLAIM}) for claim in text.sentences if claim["chosen"]
            ]
    if given is None:
        raise Problem(422, f"The claims are missing. {EXAMPLE}")
    if len(content) > LONGEST_TEXT:
        raise too_long(len(content))
    if not storable(content):
        raise Problem(422, "The text contains a character that cannot be kept. Remove it.")
    if len(given) > MOST_CLAIMS:
        raise Problem(
            422, f"A report holds at most {MOST_CLAIMS:,} claims, and you sent {len(given):,}. Send several reports."
        )
    found = [_read_claim(claim, content, number) for number, claim in enumerate(given, start=1)]
    own.rate.take(person())
    title = report_title(title, content, found)
    recipe = asked.recipe or own.settings.recipe
    return begin_report(title, content, found, recipe, read_against(asked.against), origin, asked.shared)


def begin_report(
    title: str,
    content: str,
    found: Sequence[NewClaim],
    recipe: str,
    against: str,
    origin: Json | None = None,
    shared: bool = False,
) -> str:
    """Start a report for the sender of this request; returns its id. Raises NothingToRead and what `ReportRuns.start`
    raises; see there for the rest."""
    refuse_hidden(against)
    whose = (person(), viewer())
    g.about = services().jobs.reports.start(title, content, found, recipe, against, *whose, origin, shared)
    return str(g.about)


def _read_claim(given: str | NewReportClaim, content: str, number: int) -> NewClaim:
    """A claim as sent. One that cannot be checked keeps its place and an error. Raises Problem 422 if its offsets are
    outside the text.
    """
    claim = NewReportClaim(text=given) if isinstance(given, str) else given
    start, end = _place(claim, content, number)
    original = claim.original or (content[start:end] if start is not None else claim.text)
    return new_claim(claim.text, original, start, end, claim.speaker or "", claim.context or "")


def new_claim(
    text: str, original: str, start: int | None, end: int | None, speaker: str, context: str = ""
) -> NewClaim:
    """The claim in a form that can be checked and stored."""
    longest = services().settings.claim_length
    places = (start, end, plain(speaker, LONGEST_NAME), plain(context, 4 * longest))
    try:
        return NewClaim(read_claim(text, longest), plain(original, 4 * longest), *places)
    except ClaimError as error:
        return NewClaim(plain(text, 4 * longest), plain(original, 4 * longest), *places, error=str(error))


def plain(text: str, longest: int) -> str:
    """Text that every database accepts, no longer than this."""
    return made_storable(text)[:longest]


def report_title(given: str, content: str, found: Sequence[NewClaim]) -> str:
    """A report's title: as given, else its text's first line, else its first claim."""
    lines = (line.strip(" #*") for line in content.splitlines())
    first = next((line for line in lines if line), "") or (found[0].text if found else "")
    return plain(" ".join((given.strip() or first).split()), LONGEST_TITLE)


def can_be_decided(check: StoredCheck) -> bool:
    """Whether a person can decide about it: where it has ended, also if the machine could not."""
    return check.state in (DONE, FAILED)


def decide(check: StoredCheck, label: str, note: str, author: str, seen: int | None) -> Decision:
    """Store a person's decision about a check that has ended, well or not, signed with their account's name if there are
    accounts.

    Raises Problem 409 if it has not ended, 422, and DecidedMeanwhile.
    """
    if not can_be_decided(check):
        raise Problem(
            409,
            f"This check is {check.state}, and only one that is done or has failed can be decided. Wait for its end, or "
            "check the claim again.",
        )
    if account := viewer():
        author = account.name
    if label and label not in [str(known) for known in Label]:
        raise Problem(422, f"{label[:40]!r} is not a verdict. Choose one of: {', '.join(map(str, Label))}.")
    author, note = " ".join(author.split()), note.strip()
    if not author:
        raise Problem(422, "Your name is missing. A decision is signed with a name.")
    if len(author) > LONGEST_NAME or len(note) > LONGEST_NOTE:
        raise Problem(
            422, f"A name has at most {LONGEST_NAME} characters, a note at most {LONGEST_NOTE:,}. Shorten it."
        )
    if not (storable(author) and storable(note)):
        raise Problem(422, "The name or the note contains a character that cannot be kept. Type it again.")
    own = services()
    if not label and not own.decisions.of_check(check.id):
        raise Problem(422, "Nobody has decided yet, so there is nothing to take back. Choose a verdict.")
    return own.decisions.add(check.id, Label(label) if label else None, note, author, person(), seen)


def _place(claim: NewReportClaim, content: str, number: int) -> tuple[int | None, int | None]:
    """The span of its sentence in the text, if known."""
    start, end, said = claim.start, claim.end, claim.original or claim.text
    if not content:
        return None, None
    if start is None and end is None:
        at = content.find(said) if said else -1
        return (at, at + len(said)) if at >= 0 else (None, None)
    if start is None or end is None or not 0 <= start < end <= len(content):
        raise Problem(
            422, f"Claim {number} does not stand in the text from start to end. Leave both out, or correct them."
        )
    return start, end
