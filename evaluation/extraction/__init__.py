"""How well claims are found in texts: which sentences are worth checking, and whether they stand alone."""
