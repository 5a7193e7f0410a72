"""Who says what in a text: quotation marks, verbs of saying, and speech that goes on over sentences."""
