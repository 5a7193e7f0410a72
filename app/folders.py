"""Where the program's own files are: templates, assets, the sample."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
