"""Poisoned pages: how often a page planted in the corpus turns a verdict."""
