"""The table of people with their passwords (argon2id), and the search for the person of a session key or token."""

from __future__ import annotations

import hashlib
import re
import secrets
import threading
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from app.tables.database import PEOPLE_LOCK, Repository, locked, metadata, now
from app.tables.ownership import Account
from app.tables.roles import ADMIN, ROLES
from retrieval.errors import EsotericError

if TYPE_CHECKING:
    from argon2 import PasswordHasher

table = sa.Table(
    "people",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("name", sa.String(64), nullable=False, unique=True),
    sa.Column("role", sa.String(16), nullable=False),
    sa.Column("password", sa.Text),
    sa.Column("subject", sa.String(512), unique=True),
    sa.Column("created", sa.String(32), nullable=False),
)
ONLY_ADMIN = "{0} is the only admin, and somebody has to be one. Make somebody else an admin first."
NAME = re.compile(r"[^\W_][\w.@+-]{0,63}")
SHORTEST_PASSWORD, LONGEST_PASSWORD = 12, 1024  # characters
# OWASP's minimum plus one pass: 19 MiB for each of the two that are hashed at once.
MEMORY_KIB, PASSES, HASHES_AT_ONCE = 19 * 1024, 3, 2
USE_FRESH = 60.0  # seconds until another use of a session or token is recorded
_COLUMNS = (table.c.id, table.c.name, table.c.role)
_hashing = threading.BoundedSemaphore(HASHES_AT_ONCE)


class AccountError(EsotericError):
    """An account cannot be made or changed; the message says why."""


@dataclass(frozen=True)
class Person:
    """A row, as operators see it."""

    name: str
    role: str
    signs_in: str
    created: str
    id: str


def read_name(text: str) -> str:
    """The name as it is stored and compared. Raises AccountError."""
    name = unicodedata.normalize("NFKC", text).strip().casefold()
    if not NAME.fullmatch(name):
        raise AccountError(
            "A name has 1 to 64 letters, digits and . @ + - _, and begins with a letter or digit. Type another."
        )
    return name


class People(Repository):
    """Reads and writes the table."""

    def add(self, name: str, role: str, password: str | None = None, subject: str | None = None) -> Account:
        """Add a person. Raises AccountError if the name is taken or the password too short."""
        name, person_id = read_name(name), secrets.token_hex(8)
        _check_role(role)
        row = {"id": person_id, "name": name, "role": role, "subject": subject, "created": now()}
        row["password"] = hash_password(password) if password is not None else None
        try:
            self._write(sa.insert(table).values(**row))
        except sa.exc.IntegrityError:
            raise AccountError(f"There is somebody named {name} already. Choose another name.") from None
        return Account(person_id, name, role)

    def find(self, name: str) -> Account:
        """The person of this name. Raises AccountError if there is none."""
        if found := self._where(table.c.name == read_name(name)):
            return found
        raise AccountError(f"There is nobody named {name}. `python -m app user list` lists everybody.")

    def by_proxy(self, name: str, role: str) -> Account | None:
        """The person whom a trusted proxy names, added if new; None if the name is not valid."""
        try:
            known = self._where(table.c.name == read_name(name))
            return known or self.add(name, role)
        except AccountError:
            return None

    def by_subject(self, subject: str, name: str, role: str) -> Account:
        """The person whom an OpenID provider names by its subject; added if new, under this name if it is free."""
        if found := self._where(table.c.subject == subject):
            return found
        plain = re.sub(r"[^\w.@+-]", "-", unicodedata.normalize("NFKC", name).casefold()).lstrip("_.@+-")[:48]
        for ending in ("", f"-{secrets.token_hex(3)}"):
            try:
                return self.add(f"{plain or 'person'}{ending}", role, subject=subject)
            except AccountError:
                if found := self._where(table.c.subject == subject):
                    return found  # they signed in twice at the same moment
        raise AccountError("No account could be made for you. Ask whoever runs this server.")

    def check_password(self, name: str, password: str) -> Account | None:
        """The person; None if name or password is wrong. An unknown name takes as long."""
        try:
            name = read_name(name)
        except AccountError:
            name = ""
        query = sa.select(*_COLUMNS, table.c.password).where(table.c.name == name)
        row = self._row(query)
        stored = row["password"] if row else None
        right = _matches(stored or _nobodys_password(), password)
        return Account(row["id"], row["name"], row["role"]) if row and stored and right else None

    def change(
        self, person: Account, *, password: str | None = None, role: str | None = None, keep_admin: bool = False
    ) -> None:
        """Change password or role. Raises AccountError; with `keep_admin`, also if no admin would be left."""
        values = {}
        if role is not None:
            _check_role(role)
            values["role"] = role
        if password is not None:
            values["password"] = hash_password(password)
        with locked(self.engine, PEOPLE_LOCK) as connection:
            if keep_admin and role not in (None, ADMIN):
                _keep_another_admin(connection, person)
            connection.execute(sa.update(table).where(table.c.id == person.id).values(**values))

    def remove(self, person: Account, *, keep_admin: bool = False) -> None:
        """Remove a person, with their sessions and tokens. What they own stays, shared or for admins alone. keep_admin: raises
        AccountError if no admin would be left."""
        with locked(self.engine, PEOPLE_LOCK) as connection:
            if keep_admin:
                _keep_another_admin(connection, person)
            connection.execute(sa.delete(table).where(table.c.id == person.id))

    def all(self) -> list[Person]:
        """Everybody, by name."""
        columns = ("id", "name", "role", "created")
        return [
            Person(signs_in=_sign_in_methods(row), **{name: row[name] for name in columns})
            for row in self._rows(sa.select(table).order_by(table.c.name))
        ]

    def names(self) -> dict[str, str]:
        """Id -> name."""
        return {row["id"]: row["name"] for row in self._rows(sa.select(table.c.id, table.c.name))}

    def _where(self, condition: sa.ColumnElement[bool]) -> Account | None:
        row = self._row(sa.select(*_COLUMNS).where(condition))
        return Account(**row) if row else None


def holder(
    engine: sa.Engine, keys: sa.Table, used: sa.Column[Any], key: str, *valid: sa.ColumnElement[bool]
) -> Account | None:
    """The person whose session key or token this is, if it is known and `valid`. Its use is noted in the column `used`."""
    same = keys.c.digest == digest(key)
    query = sa.select(*_COLUMNS, used).join(table, table.c.id == keys.c.person)
    with engine.connect() as connection:
        row = connection.execute(query.where(same, *valid)).first()
    if row is None:
        return None
    if row[3] < now(USE_FRESH):
        with engine.begin() as connection:
            connection.execute(sa.update(keys).where(same).values({used: now()}))
    return Account(*row[:3])


def digest(key: str) -> str:
    """The stored form of a session key or token: 256 random bits, so that no slow hash is needed. Neither the database nor a
    backup reveals them."""
    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()


def _check_role(role: str) -> None:
    if role not in ROLES:
        raise AccountError(f"{role!r} is not a role. Choose one of: {', '.join(ROLES)}.")


def _sign_in_methods(row: sa.RowMapping) -> str:
    """How a person signs in, in words."""
    return ", ".join(["password"] * bool(row["password"]) + ["openid"] * bool(row["subject"])) or "proxy"


def _keep_another_admin(connection: sa.Connection, person: Account) -> None:
    """Raises AccountError if this is the only admin. Call it under PEOPLE_LOCK, or two admins could demote each other."""
    admins = connection.execute(sa.select(table.c.id).where(table.c.role == ADMIN)).scalars().all()
    if list(admins) == [person.id]:
        raise AccountError(ONLY_ADMIN.format(person.name))


def hash_password(password: str) -> str:
    """The password hashed by argon2id, with parameters and salt. Raises AccountError."""
    plain = _plain(password)
    if not SHORTEST_PASSWORD <= len(plain) <= LONGEST_PASSWORD:
        raise AccountError(f"A password has {SHORTEST_PASSWORD} to {LONGEST_PASSWORD:,} characters. Choose another.")
    with _hashing:
        return str(_hasher().hash(plain))


def _matches(stored: str, password: str) -> bool:
    from argon2.exceptions import InvalidHashError, VerificationError

    plain = _plain(password)
    with _hashing:
        try:
            return bool(_hasher().verify(stored, plain[:LONGEST_PASSWORD])) and len(plain) <= LONGEST_PASSWORD
        except (VerificationError, InvalidHashError):
            return False


def _plain(password: str) -> str:
    """The password in one Unicode form, whatever keyboard it was typed on."""
    return unicodedata.normalize("NFC", password.encode("utf-8", "replace").decode())


@lru_cache(maxsize=1)
def _hasher() -> PasswordHasher:
    from argon2 import PasswordHasher

    return PasswordHasher(time_cost=PASSES, memory_cost=MEMORY_KIB, parallelism=1)


@lru_cache(maxsize=1)
def _nobodys_password() -> str:
    """A hash to compare with for unknown names, so that they take as long as known ones."""
    return hash_password(secrets.token_hex(16))
