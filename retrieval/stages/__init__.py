"""The steps of the pipelines, one module for each part of the flow: claim, search, sentences, verdict."""
