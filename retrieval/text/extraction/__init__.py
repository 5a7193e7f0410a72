"""From a text to its claims: sentences with offsets, who said what, what each sentence is, how it reads alone."""
