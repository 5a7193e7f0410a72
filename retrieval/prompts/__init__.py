"""What language models are told: one text file a prompt, and beside it the module that reads the reply."""
