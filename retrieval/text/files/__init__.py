"""What is common to all that reads texts from files: what a page hides, in which encoding a text is."""
