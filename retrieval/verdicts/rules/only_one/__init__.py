"""Claims that give someone a place that only one can hold: "Rio de Janeiro is the capital of Brazil".

A network reads "Brasília is the federal capital of Brazil", finds every word of the claim but its subject, and often takes the
sentence for support. Here, a sentence that names the holder of the same place decides: the first, the last, the largest,
the capital.
"""
