"""The packaged experts: rows of data in the `*.toml` files beside this one (see README.md)."""

from dragoman.models.box.rows import cards, read

__all__ = ["cards", "read"]
