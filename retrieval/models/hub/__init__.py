"""Models of the Hugging Face hub; their imports are not part of the base environment."""
