"""A real GGUF file of 115 kB: a llama of one layer with random weights. It speaks nonsense, in the right form."""

from __future__ import annotations

import random
import struct
from pathlib import Path
from typing import Any

_UINT32, _INT32, _FLOAT32, _STRING, _ARRAY = 4, 5, 6, 8, 9
_FORMATS = {_UINT32: "<I", _INT32: "<i", _FLOAT32: "<f"}
_WIDTH, _INNER, _HEADS, _CONTEXT = 32, 64, 2, 2048
_TOKENS = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256)), "\u2581"]
_TOKEN_TYPES = [2, 3, 3, *[6] * 256, 1]


def write_tiny_gguf(path: Path) -> Path:
    """Write the file; the same one every time."""
    fields = b"".join(_field(*row) for row in _fields())
    shapes = _shapes()
    head = b"GGUF" + struct.pack("<IQQ", 3, len(shapes), len(_fields())) + fields
    rng, weights = random.Random(1), b""
    for name, shape in shapes.items():
        head += _text(name) + struct.pack("<I", len(shape)) + struct.pack(f"<{len(shape)}Q", *shape)
        head += struct.pack("<IQ", 0, len(weights))
        weights += _padded(_tensor(shape, rng))
    path.write_bytes(_padded(head) + weights)
    return path


def _fields() -> list[tuple[str, int, Any]]:
    return [
        ("general.architecture", _STRING, "llama"),
        ("general.name", _STRING, "tiny"),
        ("llama.context_length", _UINT32, _CONTEXT),
        ("llama.embedding_length", _UINT32, _WIDTH),
        ("llama.block_count", _UINT32, 1),
        ("llama.feed_forward_length", _UINT32, _INNER),
        ("llama.attention.head_count", _UINT32, _HEADS),
        ("llama.attention.layer_norm_rms_epsilon", _FLOAT32, 1e-5),
        ("llama.rope.dimension_count", _UINT32, _WIDTH // _HEADS),
        ("llama.vocab_size", _UINT32, len(_TOKENS)),
        ("tokenizer.ggml.model", _STRING, "llama"),
        ("tokenizer.ggml.tokens", _ARRAY, (_STRING, _TOKENS)),
        ("tokenizer.ggml.scores", _ARRAY, (_FLOAT32, [0.0] * len(_TOKENS))),
        ("tokenizer.ggml.token_type", _ARRAY, (_INT32, _TOKEN_TYPES)),
        ("tokenizer.ggml.bos_token_id", _UINT32, 1),
        ("tokenizer.ggml.eos_token_id", _UINT32, 2),
        ("tokenizer.ggml.unknown_token_id", _UINT32, 0),
    ]


def _shapes() -> dict[str, tuple[int, ...]]:
    square = (_WIDTH, _WIDTH)
    return {
        "token_embd.weight": (_WIDTH, len(_TOKENS)),
        "output_norm.weight": (_WIDTH,),
        "output.weight": (_WIDTH, len(_TOKENS)),
        "blk.0.attn_norm.weight": (_WIDTH,),
        "blk.0.ffn_norm.weight": (_WIDTH,),
        **{f"blk.0.attn_{part}.weight": square for part in ("q", "k", "v", "output")},
        "blk.0.ffn_gate.weight": (_WIDTH, _INNER),
        "blk.0.ffn_up.weight": (_WIDTH, _INNER),
        "blk.0.ffn_down.weight": (_INNER, _WIDTH),
    }


def _tensor(shape: tuple[int, ...], rng: random.Random) -> bytes:
    count = shape[0] * (shape[1] if len(shape) > 1 else 1)
    values = [1.0] * count if len(shape) == 1 else [rng.gauss(0, 0.2) for _ in range(count)]
    return struct.pack(f"<{count}f", *values)


def _field(key: str, kind: int, value: Any) -> bytes:
    return _text(key) + struct.pack("<I", kind) + _value(kind, value)


def _value(kind: int, value: Any) -> bytes:
    if kind == _STRING:
        return _text(value)
    if kind == _ARRAY:
        inner, items = value
        return struct.pack("<IQ", inner, len(items)) + b"".join(_value(inner, item) for item in items)
    return struct.pack(_FORMATS[kind], value)


def _text(words: str) -> bytes:
    return struct.pack("<Q", len(words.encode())) + words.encode()


def _padded(block: bytes) -> bytes:
    return block + b"\0" * (-len(block) % 32)
