"""Let a deletion of uploaded documents be undone, as that of a check can be."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision, down_revision = "0003", "0002"


def upgrade() -> None:
    """Add the column that hides a row, and an index of hidden rows."""
    op.add_column("documents", sa.Column("deleted", sa.String(32)))
    some = sa.text("deleted IS NOT NULL")
    op.create_index("ix_documents_deleted", "documents", ["deleted"], sqlite_where=some, postgresql_where=some)
