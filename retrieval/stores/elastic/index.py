"""The format of an index: its fields, its settings, a page as a document, the names of generations.

    INDEX               alias of the corpus in use; readers resolve it once
    INDEX-building      alias of the generation being loaded
    INDEX-0123456789ab  a generation: `_meta` holds its description, and while it is built, its place in the input

Words are folded here, not by the server, so that every Elasticsearch gives the same answers as the embedded store. By
default, the server's analyzer only splits at spaces, as the embedded store does; `standard` also splits words in
scripts without spaces, `english` stems.
"""

from __future__ import annotations

import codecs
import functools
import hashlib
import re
import unicodedata
import uuid
from typing import Any

import orjson

from retrieval.settings import Settings
from retrieval.stores.lookups import LONGEST_TOKEN
from retrieval.stores.pages import digest, pack, title_keys
from retrieval.text.bm25 import stemmed_text
from retrieval.text.names.first_sentence import with_other_names
from retrieval.types import Page

META = "esoteric"
LONGEST_ID = 512  # bytes that Elasticsearch allows
LOW_BITS = 32
ALIAS_OF_BUILDING = "-building"

# ASCII capitals become lower case, signs become spaces; bytes beyond ASCII stay.
_WORDS = bytes(ord(chr(code).lower()) if chr(code).isalnum() else ord(" ") for code in range(128)) + bytes(
    range(128, 256)
)
# Letters that Unicode does not decompose, as Lucene's ASCII folding writes them.
_SPELLED = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i"})

Json = dict[str, Any]


def mapping(settings: Settings, dimension: int = 0) -> Json:
    """Fields of an index. dimension: of the page vectors; 0 if it has none.

    `page` is the record itself; all other fields only serve searching and sorting. The server stores documents as they
    were sent, except for vectors, because storing the record alone takes a sixth longer. Vectors are bytes, compared
    one by one (`flat`): only candidates are ever scored, so a graph would not help.
    """
    words = {"type": "text", "analyzer": settings.elasticsearch_analyzer, "index_options": "positions"}
    key = {"type": "keyword", "doc_values": False, "norms": False}
    properties: Json = {
        "title_key": key,
        "bare_key": key,
        "title_words": words,
        "text_words": words,
        "digest_high": {"type": "integer"},
        "digest_low": {"type": "long", "index": False},
        "page": {"type": "object", "enabled": False},
    }
    if dimension:
        properties["vector"] = {
            "type": "dense_vector",
            "dims": dimension,
            "element_type": "byte",
            "similarity": "cosine",
            "index": True,
            "index_options": {"type": "flat"},
        }
    source: Json = {"_source": {"includes": ["page"]}} if dimension else {}
    return {"dynamic": "strict", **source, "properties": properties}


def index_settings(settings: Settings) -> Json:
    """Settings of an index being loaded: nobody searches it, so it needs no refreshes and no replicas."""
    return {
        "number_of_shards": settings.elasticsearch_shards,
        **LOADING,
        "similarity": {"default": {"type": "BM25", "k1": 1.2, "b": 0.75, "discount_overlaps": True}},
    }


# Segments to merge at a time: with twenty, a load of millions of pages rewrites most pages once; with the server's
# default of ten, twice.
MERGED_AT_ONCE = 20
_MERGING = ("merge.policy.segments_per_tier", "merge.policy.max_merge_at_once")
LOADING: Json = {
    "number_of_replicas": 0,
    "refresh_interval": "-1",
    "blocks.write": None,
    **dict.fromkeys(_MERGING, MERGED_AT_ONCE),
}


def complete_settings(settings: Settings) -> Json:
    """Settings of a generation in use, which never changes."""
    in_use = {"number_of_replicas": settings.elasticsearch_replicas, "refresh_interval": None, "blocks.write": True}
    return in_use | dict.fromkeys(_MERGING)


def new_generation(index: str) -> str:
    """A name for the next generation."""
    return f"{index}-{uuid.uuid4().hex[:12]}"


def is_generation(index: str, name: str) -> bool:
    """Whether an index of this name is a generation of the corpus `index`."""
    return re.fullmatch(re.escape(index) + r"-[0-9a-f]{12}", name) is not None


def document_id(page_id: str) -> str:
    """The `_id` of a page's document: the page's id, or its hash if it is too long."""
    raw = page_id.encode("utf-8", "surrogatepass")
    return page_id if 0 < len(raw) <= LONGEST_ID else f"#{hashlib.blake2b(raw, digest_size=32).hexdigest()}"


def is_hashed(document: str) -> bool:
    """Whether the `_id` may be a hash, which does not give the page's id."""
    return re.fullmatch(r"#[0-9a-f]{64}", document) is not None


def document(page: Page, vector: bytes = b"", stemmer: str = "") -> bytes:
    """A page as the line of JSON to send. vector: signed bytes. stemmer: of the stems to index; empty for words."""
    page = with_other_names(page)
    stored, number = pack(page), digest(page)
    fields: Json = {"digest_high": number >> LOW_BITS, "digest_low": number & ((1 << LOW_BITS) - 1)}
    if not page.disambiguation:  # such pages are stored but never found, because they have no evidence
        titles, weaker = title_keys(page)
        fields |= {
            "title_words": word_text(stemmed_text(page.title, stemmer)),
            "text_words": word_text(stemmed_text(page.text, stemmer)),
        }
        fields |= {"title_key": titles} if titles else {}
        fields |= {"bare_key": weaker} if weaker else {}
    if vector:
        fields["vector"] = vector.hex()
    head = orjson.dumps(fields)
    return b"".join((head[:-1], b',"page":', stored, b"}"))


def word_text(text: str) -> str:
    """Words in lower case without accents, separated by spaces; only letters and digits are kept."""
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
    return text.encode("ascii", _plain_letters()).translate(_WORDS).decode()


@functools.cache
def _plain_letters() -> str:
    """The name of an encoding error handler that writes plain letters."""
    codecs.register_error("esoteric.plain", _plain)
    return "esoteric.plain"


def _plain(error: UnicodeError) -> tuple[bytes, int]:
    """Replaces characters beyond ASCII. An encoding error handler, because that is the fastest way to find them."""
    assert isinstance(error, UnicodeEncodeError)
    return _plain_bytes(error.object[error.start : error.end]), error.end


@functools.lru_cache(4096)
def _plain_bytes(run: str) -> bytes:
    """Letters without accents; other characters become spaces."""
    decomposed = unicodedata.normalize("NFKD", run.casefold())
    bare = "".join(char for char in decomposed if not unicodedata.combining(char)).translate(_SPELLED)
    return "".join(char if char.isalnum() else " " for char in bare).lower().encode()


def words(text: str, stemmer: str = "") -> list[str]:
    """The words of a query, as `word_text` writes them."""
    text = stemmed_text(text, stemmer)
    return [word for word in word_text(text).split() if len(word.encode()) <= LONGEST_TOKEN]
