"""The rule reader: entities and relations from features whose worth was counted, without a neural model.

It is the fallback where no trained reader is installed, and the yardstick for one.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from extractors.aliases import best_name
from extractors.entities import Candidate, find_candidates
from extractors.generic import is_generic
from extractors.linear import Floats, load_linear
from extractors.phrases import Phrase
from extractors.reading import Page, Reading
from extractors.relations import find_relations, flag_introduced
from extractors.scene import Scene
from extractors.words import fold
from kg.types import Dropped, Mention, PaperEntity

NOTHING = "none"
#: Candidates below this probability are left out; chosen for entity F1 on the dev papers.
THRESHOLD = 0.3
#: Candidates from here up to the threshold are reported as dropped; the rest is plain text.
NEARLY = 0.25
#: From this probability on an entity is the paper's own; chosen for F1 on the dev papers.
OWN = 0.4
#: Heads that a name may carry or not: "EACL" and "EACL framework" are one thing.
_TAIL = re.compile(
    r" (?:frame ?work|model|method|approach|algorithm|dataset|data set|benchmark|network|system|module|task|loss|"
    r"metric|score|architecture|technique|strategy|mechanism|corpus|suite|challenge)$"
)


@dataclass(frozen=True, slots=True)
class RuleReader:
    """Reads entities and relations by rules with counted weights."""

    threshold: float = THRESHOLD
    gazetteer: bool = True

    @property
    def version(self) -> str:
        """The digests of the weights."""
        return "rules-" + "".join(load_linear(part).version[:4] for part in ("entities", "introduced", "relations"))

    def read(self, page: Page) -> Reading:
        """Return the entities and relations of one text."""
        entities, dropped = self._entities(page)
        scene = Scene(page, entities)
        own = flag_introduced(scene)
        entities = tuple(
            replace(entity, introduced=score >= OWN, salience=_salience(scene, number, score))
            for number, (entity, score) in enumerate(zip(entities, own, strict=True))
        )
        relations = find_relations(Scene(page, entities), source=self.version)
        return Reading(entities, relations, dropped)

    def _entities(self, page: Page) -> tuple[tuple[PaperEntity, ...], tuple[Dropped, ...]]:
        model = load_linear("entities")
        candidates = find_candidates(page, with_gazetteer=self.gazetteer)
        scores = model.probabilities([candidate.features for candidate in candidates])
        keep = 1 - scores[:, model.classes.index(NOTHING)]
        generic = [number for number, candidate in enumerate(candidates) if is_generic(candidate.form)]
        dropped = _report(page, candidates, keep, generic=generic, threshold=self.threshold)
        keep[generic] = 0
        chosen = _choose(candidates, keep, self.threshold)
        types = {
            c: {t: float(s) for t, s in zip(model.classes, scores[c], strict=True) if t != NOTHING} for c in chosen
        }
        entities = [
            self._entity(page, [(types[c], float(keep[c]), chosen[c]) for c in group])
            for group in _group(page, {c: candidates[c].form for c in chosen})
        ]
        return tuple(sorted(entities, key=lambda entity: entity.mentions[0].start)), dropped

    def _entity(self, page: Page, parts: list[tuple[dict[str, float], float, list[Phrase]]]) -> PaperEntity:
        totals: dict[str, float] = defaultdict(float)
        for types, _, phrases in parts:
            for name, score in types.items():
                totals[name] += score * len(phrases)
        mentions = [_mention(page, phrase) for phrase in sorted(phrase for *_, phrases in parts for phrase in phrases)]
        return PaperEntity(
            name=best_name(mention.text for mention in mentions),
            type=max(totals, key=lambda name: (totals[name], name)),
            mentions=tuple(mentions),
            score=round(max(score for _, score, _ in parts), 4),
            source=self.version,
        )


def _report(
    page: Page, candidates: Sequence[Candidate], keep: Floats, *, generic: Iterable[int], threshold: float
) -> tuple[Dropped, ...]:
    """Say which phrases were nearly entities and why they are none."""

    def surface(number: int) -> str:
        phrase = candidates[number].phrases[0]
        return page.clean.text[phrase.start : phrase.end]

    names = [Dropped(surface(number), "generic name") for number in generic if keep[number] >= NEARLY]
    return (
        *names,
        *(
            Dropped(surface(number), "score below the threshold")
            for number in np.flatnonzero((keep >= NEARLY) & (keep < threshold)).tolist()
            if not is_generic(candidates[number].form)
        ),
    )


def _choose(candidates: Sequence[Candidate], keep: Floats, threshold: float) -> dict[int, list[Phrase]]:
    """Return candidate -> its mentions: where two overlap, the more probable one, then the longer one, stays."""
    ranked = sorted(
        (-float(keep[number]), phrase.first - phrase.last, phrase.start, number, phrase)
        for number, candidate in enumerate(candidates)
        if keep[number] >= threshold
        for phrase in candidate.phrases
    )
    taken: set[tuple[int, int]] = set()
    chosen: dict[int, list[Phrase]] = {}
    for *_, number, phrase in ranked:
        places = {(phrase.sentence, word) for word in range(phrase.first, phrase.last)}
        if not places & taken:
            taken |= places
            chosen.setdefault(number, []).append(phrase)
    return dict(sorted(chosen.items()))


def _group(page: Page, forms: dict[int, str]) -> list[list[int]]:
    """Group candidates that name one thing: acronym and long form, name and name with its head."""
    text = page.clean.text
    long_forms = {fold(text[slice(*item.short)]): fold(text[slice(*item.long)]) for item in page.acronyms}
    known = set(forms.values())
    groups: dict[str, list[int]] = defaultdict(list)
    for number, form in forms.items():
        key = long_forms.get(form, form)
        bare = _TAIL.sub("", key)
        if bare != key and (bare in known or bare in long_forms):
            key = long_forms.get(bare, bare)
        groups[key].append(number)
    return list(groups.values())


def _mention(page: Page, phrase: Phrase) -> Mention:
    text = page.clean.text[phrase.start : phrase.end]
    return Mention(phrase.start, phrase.end, text, page.clean.raw_span(phrase.start, phrase.end))


def _salience(scene: Scene, entity: int, own: float) -> float:
    """Return how central an entity is, 0..1: the paper's own, in the title, often named."""
    often = min(len(scene.places[entity]), 5) / 5
    return round(0.5 * own + 0.3 * scene.in_title(entity) + 0.2 * often, 4)
