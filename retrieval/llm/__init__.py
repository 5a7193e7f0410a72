"""Language models: servers and their client, a claim's budget, prompts, examples, and the replies read whole."""
