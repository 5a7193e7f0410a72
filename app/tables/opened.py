"""The tables that web processes and workers use, opened together."""

from __future__ import annotations

from dataclasses import dataclass

import sqlalchemy as sa

from app.tables.checks import Checks
from app.tables.claim_tables import ClaimTables
from app.tables.collections import Collections
from app.tables.decisions import Decisions
from app.tables.deletions import Deletions
from app.tables.documents import Documents
from app.tables.reports import Reports
from app.tables.texts import Texts


@dataclass(frozen=True)
class Tables:
    """The tables of one database."""

    engine: sa.Engine
    checks: Checks
    decisions: Decisions
    reports: Reports
    collections: Collections
    texts: Texts
    claim_tables: ClaimTables
    documents: Documents
    deletions: Deletions


def open_tables(engine: sa.Engine) -> Tables:
    """Open all of them over one engine."""
    return Tables(
        engine=engine,
        checks=Checks(engine),
        decisions=Decisions(engine),
        reports=Reports(engine),
        collections=Collections(engine),
        texts=Texts(engine),
        claim_tables=ClaimTables(engine),
        documents=Documents(engine),
        deletions=Deletions(engine),
    )
