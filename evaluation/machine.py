"""Describes the machine of a measurement, because times mean little without the processor's instruction sets."""

from __future__ import annotations

import os
import platform
from pathlib import Path

PROCESSOR_INFO = Path("/proc/cpuinfo")
# Instruction sets that decide the networks' speed, by their flag in Linux. In each line, a flag implies those after it.
INSTRUCTION_SETS = (
    {"amx_int8": "AMX"},
    {"avx512_bf16": "bfloat16"},
    {"avx512_vnni": "AVX-512 VNNI", "avx_vnni": "AVX VNNI", "avx2": "AVX2"},
    {"i8mm": "i8mm", "asimddp": "dot products"},
)


def machine() -> str:
    """The processor with its instruction sets, the cores that this process may use, and Python's version."""
    cores = len(os.sched_getaffinity(0))
    return f"{processor()}, {cores} core{'s' * (cores != 1)}, Python {platform.python_version()}"


def processor(info: Path = PROCESSOR_INFO) -> str:
    """The processor's name and, in brackets, the instruction sets that the networks use, newest first."""
    try:
        lines = info.read_text("utf-8").splitlines()
    except OSError:
        lines = []
    fields = {key.strip(): value.strip() for key, colon, value in (line.partition(":") for line in lines) if colon}
    name = fields.get("model name") or platform.machine()
    sets = instruction_sets(fields.get("flags") or fields.get("Features", ""))
    return f"{name} ({', '.join(sets)})" if sets else name


def instruction_sets(flags: str) -> list[str]:
    """Names of the flags that matter, without those that another one implies. flags: as Linux lists them."""
    had = flags.split()
    best = (next((name for flag, name in line.items() if flag in had), "") for line in INSTRUCTION_SETS)
    return [name for name in best if name]
