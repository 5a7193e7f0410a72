"""Removes what comes with pasted text: citation marks, Markdown, signs of posts."""
