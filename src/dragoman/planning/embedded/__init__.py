"""The planner that needs nothing fetched."""
