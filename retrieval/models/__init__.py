"""The models that ship with the project, and the code that runs them. The base install needs onnxruntime, not torch."""
