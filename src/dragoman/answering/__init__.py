"""Outcomes -> Answer."""
