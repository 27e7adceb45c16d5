"""The packaged experts: one file per heavy library, loaded in worker processes only."""
