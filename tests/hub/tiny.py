"""Models of the hub's classes, of a few thousand parameters, taught one thing each and saved as the hub's cache keeps them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

VERSION = "0123456789abcdef0123456789abcdef01234567"
CLAIM = "Marie Curie was born in Warsaw."
OTHER = "Casablanca is a film by Curtiz."
WORDS = [
    CLAIM, OTHER, "The physicist lived in Paris.", "Who was born in Warsaw?", "Where was Marie Curie born?",
    "extract answers: answer: context: question: relevant sentence page",
]  # fmt: skip
LABELS = ["O", "B-PER", "I-PER", "B-LOC", "I-LOC"]
SMALL = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 64}


def snapshot(cache: Path, name: str) -> Path:
    """The folder of a model in a hub's cache, empty."""
    root = cache / f"models--{name.replace('/', '--')}"
    (root / "refs").mkdir(parents=True)
    (root / "refs" / "main").write_text(VERSION, "ascii")
    folder = root / "snapshots" / VERSION
    folder.mkdir(parents=True)
    return folder


def save(model: Any, tokenizer: Any, folder: Path) -> None:
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def word_pieces(kind: str = "bert") -> Any:
    """A WordPiece tokenizer trained on WORDS; bert and cased know token types."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

    first, last, unknown, pad, mask = (
        ("<s>", "</s>", "[UNK]", "<pad>", "<mask>")
        if kind == "mpnet"
        else ("[CLS]", "[SEP]", "[UNK]", "[PAD]", "[MASK]")
    )
    inner = Tokenizer(models.WordPiece(unk_token=unknown))
    inner.normalizer = normalizers.BertNormalizer(lowercase=kind != "cased")
    inner.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    trainer = trainers.WordPieceTrainer(vocab_size=300, special_tokens=[pad, first, last, unknown, mask])
    inner.train_from_iterator(WORDS, trainer)
    inner.post_processor = processors.TemplateProcessing(
        single=f"{first} $A {last}",
        pair=f"{first} $A {last} $B:1 {last}:1",
        special_tokens=[(token, inner.token_to_id(token)) for token in (first, last)],
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=inner, unk_token=unknown, pad_token=pad, cls_token=first, sep_token=last, mask_token=mask,
        model_max_length=128,
        model_input_names=["input_ids", *(["token_type_ids"] if kind in ("bert", "cased") else []), "attention_mask"],
    )  # fmt: skip


def taught(make: Callable[[], Any], loss: Callable[[Any], Any], least: float = 0.004, steps: int = 800) -> Any:
    """A model that knows its one lesson by heart. Few models this small never learn it: they get another start."""
    import torch

    for seed in range(5):
        torch.manual_seed(seed)
        model = make().train()
        optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
        for _ in range(steps):
            optimizer.zero_grad()
            now = loss(model)
            now.backward()
            optimizer.step()
            if now.item() < least:
                break
        if now.item() < 0.05:
            return model.eval()
    raise AssertionError("the lesson was not learnt")


def name_finder(folder: Path) -> None:
    """BERT that knows who and where in CLAIM, and none in OTHER."""
    import torch
    from transformers import BertConfig, BertForTokenClassification

    tokenizer = word_pieces("cased")
    numbers = dict(enumerate(LABELS))
    config = BertConfig(
        vocab_size=len(tokenizer), id2label=numbers, label2id={v: k for k, v in numbers.items()}, hidden_dropout_prob=0,
        attention_probs_dropout_prob=0, **SMALL,
    )  # fmt: skip
    batch = tokenizer([CLAIM, OTHER], return_tensors="pt", padding=True, return_offsets_mapping=True)
    offsets = batch.pop("offset_mapping")
    right = {0: 1, 6: 2, 24: 3}
    wanted = torch.zeros(offsets.shape[:2], dtype=torch.long)
    for place, (start, end) in enumerate(offsets[0].tolist()):
        word = max(at for at in (0, *(i + 1 for i, char in enumerate(CLAIM) if char == " ")) if at <= start)
        wanted[0, place] = right.get(word, 0) if start < end and CLAIM[start] != "." else 0
    model = taught(lambda: BertForTokenClassification(config), lambda model: model(**batch, labels=wanted).loss)
    save(model, tokenizer, folder)


def writer(folder: Path, lessons: dict[str, str], kept: tuple[str, ...] = ()) -> None:
    """T5 that writes the second text where it reads the first."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast, T5Config, T5ForConditionalGeneration

    inner = Tokenizer(models.Unigram())
    inner.pre_tokenizer = pre_tokenizers.Metaspace()
    inner.decoder = decoders.Metaspace()
    trainer = trainers.UnigramTrainer(vocab_size=200, special_tokens=["<pad>", "</s>", "<unk>"], unk_token="<unk>")
    inner.train_from_iterator([*WORDS, *lessons, *lessons.values()], trainer)
    inner.post_processor = processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 1)])
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=inner, pad_token="<pad>", eos_token="</s>", unk_token="<unk>", additional_special_tokens=list(kept)
    )  # fmt: skip
    config = T5Config(
        vocab_size=len(tokenizer), d_model=32, d_kv=16, d_ff=64, num_layers=1, num_decoder_layers=1, num_heads=2,
        dropout_rate=0, decoder_start_token_id=0,
    )  # fmt: skip
    batch = tokenizer(list(lessons), return_tensors="pt", padding=True)
    batch.pop("token_type_ids", None)
    wanted = tokenizer(list(lessons.values()), return_tensors="pt", padding=True).input_ids
    wanted[wanted == 0] = -100
    model = taught(lambda: T5ForConditionalGeneration(config), lambda model: model(**batch, labels=wanted).loss)
    save(model, tokenizer, folder)


def dpr_half(folder: Path, question: bool) -> None:
    """An untaught half of DPR."""
    from transformers import DPRConfig, DPRContextEncoder, DPRQuestionEncoder

    tokenizer = word_pieces()
    model = (DPRQuestionEncoder if question else DPRContextEncoder)(DPRConfig(vocab_size=len(tokenizer), **SMALL))
    save(model, tokenizer, folder)


def relevance(folder: Path, pairs: dict[tuple[str, str], int], labels: dict[int, str] | None = None) -> None:
    """DistilBERT that knows which sentence matters to which claim."""
    import torch
    from transformers import DistilBertConfig, DistilBertForSequenceClassification

    tokenizer = word_pieces("distilbert")
    config = DistilBertConfig(
        vocab_size=len(tokenizer), dim=32, n_layers=1, n_heads=2, hidden_dim=64, dropout=0, attention_dropout=0,
        seq_classif_dropout=0, num_labels=2,
    )  # fmt: skip
    if labels:
        config.id2label, config.label2id = labels, {name: index for index, name in labels.items()}
    texts = [f"{claim} [SEP] {sentence}" for claim, sentence in pairs]
    batch = tokenizer(texts, return_tensors="pt", padding=True)
    wanted = torch.tensor(list(pairs.values()))
    model = taught(
        lambda: DistilBertForSequenceClassification(config), lambda model: model(**batch, labels=wanted).loss
    )
    save(model, tokenizer, folder)


def relevance_by_types(folder: Path) -> None:
    """BERT that finds relevant what has a second half: it can tell that by token types alone."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification

    tokenizer = word_pieces()
    config = BertConfig(
        vocab_size=len(tokenizer), num_labels=2, hidden_dropout_prob=0, attention_probs_dropout_prob=0, **SMALL
    )
    pairs = tokenizer([CLAIM, OTHER], [OTHER, CLAIM], return_tensors="pt", padding=True)
    plain = {**pairs, "token_type_ids": torch.zeros_like(pairs["token_type_ids"])}
    batch = {name: torch.cat([pairs[name], plain[name]]) for name in pairs}
    wanted = torch.tensor([1, 1, 0, 0])
    model = taught(lambda: BertForSequenceClassification(config), lambda model: model(**batch, labels=wanted).loss)
    save(model, tokenizer, folder)


def inference(folder: Path, labels: tuple[str, str, str] = ("contradiction", "entailment", "neutral")) -> None:
    """BERT that holds that CLAIM entails OTHER, and OTHER contradicts CLAIM."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification

    tokenizer, names = word_pieces(), dict(enumerate(labels))
    config = BertConfig(
        vocab_size=len(tokenizer), id2label=names, label2id={v: k for k, v in names.items()}, hidden_dropout_prob=0,
        attention_probs_dropout_prob=0, **SMALL,
    )  # fmt: skip
    batch = tokenizer([CLAIM, OTHER], [OTHER, CLAIM], return_tensors="pt", padding=True)
    wanted = torch.tensor([1, 0])
    model = taught(lambda: BertForSequenceClassification(config), lambda model: model(**batch, labels=wanted).loss)
    save(model, tokenizer, folder)


def mpnet(folder: Path) -> None:
    """An untaught MPNet with mean pooling, as `sentence-transformers` saves it."""
    from transformers import MPNetConfig, MPNetModel

    tokenizer = word_pieces("mpnet")
    sentence_encoder(folder, MPNetModel(MPNetConfig(vocab_size=len(tokenizer), **SMALL)), tokenizer)


def bert_encoder(folder: Path) -> None:
    """An untaught BERT with mean pooling: the class of mxbai."""
    from transformers import BertConfig, BertModel

    tokenizer = word_pieces()
    sentence_encoder(folder, BertModel(BertConfig(vocab_size=len(tokenizer), **SMALL)), tokenizer)


def sentence_encoder(folder: Path, model: Any, tokenizer: Any) -> None:
    """Saved with mean pooling, as `sentence-transformers` does."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer import modules

    inner = folder.parent / "plain"
    inner.mkdir()
    save(model, tokenizer, inner)
    layers = modules.Transformer(str(inner))
    SentenceTransformer(modules=[layers, modules.Pooling(32, "mean")], device="cpu").save_pretrained(str(folder))


def cross_encoder(folder: Path) -> None:
    """An untaught BERT with one output, as rerankers are."""
    from transformers import BertConfig, BertForSequenceClassification

    tokenizer = word_pieces()
    save(BertForSequenceClassification(BertConfig(vocab_size=len(tokenizer), num_labels=1, **SMALL)), tokenizer, folder)


def multilingual(folder: Path, labels: tuple[str, ...] = ()) -> None:
    """An untaught XLM-RoBERTa that reads pairs. labels: of its classes; none for a reranker, which has one output."""
    from transformers import XLMRobertaConfig, XLMRobertaForSequenceClassification

    tokenizer, names = word_pieces("mpnet"), dict(enumerate(labels or ("score",)))
    config = XLMRobertaConfig(
        vocab_size=len(tokenizer), pad_token_id=tokenizer.pad_token_id, max_position_embeddings=140, type_vocab_size=1,
        id2label=names, label2id={v: k for k, v in names.items()}, num_labels=len(names), **SMALL,
    )  # fmt: skip
    save(XLMRobertaForSequenceClassification(config), tokenizer, folder)
