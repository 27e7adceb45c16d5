"""Experts behind a person's own services: an OpenAI-style endpoint, and any HTTP API as a row of data."""
