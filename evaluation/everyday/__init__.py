"""Claims as people type them: kinds of trouble, what each recipe gets right, when a verdict only leans."""
