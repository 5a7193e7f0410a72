"""The application over the fake pipeline as a process of its own: `python -m tests.app.fake_server DATA PORT [GATE]`."""

from __future__ import annotations

import sys
from pathlib import Path

from app import create_app
from retrieval.settings import Settings
from tests.app.fake import FakeResources


def main(data: str, port: str, gate: str = "") -> None:
    resources = FakeResources(Path(gate) if gate else None)
    app = create_app(Settings(data=Path(data), workers=1), resources)
    app.extensions["esoteric"].readiness.start()
    app.run(port=int(port), threaded=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
