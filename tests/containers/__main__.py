"""`make test-containers`: the tests with the Docker that runs here, else with one of their own, apart from the machine.

Apart means: with a network, mounts and processes that the kernel removes with the first of those processes, whatever ends it,
and with data in memory. So nothing is left behind but Debian's packages, and in /var/cache/esoteric what was fetched.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.app.process import ROOT
from tests.containers.bases import fetch_bases
from tests.containers.daemon import APART, FOLDER, IN_MEMORY, NOT_HERE, fetch_docker, mounted, reaches_a_registry, runs
from tests.waiting import until

TESTS = ["-m", "pytest", "tests/containers", "-m", "containers", "-s", "-x", "-vv"]
MEMORY = 7_000_000_000  # bytes: three of images, four of services at work
CGROUPS = Path("/sys/fs/cgroup")


def main() -> int:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # what is open is closed
    if runs():
        if not reaches_a_registry():
            return refuse("Docker runs here, but has no plugin for Compose or reaches no registry.")
        return subprocess.run([sys.executable, *TESTS], cwd=ROOT).returncode
    if os.geteuid():
        return refuse("Docker does not run here. Start it, or run this as root on Debian 12.")
    if subprocess.run([*APART, "--net", *mounted(IN_MEMORY), "true"]).returncode:
        return refuse("This machine allows no network, mounts and processes apart from its own.")
    if free_memory() < MEMORY:
        return refuse(
            f"Without Docker, this needs {MEMORY / 1e9:.0f} GB of free memory; {free_memory() / 1e9:.1f} are here."
        )
    print("Without Docker: fetching Debian's, and stand-ins for the base images.", flush=True)
    fetch_docker()
    fetch_bases()
    with own_cgroups():
        return run_apart()


def run_apart() -> int:
    """The tests, with a Docker whose data lie in memory; how they ended."""
    environment = {**os.environ, FOLDER: IN_MEMORY}
    command = [*APART, "--net", *mounted(IN_MEMORY), sys.executable, *TESTS, f"--basetemp={IN_MEMORY}/pytest"]
    apart = subprocess.Popen(command, cwd=ROOT, env=environment)
    try:
        return apart.wait()
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # what follows is not left half done
        apart.kill()
        apart.wait()


@contextlib.contextmanager
def own_cgroups() -> Iterator[None]:
    """The kernel keeps these when their processes are gone. Those of Docker are removed, unless somebody else uses them."""
    try:
        yield
    finally:
        with contextlib.suppress(AssertionError):  # somebody does
            until(_remove_cgroups, 10)  # the last processes may still be ending


def _remove_cgroups() -> bool:
    """Whether none is left."""
    tops = [top for top in (CGROUPS / "docker", *CGROUPS.glob("*/docker")) if top.is_dir()]
    for top in tops:
        for folder in sorted((path for path in (top, *top.rglob("*")) if path.is_dir()), reverse=True):
            with contextlib.suppress(OSError):
                folder.rmdir()
    return not any(top.exists() for top in tops)


def free_memory() -> int:
    """Bytes that programs could take now."""
    (kilobytes,) = re.findall(r"MemAvailable: +(\d+) kB", Path("/proc/meminfo").read_text())
    return int(kilobytes) * 1024


def refuse(why: str) -> int:
    print(why, file=sys.stderr)
    return NOT_HERE


if __name__ == "__main__":
    assert shutil.which("unshare"), "unshare is not here: apt-get install util-linux"
    sys.exit(main())
