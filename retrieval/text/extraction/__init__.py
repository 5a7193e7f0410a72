"""From a text to its claims: sentences with offsets, speakers and kinds, each reworded to stand alone."""
