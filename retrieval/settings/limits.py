"""The settings that limit what people may send and how long data is kept."""

from __future__ import annotations

from dataclasses import dataclass

from retrieval.settings.declaring import setting


@dataclass(frozen=True)
class Limits:
    """How much the application accepts, and how long it keeps it."""

    claim_length: int = setting(500, "Longest claim, in characters.")
    queue_limit: int = setting(100, "Checks that may wait before new ones are refused with 503.")
    rate_limit: int = setting(600, "Checks that one address may start per minute. 0: no limit.")
    upload_megabytes: int = setting(
        20, "Most megabytes of documents that a person may upload at once to check claims against. 0: no uploads."
    )
    upload_seconds: int = setting(
        30, "Seconds of processor time that reading one uploaded document may take.", rare=True
    )
    upload_memory: int = setting(800, "Megabytes of memory that reading one uploaded document may take.", rare=True)
    keep_days: int = setting(0, "Days to keep checks after they have ended. 0: until somebody deletes them.")
    keep_uploads_days: int = setting(
        90, "Days for which uploads, and the checks that quote them, are kept. 0: until somebody deletes them."
    )
    vector_cache: int = setting(
        500, "Most megabytes of text vectors kept in DATA, so that no text is embedded twice. 0: none.", rare=True
    )
