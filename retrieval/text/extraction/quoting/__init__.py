"""Who says what in a text: quotation marks, verbs of saying, and speech that runs over several sentences."""
