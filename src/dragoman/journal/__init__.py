"""Runs and sessions on disk."""
