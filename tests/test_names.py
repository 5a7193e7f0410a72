"""Names in the code: constants that are numbers say what they count, and private names of libraries are not used."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tests.test_architecture import FACES, ROOT, modules, named_modules, tops


def numbers_of_one_word() -> Iterator[tuple[str, str]]:
    """(name, module) of every constant of the program that is a number and whose name is a single word."""
    for name, path in named_modules().items():
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
                for target in node.targets:
                    if isinstance(node.value.value, int | float) and re.fullmatch("_?[A-Z]+", ast.unparse(target)):
                        yield ast.unparse(target).strip("_"), name


# Each means the same wherever it stands: letters too small to be read, tries of a download, folds of a cross-validation.
SAME_NUMBER = {
    "ATTEMPTS",
    "CLAIMS",
    "EXCERPT",
    "FOLDS",
    "GOAL",
    "NEAR",
    "PAUSE",
    "SHORT",
    "STRENGTH",
    "UNREADABLE",
    "WHITE",
}


def test_the_name_of_a_number_means_one_thing() -> None:
    """A name of one word that several modules use for a number says too little: SECONDS of what?"""
    found: dict[str, set[str]] = {}
    for name, module in numbers_of_one_word():
        found.setdefault(name, set()).add(module)
    assert {name: modules for name, modules in found.items() if len(modules) > 1 and name not in SAME_NUMBER} == {}


# Private names of DBOS in use, each explained in docs/architecture.md ("The private name of DBOS in use"). Add none.
PRIVATE_OF_DBOS = {"app/jobs/queue.py": {"dbos._queue"}}


def private_of_dbos(tree: ast.Module) -> set[str]:
    """Modules of DBOS whose names begin with _, such names imported from it, and such attributes of anything but self."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "dbos":
            names = [alias.name for alias in node.names]
            found |= {node.module or ""} if "._" in (node.module or "") else set()
            found |= {f"{node.module}.{name}" for name in names if name.startswith("_")}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names if alias.name.startswith("dbos._")}
        elif isinstance(node, ast.Attribute) and re.match(r"_(?!_)", node.attr):
            owner = ast.unparse(node.value)
            found |= {f"{owner}.{node.attr}"} if not re.match(r"self$|cls$|super\(", owner) else set()
    return found


def test_dbos_is_used_through_its_public_names_but_for_those_listed() -> None:
    assert private_of_dbos(ast.parse("from dbos._sys_db import X\nDBOS._registry\nself._mine")) == {
        "dbos._sys_db",
        "DBOS._registry",
    }
    used = {
        str(path.relative_to(ROOT)): private_of_dbos(ast.parse(path.read_text("utf-8")))
        for face in FACES
        for path in modules(face)
        if "dbos" in tops(path)
    }
    assert {path: names for path, names in used.items() if names} == PRIVATE_OF_DBOS
