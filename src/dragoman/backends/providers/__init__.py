"""Hugging Face inference providers as experts: on where HF_TOKEN is set. Nothing is imported before the first call."""
