"""The core: takes a claim, returns evidence and a verdict. Knows neither Flask nor argparse.

Importing it turns off what libraries would report to their makers: they read these variables when they are imported, and every
command imports this first. Whoever sets one of them otherwise is obeyed.
"""

import os

TELEMETRY_OFF = {
    "ORT_DISABLE_TELEMETRY": "1",  # onnxruntime asks for its maker's host in every process that opens a network
    "HAYSTACK_TELEMETRY_ENABLED": "False",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "DO_NOT_TRACK": "1",  # huggingface_hub again, and whatever else keeps to it
    "MISTRAL_SDK_TELEMETRY": "false",
}

for _name, _value in TELEMETRY_OFF.items():
    os.environ.setdefault(_name, _value)
