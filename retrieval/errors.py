"""The error tree. Every message is one sentence on what happened and one on what to do next."""

from retrieval.types import Reply


class EsotericError(Exception):
    """Base of all errors, whose messages are written for people."""


class ClaimError(EsotericError):
    """The claim cannot be checked as it was typed."""


class RecipeError(EsotericError):
    """No such pipeline, or its stages do not fit together."""


class SettingError(EsotericError):
    """A setting has an invalid value."""


class StoreError(EsotericError):
    """The corpus cannot be used."""


class StoreMissing(StoreError):
    """There is no corpus at this place."""


class StoreIncomplete(StoreError):
    """The first load of the corpus was never completed."""


class StoreVersion(StoreError):
    """The corpus was written by another version of the program."""


class StoreDamaged(StoreError):
    """The corpus's files cannot be read."""


class StoreReadOnly(StoreError):
    """The corpus cannot be written."""


class StoreAway(StoreError):
    """The corpus's server does not answer, or cannot now. Nothing is lost: the same call may succeed later."""


class NoVectors(StoreError):
    """The corpus's pages have no vectors."""


class ModelError(EsotericError):
    """A model's file is missing, damaged or not the one that was published."""


class LLMError(EsotericError):
    """The language model did not answer. cost: the tokens and seconds spent nevertheless."""

    def __init__(self, sentence: str, cost: Reply | None = None) -> None:
        super().__init__(sentence)
        self.cost = cost


class ReplyError(LLMError):
    """The language model's answer cannot be read."""


class WebError(EsotericError):
    """The open web could not be searched, or a page of it could not be read."""


class CorpusError(EsotericError):
    """An input file of `indexing` cannot be read."""
