"""Training of readers; needs the extra `train`, and nothing in use imports it."""
