"""The network that reads a claim and a sentence: its training, its export, its int8 weights."""
