"""The reader's training, on published pairs and on what search finds."""
