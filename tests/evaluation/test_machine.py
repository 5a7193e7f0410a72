"""What stands beside a time: the processor with the instruction sets that its speed depends on."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluation.machine import instruction_sets, machine, processor


@pytest.mark.parametrize(
    ("flags", "names"),
    [
        ("fpu sse2 avx avx2 fma", ["AVX2"]),
        ("avx2 avx512f avx512_vnni avx_vnni", ["AVX-512 VNNI"]),
        ("avx2 avx_vnni", ["AVX VNNI"]),
        ("avx2 avx512_vnni avx512_bf16 amx_int8 amx_bf16", ["AMX", "bfloat16", "AVX-512 VNNI"]),
        ("fp asimd asimddp i8mm", ["i8mm"]),
        ("fp asimd asimddp", ["dot products"]),
        ("sse2", []),
    ],
)
def test_flags_have_the_names_that_people_know(flags: str, names: list[str]) -> None:
    assert instruction_sets(flags) == names


def test_a_processor_is_named_with_what_it_can(tmp_path: Path) -> None:
    info = tmp_path / "cpuinfo"
    info.write_text("processor\t: 0\nmodel name\t: Some Xeon\nflags\t\t: fpu avx2 avx512_vnni\n\nprocessor\t: 1\n")
    assert processor(info) == "Some Xeon (AVX-512 VNNI)"
    info.write_text("processor\t: 0\nFeatures\t: fp asimd asimddp\n")
    assert processor(info).endswith(" (dot products)")
    assert processor(tmp_path / "missing"), "another system than Linux has a name too"
    assert processor() in machine()
