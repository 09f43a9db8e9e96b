from __future__ import annotations

from dataclasses import replace

import numpy as np

from extractors.reader.clusters import Cluster
from extractors.reader.decode import Scores, Settings, decide
from extractors.reader.labels import RELATIONS, SAME, TYPES
from extractors.reader.spans import Span, band, choose_spans
from extractors.reader.units import cut


def logits_of(count: int, chosen: dict[tuple[int, int], tuple[int, float]]) -> np.ndarray:
    first, last = band(count)
    out = np.zeros((len(first), len(TYPES) + 1))
    out[:, 0] = 9.0
    for k, place in enumerate(zip(first.tolist(), last.tolist(), strict=True)):
        if place in chosen:
            kind, score = chosen[place]
            out[k] = 0.0
            out[k, kind] = score
    return out


def test_choose_spans_takes_the_surest_of_overlapping() -> None:
    units = cut("We like garden maps.")
    logits = logits_of(len(units), {(2, 3): (2, 6.0), (3, 3): (1, 4.0)})
    spans = choose_spans(logits, units, bias=0.0, vote=0.0)
    assert [(s.first, s.last) for s in spans] == [(2, 3)]
    assert spans[0].odds > 4


def test_choose_spans_stays_within_a_sentence() -> None:
    units = cut("We like maps. Gardens grow.")
    assert choose_spans(logits_of(len(units), {(2, 4): (1, 9.0)}), units, bias=0.0, vote=0.0) == []


def test_choose_spans_parts_two_names() -> None:
    units = cut("On Dry Steppe and on Muddy Plain it wins; bread and butter too.")
    logits = logits_of(len(units), {(1, 6): (4, 6.0), (10, 12): (1, 5.0)})
    surfaces = [units.surface(s.first, s.last) for s in choose_spans(logits, units, bias=0.0, vote=0.0)]
    assert surfaces == ["Dry Steppe", "Muddy Plain", "bread and butter"]


def test_choose_spans_votes_over_a_repeated_surface() -> None:
    units = cut("TULIP maps. TULIP grows.")
    logits = logits_of(len(units), {(0, 0): (1, 6.0), (3, 3): (2, 1.0)})
    kinds = [int(s.scores.argmax()) for s in choose_spans(logits, units, bias=2.0, vote=1.0)]
    assert kinds == [1, 1]


def scores_of(kinds: list[int], pairs: dict[tuple[int, int], tuple[int, float]]) -> Scores:
    count = len(kinds)
    kind = np.zeros((count, len(TYPES) + 1))
    kind[np.arange(count), kinds] = 5.0
    table = np.zeros((count, count, len(RELATIONS) + 2))
    for (i, j), (relation, score) in pairs.items():
        table[i, j, relation] = score
    clusters = tuple(Cluster((Span(3 * i, 3 * i + 1, np.zeros(6)),)) for i in range(count))
    return Scores(clusters, kind, np.full((count, 2), 0.7), table)


def relation(name: str) -> int:
    return RELATIONS.index(name) + 1


def test_decide_drops_what_is_no_entity() -> None:
    found = decide(scores_of([1, 0, 2], {}), Settings())
    assert [e.type for e in found.entities] == ["Method", "Task"]
    assert found.entities[1].mentions == ((6, 7),)
    assert found.entities[0].score > 0.9


def test_decide_reports_what_was_nearly_kept() -> None:
    settings = Settings(keep=dict.fromkeys(TYPES, 0.99))
    found = decide(scores_of([1], {}), settings)
    assert found.entities == []
    assert [e.type for e in found.nearly] == ["Method"]


def test_decide_joins_clusters_that_are_the_same() -> None:
    same = {(0, 1): (SAME, 0.9), (1, 0): (SAME, 0.8), (2, 1): (relation("USED_FOR"), 0.8)}
    scores = scores_of([2, 2, 1], same)
    found = decide(scores, Settings())
    assert [e.mentions for e in found.entities] == [((0, 1), (3, 4)), ((6, 7),)]
    assert [(r.head, r.type, r.tail) for r in found.relations] == [(1, "USED_FOR", 0)]


def test_decide_does_not_join_a_chain() -> None:
    pairs = {(0, 1): (SAME, 1.0), (1, 0): (SAME, 1.0), (1, 2): (SAME, 1.0), (2, 1): (SAME, 0.9)}
    assert len(decide(scores_of([1, 1, 1], pairs), replace(Settings(), same=0.6)).entities) == 2


def test_decide_keeps_to_the_schema() -> None:
    pairs = {(0, 1): (relation("USED_FOR"), 0.9), (1, 0): (relation("USED_FOR"), 0.9)}
    found = decide(scores_of([1, 2], pairs), Settings())
    assert [(r.head, r.type, r.tail) for r in found.relations] == [(0, "USED_FOR", 1)]


def test_decide_states_a_symmetric_relation_once() -> None:
    pairs = {(0, 1): (relation("COMPARED_WITH"), 0.9), (1, 0): (relation("COMPARED_WITH"), 0.5)}
    found = decide(scores_of([1, 1], pairs), Settings())
    assert [(r.head, r.tail, round(r.score, 2)) for r in found.relations] == [(0, 1, 0.68)]


def test_decide_states_the_likeliest_purpose_of_what_is_introduced() -> None:
    pairs = {
        (0, 1): (relation("USED_FOR"), 0.2),
        (0, 2): (relation("USED_FOR"), 0.3),
        (1, 0): (relation("PART_OF"), 0.2),
    }
    scores = scores_of([1, 2, 2], pairs)
    found = decide(scores, Settings())
    assert [(r.head, r.type, r.tail) for r in found.relations] == [(0, "USED_FOR", 2)]
    assert decide(scores, replace(Settings(), introduced=0.8)).relations == []
    pairs[0, 2] = (relation("USED_FOR"), 0.09)
    pairs[0, 1] = (relation("USED_FOR"), 0.05)
    assert decide(scores_of([1, 2, 2], pairs), Settings()).relations == []
