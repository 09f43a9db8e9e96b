"""Speed figures. Nothing here asserts a time."""
