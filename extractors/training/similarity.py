"""Vectors of a sentence encoder that the reader learns to keep, so that keyphrases cost no second pass.

    python -m extractors.training.similarity PAPERS.jsonl ENCODER_FOLDER OUT.npz

holds, for every paper, the vector of its text and of some phrases of it, each encoded alone as KeyBERT does.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional
from transformers import AutoModel, AutoTokenizer

from extractors.reader.session import Session
from extractors.reader.text import read_text
from extractors.reader.units import cut
from extractors.training.annotations import Example
from extractors.training.network import half_pays

LONGEST = 256
"""Word pieces that all-MiniLM-L6-v2 reads of a text."""
PHRASES = 12
"""Phrases of a paper: up to 8 annotated ones, the rest runs of plain words."""
STOP = frozenset(
    [
        "a",
        "an",
        "the",
        "of",
        "for",
        "in",
        "on",
        "and",
        "or",
        "to",
        "with",
        "by",
        "from",
        "as",
        "at",
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "we",
        "our",
        "this",
        "that",
        "these",
        "those",
        "it",
        "its",
        "their",
        "can",
        "which",
        "while",
        "using",
        "based",
        "such",
        "more",
        "most",
        "than",
        "into",
        "between",
        "via",
        "not",
        "has",
        "have",
        "new",
        "both",
        "also",
        "through",
        "however",
        "but",
        "they",
        "show",
        "propose",
        "paper",
        "present",
        "results",
        "used",
        "use",
        "each",
        "other",
        "over",
        "under",
    ]
)


def phrases_of(record: dict, *, rng: random.Random) -> list[tuple[int, int]]:
    """Choose character spans of a paper's text: annotated names and runs of one to three plain words."""
    text, units = record["text"], cut(record["text"])
    starts, ends = set(units.starts), set(units.ends)
    named = {text[s:e].casefold(): (s, e) for s, e, *_ in record["spans"] if s in starts and e in ends}
    chosen = rng.sample(sorted(named.values()), min(8, len(named)))
    words = units.words()
    runs: list[tuple[int, int]] = []
    for first in range(len(units)):
        for last in range(first, min(first + 3, len(units))):
            if not words[last].isalpha() or words[last].casefold() in STOP:
                break
            runs.append((units.starts[first], units.ends[last]))
    return sorted({*chosen, *rng.sample(runs, min(PHRASES - len(chosen), len(runs)))})


@torch.inference_mode()
def embed(texts: list[str], folder: str, *, batch: int = 32, report: str = "") -> np.ndarray:
    """Return unit-length mean-pooled vectors of texts, shape (len(texts), width), float16."""
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModel.from_pretrained(folder, add_pooling_layer=False).eval()
    pieces = tokenizer(texts, truncation=True, max_length=LONGEST)["input_ids"]
    order = sorted(range(len(texts)), key=lambda i: len(pieces[i]))
    out = np.zeros((len(texts), model.config.hidden_size), np.float16)
    for step, begin in enumerate(range(0, len(order), batch)):
        rows = order[begin : begin + batch]
        padded = tokenizer.pad({"input_ids": [pieces[i] for i in rows]}, return_tensors="pt")
        with torch.autocast("cpu", torch.bfloat16, enabled=half_pays()):
            hidden = model(input_ids=padded["input_ids"], attention_mask=padded["attention_mask"]).last_hidden_state
        weight = padded["attention_mask"].unsqueeze(-1).float()
        out[rows] = functional.normalize((hidden.float() * weight).sum(1) / weight.sum(1), dim=-1).half().numpy()
        if report and step % 50 == 0:
            print(report, begin, len(order), file=sys.stderr, flush=True)
    return out


class Vectors:
    """The file that this module writes, looked up by paper."""

    def __init__(self, file: Path) -> None:
        stored = np.load(file)
        self._row = {paper: i for i, paper in enumerate(stored["ids"].tolist())}
        self._document, self._phrase = stored["document"], stored["phrase"]
        self._phrases: dict[int, list[tuple[int, int, int]]] = {}
        for paper, start, end, place in stored["rows"].tolist():
            self._phrases.setdefault(paper, []).append((start, end, place))

    def __contains__(self, paper: str) -> bool:
        return paper in self._row

    def of(self, example: Example) -> tuple[np.ndarray, list[tuple[int, int, np.ndarray]]]:
        """Return the document's vector, and first unit, last unit and vector of each phrase."""
        row = self._row[example.id]
        first_at = {start: i for i, start in enumerate(example.units.starts)}
        last_at = {end: i for i, end in enumerate(example.units.ends)}
        phrases = [
            (first_at[start], last_at[end], self._phrase[place].astype(np.float32))
            for start, end, place in self._phrases.get(row, ())
            if start in first_at and end in last_at
        ]
        return self._document[row].astype(np.float32), phrases


def agreement(session: Session, papers: Sequence[dict], folder: str, *, seed: int = 1) -> dict[str, float]:
    """Compare how the reader and the sentence encoder rank a paper's phrases.

    Returns:
        Mean Spearman correlation over papers, share of the encoder's five nearest phrases that are among the
        reader's five, and the share that chance would give.
    """
    rng = random.Random(seed)
    spans = [sorted({p["text"][a:b].casefold(): (a, b) for a, b in phrases_of(p, rng=rng)}.values()) for p in papers]
    documents = embed([p["text"] for p in papers], folder, batch=4)
    phrases = embed([p["text"][a:b].casefold() for p, s in zip(papers, spans, strict=True) for a, b in s], folder)
    ends = np.cumsum([len(s) for s in spans])
    correlations, shared, chance = [], [], []
    for paper, own, document, end in zip(papers, spans, documents, ends, strict=True):
        theirs = (phrases[end - len(own) : end] @ document).astype(np.float32)
        reading = read_text(session, paper["text"])
        first_at = {start: i for i, start in enumerate(reading.units.starts)}
        last_at = {stop: i for i, stop in enumerate(reading.units.ends)}
        vectors = [reading.words[first_at[a] : last_at[b] + 1].mean(0) for a, b in own]
        ours = np.array([_cosine(vector, reading.document) for vector in vectors])
        correlations.append(np.corrcoef(_ranks(ours), _ranks(theirs))[0, 1])
        top = min(5, len(own))
        shared.append(len({*np.argsort(ours)[-top:]} & {*np.argsort(theirs)[-top:]}) / top)
        chance.append(top / len(own))
    means = map(np.mean, (correlations, shared, chance))
    return dict(zip(("spearman", "top 5", "chance"), (round(float(m), 3) for m in means), strict=True))


def _cosine(a: np.ndarray, b: np.ndarray) -> float:
    return float(a @ b / (np.linalg.norm(a) * np.linalg.norm(b) + 1e-9))


def _ranks(values: np.ndarray) -> np.ndarray:
    return np.argsort(np.argsort(values))


def main(papers: str, folder: str, out: str) -> None:
    """Write document and phrase vectors of a file of papers."""
    torch.set_num_threads(1)
    rng = random.Random(1)
    records = [json.loads(line) for line in Path(papers).read_text("utf-8").splitlines()]
    spans = [phrases_of(r, rng=rng) for r in records]
    surfaces = [[r["text"][a:b].casefold() for a, b in s] for r, s in zip(records, spans, strict=True)]
    distinct = sorted({s for row in surfaces for s in row})
    place = {s: i for i, s in enumerate(distinct)}
    phrase = embed(distinct, folder, batch=128, report="phrases")
    document = embed([r["text"] for r in records], folder, batch=8, report="documents")
    rows = [(i, a, b, place[s]) for i, r in enumerate(spans) for (a, b), s in zip(r, surfaces[i], strict=True)]
    np.savez(out, ids=np.array([r["id"] for r in records]), document=document, phrase=phrase, rows=np.array(rows))


if __name__ == "__main__":
    main(*sys.argv[1:4])
