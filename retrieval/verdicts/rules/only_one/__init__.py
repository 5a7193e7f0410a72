"""Claims that give someone a place that only one can hold: the first, the last, the largest, the capital.

A network reads "Brasília is the federal capital of Brazil" beside "Rio de Janeiro is the capital of Brazil", finds every word of the
claim but its subject, and takes the sentence for support. Here, a sentence that names the holder of the same place decides.
"""
