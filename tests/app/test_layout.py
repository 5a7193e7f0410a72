"""A feature is a folder of `app/`, with the same names of files everywhere; its templates, static files and tests lie alike."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.test_architecture import FEATURES, ROOT, modules

# What a feature consists of, as far as it needs it.
NAMES = {
    "service": "its work, and what other features ask of it",
    "forms": "the forms of its requests and answers over HTTP",
    "pages": "its views for people",
    "api": "its views for programs",
    "exports": "its files to download",
    "words": "what people read of it",
}
# Other modules, and why they are none of these.
OTHERS = {
    "accounts.command": "its view on the command line, `python -m app user` and `audit`",
    "accounts.openid": "speaks a protocol of its own with a library of its own, and only if a provider is set",
    "checks.result": "a page that checks and reports both show, so that neither can have it in its `pages`",
    "checks.sides": "what pages and exports of checks and of reports arrange in the same way; too long for `service`",
    "reports.summary": "the numbers and rows that its pages, its API and its exports share; too long for `service`",
    "texts.review": "the rows of one page with what was typed into them; too long for `pages`",
}


def test_features_have_the_same_names_of_files() -> None:
    found = {f"{feature}.{path.stem}" for feature in FEATURES for path in (ROOT / "app" / feature).glob("[!_]*.py")}
    assert {name for name in found if name.partition(".")[2] not in NAMES} == set(OTHERS)
    assert all(len(path.relative_to(ROOT / "app").parts) == 2 for one in FEATURES for path in modules(f"app/{one}"))


_SHOWN = re.compile(
    r"""(?:render_template\(\s*|(?:include|extends|import|from) )"([\w/]+\.(?:html|md))"|asset\('([\w/.]+)'\)"""
)


def shown_by() -> Iterator[tuple[str, str]]:
    """(folder, the file of templates/ or static/ that something in it shows), of app/ and templates/."""
    for top, kind in (("app", "*.py"), ("templates", "*.html"), ("templates", "*.md")):
        for path in (ROOT / top).rglob(kind):
            for named in _SHOWN.findall(path.read_text("utf-8")):
                yield path.relative_to(ROOT / top).parts[0], named[0] or named[1]


@pytest.mark.parametrize("top", ["templates", "static"])
def test_templates_and_static_files_lie_as_the_application_does(top: str) -> None:
    folders = {path.name for path in (ROOT / "app").iterdir() if path.is_dir()} | {"parts"}
    files = [path.relative_to(ROOT / top) for path in (ROOT / top).rglob("*.*")]
    assert files
    assert not [str(path) for path in files if len(path.parts) != 2 or path.parts[0] not in folders]


def test_the_tests_of_the_application_lie_as_it_does() -> None:
    tested = {path.relative_to(ROOT / "tests" / "app").parent for path in (ROOT / "tests" / "app").rglob("test_*.py")}
    folders = {path.relative_to(ROOT / "app").parent for path in modules("app")}
    assert tested <= folders
    assert {folder.parts[0] for folder in folders if folder.parts} <= {str(folder) for folder in tested}


def test_a_folder_shows_its_own_files_and_what_several_share() -> None:
    shown = set(shown_by())
    assert ("checks", "checks/result.html") in shown
    assert ("parts", "parts/style.css") in shown
    assert not [one for one in shown if not one[1].startswith((f"{one[0]}/", "parts/"))]
    everything = {
        str(path.relative_to(path.parents[1])) for top in ("templates", "static") for path in (ROOT / top).rglob("*.*")
    }
    assert everything == {name for _, name in shown}
    parts = {
        name: {folder for folder, other in shown if other == name} for _, name in shown if name.startswith("parts/")
    }
    assert not {name for name, folders in parts.items() if len(folders) < 2 and folders != {"parts"}}
