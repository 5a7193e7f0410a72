"""The Dockerfiles and what builds on them, without docker: base images, what is copied, digests, Elasticsearch's users."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.app.process import ROOT

ELASTICSEARCH = ROOT / "docker" / "elasticsearch"
USERS = ("reader", "loader")
FILES = ("Dockerfile", "docker/elasticsearch/Dockerfile", "docker-compose.yml")
TESTED = {  # the versions that the tests run against
    "python:3.11-slim-bookworm",
    "postgres:15.18-bookworm",
    "docker.elastic.co/elasticsearch/elasticsearch:9.2.0",
}


def named_images() -> list[str]:
    """All that come from a registry."""
    text = "\n".join((ROOT / name).read_text() for name in FILES)
    return re.findall(r"^(?:FROM|    image:) (\S+:\S+)", text, re.M)


def test_images_are_those_that_were_tested() -> None:
    assert {image.partition("@")[0] for image in named_images()} == TESTED


def test_images_of_the_docker_hub_are_named_by_digest() -> None:
    """A tag can be made to point to something else. Elasticsearch's own registry could not be asked."""
    for image in named_images():
        assert "elastic.co/" in image or re.fullmatch(r"[a-z]+:[\w.-]+@sha256:[0-9a-f]{64}", image), image
    assert len(set(named_images())) == 3, "both stages are the same image"


DIGEST = "sha256:" + "0123456789abcdef" * 4
DOCKER = """#!/bin/sh
case "$*" in
  "buildx imagetools inspect "*" --format {{.Manifest.Digest}}") echo "$4" >> "$ASKED"; echo "$ANSWER";;
  *) exit 64;;
esac
"""


def pinned(tree: Path, answer: str) -> subprocess.CompletedProcess[str]:
    """What `make pin-image` does in a copy of the files, where the registries answer so."""
    if not (tree / "docker").exists():
        shutil.copytree(ROOT / "docker", tree / "docker")
        for name in ("Dockerfile", "docker-compose.yml", "Makefile"):
            shutil.copy(ROOT / name, tree / name)
    (tree / "docker-command").mkdir(exist_ok=True)
    (tree / "docker-command" / "docker").write_text(DOCKER)
    (tree / "docker-command" / "docker").chmod(0o755)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    environment |= {
        "PATH": f"{tree / 'docker-command'}:{os.environ['PATH']}",
        "ASKED": str(tree / "asked"),
        "ANSWER": answer,
    }
    return subprocess.run(["make", "pin-image"], cwd=tree, env=environment, capture_output=True, text=True, timeout=60)


def test_make_pin_image_names_every_image_by_its_digest(tmp_path: Path) -> None:
    before = {name: (ROOT / name).read_text() for name in FILES}
    for answer in (DIGEST, "sha256:" + "f" * 64):  # again: the old digest makes room
        assert pinned(tmp_path, answer).returncode == 0
        after = {name: (tmp_path / name).read_text() for name in before}
        found = re.findall(r"^(?:FROM|    image:) (\S+:\S+)", "\n".join(after.values()), re.M)
        assert len(found) == 4
        assert {image.partition("@")[2] for image in found} == {answer}
        assert {image.partition("@")[0] for image in found} == set((tmp_path / "asked").read_text().split())
        assert {name: re.sub(r"@sha256:[0-9a-f]{64}", "", text) for name, text in after.items()} == {
            name: re.sub(r"@sha256:[0-9a-f]{64}", "", text) for name, text in before.items()
        }


@pytest.mark.parametrize("answer", ["", "sha256:123", "ERROR: not found"])
def test_without_a_digest_nothing_is_changed(tmp_path: Path, answer: str) -> None:
    told = pinned(tmp_path, answer)
    assert told.returncode != 0
    assert "so nothing was changed" in told.stderr
    for name in FILES:
        assert (tmp_path / name).read_text() == (ROOT / name).read_text()


def test_the_image_of_elasticsearch_holds_its_files_for_its_user() -> None:
    text = (ELASTICSEARCH / "Dockerfile").read_text()
    copied = re.findall(r"^COPY --chown=1000:0 (\S+) (\S+)$", text, re.M)
    assert {name for name, _ in copied} == {path.name for path in ELASTICSEARCH.iterdir()} - {"Dockerfile"}
    assert ("roles.yml", "/usr/share/elasticsearch/config/roles.yml") in copied
    assert dict(copied)["users.sh"] in (re.findall(r"^ENTRYPOINT (.+)$", text, re.M))[0]


def test_the_image_holds_what_the_commands_need_and_no_more() -> None:
    text = (ROOT / "Dockerfile").read_text()
    copied = re.findall(r"^COPY (?!--from)(\S+)", text, re.M)
    allowed = [line[1:] for line in (ROOT / ".dockerignore").read_text().split() if line.startswith("!")]
    assert set(copied) == set(allowed)
    assert all((ROOT / name).exists() for name in copied)
    assert {"retrieval", "indexing", "app", "templates", "static"} <= set(copied)
    final = text.rpartition("FROM ")[2]
    assert "USER esoteric" in final
    assert not re.search(r"apt|pip|gcc|build-essential", final)
    assert "HEALTHCHECK" in final
    assert 'CMD ["python", "-m", "app"]' in final


# Keeps users as the real tool shows them: the name padded to 15 characters, a colon, the roles.
USERS_TOOL = """#!/bin/bash
file=$ES_HOME/users; touch "$file"
case $1 in
  list) grep "^$2 *:" "$file" || { echo "User [$2] doesn't exist" >&2; exit 65; };;
  useradd)
    if grep -q "^$2 *:" "$file"; then echo "ERROR: User [$2] already exists" >&2; exit 65; fi
    printf '%-15s: %s\\n' "$2" "$6" >> "$file"; echo "$2 $4" >> "$ES_HOME/passwords";;
  passwd) grep -q "^$2 *:" "$file" && echo "$2 $4" >> "$ES_HOME/passwords";;
  *) exit 64;;
esac
"""


def test_elasticsearch_starts_a_second_time_with_its_users(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    tool = tmp_path / "bin" / "elasticsearch-users"
    tool.write_text(USERS_TOOL)
    tool.chmod(0o755)
    for round in ("first", "second"):
        given = {"ES_HOME": str(tmp_path), "PATH": os.environ["PATH"]}
        given |= {f"{kind.upper()}_PASSWORD": f"{round}-{kind}" for kind in USERS}
        script = ["bash", str(ELASTICSEARCH / "users.sh"), "echo", "started"]
        ended = subprocess.run(script, env=given, capture_output=True, text=True)
        assert (ended.returncode, ended.stdout) == (0, "started\n"), ended.stderr
    assert (tmp_path / "users").read_text() == "".join(f"esoteric-{kind}: esoteric-{kind}\n" for kind in USERS)
    passwords = (tmp_path / "passwords").read_text().splitlines()
    assert passwords == [f"esoteric-{kind} {round}-{kind}" for round in ("first", "second") for kind in USERS]
