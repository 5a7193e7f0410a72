"""Stand-ins for the three base images, where no registry can be reached: one Debian with Python, PostgreSQL and Elasticsearch.

What the stack's own files say is built on them unchanged, but for what `adapt` lists.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import sys
from pathlib import Path

from tests.app.process import ROOT
from tests.containers.daemon import APART, CACHE, IN_MEMORY, SOURCES, Docker, call, mounted
from tests.elastic.server import install

FILES = ("Dockerfile", "docker/elasticsearch/Dockerfile", "docker-compose.yml")
PACKAGES = "python3,python3-venv,postgresql-15,curl,tini,gosu,ca-certificates,libstdc++6"
UNREAD = ("doc", "man", "locale", "info")
# As the real image does: a database and its owner at the first start, then the server in place of the shell.
POSTGRES = """#!/bin/bash
set -euo pipefail
export PATH=/usr/lib/postgresql/15/bin:$PATH PGDATA=/var/lib/postgresql/data
install -d -o postgres -m 700 "$PGDATA" && install -d -o postgres /var/run/postgresql
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  install -m 600 -o postgres /dev/null /tmp/password && echo "$POSTGRES_PASSWORD" > /tmp/password
  gosu postgres initdb -U "$POSTGRES_USER" -A scram-sha-256 --pwfile=/tmp/password --encoding=UTF8 --locale=C.UTF-8
  echo "host all all all scram-sha-256" >> "$PGDATA/pg_hba.conf"
  gosu postgres pg_ctl -w -o "-c listen_addresses=''" start
  PGPASSWORD=$POSTGRES_PASSWORD gosu postgres psql -h /var/run/postgresql -U "$POSTGRES_USER" -d postgres -c "CREATE DATABASE $POSTGRES_DB"
  gosu postgres pg_ctl -w -m fast stop
fi
exec gosu postgres postgres -c listen_addresses='*'
"""
# As the real image does: variables with a dot in their name are settings, ELASTIC_PASSWORD is the superuser's.
ELASTICSEARCH = """#!/bin/bash
set -euo pipefail
cd /usr/share/elasticsearch
settings=()
while IFS='=' read -r -d '' name value; do
  [[ $name == *.* ]] && settings+=("-E$name=$value")
done < /proc/self/environ
exec bin/elasticsearch -Enetwork.host=0.0.0.0 -Expack.security.transport.ssl.enabled=false "${settings[@]}"
"""

RECIPES = {  # for Docker, after the root file system
    "python": """
RUN ln -s /usr/bin/python3 /usr/local/bin/python
COPY wheels /wheels
ENV PIP_NO_INDEX=1 PIP_FIND_LINKS=/wheels
""",
    "postgres": """
COPY postgres.sh /
VOLUME /var/lib/postgresql/data
ENV PATH=/usr/lib/postgresql/15/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
ENTRYPOINT ["/usr/bin/tini", "--", "bash", "/postgres.sh"]
""",
    "elasticsearch": """
RUN useradd --uid 1000 --gid 0 --home-dir /usr/share/elasticsearch elasticsearch && { test -e /bin/tini || ln -s /usr/bin/tini /bin/tini; }
COPY java /opt/java
COPY --chown=1000:0 elasticsearch /usr/share/elasticsearch
COPY elasticsearch.sh /usr/local/bin/docker-entrypoint.sh
RUN chmod 755 /usr/local/bin/docker-entrypoint.sh && install -d -o 1000 -g 0 /usr/share/elasticsearch/data /usr/share/elasticsearch/logs
ENV ES_JAVA_HOME=/opt/java
USER 1000:0
ENTRYPOINT ["/bin/tini", "--", "/usr/local/bin/docker-entrypoint.sh"]
CMD ["eswrapper"]
""",
}


def build_bases(docker: Docker, folder: Path, images: list[str]) -> None:
    """One image by each of these names, of one root file system. folder: for what it is made of."""
    docker.run("import", str(_root()), "esoteric-debian:stand-in")
    for image in images:
        kind = next(kind for kind in RECIPES if kind in image)
        context = folder / kind
        context.mkdir()
        PARTS[kind](context)
        (context / "Dockerfile").write_text("FROM esoteric-debian:stand-in\n" + RECIPES[kind])
        docker.run("build", "--quiet", "--tag", image, str(context))
        shutil.rmtree(context)


def fetch_bases() -> None:
    """All that they are made of, into the cache."""
    install()
    wheels()
    _root()


def _root() -> Path:
    """The root file system of Debian 12 with what all three need; made once."""
    kept = CACHE / f"debian-{hashlib.sha256(PACKAGES.encode()).hexdigest()[:12]}.tar"
    if not kept.exists():
        draft = CACHE / "draft.tar"
        options = ["--variant=minbase", f"--include={PACKAGES}", "--quiet", "--dpkgopt=force-unsafe-io"]
        options += [f"--dpkgopt=path-exclude=/usr/share/{name}/*" for name in UNREAD]
        # Nobody needs the database that the package would make.
        options += ["--essential-hook=install -D /dev/null $1/etc/postgresql-common/createcluster.conf"]
        options += ["--essential-hook=echo create_main_cluster=false > $1/etc/postgresql-common/createcluster.conf"]
        # In memory, because dpkg waits for the disk at every step, and so that nothing stays mounted if it is ended midway.
        made = [*APART, *mounted(IN_MEMORY), "env", f"TMPDIR={IN_MEMORY}", "mmdebstrap", *options]
        call(*made, "bookworm", str(draft), str(SOURCES))
        draft.rename(kept)
    return kept


def _python(folder: Path) -> None:
    shutil.copytree(wheels(), folder / "wheels")


def _postgres(folder: Path) -> None:
    (folder / "postgres.sh").write_text(POSTGRES)


def _elasticsearch(folder: Path) -> None:
    """The suite's own, and the Java that it runs with."""
    home, java = install()
    shutil.copytree(home, folder / "elasticsearch")
    shutil.copytree(java, folder / "java")
    # This Java is cut to size and lacks the vector module.
    options = folder / "elasticsearch" / "config" / "jvm.options"
    lines = options.read_text().splitlines()
    kept = [line for line in lines if "incubator.vector" not in line and "Xlog:gc" not in line]
    options.write_text("\n".join(kept) + "\n")
    (folder / "elasticsearch.sh").write_text(ELASTICSEARCH)


PARTS = {"python": _python, "postgres": _postgres, "elasticsearch": _elasticsearch}


def wheels() -> Path:
    """The packages of requirements.lock, fetched once by the machine's own pip: a container need not reach an index."""
    lock = ROOT / "requirements.lock"
    kept = CACHE / "wheels" / hashlib.sha256(lock.read_bytes()).hexdigest()[:12]
    if not kept.exists():
        shutil.rmtree(kept.parent, ignore_errors=True)  # of an earlier lock
        draft = kept.with_suffix(".draft")
        options = "--quiet --no-deps --require-hashes --only-binary=:all: --python-version=3.11".split()  # Debian 12's
        call(sys.executable, "-m", "pip", "download", *options, "-r", str(lock), "-d", str(draft))
        draft.rename(kept)
    return kept


def adapt(tree: Path) -> list[str]:
    """Change a copy of the files for the stand-ins. Returns what was changed, in words."""
    named: list[str] = []
    for name in FILES:
        text = (tree / name).read_text()
        named += re.findall(r"@sha256:[0-9a-f]{64}", text)
        (tree / name).write_text(re.sub(r"@sha256:[0-9a-f]{64}", "", text))
    compose = tree / "docker-compose.yml"
    setting = '      ingest.geoip.downloader.enabled: "false"\n'
    assert setting in compose.read_text()
    compose.write_text(compose.read_text().replace(setting, ""))
    return [
        f"{len(named)} digests of base images left out, which stand-ins do not have",
        "ingest.geoip.downloader.enabled left out, whose module the suite's Elasticsearch lacks",
    ]
