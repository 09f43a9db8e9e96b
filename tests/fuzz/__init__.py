"""Random and mutated files against every reader of papers."""
