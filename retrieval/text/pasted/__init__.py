"""What pasting brings into a text and nobody reads as its words: marks of citations, Markdown, signs of posts."""
