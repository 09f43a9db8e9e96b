"""Well-known names of the field, by type: facts written by hand, none taken from annotated papers."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from extractors.words import fold

#: Families of language and vision-language models; with a size or version they name one model.
_MODEL_FAMILY = (
    "gpt|chatgpt|o1|o3|o4|llama|codellama|code-llama|vicuna|alpaca|mistral|mixtral|ministral|pixtral|gemini|gemma|"
    "palm|claude|qwen|qwq|qwen-vl|deepseek|deepseek-r1|deepseek-v|deepseek-coder|phi|falcon|opt|bloom|bloomz|pythia|"
    "olmo|yi|glm|chatglm|internlm|internvl|baichuan|starcoder|llava|minicpm|cogvlm|grok|command-r|nemotron|t5|flan-t5|"
    "bert|roberta|deberta|resnet|vit|yolo|efficientnet|dall-e|sd|sdxl|whisper|wav2vec"
)
_VERSION = r"(?:[- ]?v?\d+(?:\.\d+)*[a-z]?|[- ]\d+(?:\.\d+)?[bm](?:-a\d+b)?)"
_VARIANT = (
    r"(?:[- ](?:instruct|chat|base|large|small|xl|xxl|turbo|mini|nano|pro|flash|ultra|opus|sonnet|haiku|preview|vl|"
    r"omni|coder|math|distill|thinking|it|hf|next|max|plus|medium|o))"
)
_VERSIONED_MODEL = re.compile(rf"(?:{_MODEL_FAMILY})(?:{_VERSION}|{_VARIANT})+", re.IGNORECASE)


@cache
def load_gazetteer() -> dict[str, str]:
    """Return folded name -> type; a name listed under two types keeps the first."""
    text = files("extractors").joinpath("weights", "gazetteer.txt").read_text(encoding="utf-8")
    names: dict[str, str] = {}
    section = ""
    for line in text.splitlines():
        if line.startswith("["):
            section = line.strip("[]")
        elif not line.startswith("#"):
            for name in line.split(";"):
                names.setdefault(fold(name), section)
    names.pop("", None)
    return names


def is_versioned_model(text: str) -> bool:
    """Say whether a text is a family of models with a size or version.

    >>> is_versioned_model("Llama-3.3-70B"), is_versioned_model("GPT-4o"), is_versioned_model("Llama")
    (True, True, False)
    """
    return _VERSIONED_MODEL.fullmatch(text) is not None
