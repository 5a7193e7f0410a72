"""Models that are fitted in minutes: the ranker, the verdicts, and a relevance classifier like the thesis's."""
