"""Work in the background: checks, reports, readers of uploads, loads of corpora, retention."""
