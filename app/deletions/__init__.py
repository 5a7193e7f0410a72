"""Deletions of checks, reports and collections, and undoing them."""
