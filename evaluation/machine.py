"""What a figure was measured on: times mean little without the processor's instruction sets."""

from __future__ import annotations

import os
import platform
from pathlib import Path

PROCESSOR_INFO = Path("/proc/cpuinfo")
# Those that decide how fast the networks read, by their flag in Linux: what a newer one includes is not named.
INSTRUCTION_SETS = (
    ("AMX", "amx_int8"),
    ("bfloat16", "avx512_bf16"),
    ("AVX-512 VNNI", "avx512_vnni"),
    ("AVX VNNI", "avx_vnni"),
    ("AVX2", "avx2"),
    ("i8mm", "i8mm"),
    ("dot products", "asimddp"),
)
INCLUDED_IN = {"AVX VNNI": "AVX-512 VNNI", "AVX2": "AVX VNNI", "dot products": "i8mm"}


def machine() -> str:
    """Processor with its instruction sets, the cores that this process may use, and Python."""
    cores = len(os.sched_getaffinity(0))
    return f"{processor()}, {cores} core{'s' * (cores != 1)}, Python {platform.python_version()}"


def processor(info: Path = PROCESSOR_INFO) -> str:
    """Its name, and in brackets the instruction sets that the networks use, the newest first."""
    try:
        lines = info.read_text("utf-8").splitlines()
    except OSError:
        lines = []
    fields = {key.strip(): value.strip() for key, colon, value in (line.partition(":") for line in lines) if colon}
    name = fields.get("model name") or platform.machine()
    sets = instruction_sets(fields.get("flags") or fields.get("Features", ""))
    return f"{name} ({', '.join(sets)})" if sets else name


def instruction_sets(flags: str) -> list[str]:
    """Names of the flags that count, as Linux lists them, without those that another one includes."""
    found = [name for name, flag in INSTRUCTION_SETS if flag in flags.split()]
    return [name for name in found if not _included(name, found)]


def _included(name: str, found: list[str]) -> bool:
    larger = INCLUDED_IN.get(name)
    return larger is not None and (larger in found or _included(larger, found))
