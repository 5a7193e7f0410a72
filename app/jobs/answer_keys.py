"""By what an earlier answer is found again: claim, recipe, corpus, models, and the settings that decide."""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Mapping

from app.jobs.checks import StoredCheck
from retrieval.settings import Settings, deciding


def cache_key(claim: str, recipe: str, fingerprint: str, models: Mapping[str, str], settings: Settings) -> str:
    """The same for checks that must have the same answer."""
    text = " ".join(unicodedata.normalize("NFC", claim).split())
    choices = {name: str(getattr(settings, name)) for name in deciding(recipe)}
    parts = json.dumps([text, recipe, fingerprint, sorted(models.items()), choices])
    return hashlib.sha256(parts.encode()).hexdigest()


def key_of(row: StoredCheck, settings: Settings) -> str | None:
    """The key of a check by what it really used."""
    check = row.complete
    if check.corpus is None:
        return None
    return cache_key(row.claim, row.recipe, check.corpus.fingerprint, check.models, settings)
