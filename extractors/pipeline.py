"""From papers to extractions: a spaCy pipeline around one reader of entities and relations.

Order: clean -> sentences -> acronyms -> reader -> results -> links -> keyphrases. Each component takes a Doc and
gives it back with ``doc._.extraction`` replaced. Only the reader is a choice; see :func:`load_reader`.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import spacy
from spacy.language import Language
from spacy.tokens import Doc

from extractors.acronyms import find_acronyms
from extractors.aliases import join_acronyms
from extractors.cleaning import clean
from extractors.keyphrases import load_phraser
from extractors.links import find_links
from extractors.mentions import leave_addresses
from extractors.parallel import map_in_order
from extractors.readers import load_reader
from extractors.reading import Page, Reading
from extractors.results import find_results
from extractors.words import split_sentences
from kg.config import ReadConfig
from kg.schema import allows
from kg.types import CleanText, Dropped, Extraction, Paper, PaperEntity, Relation

#: Changes whenever the parts around the reader may give another extraction for the same text.
RULES_VERSION = "6"
#: Characters of a paper that are read; the longest abstract of 30,000 conference papers has 6,000.
MAX_CHARACTERS = 100_000
_SURROGATES = re.compile("[\ud800-\udfff]")
COMPONENTS = ("kg_sentences", "kg_acronyms", "kg_reader", "kg_results", "kg_links", "kg_keyphrases")


class Extractor:
    """Reads papers; what it finds in one never depends on the others. Loads its models on first use."""

    def __init__(self, config: ReadConfig) -> None:
        """Prepare to read; nothing is loaded yet."""
        self.config = config

    @cached_property
    def version(self) -> str:
        """What an extraction depends on besides the text: the rules, the reader and whether topics are found."""
        reader, phraser = load_reader(self.config.reader), load_phraser(self.config.keyphrases)
        return f"paperkg-{RULES_VERSION}/{reader.version}/{phraser.version if phraser else 'no-topics'}"

    @cached_property
    def _nlp(self) -> Language:
        return build_pipeline(self.config)

    def read(self, papers: Iterable[Paper], *, processes: int = 1) -> Iterator[Extraction]:
        """Yield one extraction for each paper, in order.

        Papers are drawn as they are needed, a few ahead of what is yielded. With ``processes`` > 1 each process
        loads the models once; stopping the iteration (or Ctrl-C) ends them.
        """
        if processes <= 1:
            return map(self.read_one, papers)
        return map_in_order(_start_worker, papers, processes=processes, argument=self.config)

    def read_apart(self, papers: Iterable[Paper], *, processes: int = 1) -> Iterator[tuple[Extraction, Extraction]]:
        """Yield for each paper what the reader alone says, and the extraction of the whole pipeline.

        Alone means as it left the reader: no acronyms joined by rule, no results and no links.
        """
        if processes <= 1:
            return map(self.read_one_apart, papers)
        return map_in_order(_start_worker_apart, papers, processes=processes, argument=self.config)

    def read_one(self, paper: Paper) -> Extraction:
        """Return the extraction of one paper."""
        return self.read_one_apart(paper)[1]

    def read_one_apart(self, paper: Paper) -> tuple[Extraction, Extraction]:
        """Return what the reader alone says of one paper, and its extraction."""
        nlp = self._nlp
        with nlp.memory_zone():
            doc = nlp(_open(nlp, paper))
            reading: Reading = doc._.reading
            whole = replace(doc._.extraction, extractor=self.version)
        bare = Extraction(paper.id, paper.content_hash, text=whole.text, extractor=self.version)
        return replace(bare, entities=reading.entities, relations=reading.relations), whole


def load_extractor(config: ReadConfig | None = None) -> Extractor:
    """Return an extractor for a configuration, by default with the best reader that is installed."""
    return Extractor(config or ReadConfig())


def build_pipeline(config: ReadConfig) -> Language:
    """Return the spaCy pipeline; its components read and replace ``doc._.extraction``."""
    nlp = spacy.blank("en")
    nlp.max_length = 2 * MAX_CHARACTERS
    for name in ("page", "extraction", "reading"):
        if not Doc.has_extension(name):
            Doc.set_extension(name, default=None)
    settings: dict[str, dict[str, Any]] = {
        "kg_reader": {"reader": config.reader},
        "kg_keyphrases": {"count": config.keyphrases},
    }
    for component in COMPONENTS:
        nlp.add_pipe(component, config=settings.get(component, {}))
    return nlp


def _start_worker(config: ReadConfig) -> Callable[[Paper], Extraction]:
    return load_extractor(config).read_one


def _start_worker_apart(config: ReadConfig) -> Callable[[Paper], tuple[Extraction, Extraction]]:
    return load_extractor(config).read_one_apart


def _open(nlp: Language, paper: Paper) -> Doc:
    raw, rest = _cut(paper.raw)
    cleaned = clean(_SURROGATES.sub("\ufffd", raw))  # halves of characters cannot be encoded; lengths stay
    doc = Doc(nlp.vocab)  # a carrier: components read the page, and to cut tokens would take longer than all rules
    doc._.page = Page(cleaned, title_end=_title_end(cleaned, paper))
    dropped = (Dropped(rest[:80], f"text past {MAX_CHARACTERS} characters"),) if rest.strip() else ()
    doc._.extraction = Extraction(paper.id, paper.content_hash, text=cleaned.text, dropped=dropped)
    return doc


def _cut(raw: str) -> tuple[str, str]:
    """Cut an overlong text at white space, so that no word is read by half."""
    if len(raw) <= MAX_CHARACTERS:
        return raw, ""
    space = max(raw.rfind(" ", 0, MAX_CHARACTERS), raw.rfind("\n", 0, MAX_CHARACTERS))
    end = space if space > MAX_CHARACTERS // 2 else MAX_CHARACTERS
    return raw[:end], raw[end:]


def _title_end(cleaned: CleanText, paper: Paper) -> int:
    """Return where the title ends in the clean text, 0 without a title."""
    return bisect_left(cleaned.raw_starts, len(paper.title)) if paper.title and paper.abstract else 0


@Language.component("kg_sentences")
def sentences(doc: Doc) -> Doc:
    """Split the text into sentences; the title is one."""
    page: Page = doc._.page
    spans = split_sentences(page.clean.text, title_end=page.title_end)
    doc._.page = replace(page, sentences=spans)
    doc._.extraction = replace(doc._.extraction, sentences=spans)
    return doc


@Language.component("kg_acronyms")
def acronyms(doc: Doc) -> Doc:
    """Find the acronyms that the paper defines."""
    page: Page = doc._.page
    found = find_acronyms(page.clean.text, page.sentences)
    text = page.clean.text
    doc._.page = replace(page, acronyms=found)
    pairs = tuple((text[slice(*item.short)], text[slice(*item.long)]) for item in found)
    doc._.extraction = replace(doc._.extraction, acronyms=pairs)
    return doc


@Language.factory("kg_reader", default_config={"reader": "auto"})
def make_reader(nlp: Language, name: str, reader: str) -> Callable[[Doc], Doc]:
    """Find entities and relations with the chosen reader; an acronym and its long form become one."""
    core = load_reader(reader)

    def read(doc: Doc) -> Doc:
        reading = core.read(doc._.page)
        extraction: Extraction = doc._.extraction
        entities, relations = join_acronyms(doc._.page, reading.entities, reading.relations)
        entities, relations = leave_addresses(doc._.page, entities, relations)
        doc._.reading = reading
        doc._.extraction = replace(
            extraction,
            entities=entities,
            relations=tuple(relation for relation in relations if _fits(entities, relation)),
            dropped=extraction.dropped + reading.dropped,
        )
        return doc

    return read


def _fits(entities: Sequence[PaperEntity], relation: Relation) -> bool:
    """Say whether a relation still fits the schema after entities of two types became one."""
    return allows(entities[relation.head].type, relation.type, entities[relation.tail].type)


@Language.component("kg_results")
def results(doc: Doc) -> Doc:
    """Tie numbers to the entities that they speak of."""
    page: Page = doc._.page
    extraction: Extraction = doc._.extraction
    found = find_results(page, extraction.entities, extraction.relations, answers=doc._.reading.answers)
    doc._.extraction = replace(extraction, results=found)
    return doc


@Language.component("kg_links")
def links(doc: Doc) -> Doc:
    """Find web addresses."""
    doc._.extraction = replace(doc._.extraction, links=find_links(doc._.page.clean.raw))
    return doc


@Language.factory("kg_keyphrases", default_config={"count": 5})
def make_keyphrases(nlp: Language, name: str, count: int) -> Callable[[Doc], Doc]:
    """Rank phrases by nearness to the whole text; nothing happens where KeyBERT is not installed."""
    phraser = load_phraser(count)

    def rank(doc: Doc) -> Doc:
        if phraser:
            doc._.extraction = phraser.add_keyphrases(doc._.page, doc._.extraction, doc._.reading.vectors)
        return doc

    return rank
