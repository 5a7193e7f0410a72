"""What a check reads: the corpus, uploaded documents, folders indexed before."""
