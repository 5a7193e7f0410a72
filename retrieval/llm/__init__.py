"""Language models: servers and their client, a claim's budget, prompts, examples, and the readers of replies."""
