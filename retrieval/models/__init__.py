"""The models that ship with the project, and what runs them. The base install needs onnxruntime, no torch."""
