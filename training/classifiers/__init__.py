"""Models that take minutes to fit: the ranker and the verdicts."""
