"""Stand-ins for the three base images, where no registry can be reached: one Debian with Python, PostgreSQL and Elasticsearch.

What the stack's own files say is built on them unchanged, but for what `adapt` lists.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tests.app.process import ROOT
from tests.containers.daemon import LIMIT, Docker
from tests.elastic.server import install

FILES = ("Dockerfile", "docker/elasticsearch/Dockerfile", "docker-compose.yml")
PACKAGES = "python3,python3-venv,postgresql-15,curl,tini,gosu,ca-certificates,libstdc++6"
CACHE = Path("/var/cache/esoteric")
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


def build_bases(docker: Docker, folder: Path, images: list[str]) -> None:
    """One image by each of these names, of one root file system. folder: for what it is made of."""
    docker.run("import", str(_root()), "esoteric-debian:stand-in")
    context = folder / "context"
    context.mkdir()
    _write_context(context)
    for image in images:
        target = "python" if "python" in image else "postgres" if "postgres" in image else "elasticsearch"
        docker.run("build", "--quiet", "--target", target, "--tag", image, str(context))
    shutil.rmtree(context)


def _root() -> Path:
    """The root file system of Debian 12 with what all three need; made once."""
    kept = CACHE / f"debian-{hashlib.sha256(PACKAGES.encode()).hexdigest()[:12]}.tar"
    if not kept.exists():
        draft = CACHE / "draft.tar"
        arguments = ["--variant=minbase", f"--include={PACKAGES}", "--quiet", "bookworm", str(draft)]
        made = subprocess.run(["mmdebstrap", *arguments], capture_output=True, text=True, timeout=LIMIT)
        assert made.returncode == 0, made.stderr[-3000:]
        draft.rename(kept)
    return kept


def _write_context(folder: Path) -> None:
    """What the stand-ins are built of: packages of Python, the suite's Elasticsearch and Java."""
    home, java = install()
    shutil.copytree(home, folder / "elasticsearch")
    shutil.copytree(java, folder / "java")
    options = folder / "elasticsearch" / "config" / "jvm.options"
    # This Java is cut to size and lacks the vector module.
    kept = [
        line for line in options.read_text().splitlines() if "incubator.vector" not in line and "Xlog:gc" not in line
    ]
    options.write_text("\n".join(kept) + "\n")
    shutil.copytree(wheels(), folder / "wheels")
    for name, text in (("postgres.sh", POSTGRES), ("elasticsearch.sh", ELASTICSEARCH)):
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    (folder / "Dockerfile").write_text(
        "FROM esoteric-debian:stand-in AS python\n"
        "RUN ln -s /usr/bin/python3 /usr/local/bin/python\n"
        "COPY wheels /wheels\n"
        "ENV PIP_NO_INDEX=1 PIP_FIND_LINKS=/wheels\n"
        "FROM esoteric-debian:stand-in AS postgres\n"
        "COPY postgres.sh /postgres.sh\n"
        "VOLUME /var/lib/postgresql/data\n"
        "ENV PATH=/usr/lib/postgresql/15/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin\n"
        'ENTRYPOINT ["/usr/bin/tini", "--", "/postgres.sh"]\n'
        "FROM esoteric-debian:stand-in AS elasticsearch\n"
        "RUN useradd --uid 1000 --gid 0 --home-dir /usr/share/elasticsearch elasticsearch && ln -s /usr/bin/tini /bin/tini || true\n"
        "COPY java /opt/java\n"
        "COPY --chown=1000:0 elasticsearch /usr/share/elasticsearch\n"
        "COPY elasticsearch.sh /usr/local/bin/docker-entrypoint.sh\n"
        "RUN install -d -o 1000 -g 0 /usr/share/elasticsearch/data /usr/share/elasticsearch/logs\n"
        "ENV ES_JAVA_HOME=/opt/java\n"
        "USER 1000:0\n"
        'ENTRYPOINT ["/bin/tini", "--", "/usr/local/bin/docker-entrypoint.sh"]\n'
        'CMD ["eswrapper"]\n'
    )


def wheels() -> Path:
    """The packages of requirements.lock, fetched once by the machine's own pip: a container need not reach an index."""
    lock = ROOT / "requirements.lock"
    kept = CACHE / "wheels" / hashlib.sha256(lock.read_bytes()).hexdigest()[:12]
    if not kept.exists():
        draft = kept.with_suffix(".draft")
        command = [
            sys.executable,
            "-m",
            "pip",
            "download",
            "--quiet",
            "--no-deps",
            "--require-hashes",
            "--only-binary=:all:",
        ]
        subprocess.run([*command, "-r", str(lock), "-d", str(draft)], check=True, timeout=LIMIT)
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
