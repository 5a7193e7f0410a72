"""The core: takes a claim, returns evidence and a verdict. Knows neither Flask nor argparse."""
