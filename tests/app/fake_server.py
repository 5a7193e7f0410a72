"""The application over the fake pipeline as a process of its own: `python -m tests.app.fake_server DATA PORT [GATE]`.

With ACCOUNTS=1, people sign in: ada (admin) and chen (checker), with the password of the tests.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from app import create_app
from app.corpora import service
from retrieval.settings import Settings
from tests.app.fake import FakeResources


def main(data: str, port: str, gate: str = "") -> None:
    service.PLAN_SECONDS = 2.0  # a dump is looked for again and again where nobody answers
    resources = FakeResources(Path(gate) if gate else None)
    with_accounts = os.environ.get("ACCOUNTS") == "1"
    app = create_app(Settings(data=Path(data), workers=1, accounts=with_accounts), resources)
    for name, role in (("ada", "admin"), ("chen", "checker")) if with_accounts else ():
        app.extensions["accounts"].people.add(name, role, "correct horse battery")
    app.extensions["esoteric"].readiness.start()
    app.run(port=int(port), threaded=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
