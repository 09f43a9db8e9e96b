from __future__ import annotations

import numpy as np
import pytest

from extractors.reader.clusters import abbreviates, describe, group, normal_form
from extractors.reader.spans import Span
from extractors.reader.units import Units, cut

TEXT = "Garden Mapping Nets (GMN) draw maps. GMN beats older garden-mapping nets on BedBench."


def spans_of(units: Units, *surfaces: str, kind: int = 1) -> list[Span]:
    scores = np.log(np.full(6, 0.02))
    scores[kind] = np.log(0.9)
    found = []
    for surface in surfaces:
        start = -1
        while (start := units.text.find(surface, start + 1)) >= 0:
            if start in units.starts and start + len(surface) in units.ends:
                first, last = units.starts.index(start), units.ends.index(start + len(surface))
                found.append(Span(first, last, scores))
    return sorted(found, key=lambda span: span.first)


@pytest.mark.parametrize(
    ("surface", "form"),
    [("Garden-Maps", "garden map"), ("an  Orchard", "orchard"), ("Loss", "loss"), ("GPUs", "gpu")],
)
def test_normal_form_folds_spelling(surface: str, form: str) -> None:
    assert normal_form(surface) == form


def test_abbreviates_asks_for_letters_in_order() -> None:
    assert abbreviates("GMN", "Garden Mapping Nets")
    assert not abbreviates("GMN", "Nets for Mapping Gardens")
    assert not abbreviates("", "Garden")


def test_group_joins_spellings_and_the_defined_short_form() -> None:
    units = cut(TEXT)
    clusters = group(spans_of(units, "Garden Mapping Nets", "GMN", "garden-mapping nets", "BedBench"), units)
    surfaces = [[units.surface(s.first, s.last) for s in c.spans] for c in clusters]
    assert surfaces == [["Garden Mapping Nets", "GMN", "GMN", "garden-mapping nets"], ["BedBench"]]
    assert [c.defined for c in clusters] == [True, False]


def test_describe_finds_the_nearest_mentions() -> None:
    units = cut(TEXT)
    clusters = group(spans_of(units, "Garden Mapping Nets", "GMN", "garden-mapping nets", "BedBench"), units)
    given = describe(clusters, units)
    low, high = given.between[0, 1]
    assert [units.words()[i] for i in range(low, high)] == ["on"]
    assert given.pairs[0, 1, 0] - given.pairs[1, 0, 0] == 12  # the same, but for the order
    assert given.present.sum(1).tolist() == [4, 1]
    assert given.markers[0, 0] == pytest.approx(0.9 / 0.98)


def test_describe_knows_shared_words() -> None:
    units = cut("We study plant disease detection. Disease detection is hard. Plants grow.")
    clusters = group(spans_of(units, "plant disease detection", "Disease detection", "Plants", kind=2), units)
    overlap = describe(clusters, units).pairs[:, :, 1]
    assert overlap[0, 1] == 4
    assert overlap[1, 0] == 5
    assert overlap[0, 2] == 2
    assert overlap[1, 2] == 0
