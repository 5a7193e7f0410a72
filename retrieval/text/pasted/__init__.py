"""Removes what pasting brings into a text: marks of citations, Markdown, signs of posts."""
