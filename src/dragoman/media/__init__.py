"""What files hold: told by their bytes, measured, read into the shapes that experts take. Loads its libraries late."""

from dragoman.media.documents import document_pages, document_text
from dragoman.media.formats import sniff
from dragoman.media.measures import facts, words_of
from dragoman.media.names import clean_name, free_name, safe_stem
from dragoman.media.pictures import pixels_of, png_bytes, read_image
from dragoman.media.records import json_bytes, plain_json, read_data
from dragoman.media.signatures import extension
from dragoman.media.sounds import read_audio, wav_bytes
from dragoman.media.sources import arrived
from dragoman.media.tables import read_table
from dragoman.media.texts import read_text
from dragoman.media.videos import read_frames

__all__ = [
    "arrived",
    "clean_name",
    "document_pages",
    "document_text",
    "extension",
    "facts",
    "free_name",
    "json_bytes",
    "pixels_of",
    "plain_json",
    "png_bytes",
    "read_audio",
    "read_data",
    "read_frames",
    "read_image",
    "read_table",
    "read_text",
    "safe_stem",
    "sniff",
    "wav_bytes",
    "words_of",
]
