"""From a text to its claims: sentences with offsets, their speakers, their kinds, and how each reads alone."""
