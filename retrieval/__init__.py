"""The core: a claim goes in, evidence and a verdict come out. Knows neither Flask nor argparse."""
