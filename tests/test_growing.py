"""What CONTRIBUTING says of a store, a model, an export, a feature and a setting is all that each takes.

They are added to a copy of the program by those lines alone, and used there as people would.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from retrieval.models.catalogue import WEIGHTS
from tests.making import make_page
from tests.toys.store import write_toy

ROOT = Path(__file__).parents[1]
TOYS = ROOT / "tests" / "toys"
CLAIM = "The Anchor Bridge was opened in 1931."

# A store: 1 and 2 are tests/toys/store.py, 4 is tests/contracts/test_toy_store.py; 3:
STORE = (
    "retrieval/stores/__init__.py",
    "    if on_server(location):\n        from retrieval.stores.elastic.store",
    """    if location.startswith("toy:"):
        from retrieval.stores.toy.store import ToyStore

        return ToyStore(Path(location.removeprefix("toy:")))
""",
)
# A model: 1 and 3; 2 is tests/toys/model.py.
LISTED = (
    "retrieval/models/catalogue.py",
    "MODELS = (",
    'TOY = Model(role="questions", name="toy-questions", source="written by hand", licence="MIT")\n',
)
IN_LIST = ("retrieval/models/catalogue.py", "    SPANS,\n    BASE,", "    TOY,\n")
PLAYED = (
    "retrieval/roles.py",
    '        return self._parts.once(f"questions {name}"',
    """        if name == catalogue.TOY.name:
            from retrieval.models.toy import ToyQuestions

            return self._parts.once("toy questions", ToyQuestions)
""",
)
# An export: 1; 2, in three places; 3.
WRITTEN = (
    "app/checks/exports.py",
    "def as_csv(",
    """def as_line(check: StoredCheck) -> str:
    return f"{check.claim} {check.complete.verdict.label.value}"


""",
)
TYPED = ("app/checks/exports.py", '    "md": "text/markdown', '    "txt": "text/plain; charset=utf-8",\n')
ADDRESSED = ("app/checks/exports.py", "md,csv,jsonld,csl,bib,ris):kind", "txt,")
PLACED = ("app/checks/exports.py", '"md": as_markdown', '"txt": as_line, ')
LINKED = ("templates/checks/result.html", '("md", "Markdown")', '("txt", "Text"), ')
# A feature: 1, 2, 3.
SERVICE = ("app/greeting/service.py", "", 'def greeting(name: str) -> str:\n    return f"Good morning, {name}."\n')
VIEW = (
    "app/greeting/pages.py",
    "",
    '''from flask import Blueprint, render_template

from app.greeting.service import greeting
from app.http.services import services

blueprint = Blueprint("greeting", __name__)


@blueprint.get("/greeting")
def greet() -> str:
    """Greet whom the settings name."""
    return render_template("greeting/greeting.html", said=greeting(services().settings.greeted))
''',
)
VIEWED = ("app/__init__.py", '"deletions.pages"', '"greeting.pages", ')
TEMPLATE = (
    "templates/greeting/greeting.html",
    "",
    '{% extends "parts/base.html" %}{% block main %}<h1>{{ said }}</h1>{% endblock %}',
)
# A setting: 1.
SETTING = (
    "retrieval/settings/groups.py",
    "    metrics: bool = setting(",
    '    greeted: str = setting("everybody", "Whom the page /greeting greets.", rare=True)\n',
)
EDITS = (
    *(STORE, LISTED, IN_LIST, PLAYED, WRITTEN, TYPED, ADDRESSED, PLACED, LINKED, SERVICE, VIEW, VIEWED, TEMPLATE),
    SETTING,
)

VISIT = """
import sys
from pathlib import Path
from retrieval.settings import Settings
from tests.app.conftest import CLAIM, wait, working_app
from tests.app.fake import FakeResources
import app
assert Path(app.__file__).parents[1] == Path.cwd()
for one in working_app(Settings.from_environment(), FakeResources()):
    client = one.test_client()
    check = wait(client, client.post("/api/checks", json={"claim": CLAIM}).json["id"])
    print(client.get("/greeting").text)
    print(f'href="/checks/{check["id"]}.txt">Text' in client.get(f"/checks/{check['id']}").text)
    print(client.get(f"/checks/{check['id']}.txt").text)
"""


@pytest.fixture(scope="module")
def grown(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the program with one more of each."""
    copy = tmp_path_factory.mktemp("grown")
    for folder in ("app", "retrieval", "templates", "static"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns(WEIGHTS.name))
    (copy / "retrieval" / "models" / WEIGHTS.name).symlink_to(WEIGHTS)
    for name, at, added in EDITS:
        path = copy / name
        path.parent.mkdir(exist_ok=True)
        text = path.read_text("utf-8") if path.exists() else ""
        assert not at or text.count(at) == 1, f"{name}: {at}"
        path.write_text(text.replace(at, added + at, 1) if at else added, "utf-8")
    for toy, place in (("store", "retrieval/stores/toy/store.py"), ("model", "retrieval/models/toy.py")):
        (copy / place).parent.mkdir(exist_ok=True)
        shutil.copy(TOYS / f"{toy}.py", copy / place)
    return copy


def ran(grown: Path, *arguments: str, **settings: object) -> str:
    """What a command prints there."""
    environment = {
        **os.environ,
        "DATA": str(grown / "data"),
        "PYTHONPATH": f"{grown}:{ROOT}",
        "PYTHONDONTWRITEBYTECODE": "",
    }
    environment |= {name: str(value) for name, value in settings.items()}
    ended = subprocess.run([sys.executable, *arguments], cwd=grown, env=environment, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def test_a_setting_is_listed_read_and_described(grown: Path) -> None:
    assert "GREETED" in ran(grown, "-m", "retrieval", "settings", "--all", GREETED="Ada")
    assert "Whom the page /greeting greets." in ran(grown, "-m", "retrieval", "settings", "--markdown")


def test_a_store_is_opened_and_a_model_asked(grown: Path) -> None:
    bridge = make_page("Anchor Bridge", "The Anchor Bridge was opened in 1931.", "It is red.")
    pages = write_toy(grown / "pages.json", [bridge])
    named = {"STORE": f"toy:{pages}", "QUESTION_MODEL": "toy-questions"}
    assert "toy-questions" in ran(grown, "-m", "retrieval", "models", **named)
    check = json.loads(ran(grown, "-m", "retrieval", "check", CLAIM, "--recipe", "esoteric", "--json", **named))
    assert "toy-questions" in check["models"].values()
    assert "What is The Anchor Bridge?" in [question["text"] for question in check["questions"]]
    assert (check["evidence"][0]["title"], check["corpus"]["pages"]) == ("Anchor Bridge", 1)


def test_a_feature_and_an_export_are_there(grown: Path) -> None:
    said = ran(grown, "-c", VISIT, GREETED="Ada")
    assert "<h1>Good morning, Ada.</h1>" in said
    assert said.endswith("True\nMarie Curie was born in Warsaw. SUPPORTED\n")
