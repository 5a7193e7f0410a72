"""By what an earlier answer is found again: claim, recipe, corpus, models, and the settings that decide."""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Mapping

from app.jobs.checks import StoredCheck
from retrieval.settings import Settings

# Settings of an answer: another value of one of them asks for a new answer.
DECIDING = (
    *("top_pages", "top_sentences", "top_evidence", "conflicting_from", "abstain_below"),
    *("llm_kind", "llm_url", "llm_seed"),
)  # and those that the recipe names


def cache_key(claim: str, recipe: str, fingerprint: str, models: Mapping[str, str], settings: Settings) -> str:
    """The same for checks that must have the same answer."""
    from retrieval.recipes import RECIPES

    text = " ".join(unicodedata.normalize("NFC", claim).split())
    names = {*DECIDING, *(RECIPES[recipe].settings if recipe in RECIPES else ())}
    choices = {name: str(getattr(settings, name)) for name in sorted(names)}
    parts = json.dumps([text, recipe, fingerprint, sorted(models.items()), choices])
    return hashlib.sha256(parts.encode()).hexdigest()


def key_of(row: StoredCheck, settings: Settings) -> str | None:
    """The key of a check by what it really used."""
    check = row.complete
    if check.corpus is None:
        return None
    return cache_key(row.claim, row.recipe, check.corpus.fingerprint, check.models, settings)
