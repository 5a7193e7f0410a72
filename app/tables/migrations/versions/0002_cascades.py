"""Delete rows with their parent. Orphans are deleted now, because nothing shows them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision, down_revision = "0002", "0001"

ITEM = {f"{kind}_id": f"CASE WHEN kind = '{kind}' THEN item_id END" for kind in ("check", "report")}
BELONGS = {  # parents first
    "report_claims": {"report_id": "reports"},
    "checks": {"report": "reports"},
    "check_pages": {"check_id": "checks"},
    "decisions": {"check_id": "checks"},
    "filed": {"collection_id": "collections", "check_id": "checks", "report_id": "reports"},
    "sessions": {"person": "people"},
    "tokens": {"person": "people"},
}
SEQUENCES = "SELECT name, seq FROM sqlite_sequence WHERE name IN ('checks', 'filed')"


def upgrade() -> None:
    """Add foreign keys, and a column for each kind of filed item. SQLite writes the tables anew for that."""
    connection = op.get_bind()
    last = connection.exec_driver_sql(SEQUENCES).all() if connection.dialect.name == "sqlite" else []
    for table, parents in BELONGS.items():
        for column, parent in parents.items():
            own = ITEM.get(column, column) if table == "filed" else column
            op.execute(f"DELETE FROM {table} WHERE {own} IS NOT NULL AND {own} NOT IN (SELECT id FROM {parent})")
        with op.batch_alter_table(
            table, table_kwargs={"sqlite_autoincrement": table in ("checks", "filed")}
        ) as changed:
            for name, item in ITEM.items() if table == "filed" else ():
                changed.add_column(sa.Column(name, sa.String(32), sa.Computed(item, persisted=True)))
            for column, parent in parents.items():
                key = f"{table}_{column}_fkey", parent, [column], ["id"]
                changed.create_foreign_key(*key, ondelete="CASCADE", deferrable=True)
    for table, column in (("checks", "report"), ("filed", "check_id"), ("filed", "report_id")):
        op.create_index(f"ix_{table}_{column}", table, [column])
    for name, number in last:  # numbers are never given twice
        connection.exec_driver_sql("DELETE FROM sqlite_sequence WHERE name = ?", (name,))
        connection.exec_driver_sql("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (name, number))
