"""Who thinks: language models behind one protocol."""
