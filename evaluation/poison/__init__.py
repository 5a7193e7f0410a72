"""Poisoned pages: how often one that somebody planted in the corpus turns a verdict."""
