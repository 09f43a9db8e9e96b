"""Read SciER, and score a reader on it as its authors do: strictly, sentence by sentence.

    python -m extractors.training.scier convert TRAIN.jsonl OUT.jsonl    # what `kg train` takes
    python -m extractors.training.scier score MODEL_FOLDER DEV_TOKENS.jsonl

Each sentence becomes a record of its own, since SciER's relations hold between mentions of one sentence.
Digits that its tokeniser split ("4 2") are joined again. Synonym-Of becomes two surfaces of one entity.

References:
    Zhang et al., 2024: SciER: An Entity and Relation Extraction Dataset for Datasets, Methods, and Tasks in
        Scientific Documents.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from extractors.reader.clusters import normal_form
from extractors.reader.decode import Scores, Settings, cluster_scores, scaled, softmax
from extractors.reader.labels import RELATIONS, SAME
from extractors.reader.session import Session
from extractors.reader.text import WINDOW
from extractors.reader.units import Units, cut

NAMES = {
    "Used-For": "USED_FOR",
    "Evaluated-With": "EVALUATED_ON",
    "Trained-With": "TRAINED_ON",
    "Compare-With": "COMPARED_WITH",
    "Part-Of": "PART_OF",
    "SubClass-Of": "SUBCLASS_OF",
    "SubTask-Of": "SUBTASK_OF",
    "Benchmark-For": "BENCHMARK_FOR",
}
SYNONYM = "Synonym-Of"
_CLASSES = {**{name: RELATIONS.index(ours) + 1 for name, ours in NAMES.items()}, SYNONYM: SAME}
_KINDS = {"Method": 1, "Task": 2, "Dataset": 3}


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence in tokens: spans (first token, last token, type), relations (head span, type, tail span)."""

    id: str
    tokens: tuple[str, ...]
    spans: tuple[tuple[int, int, str], ...]
    relations: tuple[tuple[tuple[int, int], str, tuple[int, int]], ...]


def read_sentences(file: Path) -> Iterator[Sentence]:
    """Yield the sentences of a file: one a line (strings) or one document a line (token spans)."""
    with file.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            record = json.loads(line)
            if "sentences" in record:
                yield from _of_document(record)
            else:
                yield _of_strings(record, number)


def _of_document(record: dict) -> Iterator[Sentence]:
    start = 0
    groups = zip(record["sentences"], record["ner"], record["relations"], strict=True)
    for number, (tokens, spans, relations) in enumerate(groups):
        yield Sentence(
            f"{record['doc_key']}-{number}" if "doc_key" in record else f"{record['doc_id']}-{number}",
            tuple(tokens),
            tuple((a - start, b - start, kind) for a, b, kind in spans),
            tuple(((a - start, b - start), name, (c - start, d - start)) for a, b, c, d, name in relations),
        )
        start += len(tokens)


def _of_strings(record: dict, number: int) -> Sentence:
    tokens = record["sentence"].split(" ")
    spans = place_strings(tokens, record["ner"])
    relations = []
    for head, name, tail in record["rel_plus"]:
        heads, tails = _named(head, tokens, spans), _named(tail, tokens, spans)
        near = [(abs(h[0] - t[0]), h, t) for h in heads for t in tails if h != t]
        if near:
            _, h, t = min(near)
            relations.append((h, name, t))
    return Sentence(f"{record['doc_id']}-{number}", tuple(tokens), tuple(spans), tuple(relations))


def place_strings(tokens: Sequence[str], named: Iterable[Sequence[str]]) -> list[tuple[int, int, str]]:
    """Find each named string among the tokens, from left to right, each place once.

    >>> place_strings("a net beats a net".split(), [("net", "Method"), ("net", "Method")])
    [(1, 1, 'Method'), (4, 4, 'Method')]
    """
    spans: list[tuple[int, int, str]] = []
    last = 0
    for string, kind in named:
        words = string.split(" ")
        places = [i for i in range(len(tokens) - len(words) + 1) if list(tokens[i : i + len(words)]) == words]
        free = [i for i in places if not any(a <= i + len(words) - 1 and i <= b for a, b, _ in spans)]
        if free:
            first = next((i for i in free if i >= last), free[0])
            spans.append((first, first + len(words) - 1, kind))
            last = first
    return spans


def _named(string: str, tokens: Sequence[str], spans: Sequence[tuple[int, int, str]]) -> list[tuple[int, int]]:
    name, _, kind = string.rpartition(":")
    return [(a, b) for a, b, k in spans if k == kind and " ".join(tokens[a : b + 1]) == name]


def joined(tokens: Sequence[str]) -> tuple[str, list[tuple[int, int]]]:
    """Return the sentence as text, with split numbers joined, and the character span of each token.

    >>> joined(["4", "2", ".", "2", "%"])[0]
    '42 . 2 %'
    """
    text, spans = "", []
    for before, token in pairwise(["", *tokens]):
        digits = len(before) == len(token) == 1 and before.isdigit() and token.isdigit()
        text += token if digits or not text else f" {token}"
        spans.append((len(text) - len(token), len(text)))
    return text, spans


def record_of(sentence: Sentence) -> dict[str, object]:
    """Return a sentence as an annotated paper, its mentions grouped by name and Synonym-Of."""
    text, places = joined(sentence.tokens)
    name_of = {(a, b): (normal_form(text[places[a][0] : places[b][1]]), kind) for a, b, kind in sentence.spans}
    owner = {name: name for name in name_of.values()}
    for head, relation, tail in sentence.relations:
        if relation == SYNONYM and head in name_of and tail in name_of:
            old, new = owner[name_of[tail]], owner[name_of[head]]
            owner = {name: new if own == old else own for name, own in owner.items()}
    number = {own: i for i, own in enumerate(dict.fromkeys(owner.values()))}
    entity_of = {span: number[owner[name]] for span, name in name_of.items()}
    entities: list[dict[str, object]] = [
        {"name": str(i), "type": kind, "surface": [], "introduced": False, "level": "core"}
        for i, (_, kind) in enumerate(number)
    ]
    spans = []
    for a, b, kind in sentence.spans:
        start, end = places[a][0], places[b][1]
        spans.append([start, end, kind, entity_of[a, b], "core"])
        surfaces = entities[entity_of[a, b]]["surface"]
        assert isinstance(surfaces, list)
        surfaces.append(text[start:end])
    relations = [
        [str(entity_of[h]), NAMES[r], str(entity_of[t])]
        for h, r, t in sentence.relations
        if r in NAMES and h in entity_of and t in entity_of
    ]
    return {"id": sentence.id, "text": text, "spans": spans, "entities": entities, "relations": relations}


def predict(
    session: Session, sentence: Sentence, settings: Settings
) -> tuple[set[tuple[int, int, str]], set[tuple[int, int, int, int, str]]]:
    """Return the entities (first, last, type) and relations (both spans, type) of a sentence, in tokens."""
    text, places = joined(sentence.tokens)
    units = cut(text)
    lengths = session.pieces.lengths(units)
    while sum(lengths) > WINDOW:  # no sentence of SciER is so long, but a file may hold anything
        units, lengths = _without_last(units), lengths[:-1]
    if not len(units):
        return set(), set()
    x, logits, _ = session.read(session.pieces.row(units, 0, len(units)))
    scores = cluster_scores(session, x, logits, units, settings)
    if scores is None:
        return set(), set()
    first_at = {start: i for i, (start, _) in enumerate(places)}
    last_at = {end: i for i, (_, end) in enumerate(places)}
    found: list[list[tuple[int, int]]] = []
    for cluster in scores.clusters:
        spans = [(units.starts[s.first], units.ends[s.last]) for s in cluster.spans]
        found.append([(first_at[a], last_at[b]) for a, b in spans if a in first_at and b in last_at])
    probabilities = softmax(scores.kind)
    kinds = {n: scaled(probabilities[:, number], settings.entity_scale) for n, number in _KINDS.items()}
    entities = set()
    kept = []
    for c, spans in enumerate(found):
        kind = max(kinds, key=lambda name: kinds[name][c])
        if kinds[kind][c] >= settings.keep[kind] and spans:
            kept.append(c)
            entities |= {(a, b, kind) for a, b in spans}
    return entities, _relations(scores, found, kept, settings)


def _relations(
    scores: Scores, found: list[list[tuple[int, int]]], kept: list[int], settings: Settings
) -> set[tuple[int, int, int, int, str]]:
    out = set()
    for i in kept:
        for j in kept:
            name = max(_CLASSES, key=lambda n: scores.pairs[i, j, _CLASSES[n]])
            score = scores.pairs[i, j, _CLASSES[name]]
            if name != SYNONYM:
                score = scaled(score, settings.relation_scale)
            level = settings.same if name == SYNONYM else settings.relations[NAMES[name]]
            mirrored = name in (SYNONYM, "Compare-With") and j < i
            if i != j and score >= level and not mirrored:
                _, h, t = min((abs(h[0] - t[0]), h, t) for h in found[i] for t in found[j])
                out.add((*h, *t, name))
    return out


def score(session: Session, sentences: Iterable[Sentence]) -> dict[str, dict[str, float]]:
    """Return strict micro precision, recall and F1 (0 to 100) of NER, Rel (spans) and Rel+ (and types)."""
    counts = {row: [0, 0, 0] for row in ("NER", "Rel", "Rel+")}
    for sentence in sentences:
        entities, relations = predict(session, sentence, session.settings)
        kinds = {(a, b): kind for a, b, kind in entities}
        known = {(a, b): kind for a, b, kind in sentence.spans}
        said = {_ordered(r) for r in relations}
        gold = {_ordered((*h, *t, name)) for h, name, t in sentence.relations}
        rows: dict[str, tuple[set[Any], set[Any]]] = {
            "NER": (entities, set(sentence.spans)),
            "Rel": (said, gold),
            "Rel+": (
                {(r, kinds.get(r[:2]), kinds.get(r[2:4])) for r in said},
                {(r, known.get(r[:2]), known.get(r[2:4])) for r in gold},
            ),
        }
        for row, (ours, theirs) in rows.items():
            counts[row][0] += len(ours & theirs)
            counts[row][1] += len(ours)
            counts[row][2] += len(theirs)
    return {
        row: {
            "P": round(100 * right / max(1, said), 2),
            "R": round(100 * right / max(1, wanted), 2),
            "F1": round(200 * right / max(1, said + wanted), 2),
        }
        for row, (right, said, wanted) in counts.items()
    }


def _ordered(relation: tuple[int, int, int, int, str]) -> tuple[int, int, int, int, str]:
    a, b, c, d, name = relation
    return (c, d, a, b, name) if name in (SYNONYM, "Compare-With") and (c, d) < (a, b) else relation


def _without_last(units: Units) -> Units:
    cut_off = (units.starts[:-1], units.ends[:-1], units.sentences[:-1], units.forms[:-1])
    return Units(units.text, *cut_off, min(units.title, len(units) - 1))


def main(command: str, first: str, second: str) -> None:
    """Convert a file, or score a model on one."""
    if command == "convert":
        records = map(record_of, read_sentences(Path(first)))
        Path(second).write_text("".join(json.dumps(r) + "\n" for r in records), "utf-8")
    else:
        for row, values in score(Session(Path(first)), read_sentences(Path(second))).items():
            print(f"{row:6}{values['P']:8}{values['R']:8}{values['F1']:8}")


if __name__ == "__main__":
    main(*sys.argv[1:4])
