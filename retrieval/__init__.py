"""The core: takes a claim, returns evidence and a verdict.

Importing it turns off the telemetry of libraries, which read these variables when they are imported. A variable that you
have set yourself keeps its value.
"""

import os

TELEMETRY_OFF = {
    "ORT_DISABLE_TELEMETRY": "1",  # else onnxruntime looks up its vendor's host in every process that loads a model
    "HAYSTACK_TELEMETRY_ENABLED": "False",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "DO_NOT_TRACK": "1",  # huggingface_hub again, and other libraries that honour it
    "MISTRAL_SDK_TELEMETRY": "false",
}

for _name, _value in TELEMETRY_OFF.items():
    os.environ.setdefault(_name, _value)
