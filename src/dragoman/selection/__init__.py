"""Plan -> Choices."""
