"""Documents that people upload to check claims against."""
