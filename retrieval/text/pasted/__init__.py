"""Reads pasted text. No failed search is repeated and every pattern is bounded, so time is linear in the text."""
