"""Names: constants that are numbers say what they count, private names of libraries are not used, tests replace what there is."""

from __future__ import annotations

import ast
import re
import symtable
from collections.abc import Iterator
from pathlib import Path

from tests.test_architecture import FACES, ROOT, modules, named_modules, tops

NUMERIC = (ast.Constant, ast.UnaryOp, ast.BinOp, ast.operator, ast.unaryop)


def assigned(module: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """(name, value) of each assignment of a module; those of a tuple one by one."""
    for node in module.body:
        if isinstance(node, ast.Assign):
            names, values = node.targets[0], node.value
            if isinstance(names, ast.Tuple) and isinstance(values, ast.Tuple):
                yield from zip(map(ast.unparse, names.elts), values.elts, strict=True)
            else:
                yield ast.unparse(names), values


def numbers(module: ast.Module) -> Iterator[str]:
    """The names of a module's constants that are numbers, without leading underscores."""
    for name, value in assigned(module):
        parts = list(ast.walk(value))
        is_number = any(isinstance(part, ast.Constant) and type(part.value) in (int, float) for part in parts)
        if name.isupper() and is_number and all(isinstance(part, NUMERIC) for part in parts):
            yield name.strip("_")


SAME_NUMBER = {"FOLDS"}  # of a cross-validation, each fit with its own number


def test_the_name_of_a_number_means_one_thing() -> None:
    """A name that several modules use for a number says too little: SECONDS of what? One meaning is declared once."""
    found: dict[str, set[str]] = {}
    for module, path in named_modules().items():
        for name in numbers(ast.parse(path.read_text("utf-8"))):
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


def bound(path: Path) -> set[str]:
    """The names that a module binds at its top, by whatever statement."""
    return set(symtable.symtable(path.read_text("utf-8"), str(path), "exec").get_identifiers())


def patched(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """(module, name) of each `monkeypatch.setattr(module, "name", …)` whose module is imported by `from … import`."""
    imported = {
        alias.asname or alias.name: f"{node.module}.{alias.name}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    for node in ast.walk(tree):
        match node:
            case ast.Call(ast.Attribute(attr="setattr"), [ast.Name(module), ast.Constant(str(name)), *_]) if (
                module in imported
            ):
                yield imported[module], name


def test_what_tests_replace_is_there() -> None:
    """Slow tests replace names too, and run last: a name that went fails here first."""
    ours = named_modules()
    replaced = {
        (module, name) for path in modules("tests") for module, name in patched(ast.parse(path.read_text("utf-8")))
    }
    known = {(module, name) for module, name in replaced if module in ours}
    assert len(known) > 30
    assert sorted((module, name) for module, name in known if name not in bound(ours[module])) == []
