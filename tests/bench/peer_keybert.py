"""KeyBERT as it comes, in a Python of its own: texts as JSON on standard input, texts a second on standard output."""

from __future__ import annotations

import json
import sys
import time


def main() -> None:
    """Time one thread; loading and a first text are left out."""
    import torch
    from keybert import KeyBERT
    from sentence_transformers import SentenceTransformer

    torch.set_num_threads(1)
    model = KeyBERT(SentenceTransformer(sys.argv[1], device="cpu"))
    texts: list[str] = json.load(sys.stdin)
    model.extract_keywords(texts[0])
    start, busy = time.perf_counter(), time.process_time()
    for text in texts:
        model.extract_keywords(text)
    wall, busy = time.perf_counter() - start, time.process_time() - busy
    print(json.dumps({"one": len(texts) / wall, "cpu": len(texts) / busy}))


if __name__ == "__main__":
    main()
