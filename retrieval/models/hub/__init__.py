"""Models of the Hugging Face hub, behind imports that the base environment does without."""
