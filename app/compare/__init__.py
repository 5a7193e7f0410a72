"""One claim under several recipes or corpora."""
