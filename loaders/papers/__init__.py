"""Papers in: every file a researcher holds, read as a stream of ``kg.types.Paper``.

The way of a file: ``sources`` opens and unpacks it, ``encoding`` and ``registry`` tell by its content how it is
written, a reader yields ``records``, and ``merging`` brings those of one paper together (``likeness`` says which).

=============  ==========================================================================================
module         reads
=============  ==========================================================================================
text           lists of abstracts in plain text, with or without titles, labels, numbers and a heading
markdown       lists, sections and tables of papers
jsonl          one JSON object a line
json_document  arrays, objects around them, objects one after another; ``json_papers`` knows the dialects:
               openreview, arxiv, openalex, semantic_scholar, europe_pmc, and any usual key names
bibtex         BibTeX of reference managers, publishers and indexes
tagged_papers  RIS, MEDLINE (NBIB), EndNote and RefWorks tagged, Web of Science field-tagged, Cochrane text
delimited      CSV and TSV of indexes and publishers, and hand-made ones
pubmed_text    "Abstract (text)" files of PubMed
xml_papers     PubMed, the Atom feed of arXiv, EndNote XML
parquet        Parquet, with any of the JSON dialects' columns
=============  ==========================================================================================
"""

from loaders.papers.checking import Check, check
from loaders.papers.reading import read_papers
from loaders.papers.registry import FORMATS

__all__ = ["FORMATS", "Check", "check", "read_papers"]
