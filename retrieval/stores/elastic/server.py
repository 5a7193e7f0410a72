"""A connection to Elasticsearch: its address and login, and its errors as sentences that say what to do."""

from __future__ import annotations

import re
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from retrieval.errors import SettingError, StoreAway, StoreError, StoreVersion
from retrieval.settings import Settings

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch

MAJOR = 9
DEFAULT_PORT = 9200
SECONDS_A_SEARCH = 10.0
SECONDS_A_LOOK = 3.0
SERVER_CONNECTIONS = 24  # kept open by a process for its web threads and workers
# Elasticsearch's rules for a name, with room for the suffixes that we append.
_INDEX = re.compile(r"(?![-_+.])[^A-Z\s\\/*?\"<>|,#:%]{1,200}")


@dataclass(frozen=True)
class Address:
    """The address of a corpus. url: scheme, host, port and the path before the index, never a password."""

    url: str
    index: str
    user: str = ""
    password: str = field(default="", repr=False)

    def __str__(self) -> str:
        return f"{self.url}/{self.index}"


def read_address(location: str) -> Address:
    """The parts of `http(s)://[user:pass@]host:port/index`. Raises SettingError."""
    form = "An address looks like https://host:9200/index"
    try:
        parts = urlsplit(location)
        host, port = parts.hostname, parts.port or DEFAULT_PORT
    except ValueError:
        raise SettingError(f"The corpus's address cannot be read. {form}.") from None
    # These signs in a password would cut the address, and the rest would be displayed.
    if "@" in parts.path or parts.query or parts.fragment:
        raise SettingError(
            f"The corpus's address is cut short by /, ? or #. Write them in a password as %2F, %3F, %23. {form}."
        )
    path, _, index = parts.path.rstrip("/").rpartition("/")
    if not host:
        raise SettingError(f"The corpus's address names no host. {form}.")
    if not _INDEX.fullmatch(index):
        raise SettingError(f"{index[:40]!r} cannot be an index: it needs a lower-case name. {form}.")
    url = f"{parts.scheme}://{f'[{host}]' if ':' in host else host}:{port}{path}"
    return Address(url, index, unquote(parts.username or ""), unquote(parts.password or ""))


class NotThere(Exception):
    """The server has no such index, alias or address."""


class Server:
    """The cluster at an address. Creating it sends nothing."""

    def __init__(self, location: str, settings: Settings) -> None:
        """Raises SettingError."""
        self.address = read_address(location)
        self.client = _connect(self.address, settings)

    def __str__(self) -> str:
        return self.address.url

    @property
    def quick(self) -> Elasticsearch:
        """A client for requests that people wait for: it soon reports an unavailable server."""
        return self.client.options(request_timeout=SECONDS_A_LOOK, max_retries=0)

    def close(self) -> None:
        """Close the connections; safe to call twice."""
        self.client.close()

    def check_version(self) -> None:
        """Raises StoreVersion if the server has another major version, StoreError if it is not Elasticsearch, or StoreAway."""
        try:
            with self.asked():
                answer = self.quick.perform_request(
                    "GET", "/_nodes/_local?filter_path=nodes.*.version", headers={"accept": "application/json"}
                )
        except NotThere:  # every Elasticsearch serves this address
            raise self._no_elasticsearch() from None
        versions = [str(node["version"]) for node in _as_dict(answer.body).get("nodes", {}).values()]
        for version in versions:
            if version.partition(".")[0] != str(MAJOR):
                raise self._other_version(f"Elasticsearch {version}")

    @contextmanager
    def asked(self) -> Iterator[None]:
        """Turns the client's errors into StoreAway, StoreVersion or StoreError, or NotThere if the server has no such thing."""
        import elasticsearch as es

        try:
            yield
        except es.NotFoundError as error:
            raise NotThere(str(error)) from None
        except es.UnsupportedProductError:
            raise self._no_elasticsearch() from None
        except es.ApiError as error:
            raise self._refusal(error) from None
        except es.TransportError as error:
            raise self._silence(error) from None

    def _refusal(self, error: Any) -> StoreError:
        status, kind, reason = error.status_code, str(error.error), reason_of(error.body)
        if "media_type_header" in kind or "media_type_header" in reason:
            return self._other_version("another major version of Elasticsearch")
        if status == 401:
            return StoreAway(
                f"Elasticsearch at {self} refuses the user name, password or API key. "
                "Set ELASTICSEARCH_USER and ELASTICSEARCH_PASSWORD, or ELASTICSEARCH_API_KEY, to valid ones."
            )
        if "cluster_block" in kind:
            return StoreAway(f"Elasticsearch at {self} has blocked this: {reason}. Check the server; {_GOES_ON}.")
        if status == 403:
            return StoreAway(
                f"The user may not do this at {self}: {reason}. Give it the rights that docs/scaling.md names."
            )
        if status in (429, 502, 503, 504) or status >= 500:
            return StoreAway(f"Elasticsearch at {self} cannot answer now ({status}: {reason}). Wait; {_GOES_ON}.")
        return StoreError(f"Elasticsearch at {self} refused a request ({status}: {reason}). Report this sentence.")

    def _silence(self, error: Any) -> StoreError:
        import elasticsearch as es

        if isinstance(error, es.ConnectionTimeout):
            return StoreAway(f"Elasticsearch at {self} does not answer in time. Wait, or check it; {_GOES_ON}.")
        if "CERTIFICATE_VERIFY_FAILED" in f"{error.message} {error.errors}":
            return StoreAway(
                f"The certificate of {self} was not signed by an authority known here, or is another host's. "
                "Set ELASTICSEARCH_CA to the file with the authority's certificate."
            )
        # If the connection ends early, the server is dying or a load balancer has none: TLS is not the problem.
        if isinstance(error, es.SSLError) and "EOF" not in f"{error.message} {error.errors}":
            return StoreAway(
                f"{self} does not speak TLS correctly. If it does not use TLS, use http:// in the address."
            )
        if isinstance(error, es.ConnectionError):
            return StoreAway(
                f"Elasticsearch at {self} cannot be reached. Start it, or correct the address or http/https; {_GOES_ON}."
            )
        return StoreError(f"The answer of {self} cannot be read. Check that Elasticsearch runs there.")

    def _no_elasticsearch(self) -> StoreError:
        return StoreError(f"The server at {self} is not Elasticsearch. Check the address of the corpus.")

    def _other_version(self, found: str) -> StoreVersion:
        return StoreVersion(
            f"{self} runs {found}; this program needs Elasticsearch {MAJOR}. Use a server of version {MAJOR}."
        )


_GOES_ON = "whatever waits for it resumes by itself"


def _connect(address: Address, settings: Settings) -> Elasticsearch:
    from elasticsearch import Elasticsearch, OrjsonSerializer

    options: dict[str, Any] = {}
    user = address.user or settings.elasticsearch_user
    if settings.elasticsearch_api_key and not address.user:
        options["api_key"] = settings.elasticsearch_api_key
    elif user:
        options["basic_auth"] = (user, address.password or settings.elasticsearch_password)
    if settings.elasticsearch_ca and address.url.startswith("https"):
        options["ca_certs"] = _certificates(settings.elasticsearch_ca)
    try:
        return Elasticsearch(
            address.url,
            serializer=OrjsonSerializer(),
            request_timeout=SECONDS_A_SEARCH,
            connections_per_node=SERVER_CONNECTIONS,
            max_retries=1,
            **options,
        )
    except (ValueError, TypeError, OSError) as error:
        raise SettingError(
            f"No connection to {address.url} can be set up: {error}. Write it like https://host:9200/index."
        ) from None


def _certificates(file: str) -> str:
    """The file, if it contains certificates. Raises SettingError if not."""
    try:
        ssl.create_default_context(cafile=file)
    except OSError as error:
        raise SettingError(
            f"ELASTICSEARCH_CA names {file}, which contains no readable certificate ({error.strerror or error}). "
            "Name the file with the authority's certificate, in PEM."
        ) from None
    return file


def reason_of(body: Any) -> str:
    """The server's reason, on one line."""
    error = _as_dict(body).get("error", body)
    if isinstance(error, dict):
        causes = error.get("root_cause") or [error]
        error = causes[0].get("reason") or causes[0].get("type") or error
    return " ".join(str(error).split())[:300].rstrip(".")


def _as_dict(body: Any) -> dict[str, Any]:
    return body if isinstance(body, dict) else {}
