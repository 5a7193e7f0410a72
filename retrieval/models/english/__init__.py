"""English grammar by spaCy: spans of a claim and questions about them."""
