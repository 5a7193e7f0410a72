"""Vectors without a network."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest

from retrieval.errors import ModelError
from retrieval.models import static_encoder as static
from retrieval.models.encoders import open_page_encoder
from retrieval.models.onnx import OnnxEncoder
from retrieval.models.static_encoder import StaticEncoder
from retrieval.settings import Settings
from tests.retrieval.models.test_onnx import STRANGE


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With the vectors of the first word pieces only, as all of them take a minute."""
    with pytest.MonkeyPatch.context() as patch:
        run = OnnxEncoder.run
        few = lambda self, ids: run(self, ids) if ids[0][1] < 2_600 else np.zeros((len(ids), 384))  # noqa: E731
        patch.setattr(OnnxEncoder, "run", few)
        StaticEncoder(folder := tmp_path_factory.mktemp("models"))
    return folder


def test_texts_alike_are_near_each_other(folder: Path) -> None:
    encoder = StaticEncoder(folder)
    river, stream, war = encoder.encode(["the river in the north", "a river of the south", "the second world war"])
    assert river @ stream > river @ war
    assert river @ stream > 0.3


def test_vectors_have_unit_length_whatever_the_text(folder: Path) -> None:
    encoder = StaticEncoder(folder)
    vectors = encoder.encode(STRANGE)
    assert vectors.shape == (len(STRANGE), encoder.dimension)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert encoder.encode([]).shape == (0, encoder.dimension)


def test_they_are_made_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(static, "make_vectors", lambda _: pytest.fail("made again"))
    began = time.process_time()
    StaticEncoder(folder)
    assert time.process_time() - began < 5
    (file,) = folder.iterdir()
    assert file.name.startswith("static-")


def test_a_file_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(static, "make_vectors", lambda _: np.zeros((3, 384), np.float32))
    (tmp_path / "file").write_text("")
    with pytest.raises(ModelError, match="Set DATA to a writable folder"):
        StaticEncoder(tmp_path / "file" / "models")


def test_models_by_the_names_of_the_command_line(folder: Path, tmp_path: Path) -> None:
    settings = Settings(data=folder.parent, threads=1)
    for name in ("", "minilm", "minilm-l6-int8"):
        encoder, model = open_page_encoder(name, settings)
        assert (encoder.dimension, model.partition("@")[0]) == (384, "minilm-l6-int8")
    with pytest.raises(ModelError, match="no network for a GPU to run"):
        open_page_encoder("static", settings, "cuda")


def test_a_gpu_that_is_not_there(folder: Path) -> None:
    import onnxruntime

    if "CUDAExecutionProvider" in onnxruntime.get_available_providers():
        pytest.skip("This onnxruntime runs on a GPU.")
    with pytest.raises(ModelError, match=r"runs only on the CPU.*leave out `--device cuda`"):
        open_page_encoder("minilm", Settings(), "cuda")


@pytest.mark.parametrize("name", ["dpr", "no such model"])
def test_a_model_of_a_hub_that_is_not_here(name: str) -> None:
    with pytest.raises(ModelError, match=r"\. "):
        open_page_encoder(name, Settings())
