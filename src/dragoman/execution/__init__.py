"""Choices -> Outcomes."""
