"""Claims that are decided by rule: each module reads one form of claim and finds the sentence that decides it."""
