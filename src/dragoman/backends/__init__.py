"""A place where experts run."""
