"""The walk of a claim in docs/architecture.md, from its POST to the first stage, beside the files that a claim really passes."""

from __future__ import annotations

import re
import sys
import threading
from pathlib import Path
from types import FrameType
from typing import Any

from retrieval.resources import Resources
from retrieval.settings import Settings
from retrieval.types import Claim
from tests.app.conftest import wait, working_app

ROOT = Path(__file__).parents[1]
MOST_FILES = 12
# What every request passes before its view begins, and what repeats any work while the database is away.
AROUND = {"app/http/proxies.py", "app/http/openapi.py", "app/tables/database.py"}
# Where the thread of a request and that of a worker begin; others look at the corpus meanwhile.
BEGINNINGS = {"app/checks/api.py", "app/jobs/worker.py"}
# Calls at whose begin the files are noted that called each other until there.
MOMENTS = {
    ("app/tables/checks.py", "add"),
    ("app/jobs/queue.py", "put"),
    ("app/jobs/sources.py", "resources"),
    ("retrieval/recipes/declaring.py", "build"),
    ("retrieval/stages/claim.py", "run"),
}
NAMES = {name for _, name in MOMENTS}


def product_file(frame: FrameType) -> str:
    """The file of a call in the program, relative to its folder; empty for libraries and tests."""
    path = Path(frame.f_code.co_filename)
    name = str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else ""
    return name if name.startswith(("app/", "retrieval/")) else ""


class Watched:
    """Notes, in the thread that it is set for and in all that start later, through which files the moments come."""

    def __init__(self) -> None:
        self.files: set[str] = set()
        self.moments: set[tuple[str, str]] = set()

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        if event != "call" or frame.f_code.co_name not in NAMES:  # first, as this runs at every call
            return
        if (moment := (product_file(frame), frame.f_code.co_name)) not in MOMENTS:
            return
        files, above = set[str](), frame.f_back
        while above is not None:
            files.add(product_file(above))
            above = above.f_back
        if files & BEGINNINGS:
            self.moments.add(moment)
            self.files |= {moment[0], *files} - {""}


def listed_walk() -> list[str]:
    """The files that docs/architecture.md numbers."""
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    walk = text.partition("These files carry a claim from")[2].partition("On the way there and back")[0]
    return re.findall(r"^\d+\. `([\w/.]+)`", walk, re.MULTILINE)


def test_a_claim_passes_the_files_that_are_listed_and_no_others(tmp_path: Path, sample_folder: Path) -> None:
    settings = Settings(data=tmp_path, store=str(sample_folder), recipe="careful")
    resources = Resources(settings)
    resources.pipeline("careful").run(Claim("warm", "Warsaw is a city."))  # loads the models
    watched = Watched()
    threading.setprofile(watched)
    try:
        for app in working_app(settings, resources):
            client = app.test_client()
            watched.files.clear()  # those of the start
            watched.moments.clear()
            sys.setprofile(watched)
            check_id = client.post("/api/checks", json={"claim": "Warsaw is the capital of Poland."}).json["id"]
            sys.setprofile(None)
            assert wait(client, check_id)["state"] == "done"
    finally:
        threading.setprofile(None)
        sys.setprofile(None)
    assert watched.moments == MOMENTS
    walk = listed_walk()
    assert watched.files == {*walk, *AROUND}
    assert len(walk) <= MOST_FILES
