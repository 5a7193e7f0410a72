"""Corpora on the server of the tests: addresses, settings with and without their secrets."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

from retrieval.settings import Settings
from retrieval.stores.elastic.store import ElasticStore
from retrieval.stores.elastic.writer import open_elastic_writer
from retrieval.types import CorpusInfo, Page
from tests.elastic.server import PASSWORD, USER


@dataclass(frozen=True)
class Cluster:
    """Where the tests' Elasticsearch is and how to log in. host: scheme, host and port."""

    host: str
    user: str
    password: str
    authority: str

    def place(self) -> str:
        """Address of a corpus that is not there yet, without user and password."""
        return f"{self.host}/test-{uuid.uuid4().hex[:12]}"

    def settings(self, **changed: Any) -> Settings:
        """Settings with which everything works."""
        login = {"elasticsearch_user": self.user, "elasticsearch_password": self.password}
        return replace(Settings(), **{**login, "elasticsearch_ca": self.authority, **changed})

    def load(self, place: str, pages: Sequence[Page], **options: Any) -> CorpusInfo:
        """The pages into the corpus."""
        with open_elastic_writer(place, "test", settings=self.settings(), **options) as writer:
            writer.add(pages)
            card = writer.finish("test")
            writer.retire()
        return card

    def open(self, place: str) -> ElasticStore:
        """The corpus for reading."""
        return ElasticStore(place, self.settings())

    def environment(self, place: str) -> dict[str, str]:
        """As variables, for a process."""
        return {
            "STORE": place,
            "ELASTICSEARCH_USER": self.user,
            "ELASTICSEARCH_PASSWORD": self.password,
            "ELASTICSEARCH_CA": self.authority,
        }


def own_cluster(host: str, authority: Path) -> Cluster:
    """The node that the tests started."""
    return Cluster(host, USER, PASSWORD, str(authority))


def with_login(place: str, user: str, password: str) -> str:
    """The address with user and password in it."""
    scheme, _, rest = place.partition("://")
    return f"{scheme}://{quote(user, safe='')}:{quote(password, safe='')}@{rest}"
