"""A disk that fills up, as Elasticsearch sees it: what has to be free rises above what is."""

from __future__ import annotations

from elasticsearch import Elasticsearch

DISK = "cluster.routing.allocation.disk"
TOO_MUCH, LITTLE = "900tb", "1b"


def must_be_free(admin: Elasticsearch, size: str | None) -> None:
    """All watermarks at this size; the server looks every ten seconds. None: as it was configured, without looking."""
    watermarks = {f"{DISK}.watermark.{name}": size for name in ("low", "high", "flood_stage")}
    looks = {
        f"{DISK}.threshold_enabled": True if size else None,
        "cluster.info.update.interval": "10s" if size else None,
    }
    admin.cluster.put_settings(persistent={**watermarks, **looks})


def read_only(admin: Elasticsearch) -> bool:
    """Whether the server has made any index read-only."""
    found = admin.indices.get_settings(index="_all", name="index.blocks.read_only_allow_delete")
    return any(index["settings"] for index in found.values())
