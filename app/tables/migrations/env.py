"""What alembic runs first: connects the migrations with the database of `prepare_tables`, or else of the settings."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import context

from app.tables.database import open_engine
from app.tables.migrations import alone, metadata
from retrieval.settings import Settings


def run(connection: sa.Connection) -> None:
    """Run the requested migrations. They ignore tables of others, such as those of the queue."""
    context.configure(
        connection=connection,
        target_metadata=metadata,
        render_as_batch=True,
        include_name=lambda name, kind, _: kind != "table" or name in metadata.tables,
    )
    with context.begin_transaction():
        context.run_migrations()


if opened := context.config.attributes.get("connection"):
    run(opened)
else:  # the command `alembic`
    with alone(open_engine(Settings.from_environment())) as connection:
        run(connection)
