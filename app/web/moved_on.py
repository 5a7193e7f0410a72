"""A finished check beside the corpus and the settings of today: what has changed since, and which quotations with it."""

from __future__ import annotations

from typing import Any

from app.jobs.checks import StoredCheck
from app.jobs.stored_record import deciding_values, key_of
from app.sources.opening import CheckResources
from app.web.origins import WORDS, moved, moved_sentence
from app.web.services import services
from retrieval.errors import StoreError
from retrieval.stores.named import UPLOAD, parts_of
from retrieval.types import CorpusInfo, FactCheck, Page


def since_then(found: StoredCheck) -> dict[str, Any]:
    """What `moved_on.html` shows. outdated: the corpus is another one now. moved: number of a quotation -> what has become
    of it, in words.
    """
    record, read = found.complete, _read_today(found)
    outdated = bool(read and record.corpus and read[1].fingerprint != record.corpus.fingerprint)
    now = _pages_now(read[0], record) if read and outdated else None
    changed = {} if now is None else moved(record, now)
    return {
        "outdated": outdated,
        "moved": {number: WORDS[what] for number, what in changed.items()},
        "moved_sentence": "" if now is None else moved_sentence(changed, len(record.evidence)),
    }


def settings_then(found: StoredCheck) -> dict[str, str]:
    """The settings that decided, if they are known. A check does not keep them, but its report does, and its key tells
    whether they are today's.
    """
    own = services()
    if found.report and (report := own.jobs.reports.reports.get(found.report)):
        return dict(report.made_with.get("settings") or {})
    same = found.cache_key is not None and found.cache_key == key_of(found.complete, own.settings)
    return deciding_values(found.recipe, own.settings) if same else {}


def _read_today(found: StoredCheck) -> tuple[CheckResources, CorpusInfo] | None:
    """What the check read, as it is today; None if that cannot be opened, and for uploaded documents, which never change."""
    parts = parts_of(found.against)
    if parts and all(part.startswith(UPLOAD) for part in parts):
        return None
    try:
        resources = services().jobs.sources.resources(found.against)
        return resources, resources.corpus()
    except StoreError:
        return None


def _pages_now(resources: CheckResources, record: FactCheck) -> dict[str, Page] | None:
    """What today's corpus has of the quoted pages; None if it cannot be asked."""
    try:
        return resources.store().get([evidence.sentence.page_id for evidence in record.evidence])
    except StoreError:
        return None
