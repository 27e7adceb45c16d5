"""Which experts exist: cards, the box, fetching."""
