"""Text to facts: a spaCy pipeline that reads papers, one at a time."""
