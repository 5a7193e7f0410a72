"""Word's documents."""
