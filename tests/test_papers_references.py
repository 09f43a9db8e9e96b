"""BibTeX, RIS, MEDLINE, EndNote and Web of Science files as their vendors export them. All papers are invented."""

# ruff: noqa: E501 (records stand as the vendors write them)

from __future__ import annotations

import pytest

from tests.paper_files import Case, check

PINE = {"title": "Pruning by Entropy", "abstract": "We prune heads by entropy."}

BIBTEX = [
    # https://www.zotero.org/support/kb/exporting (BibTeX, with braces around what must keep its case)
    Case(
        "BibTeX of Zotero",
        """
@inproceedings{doe_pine_2031,
	address = {Paris},
	title = {{PINE}: {Pruning} by {Entropy}},
	url = {https://aclanthology.org/2031.forest-main.7},
	doi = {10.1000/Forest.12},
	abstract = {We prune heads by entropy, at 50\\% of the cost \\& with no training.},
	urldate = {2032-01-01},
	booktitle = {Proceedings of the 3rd {Forest} {Conference}},
	author = {Doe, Jane and M{\\"u}ller, J{\\"o}rg and {Forest and Tree Team}},
	month = may,
	year = {2031},
	keywords = {pruning, entropy},
	file = {PDF:/home/jane/pine.pdf:application/pdf},
}
""",
        "BibTeX",
        [
            {
                "id": "doe_pine_2031",
                "title": "{PINE}: {Pruning} by {Entropy}",
                "abstract": "We prune heads by entropy, at 50\\% of the cost \\& with no training.",
                "authors": ("Jane Doe", "Jörg Müller", "Forest and Tree Team"),
                "venue": "Proceedings of the 3rd Forest Conference",
                "year": 2031,
                "doi": "10.1000/forest.12",
                "url": "https://aclanthology.org/2031.forest-main.7",
                "keywords": ("pruning", "entropy"),
            }
        ],
    ),
    # https://aclanthology.org (quotes, aligned authors, bare month)
    Case(
        "BibTeX of the ACL Anthology",
        """@inproceedings{doe-roe-2031-pruning,
    title = "{P}runing by Entropy",
    author = "Doe, Jane  and
      Roe, Rick",
    editor = "Poe, Ada",
    booktitle = "Proceedings of the 2031 Forest Conference",
    month = jun,
    year = "2031",
    address = "Paris",
    url = "https://aclanthology.org/2031.forest-1.7/",
    pages = "1--12",
    abstract = "We prune {``}heads{''} by entropy."
}
""",
        "BibTeX",
        [
            {
                "id": "doe-roe-2031-pruning",
                "title": "{P}runing by Entropy",
                "abstract": "We prune {``}heads{''} by entropy.",
                "authors": ("Jane Doe", "Rick Roe"),
                "venue": "Proceedings of the 2031 Forest Conference",
                "year": 2031,
            }
        ],
    ),
    # https://proceedings.mlr.press (double braces of single letters)
    Case(
        "BibTeX of PMLR",
        """@InProceedings{pmlr-v999-doe31a,
  title = 	 {{P}runing by Entropy},
  author =       {Doe, Jane and Roe, Rick},
  booktitle = 	 {Proceedings of the 48th International Conference on Forests},
  pages = 	 {1--12},
  year = 	 {2031},
  volume = 	 {999},
  series = 	 {Proceedings of Machine Learning Research},
  publisher =    {PMLR},
  url = 	 {https://proceedings.mlr.press/v999/doe31a.html},
  abstract = 	 {We prune heads by entropy.}
}
""",
        "BibTeX",
        [
            {
                "id": "pmlr-v999-doe31a",
                "title": "{P}runing by Entropy",
                "abstract": "We prune heads by entropy.",
                "venue": "Proceedings of the 48th International Conference on Forests",
                "year": 2031,
            }
        ],
    ),
    # https://webofscience.help.clarivate.com (blank before the key, capitals, double braces, wrapped lines)
    Case(
        "BibTeX of Web of Science",
        """
@article{ WOS:000999999900001,
Author = {Doe, Jane and Roe,
   Rick},
Title = {{Pruning by {Entropy}: A
   Study}},
Journal = {{JOURNAL OF FORESTS}},
Year = {{2031}},
Volume = {{12}},
Abstract = {{We prune heads by entropy. (C) 2031
   Forest Ltd.}},
DOI = {{10.1000/forest.12}},
Keywords = {{pruning; entropy}},
Unique-ID = {{WOS:000999999900001}},
}

""",
        "BibTeX",
        [
            {
                "id": "WOS:000999999900001",
                "title": "Pruning by {Entropy}: A\n   Study",
                "abstract": "We prune heads by entropy. (C) 2031\n   Forest Ltd.",
                "authors": ("Jane Doe", "Rick Roe"),
                "venue": "JOURNAL OF FORESTS",
                "year": 2031,
                "doi": "10.1000/forest.12",
                "keywords": ("pruning", "entropy"),
            }
        ],
    ),
    # https://service.elsevier.com (Scopus: lines of its own before the first entry, author_keywords)
    Case(
        "BibTeX of Scopus",
        """Scopus
EXPORT DATE: 04 May 2031

@ARTICLE{Doe2031301,
	author = {Doe, Jane and Roe, Rick},
	title = {Pruning by Entropy},
	year = {2031},
	journal = {Journal of Forests},
	volume = {12},
	doi = {10.1000/Forest.12},
	url = {https://www.scopus.com/inward/record.uri?eid=2-s2.0-85000000001&doi=10.1000%2fForest.12},
	abstract = {We prune heads by entropy. © 2031 Forest Ltd.},
	author_keywords = {Entropy; Pruning},
	keywords = {Trees; Forestry},
	type = {Article},
	source = {Scopus},
	note = {Cited by: 0}
}
""",
        "BibTeX",
        [
            {
                "id": "Doe2031301",
                "title": "Pruning by Entropy",
                "abstract": "We prune heads by entropy. © 2031 Forest Ltd.",
                "venue": "Journal of Forests",
                "doi": "10.1000/forest.12",
                "keywords": ("Entropy", "Pruning"),
            }
        ],
    ),
    # https://dl.acm.org (a DOI for a key)
    Case(
        "BibTeX of the ACM Digital Library",
        """@inproceedings{10.1145/9999999.9999999,
author = {Doe, Jane and Roe, Rick},
title = {Pruning by Entropy},
year = {2031},
isbn = {9781450399999},
publisher = {Association for Computing Machinery},
url = {https://doi.org/10.1145/9999999.9999999},
doi = {10.1145/9999999.9999999},
abstract = {We prune heads by entropy.},
booktitle = {Proceedings of the 2031 Forest Conference},
pages = {1–12},
numpages = {12},
series = {FOREST '31}
}
""",
        "BibTeX",
        [
            {
                **PINE,
                "id": "10.1145/9999999.9999999",
                "doi": "10.1145/9999999.9999999",
                "venue": "Proceedings of the 2031 Forest Conference",
                "year": 2031,
            }
        ],
    ),
    # https://onlinelibrary.wiley.com (an address for a key, "Abstract" before the abstract)
    Case(
        "BibTeX of Wiley",
        """@article{https://doi.org/10.1002/for.12,
author = {Doe, Jane and Roe, Rick},
title = {Pruning by Entropy},
journal = {Forests},
volume = {12},
keywords = {pruning, entropy},
doi = {https://doi.org/10.1002/for.12},
url = {https://onlinelibrary.wiley.com/doi/abs/10.1002/for.12},
abstract = {Abstract We prune heads by entropy.},
year = {2031}
}
""",
        "BibTeX",
        [
            {
                **PINE,
                "id": "https://doi.org/10.1002/for.12",
                "doi": "10.1002/for.12",
                "keywords": ("pruning", "entropy"),
            }
        ],
    ),
    # https://connect.ebsco.com (blank after the key, capitals, all in one line)
    Case(
        "BibTeX of EBSCO",
        "@article{13655420310901 ,\nAbstract = {We prune heads by entropy.},\nAuthor = {Doe, Jane and Roe, Rick},\nISSN = {12345678},\nJournal = {Forests},\nKeywords = {Pruning, Entropy},\nPages = {1 - 12},\nTitle = {Pruning by Entropy.},\nVolume = {12},\nURL = {https://search.ebscohost.com/login.aspx?direct=true&db=x&AN=1},\nYear = {2031},\n}\n",
        "BibTeX",
        [
            {
                "id": "13655420310901",
                "title": "Pruning by Entropy.",
                "abstract": "We prune heads by entropy.",
                "venue": "Forests",
                "year": 2031,
            }
        ],
    ),
    # https://dblp.org/faq (colons in keys, authors over lines, namesakes numbered, volumes as entries)
    Case(
        "BibTeX of DBLP",
        """@inproceedings{DBLP:conf/forest/DoeR31,
  author       = {Jane Doe and
                  Rick Roe 0002},
  editor       = {Ada Poe},
  title        = {Pruning by Entropy},
  booktitle    = {Forest Conference, {FOREST} 2031, Paris, France, May 4, 2031},
  pages        = {1--12},
  year         = {2031},
  crossref     = {DBLP:conf/forest/2031},
  url          = {https://doi.org/10.1000/forest.12},
  doi          = {10.1000/FOREST.12},
  timestamp    = {Mon, 04 May 2031 10:00:00 +0200},
  bibsource    = {dblp computer science bibliography, https://dblp.org}
}

@proceedings{DBLP:conf/forest/2031,
  editor       = {Ada Poe},
  title        = {Forest Conference, {FOREST} 2031},
  year         = {2031}
}
""",
        "BibTeX",
        [
            {
                "id": "DBLP:conf/forest/DoeR31",
                "title": "Pruning by Entropy",
                "authors": ("Jane Doe", "Rick Roe"),
                "venue": "Forest Conference, FOREST 2031, Paris, France, May 4, 2031",
                "year": 2031,
            }
        ],
        filtered={"a whole volume, not a paper": 1},
    ),
    # https://europepmc.org (capitals)
    Case(
        "BibTeX of Europe PMC",
        "@article{PMC9999999,\n  Title = {Pruning by Entropy.},\n  Author = {Doe, J and Roe, R},\n  DOI = {10.1000/forest.12},\n  Number = {1},\n  Volume = {12},\n  Month = {May},\n  Year = {2031},\n  Journal = {Forests},\n  ISSN = {1234-5678},\n  Abstract = {<h4>Aims</h4>We prune heads by entropy.},\n  URL = {https://europepmc.org/articles/PMC9999999},\n}\n",
        "BibTeX",
        [
            {
                "id": "PMC9999999",
                "title": "Pruning by Entropy.",
                "abstract": "<h4>Aims</h4>We prune heads by entropy.",
                "authors": ("J Doe", "R Roe"),
                "doi": "10.1000/forest.12",
            }
        ],
    ),
    # https://info.arxiv.org (eprint, archivePrefix)
    Case(
        "BibTeX of arXiv",
        "@misc{doe2031pruning,\n      title={Pruning by Entropy}, \n      author={Jane Doe and Rick Roe},\n      year={2031},\n      eprint={3101.00001},\n      archivePrefix={arXiv},\n      primaryClass={cs.LG},\n      url={https://arxiv.org/abs/3101.00001}, \n}\n@article{roe2031, title={Other}, journal={arXiv preprint arXiv:3101.00002}, year={2031}, author={Roe, Jr., Rick and others}}\n",
        "BibTeX",
        [
            {"title": "Pruning by Entropy", "arxiv_id": "3101.00001", "authors": ("Jane Doe", "Rick Roe")},
            {"title": "Other", "arxiv_id": "3101.00002", "authors": ("Rick Roe Jr.",)},
        ],
    ),
    Case(
        "BibTeX with @string, #, @comment, @preamble, round brackets, CRLF",
        "\r\n".join(
            [
                "% Encoding: UTF-8",
                '@string{forest = "Forest Conf."}',
                '@preamble{ "\\newcommand{\\x}{y}" }',
                "@Comment{jabref-meta: databaseType:bibtex;}",
                '@inproceedings{a, title = "Pruning by " # {Entropy}, booktitle = forest # " 2031", year = 2031, month = 4 # may }',
                "@article(b, title = {Round}, journal = forest)",
                "@misc{title = {No Key}, year = 2030}",
                '@misc{c, title = "Quotes {"}inside{"} braces", year = 2030} @misc{d, title={Two in one line}}',
            ]
        ),
        "BibTeX",
        [
            {"id": "a", "title": "Pruning by Entropy", "venue": "Forest Conf. 2031", "year": 2031},
            {"id": "b", "title": "Round", "venue": "Forest Conf."},
            {"title": "No Key", "year": 2030},
            {"id": "c", "title": 'Quotes {"}inside{"} braces'},
            {"id": "d", "title": "Two in one line"},
        ],
    ),
    Case(
        "BibTeX with broken entries",
        "@article{a,\n title = {Good}\n}\n\n@article{b,\n title = {Never {closed},\n year = 2031\n}\n\n@article{c,\n title {No equals sign}\n}\n@misc{e, year = 2031}\n\n@article{d, title = {Good Too}}\n",
        "BibTeX",
        [{"id": "a", "title": "Good"}, {"id": "d", "title": "Good Too"}],
        skipped=[
            (5, "@article: is never closed"),
            (10, "@article: expected a field, saw 'title {No equals sig'"),
            (13, "@misc{e} has neither a title nor an abstract"),
        ],
    ),
    Case(
        "BibTeX in Windows-1252",
        "@article{a, title = {Forêts naïves}, author = {Müller, Jörg}, year = 2031}\n".encode("cp1252"),
        "BibTeX, Windows-1252",
        [{"title": "Forêts naïves", "authors": ("Jörg Müller",)}],
    ),
]

RIS = [
    Case(
        "RIS of Zotero",
        "TY  - JOUR\r\nTI  - Pruning by Entropy\r\nAU  - Doe, Jane\r\nAU  - Roe, Rick\r\nT2  - Journal of Forests\r\nAB  - We prune heads by entropy.\r\nDA  - 2031/05/04/\r\nPY  - 2031\r\nDO  - 10.1000/Forest.12\r\nVL  - 12\r\nUR  - https://example.org/12\r\nKW  - pruning\r\nKW  - entropy\r\nER  - \r\n\r\n",
        "RIS",
        [
            {
                **PINE,
                "id": "10.1000/forest.12",
                "authors": ("Jane Doe", "Rick Roe"),
                "venue": "Journal of Forests",
                "year": 2031,
                "doi": "10.1000/forest.12",
                "keywords": ("pruning", "entropy"),
            }
        ],
    ),
    # https://about.jstor.org (three lines before the first record, brackets around the abstract)
    Case(
        "RIS of JSTOR",
        'Provider: JSTOR http://www.jstor.org\nDatabase: JSTOR\nContent: text/plain; charset="UTF-8"\n\n\nTY  - JOUR\nTI  - Pruning by Entropy\nAU  - Doe, Jane\nAB  - [We prune heads by entropy.]\nC1  - Full publication date: 2031\nDB  - JSTOR\nPY  - 2031\nT2  - Journal of Forests\nUR  - http://www.jstor.org/stable/99999999\nY2  - 2032/01/01/\nER  - \n\n\n',
        "RIS",
        [
            {
                **PINE,
                "venue": "Journal of Forests",
                "year": 2031,
                "url": "http://www.jstor.org/stable/99999999",
            }
        ],
    ),
    # https://proquest.libguides.com (missing ER, T1, N2, DOI in the address)
    Case(
        "RIS of ProQuest, without ER",
        "TY  - JOUR\nT1  - Pruning by Entropy\nAN  - 2999999999; 12345\nAU  - Doe, Jane\nAU  - Roe, Rick\nY1  - 2031/05/04/\nN2  - We prune heads by entropy.\nJF  - Journal of Forests\nUR  - https://www.proquest.com/docview/2999999999\nL2  - https://doi.org/10.1000/forest.12\n\nTY  - JOUR\nT1  - Another\nY1  - 2032\n",
        "RIS",
        [
            {**PINE, "id": "2999999999; 12345", "venue": "Journal of Forests", "year": 2031},
            {"title": "Another", "year": 2032, "abstract": ""},
        ],
    ),
    # https://ospguides.ovid.com (numbers between records, wrapped abstracts, DOI as M3 or in UR)
    Case(
        "RIS of Ovid",
        "1. \nTY  - JOUR\nID  - 39000001\nT1  - Pruning by Entropy\nA1  - Doe J.\nA1  - Roe R.\nY1  - 2031//\nN2  - We prune heads\nby entropy.\nKW  - *pruning\nJF  - Forests\nM3  - https://dx.doi.org/10.1000/forest.12\nER  - \n\n2. \nTY  - JOUR\nID  - 39000002\nT1  - Another\nER  - \n",
        "RIS",
        [
            {
                "id": "39000001",
                "title": "Pruning by Entropy",
                "abstract": "We prune heads\nby entropy.",
                "authors": ("Doe J.", "Roe R."),
                "year": 2031,
                "doi": "10.1000/forest.12",
            },
            {"id": "39000002", "title": "Another"},
        ],
    ),
    Case(
        "RIS with byte order mark, single blanks and no TY",
        b"\xef\xbb\xbfTY - CONF\nTI - Pruning by Entropy\nAB - We prune heads by entropy.\nER -\nTI - Orphan\nPY - 2031\nER -\n",
        "RIS",
        [PINE, {"title": "Orphan", "year": 2031}],
    ),
    Case(
        "RIS in Windows-1252, with an empty record",
        "TY  - JOUR\nTI  - Forêts naïves – une étude\nAU  - Müller, Jörg\nER  - \n\nTY  - JOUR\nPY  - 2031\nER  - \n".encode(
            "cp1252"
        ),
        "RIS, Windows-1252",
        [{"title": "Forêts naïves – une étude", "authors": ("Jörg Müller",)}],
        skipped=[(6, "has neither a title nor an abstract (tags PY TY)")],
    ),
]

OTHERS = [
    # https://pubmed.ncbi.nlm.nih.gov/help/#save-pubmed
    Case(
        "MEDLINE of PubMed",
        "\nPMID- 39000001\nOWN - NLM\nSTAT- MEDLINE\nDP  - 2031 May 4\nTI  - Pruning by entropy: a long title that\n      goes on.\nPG  - 1-12\nLID - 10.1000/forest.12 [doi]\nAB  - AIMS: We prune heads. RESULTS: It\n      works.\nFAU - Doe, Jane\nAU  - Doe J\nAD  - Forest U.\nFAU - Roe, Rick\nAU  - Roe R\nLA  - eng\nJT  - Journal of forests\nTA  - J For\nMH  - *Trees\nOT  - pruning\nOT  - entropy\nAID - S0000 [pii]\nAID - 10.1000/forest.12 [doi]\nSO  - J For. 2031 May 4;12:1-12. doi: 10.1000/forest.12.\n\nPMID- 39000002\nOWN - NLM\nTI  - Another.\nDP  - 2030 Winter\n",
        "MEDLINE",
        [
            {
                "id": "PMID:39000001",
                "title": "Pruning by entropy: a long title that\n      goes on.",
                "abstract": "AIMS: We prune heads. RESULTS: It\n      works.",
                "authors": ("Jane Doe", "Rick Roe"),
                "venue": "Journal of forests",
                "year": 2031,
                "doi": "10.1000/forest.12",
                "url": "https://pubmed.ncbi.nlm.nih.gov/39000001/",
                "keywords": ("pruning", "entropy"),
            },
            {"id": "PMID:39000002", "title": "Another.", "year": 2030, "abstract": ""},
        ],
    ),
    # https://pubmed.ncbi.nlm.nih.gov/help/#save-pubmed (Abstract, text)
    Case(
        "Abstract (text) of PubMed",
        "1. J For. 2031 May 4;12:1-12. doi: 10.1000/forest.12. Epub 2031 Apr 1.\n\nPruning by entropy: a long title that\ngoes on.\n\nDoe J(1), Roe RA(2)(3).\n\nAuthor information:\n(1)Forest University, Paris, France, where we work on very long affiliations of many authors.\n(2)Other.\n\nAIMS: We prune heads.\nRESULTS: It works.\n\n© 2031 Forest Ltd.\n\nDOI: 10.1000/forest.12\nPMCID: PMC999\nPMID: 39000001 [Indexed for MEDLINE]\n\nConflict of interest statement: None.\n\n\n2. Trees. 2030 Winter;1(2):3.\n\nAnother.\n\nPoe A.\n\nPMID: 39000002\n",
        "PubMed text",
        [
            {
                "id": "PMID:39000001",
                "title": "Pruning by entropy: a long title that\ngoes on.",
                "abstract": "AIMS: We prune heads.\nRESULTS: It works.",
                "authors": ("Doe J", "Roe RA"),
                "venue": "J For",
                "year": 2031,
                "doi": "10.1000/forest.12",
            },
            {
                "id": "PMID:39000002",
                "title": "Another.",
                "authors": ("Poe A",),
                "venue": "Trees",
                "year": 2030,
                "abstract": "",
            },
        ],
    ),
    # https://eric.ed.gov (no PMID; OID; the record's page as LID)
    Case(
        "MEDLINE of ERIC",
        "OWN - ERIC\nTI  - Teaching Pruning\nAU  - Doe, Jane\nAU  - Roe, Rick\nOT  - Trees\nOT  - Teaching\nJT  - Journal of Forest Education\nISSN- ISSN-1234-5678\nOID - EJ9999999\nVI  - 12\nDP  - May 2031\nLID - http://eric.ed.gov/?id=EJ9999999\nAB  - We teach pruning.\n\nOWN - ERIC\nTI  - Teaching Felling\nOID - ED9999998\nDP  - 2030\n",
        "MEDLINE",
        [
            {
                "id": "EJ9999999",
                "title": "Teaching Pruning",
                "abstract": "We teach pruning.",
                "authors": ("Jane Doe", "Rick Roe"),
                "venue": "Journal of Forest Education",
                "year": 2031,
                "url": "http://eric.ed.gov/?id=EJ9999999",
                "keywords": ("Trees", "Teaching"),
            },
            {"id": "ED9999998", "title": "Teaching Felling", "year": 2030},
        ],
    ),
    # https://docs.endnote.com (Refer/BibIX tags)
    Case(
        "EndNote tagged",
        "%0 Journal Article\n%A Doe, Jane\n%A Roe, Rick\n%D 2031\n%T Pruning by Entropy\n%J Journal of Forests\n%V 12\n%R 10.1000/Forest.12\n%K pruning\nentropy\n%X We prune heads\nby entropy.\n\nIt works.\n%U https://example.org/12\n\n%0 Conference Paper\n%A Poe, Ada\n%T Another\n%B Proceedings of FOREST\n%D 2032\n",
        "EndNote",
        [
            {
                "title": "Pruning by Entropy",
                "abstract": "We prune heads\nby entropy.\n\nIt works.",
                "authors": ("Jane Doe", "Rick Roe"),
                "venue": "Journal of Forests",
                "year": 2031,
                "doi": "10.1000/forest.12",
                "keywords": ("pruning", "entropy"),
            },
            {"title": "Another", "venue": "Proceedings of FOREST", "year": 2032},
        ],
    ),
    # https://oversea.cnki.net (EndNote export, GBK, names in one line)
    Case(
        "EndNote tagged of CNKI in GBK",
        "%0 Journal Article\n%A 王伟;李娜\n%+ 森林大学;\n%T 基于熵的注意力头剪枝方法研究\n%J 森林学报\n%D 2031\n%K 剪枝;熵\n%X 我们提出一种按熵剪枝注意力头的方法，在多个基准上保持了准确率。\n%@ 1234-5678\n".encode(
            "gbk"
        ),
        "EndNote, GBK",
        [
            {
                "title": "基于熵的注意力头剪枝方法研究",
                "abstract": "我们提出一种按熵剪枝注意力头的方法，在多个基准上保持了准确率。",
                "authors": ("王伟", "李娜"),
                "venue": "森林学报",
                "year": 2031,
                "keywords": ("剪枝", "熵"),
            }
        ],
    ),
    # https://refworks.proquest.com (tagged format; CNKI and Wanfang export it too)
    Case(
        "RefWorks tagged",
        "RT Journal Article\nSR 1\nA1 Doe,Jane;Roe,Rick\nAD Forest University\nT1 Pruning by Entropy\nJF Journal of Forests\nYR 2031\nIS 4\nK1 pruning;entropy\nAB We prune heads by entropy.\nDO 10.1000/forest.12\n\nRT Conference Proceedings\nSR 2\nA1 Poe,Ada\nT1 Another\nYR 2032\n",
        "RefWorks",
        [
            {
                **PINE,
                "id": "10.1000/forest.12",
                "authors": ("Jane Doe", "Rick Roe"),
                "venue": "Journal of Forests",
                "year": 2031,
                "keywords": ("pruning", "entropy"),
            },
            {"title": "Another", "authors": ("Ada Poe",), "year": 2032},
        ],
    ),
    # https://www.cochranelibrary.com/help/export (plain text)
    Case(
        "Cochrane plain text",
        "Cochrane Library\n\nRecord #1 of 2\nID: CN-01999999\nAU: Doe J\nAU: Roe R\nTI: Pruning by entropy: a trial\nSO: Journal of forests\nYR: 2031\nVL: 12\nKY: *Trees; Pruning\nDOI: 10.1000/forest.12\nAB: AIMS: We prune heads. RESULTS: It works.\nUS: https://www.cochranelibrary.com/central/doi/10.1002/central/CN-01999999/full\n\n\nRecord #2 of 2\nID: CN-01999998\nTI: Another\nYR: 2030\n",
        "Cochrane",
        [
            {
                "id": "CN-01999999",
                "title": "Pruning by entropy: a trial",
                "abstract": "AIMS: We prune heads. RESULTS: It works.",
                "authors": ("Doe J", "Roe R"),
                "venue": "Journal of forests",
                "year": 2031,
                "doi": "10.1000/forest.12",
                "keywords": ("Trees", "Pruning"),
            },
            {"id": "CN-01999998", "title": "Another", "year": 2030},
        ],
    ),
    # https://webofscience.help.clarivate.com (plain text file)
    Case(
        "Web of Science, field-tagged",
        b"\xef\xbb\xbf"
        + b"FN Clarivate Analytics Web of Science\nVR 1.0\nPT J\nAU Doe, J\n   Roe, R\nAF Doe, Jane\n   Roe, Rick\nTI Pruning by entropy: a long title\n   that goes on\nSO JOURNAL OF FORESTS\nDE pruning; entropy\nID TREES\nAB We prune heads by entropy.\nCR Poe A, 2030, FORESTS\n   Moe B, 2029, FORESTS\nPY 2031\nDI 10.1000/forest.12\nUT WOS:000999999900001\nER\n\nPT C\nTI Another\nUT WOS:000999999900002\nER\n\nEF\n",
        "Web of Science",
        [
            {
                "id": "WOS:000999999900001",
                "title": "Pruning by entropy: a long title\n   that goes on",
                "abstract": "We prune heads by entropy.",
                "authors": ("Jane Doe", "Rick Roe"),
                "venue": "JOURNAL OF FORESTS",
                "year": 2031,
                "doi": "10.1000/forest.12",
                "keywords": ("pruning", "entropy"),
            },
            {"id": "WOS:000999999900002", "title": "Another"},
        ],
    ),
    # https://www.nlm.nih.gov/bsd/licensee/elements_descriptions.html
    Case(
        "PubMed XML",
        """<?xml version="1.0" ?>
<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2031//EN" "https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_310101.dtd">
<PubmedArticleSet>
<PubmedArticle><MedlineCitation Status="MEDLINE" Owner="NLM"><PMID Version="1">39000001</PMID>
<Article PubModel="Print"><Journal><JournalIssue><PubDate><Year>2031</Year><Month>May</Month></PubDate></JournalIssue><Title>Journal of forests</Title></Journal>
<ArticleTitle>Pruning by <i>entropy</i> &amp; more.</ArticleTitle><ELocationID EIdType="doi" ValidYN="Y">10.1000/Forest.12</ELocationID>
<Abstract><AbstractText Label="AIMS" NlmCategory="OBJECTIVE">We prune heads.</AbstractText><AbstractText Label="RESULTS">It works at 2&#xb0;.</AbstractText></Abstract>
<AuthorList><Author><LastName>Doe</LastName><ForeName>Jane</ForeName><Initials>J</Initials></Author><Author><CollectiveName>Forest Team</CollectiveName></Author></AuthorList></Article>
<KeywordList Owner="NOTNLM"><Keyword MajorTopicYN="N">pruning</Keyword></KeywordList></MedlineCitation>
<PubmedData><ReferenceList><Reference><ArticleIdList><ArticleId IdType="doi">10.9999/other</ArticleId></ArticleIdList></Reference></ReferenceList></PubmedData></PubmedArticle>
<PubmedArticle><MedlineCitation><PMID>39000002</PMID><Article><ArticleTitle>Broken</ArticleTitle></MedlineCitation></PubmedArticle>
<PubmedArticle><MedlineCitation><PMID>39000003</PMID><Article><Journal><JournalIssue><PubDate><MedlineDate>2030 Spring</MedlineDate></PubDate></JournalIssue></Journal><ArticleTitle>[Not Available].</ArticleTitle><VernacularTitle>Forêts&nbsp;naïves.</VernacularTitle></Article></MedlineCitation></PubmedArticle>
</PubmedArticleSet>
""",
        "PubMed XML",
        [
            {
                "id": "PMID:39000001",
                "title": "Pruning by entropy & more.",
                "abstract": "AIMS: We prune heads.\nRESULTS: It works at 2°.",
                "authors": ("Jane Doe", "Forest Team"),
                "venue": "Journal of forests",
                "year": 2031,
                "doi": "10.1000/forest.12",
                "keywords": ("pruning",),
            },
            {"id": "PMID:39000003", "title": "Forêts naïves.", "year": 2030},
        ],
        skipped=[(11, "is no XML: mismatched tag: line 1, column 99")],
    ),
    # https://info.arxiv.org/help/api/user-manual.html
    Case(
        "Atom of the arXiv API",
        """<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <title type="html">ArXiv Query</title>
  <entry>
    <id>http://arxiv.org/abs/3101.00001v2</id>
    <updated>2031-06-01T00:00:00Z</updated>
    <published>2031-05-04T00:00:00Z</published>
    <title>Pruning by
  Entropy</title>
    <summary>  We prune heads
by entropy.
</summary>
    <author><name>Jane Doe</name><arxiv:affiliation xmlns:arxiv="http://arxiv.org/schemas/atom">Forest U.</arxiv:affiliation></author>
    <author><name>Rick Roe</name></author>
    <arxiv:doi xmlns:arxiv="http://arxiv.org/schemas/atom">10.1000/forest.12</arxiv:doi>
    <arxiv:journal_ref xmlns:arxiv="http://arxiv.org/schemas/atom">J. Forests 12</arxiv:journal_ref>
  </entry>
</feed>
""",
        "Atom",
        [
            {
                **PINE,
                "id": "3101.00001",
                "arxiv_id": "3101.00001",
                "authors": ("Jane Doe", "Rick Roe"),
                "doi": "10.1000/forest.12",
                "venue": "J. Forests 12",
                "year": 2031,
                "url": "http://arxiv.org/abs/3101.00001",
            }
        ],
    ),
    # https://docs.endnote.com (XML export: every text within <style>)
    Case(
        "EndNote XML",
        '<?xml version="1.0" encoding="UTF-8" ?><xml><records><record><database name="x.enl" path="/x">x.enl</database><rec-number>17</rec-number><ref-type name="Journal Article">17</ref-type><contributors><authors><author><style face="normal" font="default" size="100%">Doe, Jane</style></author></authors></contributors><titles><title><style face="normal">Pruning by Entropy</style></title><secondary-title><style>Journal of Forests</style></secondary-title></titles><dates><year><style>2031</style></year></dates><abstract><style>We prune heads by entropy.</style></abstract><electronic-resource-num><style>10.1000/forest.12</style></electronic-resource-num></record></records></xml>',
        "EndNote XML",
        [
            {
                **PINE,
                "id": "17",
                "authors": ("Jane Doe",),
                "venue": "Journal of Forests",
                "year": 2031,
                "doi": "10.1000/forest.12",
            }
        ],
    ),
]


@pytest.mark.parametrize("case", [*BIBTEX, *RIS, *OTHERS], ids=lambda case: case.name)
def test_references_are_read_with_their_values(case, tmp_path):
    check(case, tmp_path)


def test_references_in_xml_cannot_declare_entities(tmp_path):
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
    record = "<PubmedArticle><MedlineCitation><Article><ArticleTitle>{}</ArticleTitle></Article></MedlineCitation></PubmedArticle>"
    case = Case(
        "entities",
        f"<?xml version='1.0'?>\n{bomb}\n<PubmedArticleSet>\n{record.format('&b;')}\n{record.format('<!DOCTYPE y>')}\n{record.format('Good')}\n</PubmedArticleSet>",
        "PubMed XML",
        [{"title": "Good"}],
        skipped=[
            (4, "is no XML: undefined entity: line 1, column 55"),
            (5, "holds a declaration, which no record may"),
        ],
    )
    check(case, tmp_path)
