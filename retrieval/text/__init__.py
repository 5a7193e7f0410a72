"""Text without models: titles, words, sentences, chunks, BM25 and ranking."""
