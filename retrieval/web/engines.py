"""Search engines: SearXNG, which you run yourself, or Brave's, which needs a key."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from retrieval.errors import SettingError, WebError
from retrieval.settings import Settings
from retrieval.text.addresses import web_address
from retrieval.web.fetching import ask_engine, host_of

BRAVE = "https://api.search.brave.com/res/v1/web/search"
LONGEST_QUERY = 300  # characters
MOST_SILENT, LONGEST_REASON = 20, 80  # engines to name, and characters of each name and reason
NO_JSON = (
    "SearXNG at {} {}: it gives JSON only where its settings allow it. Add `json` to `search.formats` in its settings.yml and "
    "start it again, or correct WEB_URL."
)


@dataclass(frozen=True)
class Found:
    """The results of a search. addresses: of the pages found, best first. silent: engines that gave no answer, with reasons."""

    addresses: list[str]
    silent: list[str]


@dataclass(frozen=True)
class Engine:
    """A search engine."""

    kind: str
    address: str
    key: str = ""

    @property
    def host(self) -> str:
        """The host to which questions are sent, for display."""
        return host_of(self.address)

    def search(self, query: str) -> Found:
        """The results for a query. Raises WebError."""
        words = " ".join(query.split())[:LONGEST_QUERY]
        if self.kind == "brave":
            parameters = urlencode({"q": words, "count": 20})
            answer = self._ask(f"{self.address}?{parameters}", {"X-Subscription-Token": self.key})
            web = answer.get("web")
            rows = web.get("results") if isinstance(web, dict) else None
        else:
            answer = self._ask(f"{self.address}/search?{urlencode({'q': words, 'format': 'json'})}", {})
            rows = answer.get("results")
        urls = [row.get("url") for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
        addresses = dict.fromkeys(address for url in urls if isinstance(url, str) and (address := web_address(url)))
        return Found(list(addresses), silent_engines(answer.get("unresponsive_engines")))

    def _ask(self, address: str, headers: Mapping[str, str]) -> Mapping[str, Any]:
        answer = ask_engine(address, {**headers, "Accept": "application/json", "Accept-Encoding": "identity"})
        if answer.status == 403 and self.kind == "searxng":
            raise WebError(NO_JSON.format(self.host, "answered 403"))
        if answer.status in (401, 403, 422) and self.kind == "brave":
            raise WebError(f"Brave's search answered {answer.status}: it does not accept the key. Check WEB_KEY.")
        if answer.status == 429:
            raise WebError(f"The search engine at {self.host} is asked too often (429). Try again later.")
        if answer.status != 200:
            raise WebError(f"The search engine at {self.host} answered {answer.status}. Check WEB_URL.")
        try:
            parsed = json.loads(answer.content)
        except (ValueError, RecursionError):
            parsed = None
        if not isinstance(parsed, dict):
            if self.kind == "searxng":  # older versions answer with a web page if their settings do not allow JSON
                raise WebError(NO_JSON.format(self.host, "sent no JSON"))
            raise WebError(f"The search engine at {self.host} sent no JSON. Check WEB_URL.")
        return parsed


def silent_engines(listed: object) -> list[str]:
    """The engines that gave no answer, such as `brave (Suspended: too many requests)`; empty if `listed` is malformed."""
    rows = listed[:MOST_SILENT] if isinstance(listed, list) else []
    found: dict[str, None] = {}
    for row in rows:
        parts = [row] if isinstance(row, str) else row[:2] if isinstance(row, list) else []
        name, why = (" ".join(str(part or "").split())[:LONGEST_REASON] for part in (*parts, "", "")[:2])
        if name and isinstance(parts[0], str):
            found[f"{name} ({why})" if why else name] = None
    return list(found)


def searched_at(settings: Settings) -> str:
    """The host to which questions are sent, for display."""
    return host_of(settings.web_url or (BRAVE if settings.web == "brave" else ""))


def open_engine(settings: Settings) -> Engine:
    """The engine that WEB names. Raises SettingError."""
    if settings.web == "brave":
        if not settings.web_key:
            raise SettingError("WEB is `brave`, which needs a key. Set WEB_KEY, or WEB to `off`.")
        return Engine("brave", settings.web_url.rstrip("/") or BRAVE, settings.web_key)
    address = web_address(settings.web_url)
    if not address:
        raise SettingError("WEB is `searxng`, which needs its address. Set WEB_URL, as http://127.0.0.1:8888.")
    return Engine("searxng", address.rstrip("/"))
