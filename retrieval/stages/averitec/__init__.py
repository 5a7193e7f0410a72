"""Stages of recipes `aic`, `rag_fusion` and `contextual`: documents, questions, answers, contexts, verdict."""
