"""Other names of the tasks: the paper's short names, JARVIS's, TaskBench's titles, usual synonyms."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Mapping

ALIASES: Mapping[str, tuple[str, ...]] = {
    "text-classification": (
        "text-cls",
        "sentiment-analysis",
        "sentiment",
        "sentiment-classification",
        "emotion-classification",
    ),
    "zero-shot-classification": ("zero-shot-text-classification", "topic-classification"),
    "token-classification": (
        "token-cls",
        "ner",
        "named-entity-recognition",
        "named-entities",
        "entity-recognition",
        "entity-extraction",
        "pos-tagging",
    ),
    "feature-extraction": ("embedding", "embeddings", "text-embedding", "sentence-embedding"),
    "fill-mask": ("masked-language-modeling", "mask-filling"),
    "sentence-similarity": ("semantic-similarity", "text-similarity", "semantic-textual-similarity", "sentence-sim"),
    "text2text-generation": ("text2text", "paraphrasing", "paraphrase", "rewriting", "grammar-correction"),
    "text-generation": ("text-gen", "language-modeling", "completion", "article-generation"),
    "conversational": ("conversation", "chat", "dialogue", "chatbot"),
    "summarization": (
        "summarisation",
        "summary",
        "summarize",
        "text-summarization",
        "text-summarizer",
        "abstractive-summarization",
    ),
    "translation": ("translate", "machine-translation", "text-translation", "text-translator"),
    "question-answering": ("qa", "reading-comprehension", "extractive-question-answering", "text-question-answering"),
    "image-classification": ("image-cls", "image-recognition", "picture-classification", "classify-image"),
    "zero-shot-image-classification": ("clip", "image-zero-shot-classification"),
    "image-feature-extraction": ("image-embedding", "image-similarity", "visual-feature-extraction"),
    "image-to-text": (
        "image-captioning",
        "captioning",
        "caption",
        "image-caption",
        "image-description",
        "image-text-to-text",
        "describe-image",
        "img2text",
    ),
    "visual-question-answering": ("vqa", "visual-qa", "image-question-answering", "visual-quesrion-answering"),
    "document-question-answering": ("dqa", "docvqa", "document-qa", "document-vqa"),
    "object-detection": ("object-det", "detection", "detect-objects", "object-recognition"),
    "zero-shot-object-detection": (
        "open-vocabulary-detection",
        "open-set-detection",
        "grounding",
        "open-set-object-detection",
    ),
    "image-segmentation": (
        "segmentation",
        "semantic-segmentation",
        "instance-segmentation",
        "panoptic-segmentation",
        "image-seg",
    ),
    "mask-generation": ("segment-anything", "sam", "automatic-mask-generation"),
    "keypoint-detection": (
        "pose-estimation",
        "face-detection",
        "hand-detection",
        "landmark-detection",
        "human-pose-estimation",
    ),
    "optical-character-recognition": (
        "ocr",
        "text-recognition",
        "text-detection",
        "scene-text-recognition",
        "read-text",
    ),
    "depth-estimation": ("depth", "depth-map", "monocular-depth-estimation", "depth-prediction"),
    "image-to-image": (
        "img2img",
        "image-editing",
        "super-resolution",
        "image-super-resolution",
        "style-transfer",
        "image-style-transfer",
        "image-restoration",
        "image-enhancement",
        "inpainting",
        "image-colorizer",
        "image-colorization",
        "image-stitcher",
    ),
    "text-to-image": ("txt2img", "text2image", "image-generation", "generate-image"),
    "text-to-video": ("txt2video", "text2video", "video-generation"),
    "video-classification": ("video-cls", "action-recognition", "video-recognition"),
    "text-to-speech": ("tts", "text-to-audio", "speech-synthesis", "text2speech", "read-aloud"),
    "automatic-speech-recognition": (
        "asr",
        "speech-recognition",
        "speech-to-text",
        "stt",
        "transcription",
        "audio-to-text",
        "transcribe",
    ),
    "audio-classification": ("audio-cls", "sound-classification", "audio-tagging", "sound-event-detection"),
    "zero-shot-audio-classification": ("clap", "audio-zero-shot-classification"),
    "voice-activity-detection": ("vad", "speech-activity-detection", "speech-detection"),
    "audio-to-audio": (
        "speech-enhancement",
        "noise-reduction",
        "denoising",
        "audio-denoising",
        "audio-noise-reduction",
        "audio-enhancement",
        "voice-changer",
        "audio-effects",
        "source-separation",
    ),
    "tabular-classification": ("tabular-cls", "table-classification"),
    "tabular-regression": ("table-regression",),
    "table-question-answering": ("tableqa", "table-qa"),
    "canny-control": ("canny", "canny-edge", "canny-edge-detection", "edge-detection", "canny-detection"),
    "hed-control": ("hed", "hed-detection", "soft-edge", "hed-boundary", "soft-edge-detection"),
    "mlsd-control": ("mlsd", "mlsd-detection", "line-detection", "straight-line-detection", "m-lsd"),
    "normal-control": ("normal-map", "normal-estimation", "surface-normal", "normals"),
    "openpose-control": ("openpose", "pose-detection", "pose-control", "pose"),
    "depth-control": ("depth-condition", "depth-condition-map"),
    "seg-control": ("seg", "segmentation-map", "segmentation-control"),
    "scribble-control": ("scribble", "scribble-detection", "fake-scribble"),
    "canny-text-to-image": (
        "canny-to-image",
        "canny-image-generation",
        "controlnet",
        "controlnet-sd",
        "controlnet-canny",
    ),
    "hed-text-to-image": ("hed-to-image", "controlnet-hed", "soft-edge-text-to-image"),
    "mlsd-text-to-image": ("mlsd-to-image", "controlnet-mlsd", "line-text-to-image"),
    "normal-text-to-image": ("normal-to-image", "controlnet-normal", "normal-map-text-to-image"),
    "openpose-text-to-image": ("pose-text-to-image", "pose-to-image", "openpose-to-image", "controlnet-openpose"),
    "depth-text-to-image": ("depth-to-image", "controlnet-depth"),
    "seg-text-to-image": ("seg-to-image", "segmentation-text-to-image", "controlnet-seg"),
    "scribble-text-to-image": ("scribble-to-image", "controlnet-scribble"),
}


def _plain(name: str) -> str:
    """`ASR`, `Visual Question Answering`, `image_to_text` in one spelling: lower case, single hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")


_BY_ALIAS = {_plain(alias): name for name, aliases in ALIASES.items() for alias in aliases}


def canonical(name: str, *, names: Collection[str]) -> str | None:
    """The task's own name among `names` for any of its spellings and aliases, or None."""
    plain = _plain(name)
    if plain in names:
        return plain
    return _BY_ALIAS.get(plain)


def nearest(name: str, *, names: Collection[str]) -> str:
    """The task whose name or alias is spelt most like `name`."""
    plain = _plain(name)[:80]
    spellings = {**_BY_ALIAS, **{known: known for known in names}}
    close = difflib.get_close_matches(plain, spellings, n=1, cutoff=0.0)
    return spellings[close[0]]
