"""Text without models: titles, words, sentences, chunks, BM25, and how what was found is ranked."""
