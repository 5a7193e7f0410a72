"""Documents of a person's own: uploaded, listed, deleted."""
