"""The trained reader in use: numpy, onnxruntime and tokenizers, no torch."""
