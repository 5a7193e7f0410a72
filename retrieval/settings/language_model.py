"""The settings for the language model."""

from __future__ import annotations

from dataclasses import dataclass

from retrieval.settings.declaring import EVERY, FUSION, setting


@dataclass(frozen=True)
class LanguageModel:
    """The language model that judges the evidence, its server, and what a claim may cost."""

    llm_model: str = setting(
        "",
        "Language model that judges the evidence, as its server names it. Empty: none.",
        decides=(EVERY,),
        common=True,
    )
    llm_questions: str = setting(
        "",
        "Language model that writes questions, on the same server as LLM_MODEL. Empty: LLM_MODEL. `none`: none.",
        decides=FUSION,
    )
    llm_contexts: str = setting(
        "",
        "Language model that writes contexts, such as a cheaper one. Empty: LLM_MODEL. `none`: none.",
        decides=("contextual",),
    )
    llm_kind: str = setting(
        "openai",
        "API protocol: `openai` (any compatible server) or `mistral`.",
        decides=(EVERY,),
        choices=("openai", "mistral"),
    )
    llm_url: str = setting(
        "",
        "Address of its server, such as http://127.0.0.1:11434/v1. Empty: Mistral's own, if LLM_KIND is `mistral`.",
        decides=(EVERY,),
        address=True,
        common=True,
    )
    llm_key: str = setting(
        "", "API key for that server. It is never logged, shown or exported.", secret=True, common=True
    )
    llm_seed: int = setting(1, "Seed of its replies; their temperature is 0.", decides=(EVERY,), rare=True)
    llm_reply_tokens: int = setting(
        0,
        "Tokens that one reply may take, thinking included. 0: as suits the prompt, and 4,000 more for a model that thinks.",
        decides=(EVERY,),
        rare=True,
    )
    llm_thinking: str = setting(
        "",
        "How long it thinks before it replies, if its server supports that (`reasoning_effort`). Empty: the server's default.",
        decides=(EVERY,),
        choices=("", "none", "minimal", "low", "medium", "high"),
    )
    llm_timeout: int = setting(60, "Seconds that one reply may take.", rare=True)
    llm_seconds: int = setting(180, "Seconds that all replies to one claim may take, waiting included.", rare=True)
    llm_tokens: int = setting(30_000, "Tokens, read and written, that all replies to one claim may take.")
    llm_tokens_a_day: int = setting(0, "Tokens that all replies of a day (UTC) may take. 0: no limit.")
    llm_tokens_a_person: int = setting(
        0, "Tokens that all replies of a day to one person, or one address, may take. 0: no limit."
    )
    llm_grounding: bool = setting(
        False,
        "Test its verdict by asking again, within the same limits, without the sentences that it rests on.",
        decides=(EVERY,),
    )
