"""The map of docs/architecture.md, held by the code: who may import whom, how long a file is, what an import does."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[1]
FACES = ("retrieval", "app", "indexing", "evaluation", "training")
MAY_IMPORT = {
    "retrieval": set(),
    "app": {"retrieval"},
    "indexing": {"retrieval"},
    "evaluation": {"retrieval"},
    "training": {"retrieval", "evaluation"},
}
WEB = {"flask", "flask_wtf", "werkzeug", "jinja2", "waitress", "gunicorn", "dbos", "sqlalchemy", "alembic", "wtforms"}
# What takes long to load: never when a module is imported, only when it is used.
HEAVY = {
    "onnxruntime",
    "spacy",
    "thinc",
    "torch",
    "transformers",
    "sklearn",
    "scipy",
    "haystack",
    "tokenizers",
    "nltk",
    "trafilatura",
    "openai",
    "mistralai",
    "httpx2",
    "sentence_transformers",
    "huggingface_hub",
}
# What needs Haystack as soon as it is imported: for other people's programs, and for `check --haystack` alone.
HAYSTACK = "retrieval.haystack"
LONGEST_FILE = 400
MOST_MODULES = 12  # in a folder: more are not taken in at a glance
ONE_A_TABLE = "app/tables"  # which holds as many modules as there are tables, named as they are
# Of the core, from the bottom up: each imports only itself and what stands before it.
LAYERS = (
    ("types", "version", "measured", "stage_names"),
    ("errors",),
    ("protocols", "settings"),
    ("pipeline",),
    ("text",),
    ("stores", "models", "llm"),  # side by side: none of these knows another
    ("web",),
    ("verdicts",),
    ("stages", "output"),
    ("roles",),
    ("parts",),
    ("recipes",),
    ("resources",),
    ("command",),
    ("haystack",),
    ("__main__",),
)

FEATURES = (
    *("accounts", "people", "documents", "checks", "texts", "reports", "claim_tables", "compare", "collections"),
    *("deletions", "corpora", "home"),
)
# Of the web application, likewise: the database, the work in the background, what every feature stands on, the features.
FLOORS = (
    ("errors", "folders"),
    ("tables",),
    ("jobs",),
    ("http",),
    FEATURES,
    ("", "starting"),  # "": `create_app` itself
    ("serve",),
    ("__main__",),
)
# What no other feature imports: what it needs of a feature is in `service` and the modules beside it.
FACES_OF_A_FEATURE = {"pages", "api", "command"}


def modules(face: str) -> list[Path]:
    return sorted((ROOT / face).rglob("*.py"))


class Module(NamedTuple):
    """imported: full names of the modules that a file imports anywhere in it. run: what it imports when it runs, a.b.c for `from
    a.b import c`, without what stands under `if TYPE_CHECKING`. effects: lines at its top of calls for their effect alone."""

    imported: frozenset[str]
    run: frozenset[str]
    effects: list[int]


@cache  # of this alone: the trees of all modules take 100 MB
def module(path: Path) -> Module:
    """What a file says, read once."""
    nodes = list(ast.walk(tree := ast.parse(path.read_text("utf-8"))))
    tests = [node for node in nodes if isinstance(node, ast.If) and isinstance(node.test, ast.Name)]
    unrun = {inner for test in tests if test.test.id == "TYPE_CHECKING" for inner in ast.walk(test)}
    anywhere, run = set[str](), set[str]()
    for node in nodes:
        names, inner = list[str](), list[str]()
        if isinstance(node, ast.Import):
            names = inner = [name.name for name in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            names, inner = [node.module or ""], [f"{node.module}.{name.name}" for name in node.names]
        anywhere.update(names)
        run.update(() if node in unrun else inner)
    alone = (node for node in tree.body if isinstance(node, ast.Expr) and not isinstance(node.value, ast.Constant))
    return Module(frozenset(anywhere), frozenset(run), [node.lineno for node in alone])


def tops(path: Path) -> set[str]:
    return {name.partition(".")[0] for name in module(path).imported}


@pytest.mark.parametrize("face", FACES)
def test_imports_go_one_way(face: str) -> None:
    assert modules(face)
    for path in modules(face):
        others = tops(path) & set(FACES) - {face}
        assert others <= MAY_IMPORT[face], f"{path.relative_to(ROOT)} imports {others - MAY_IMPORT[face]}"


@cache
def named_modules() -> dict[str, Path]:
    """Full name -> file, of every module of the program; a package has its folder's name."""
    paths = [path for face in FACES for path in modules(face)]
    return {".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path for path in paths}


@cache
def imports_of(path: Path) -> set[str]:
    """Modules of the program that a file imports when it runs, at its top or in a function."""
    known = named_modules()
    found = {name if name in known else name.rpartition(".")[0] for name in module(path).run}
    return {name for name in found if known.get(name) not in (None, path)}


def import_cycle(graph: Mapping[str, set[str]]) -> list[str]:
    """Modules of which each imports the next and the last the first; empty where there are none."""
    done: set[str] = set()

    def search(name: str, way: list[str]) -> list[str]:
        if name in way:
            return way[way.index(name) :]
        if name in done:
            return []
        for other in sorted(graph[name]):
            if cycle := search(other, [*way, name]):
                return cycle
        done.add(name)
        return []

    return next((cycle for name in graph if (cycle := search(name, []))), [])


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert import_cycle({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c"]
    assert not import_cycle({name: imports_of(path) for name, path in named_modules().items()})


def test_the_core_is_built_in_layers() -> None:
    height = {part: number for number, layer in enumerate(LAYERS) for part in layer}
    for name, path in named_modules().items():
        face, _, inside = name.partition(".")
        part = inside.partition(".")[0]
        if face != "retrieval" or not part:
            continue
        others = {other.split(".")[1] for other in imports_of(path) if other.count(".")} - {part}
        above = {other for other in others if height[other] >= height[part]}
        assert not above, f"{path.relative_to(ROOT)} imports {above}"


@pytest.mark.parametrize(("face", "layers"), [("retrieval", LAYERS), ("app", FLOORS)])
def test_every_part_has_its_layer(face: str, layers: tuple[tuple[str, ...], ...]) -> None:
    listed = {path.stem for path in (ROOT / face).iterdir() if path.suffix == ".py" or path.is_dir()}
    assert listed - {"__init__", "__pycache__"} == {part for layer in layers for part in layer if part}


def test_the_application_is_built_in_floors() -> None:
    height = {part: number for number, layer in enumerate(FLOORS) for part in layer}
    for name, path in named_modules().items():
        if name.partition(".")[0] != "app":
            continue
        part = f"{name}.".split(".")[1]
        for other in imports_of(path):
            face, _, inside = f"{other}.".partition(".")
            above, _, module = inside.partition(".")
            if face != "app" or above == part:
                continue
            beside = {part, above} <= set(FEATURES) and module.rstrip(".") not in FACES_OF_A_FEATURE
            assert beside or height[above] < height[part], f"{path.relative_to(ROOT)} imports {other}"


def test_a_table_is_declared_in_the_module_of_its_name() -> None:
    """Its module may also declare tables whose rows are parts of its own, as claims are of a report."""
    from app.tables.migrations import DECLARING, metadata

    of_several = {"background", "backup", "deletions", "opened", "ownership", "probe", "roles"}
    of_a_row = {"stored_check", "stored_record"}  # a check as a row, whose pages are rows too: parts of a check
    parts = {"report_claims": "reports", "filed": "collections", "check_pages": "stored_record", "kept": "database"}
    declared: dict[str, str] = {}
    for path in (ROOT / ONE_A_TABLE).glob("[!_]*.py"):
        declared |= dict.fromkeys(re.findall(r'sa\.Table\(\s*"(\w+)"', path.read_text("utf-8")), path.stem)
    assert set(declared) == set(metadata.tables)
    assert declared == {name: parts.get(name, name) for name in declared}
    named = {path.stem for path in (ROOT / ONE_A_TABLE).glob("[!_]*.py")}
    assert named - set(declared) == of_several | of_a_row | {"database"}
    assert set(declared.values()) - {"database"} == {module.__name__.rpartition(".")[2] for module in DECLARING}


def test_no_folder_holds_more_modules_than_are_taken_in_at_a_glance() -> None:
    for face in FACES:
        folders = {path.parent for path in modules(face)}
        counts = {str(folder.relative_to(ROOT)): len([*folder.glob("[!_]*.py")]) for folder in folders}
        assert not {folder for folder, count in counts.items() if count > MOST_MODULES and folder != ONE_A_TABLE}


# What the commands of all faces share.
SHARED_COMMAND = ROOT / "retrieval" / "command.py"
REPORT_CHARTS = ROOT / "evaluation" / "report" / "charts.py"  # fills in report.html


def test_the_core_parses_arguments_nowhere_but_in_its_command() -> None:
    for path in modules("retrieval"):
        allowed = path.name == "__main__.py" or path == SHARED_COMMAND
        assert allowed or "argparse" not in tops(path), path.relative_to(ROOT)


@pytest.mark.parametrize("face", FACES)
def test_arguments_are_parsed_only_by_what_is_run(face: str) -> None:
    for path in modules(face):
        is_run = path == SHARED_COMMAND or 'if __name__ == "__main__":' in path.read_text("utf-8")
        assert "argparse" not in tops(path) or is_run, path.relative_to(ROOT)


@pytest.mark.parametrize("face", ["retrieval", "indexing", "evaluation", "training"])
def test_only_the_web_face_knows_the_web(face: str) -> None:
    for path in modules(face):
        templates = {"jinja2"} if path == REPORT_CHARTS else set()
        assert not tops(path) & WEB - templates, path.relative_to(ROOT)


def test_no_product_code_imports_tests() -> None:
    for face in FACES:
        for path in modules(face):
            assert not tops(path) & {"tests", "pytest", "hypothesis"}, path.relative_to(ROOT)


IMPORT_ALL = """
import importlib, os, socket, subprocess, sys, threading
def refuse(*_, **__):
    raise AssertionError("a module does something when it is imported")
socket.socket.connect = subprocess.Popen.__init__ = threading.Thread.start = refuse
os.mkdir = os.replace = os.rename = refuse
from retrieval import TELEMETRY_OFF
before = TELEMETRY_OFF | dict(os.environ)
for name in sys.argv[1:]:
    importlib.import_module(name)
assert dict(os.environ) == before, "a module changes the environment when it is imported"
print(*sorted({name.partition(".")[0] for name in sys.modules}))
"""


def import_names(face: str) -> list[str]:
    paths = [path.relative_to(ROOT).with_suffix("") for path in modules(face)]
    names = [".".join(path.parts).removesuffix(".__init__") for path in paths]
    return [name for name in names if not name.startswith(HAYSTACK)]


def loaded_after_importing(*names: str) -> set[str]:
    ended = subprocess.run([sys.executable, "-c", IMPORT_ALL, *names], cwd=ROOT, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    return set(ended.stdout.split())


@pytest.mark.parametrize("face", ["retrieval", "indexing", "evaluation"])
def test_importing_every_module_does_nothing_and_loads_nothing_heavy(face: str) -> None:
    loaded = loaded_after_importing(*import_names(face))
    assert not loaded & (HEAVY | WEB), face
    assert not (loaded & set(FACES)) - MAY_IMPORT[face] - {face}


def test_haystack_is_imported_by_its_option_alone() -> None:
    folder = ROOT / "retrieval" / "haystack"
    paths = {
        path for face in FACES for path in modules(face) if any(n.startswith(HAYSTACK) for n in module(path).imported)
    }
    assert {path for path in paths if path.parent != folder} == {ROOT / "retrieval" / "__main__.py"}


def test_the_recipes_load_neither_models_nor_the_web() -> None:
    loaded = loaded_after_importing("retrieval.recipes", "retrieval.resources", "retrieval.__main__")
    assert not loaded & (HEAVY | WEB | {"tantivy"})


def test_the_web_face_loads_no_model_when_it_is_imported() -> None:
    assert not loaded_after_importing("app") & HEAVY


@pytest.mark.parametrize("face", ["retrieval", "indexing", "evaluation", "training"])
def test_nothing_runs_at_the_top_of_a_module(face: str) -> None:
    """A call for its effect alone belongs into a function. (Flask's blueprints are registered so, in `app`.)"""
    assert not {str(path.relative_to(ROOT)): lines for path in modules(face) if (lines := module(path).effects)}


# Files


def tracked() -> list[Path]:
    """Files under version control, and new ones that it does not ignore."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout.decode().split("\0")
    return [ROOT / name for name in sorted(set(filter(None, listed))) if (ROOT / name).is_file()]


def texts() -> Iterator[tuple[Path, str]]:
    for path in tracked():
        raw = path.read_bytes()
        if b"\0" not in raw[:8_000]:
            yield path.relative_to(ROOT), raw.decode("utf-8")


def test_no_file_of_code_is_too_long() -> None:
    code = {".py", ".js", ".css", ".html"}
    long = {
        str(path): text.count("\n") for path, text in texts() if path.suffix in code and text.count("\n") > LONGEST_FILE
    }
    assert not long


# Addresses of package mirrors and places on the machines that the code was written on.
_MACHINE = re.compile(
    r"(?<![\w.])/(?:work|root|home|Users|mnt|opt/train)/|\.pyenv|(?<!\w)localhost:\d+/simple|"
    r"--(?:extra-)?index-url|index-url *=|artifactory|nexus\.|\.internal\b|\b10\.\d+\.\d+\.\d+\b|\b192\.168\.\d+\.\d+\b"
)


def test_no_machine_paths_and_no_package_mirrors() -> None:
    own = Path(__file__).resolve().relative_to(ROOT)
    found = [f"{path}: {match[0]}" for path, text in texts() if path != own for match in _MACHINE.finditer(text)]
    assert not found
