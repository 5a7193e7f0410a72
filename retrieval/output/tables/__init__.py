"""Tables of claims: .csv, .tsv and .xlsx read as a person reads them."""
