"""The tables that web processes and workers use, opened together."""

from __future__ import annotations

import sqlalchemy as sa

from app.tables.checks import Checks
from app.tables.claim_tables import ClaimTables
from app.tables.collections import Collections
from app.tables.decisions import Decisions
from app.tables.deletions import Deletions
from app.tables.documents import Documents
from app.tables.reports import Reports
from app.tables.texts import Texts


class Tables:
    """The tables of one database."""

    def __init__(self, engine: sa.Engine) -> None:
        self.engine = engine
        self.checks = Checks(engine)
        self.decisions = Decisions(engine)
        self.reports = Reports(engine)
        self.collections = Collections(engine)
        self.texts = Texts(engine)
        self.claim_tables = ClaimTables(engine)
        self.documents = Documents(engine)
        self.deletions = Deletions(engine)
