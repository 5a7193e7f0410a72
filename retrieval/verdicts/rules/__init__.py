"""Rules that decide claims of some forms, which networks often get wrong.

Each takes a claim and the pages found for it, and returns a `Ruling`; None if the claim has another form, or if the pages do not
say, or not clearly.
"""
