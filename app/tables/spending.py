"""The table of tokens that language models used, by day and person."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from app.tables.database import Repository, metadata
from retrieval.settings import Settings
from retrieval.types import LLMCall

table = sa.Table(
    "spending",
    metadata,
    sa.Column("day", sa.String(10), primary_key=True),
    sa.Column("person", sa.String(120), primary_key=True),
    sa.Column("calls", sa.Integer, nullable=False),
    sa.Column("tokens", sa.BigInteger, nullable=False),
)
ALL_SPENT = "Today's tokens are used up ({:,}). Check again tomorrow, or raise LLM_TOKENS_A_DAY."
OWN_SPENT = "Your tokens for today are used up ({:,}). Check again tomorrow, or ask for a higher LLM_TOKENS_A_PERSON."


class Spending(Repository):
    """Reads and writes the table. Days are those of UTC."""

    def __init__(self, engine: sa.Engine, settings: Settings) -> None:
        super().__init__(engine)
        self._a_day, self._a_person = settings.llm_tokens_a_day, settings.llm_tokens_a_person

    def add(self, person: str, calls: Sequence[LLMCall]) -> None:
        """Add the tokens of calls for this person; failed calls cost what was sent."""
        tokens = sum(call.reply.prompt_tokens + call.reply.reply_tokens for call in calls)
        row = {"day": today(), "person": person, "calls": len(calls), "tokens": tokens}
        insert = (postgresql if self.engine.dialect.name == "postgresql" else sqlite).insert(table).values(**row)
        sums = {"calls": table.c.calls + len(calls), "tokens": table.c.tokens + tokens}
        self._write(insert.on_conflict_do_update(index_elements=[table.c.day, table.c.person], set_=sums))

    def left(self, person: str) -> tuple[int, str] | None:
        """Tokens that this person may still use today, and the sentence for when none is left; None without a limit."""
        bounds = []
        if self._a_day:
            bounds.append((self._a_day - self.spent(), ALL_SPENT.format(self._a_day)))
        if self._a_person:
            bounds.append((self._a_person - self.spent(person), OWN_SPENT.format(self._a_person)))
        return min(bounds, default=None)

    def spent(self, person: str | None = None) -> int:
        """Tokens used today, by everybody or by this person."""
        query = sa.select(sa.func.sum(table.c.tokens)).where(table.c.day == today())
        if person is not None:
            query = query.where(table.c.person == person)
        return int(self._value(query) or 0)

    def totals(self) -> tuple[int, int]:
        """Calls and tokens since the beginning."""
        calls, tokens = (self._value(sa.select(sa.func.sum(column))) for column in (table.c.calls, table.c.tokens))
        return int(calls or 0), int(tokens or 0)


def today() -> str:
    """The date, such as 2026-01-31."""
    return datetime.now(UTC).date().isoformat()
