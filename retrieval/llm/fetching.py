"""Fetches the checked claims that serve a language model as examples: AVeriTeC's training file, from an address or a
file.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import urllib.error
import urllib.request
from pathlib import Path
from urllib.parse import urlsplit

from retrieval.errors import SettingError
from retrieval.llm.examples import read_examples

ADDRESS = "https://huggingface.co/chenxwh/AVeriTeC/resolve/main/data/train.json"
SHA256 = "ae5eda7c42ddf1695ef185a7ba1bc716928f5adf57103e4f78aae5f9afe00f9c"  # of AVeriTeC's file with 3,068 claims
LARGEST_FILE = 200_000_000  # bytes
STALLED_SECONDS = 60.0  # without receiving a byte
PIECE = 1 << 20


def fetch_examples(source: str, target: Path, sha256: str = "") -> str:
    """Copy the file of checked claims to `target`; returns a sentence that says so. source: an http(s) address or a
    file.

    sha256: of the file, in hexadecimal; empty: the published one for the default address, else unchecked. If the file
    does not match, the old one stays. Raises SettingError.
    """
    wanted = (sha256 or (SHA256 if source == ADDRESS else "")).lower()
    part = target.with_name(f"{target.name}.{os.getpid()}.part")
    try:
        part.parent.mkdir(parents=True, exist_ok=True)
        found = _copy(source, part)
        if wanted and found != wanted:
            raise SettingError(f"{source} is not that file: its sha256 is {found}, not {wanted}. Nothing was changed.")
        claims = len(read_examples(part))
        if not claims:
            raise SettingError(f"{source} holds no checked claims. Name AVeriTeC's train.json.")
        os.replace(part, target)
    except OSError as error:
        raise SettingError(f"{source} cannot be put at {target}: {error.strerror or error}.") from error
    finally:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
    return f"{claims:,} checked claims are in {target} (sha256 {found}{'' if wanted else ', not compared'})."


def _copy(source: str, target: Path) -> str:
    """Copy the source into the target; returns the sha256. Raises SettingError if the source cannot be read."""
    digest, size = hashlib.sha256(), 0
    try:
        remote = urlsplit(source).scheme in ("http", "https")
        with (
            urllib.request.urlopen(source, timeout=STALLED_SECONDS) if remote else open(source, "rb") as read,
            open(target, "wb") as write,
        ):
            while piece := read.read(PIECE):
                size += len(piece)
                if size > LARGEST_FILE:
                    raise SettingError(
                        f"{source} is larger than {LARGEST_FILE // 1_000_000} MB, so it cannot be that file."
                    )
                digest.update(piece)
                write.write(piece)
    except (urllib.error.URLError, TimeoutError, ValueError) as error:
        why = getattr(error, "reason", "") or error
        raise SettingError(f"{source} cannot be fetched ({why}). Check the address, or name a file.") from error
    return digest.hexdigest()
