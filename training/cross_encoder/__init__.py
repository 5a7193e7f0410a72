"""The network that reads a claim beside sentences: its training, its export, its int8 weights."""
