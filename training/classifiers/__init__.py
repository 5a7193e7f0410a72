"""What is fitted in minutes: the order of sentences, the verdicts, and a relevance classifier as the thesis had it."""
