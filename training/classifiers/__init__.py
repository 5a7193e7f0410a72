"""Models that take minutes to fit (the ranker, the verdicts), and a relevance classifier like the thesis's."""
