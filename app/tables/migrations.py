"""All tables of the database, and the version of their layout.

Layouts only ever grow: a new version adds tables and columns, which older programs pass over, so that an upgrade needs no
pause and can be taken back. Each table knows what it gained (`create_table`); this module does it for all and writes down
how far the database has come.
"""

from __future__ import annotations

import logging

import sqlalchemy as sa

from app.tables.audit import Audit
from app.tables.checks import Checks
from app.tables.claim_tables import ClaimTables
from app.tables.collections import Collections
from app.tables.database import TABLES_LOCK, create_tables, kept, one_at_a_time
from app.tables.documents import Documents
from app.tables.keys import Sessions, Tokens
from app.tables.loads import Loads
from app.tables.people import People
from app.tables.reports import Reports
from app.tables.spending import Spending
from app.tables.texts import Texts
from app.tables.workers import Workers
from retrieval.settings import Settings

log = logging.getLogger(__name__)

# 1: v1.0.0; 2: abstained, against, documents, workers; 3: person, place, spending; 4: check_pages, which programs from
# before it need to show a check that was made since; 5: texts, reports, report_claims, decisions; 6: claim_tables;
# 7: owner, shared, people, sessions, tokens, audit; 8: collections, filed; 9: source and published of texts; 10: notes of
# texts; 11: name of checks; 12: leans of checks, waits of workers; 13: loads; 14: deleted of checks, reports,
# collections.
VERSION = 14
NAME = "tables version"


def prepare_tables(engine: sa.Engine, settings: Settings) -> None:
    """Make what is not there, add what an earlier version lacks, and note the version. Safe to call at any time."""
    Checks(engine).create_table()
    Documents(engine).create_table()
    Workers(engine, settings.worker_timeout).create_table()
    Spending(engine, settings).create_table()
    Texts(engine).create_table()
    Reports(engine).create_table()
    ClaimTables(engine).create_table()
    Collections(engine).create_table()
    Loads(engine).create_table()
    for part in (People(engine), Sessions(engine, settings), Tokens(engine), Audit(engine)):
        part.create_table()
    create_tables(engine, [kept])
    with engine.begin() as connection:
        one_at_a_time(connection, TABLES_LOCK)
        found = stored_version(connection)
        if found is None:
            connection.execute(sa.insert(kept).values(name=NAME, value=str(VERSION)))
        elif found < VERSION:
            connection.execute(sa.update(kept).where(kept.c.name == NAME).values(value=str(VERSION)))
        elif found > VERSION:
            log.warning("The database was used by a newer version of the program (%s, this is %s).", found, VERSION)


def stored_version(connection: sa.Connection) -> int | None:
    """How far the database has come; None where nobody has written it down."""
    value = connection.execute(sa.select(kept.c.value).where(kept.c.name == NAME)).scalar()
    return int(value) if value else None
