"""Stages of recipe `esoteric`: from the claim's parts to questions, pages and passages."""
