"""Language models: servers and their client, the budget of a claim, prompts, examples, and readers of replies."""
