"""From any layout before alembic, complete or not, to the last of these, number 14. Version 1.0.0 had the first."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa
from alembic import op

revision, down_revision = "0001", None

GAINED = {
    "checks": "abstained BOOLEAN, leans BOOLEAN, against VARCHAR(120), person VARCHAR(120), place INTEGER, "
    "report VARCHAR(32), owner VARCHAR(32), shared BOOLEAN, context TEXT, name TEXT, deleted VARCHAR(32)",
    "documents": "person VARCHAR(120), owner VARCHAR(32), shared BOOLEAN",
    "reports": "owner VARCHAR(32), shared BOOLEAN, deleted VARCHAR(32)",
    "report_claims": "context TEXT NOT NULL DEFAULT ''",
    "collections": "deleted VARCHAR(32)",
    "texts": "source TEXT, published VARCHAR(10), notes TEXT",
    "workers": "waits TEXT",
    "loads": "home VARCHAR(32) NOT NULL DEFAULT ''",
}
SQLITE = {"counter": "INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT", "bytes": "BLOB", "moment": "DATETIME"}
POSTGRESQL = {"counter": "SERIAL PRIMARY KEY", "bytes": "BYTEA", "moment": "TIMESTAMP WITH TIME ZONE"}


def upgrade() -> None:
    """Add columns to the tables that exist, make those that do not, then the indexes."""
    connection = op.get_bind()
    inspector = sa.inspect(connection)
    for table in GAINED.keys() & set(inspector.get_table_names()):
        there = {column["name"] for column in inspector.get_columns(table)}
        for column in GAINED[table].split(", "):
            if column.split()[0] not in there:
                connection.exec_driver_sql(f"ALTER TABLE {table} ADD COLUMN {column}")
    words = SQLITE if connection.dialect.name == "sqlite" else POSTGRESQL
    for statement in Path(__file__).with_suffix(".sql").read_text("utf-8").format_map(words).split(";\n"):
        if statement:
            connection.exec_driver_sql(statement)
    connection.exec_driver_sql("DELETE FROM kept WHERE name = 'tables version'")
