"""JSON of many services and hands. All papers are invented; keys and quirks are the services' own."""

# ruff: noqa: E501 (records stand as the services write them)

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.paper_files import Case, check, read

PINE = {"id": "p1", "title": "Pruning by Entropy", "abstract": "We prune heads by entropy.", "year": 2031}
BARK = {"id": "p2", "title": "What Is Lost First?", "abstract": "We measure forgetting.", "year": 2032}
PINE_READ = {
    "id": "p1",
    "title": "Pruning by Entropy",
    "abstract": "We prune heads by entropy.",
    "year": 2031,
}
BARK_READ = {"id": "p2", "title": "What Is Lost First?", "abstract": "We measure forgetting.", "year": 2032}


def dumped(value: Any, **options: Any) -> str:
    return json.dumps(value, ensure_ascii=False, **options)


def jsonl(*values: Any) -> str:
    return "".join(dumped(value) + "\n" for value in values)


# OpenReview, API v2: https://docs.openreview.net/reference/api-v2/entities/note
NOTE_V2 = {
    "id": "aB3dE5fG7h",
    "forum": "aB3dE5fG7h",
    "replyto": None,
    "number": 17,
    "invitations": ["FOREST.cc/2031/Conference/-/Submission", "FOREST.cc/2031/Conference/-/Edit"],
    "cdate": 1930000000000,
    "pdate": 1935000000000,
    "content": {
        "title": {"value": "Pruning by Entropy"},
        "authors": {"value": ["Jane Doe", "Rick Roe"]},
        "authorids": {"value": ["~Jane_Doe1", "~Rick_Roe1"]},
        "keywords": {"value": ["pruning", "entropy"]},
        "abstract": {"value": "We prune heads by entropy."},
        "venue": {"value": "FOREST 2031 Oral"},
        "venueid": {"value": "FOREST.cc/2031/Conference"},
        "pdf": {"value": "/pdf/abc.pdf"},
    },
}
NOTE_READ = {
    "id": "aB3dE5fG7h",
    "title": "Pruning by Entropy",
    "abstract": "We prune heads by entropy.",
    "authors": ("Jane Doe", "Rick Roe"),
    "venue": "FOREST 2031 Oral",
    "year": 2031,
    "url": "https://openreview.net/forum?id=aB3dE5fG7h",
    "keywords": ("pruning", "entropy"),
}


def note(identity: str, **content: Any) -> dict[str, Any]:
    wrapped = {key: {"value": value} for key, value in content.items()}
    return {**NOTE_V2, "id": identity, "forum": identity, "content": {**NOTE_V2["content"], **wrapped}}


REVIEW = {
    "id": "rev1",
    "forum": "aB3dE5fG7h",
    "replyto": "aB3dE5fG7h",
    "content": {"review": {"value": "Good."}},
}
# OpenReview, API v1: plain values, one invitation; the decision may stand among the replies
NOTE_V1 = {
    "id": "xY1zW2vU3t",
    "forum": "xY1zW2vU3t",
    "invitation": "FOREST.cc/2029/Conference/-/Blind_Submission",
    "content": {
        "title": "What Is Lost First?",
        "authors": ["Ada Poe"],
        "abstract": "We measure forgetting.",
        "venue": "FOREST 2029 Poster",
        "venueid": "FOREST.cc/2029/Conference",
    },
}
NOTE_V1_DECIDED = {
    **NOTE_V1,
    "content": {key: value for key, value in NOTE_V1["content"].items() if not key.startswith("venue")},
    "details": {"directReplies": [{"id": "d1", "content": {"decision": "Accept (Poster)"}}]},
}
NOTE_V1_REFUSED = {
    **NOTE_V1_DECIDED,
    "id": "no1",
    "forum": "no1",
    "details": {"directReplies": [{"id": "d2", "content": {"decision": "Reject"}}]},
}

# arXiv metadata snapshot: https://www.kaggle.com/datasets/Cornell-University/arxiv
ARXIV = {
    "id": "hep-th/9901001",
    "submitter": "Jane Doe",
    "authors": "Jane Doe (Forest U.), Rick Roe",
    "title": "Pruning by\n  Entropy",
    "comments": "12 pages, 3 figures",
    "journal-ref": "J. Forests 12 (1999)\n  1-12",
    "doi": "10.1000/Forest.12",
    "report-no": None,
    "categories": "hep-th cs.LG",
    "license": None,
    "abstract": "  We prune heads\nby entropy.\n",
    "versions": [
        {"version": "v1", "created": "Mon, 4 Jan 1999 10:00:00 GMT"},
        {"version": "v2", "created": "Tue, 5 Jan 2010 10:00:00 GMT"},
    ],
    "update_date": "2010-01-06",
    "authors_parsed": [["Doe", "Jane", "", "Forest U."], ["Roe", "Rick", "Jr."]],
}

# OpenAlex: https://docs.openalex.org/api-entities/works/work-object
OPENALEX = {
    "id": "https://openalex.org/W4400000001",
    "doi": "https://doi.org/10.1000/Forest.12",
    "title": "Pruning by Entropy",
    "display_name": "Pruning by Entropy",
    "publication_year": 2031,
    "publication_date": "2031-05-04",
    "ids": {"openalex": "https://openalex.org/W4400000001", "mag": "3000000001"},
    "language": "en",
    "primary_location": {
        "is_oa": True,
        "landing_page_url": "https://example.org/forest/12",
        "source": {"id": "https://openalex.org/S1", "display_name": "Journal of Forests"},
    },
    "locations": [{"landing_page_url": "https://arxiv.org/abs/3101.00001", "source": {"display_name": "arXiv"}}],
    "authorships": [
        {
            "author_position": "first",
            "author": {"id": "https://openalex.org/A1", "display_name": "Jane Doe"},
            "raw_author_name": "J. Doe",
        },
        {
            "author_position": "last",
            "author": {"id": None, "display_name": None},
            "raw_author_name": "Rick Roe",
        },
    ],
    "keywords": [{"id": "https://openalex.org/keywords/pruning", "display_name": "Pruning", "score": 0.7}],
    "abstract_inverted_index": {"heads": [2], "We": [0], "by": [3], "entropy.": [4], "prune": [1]},
}

# Semantic Scholar: https://api.semanticscholar.org/api-docs/graph and .../datasets
S2_GRAPH = {
    "paperId": "0123456789abcdef0123456789abcdef01234567",
    "externalIds": {"DOI": "10.1000/FOREST.12", "ArXiv": "3101.00001", "CorpusId": 777},
    "corpusId": 777,
    "url": "https://www.semanticscholar.org/paper/0123456789abcdef0123456789abcdef01234567",
    "title": "Pruning by Entropy",
    "abstract": None,
    "venue": "",
    "publicationVenue": {"id": "v", "name": "Journal of Forests", "type": "journal"},
    "year": 2031,
    "authors": [{"authorId": "1", "name": "Jane Doe"}, {"authorId": None, "name": "Rick Roe"}],
}
S2_PAPER = {
    "corpusid": 777,
    "externalids": {
        "ACL": None,
        "DBLP": None,
        "ArXiv": "3101.00001",
        "MAG": None,
        "CorpusId": "777",
        "PubMed": None,
        "DOI": None,
        "PubMedCentral": None,
    },
    "url": "https://www.semanticscholar.org/paper/0123456789abcdef0123456789abcdef01234567",
    "title": "Pruning by Entropy",
    "authors": [{"authorId": "1", "name": "Jane Doe"}],
    "venue": "Journal of Forests",
    "year": 2031,
    "journal": {"name": "J. Forests", "pages": "1-12", "volume": "3"},
}
S2_ABSTRACT = {
    "corpusid": 777,
    "openaccessinfo": {
        "externalids": {"MAG": None, "ACL": None, "DOI": None, "PubMedCentral": None, "ArXiv": "3101.00001"},
        "license": None,
        "url": None,
        "status": None,
    },
    "abstract": "We prune heads by entropy.",
    "updated": "2031-05-04T00:00:00Z",
}

# Crossref: https://api.crossref.org/swagger-ui/index.html ; CSL JSON: https://docs.citationstyles.org
CROSSREF = {
    "DOI": "10.1000/Forest.12",
    "type": "journal-article",
    "source": "Crossref",
    "title": ["Pruning by Entropy"],
    "container-title": ["Journal of Forests"],
    "author": [
        {"given": "Jane", "family": "Doe", "sequence": "first", "affiliation": []},
        {"name": "Forest Team", "sequence": "additional"},
    ],
    "issued": {"date-parts": [[2031, 5]]},
    "created": {"date-parts": [[2030, 1, 1]], "timestamp": 1893456000000},
    "abstract": "<jats:p>We prune heads by entropy.</jats:p>",
    "URL": "https://doi.org/10.1000/forest.12",
    "subject": ["Forestry"],
}
CROSSREF_READ = {
    "id": "10.1000/forest.12",
    "title": "Pruning by Entropy",
    "abstract": "<jats:p>We prune heads by entropy.</jats:p>",
    "authors": ("Jane Doe", "Forest Team"),
    "venue": "Journal of Forests",
    "year": 2031,
    "doi": "10.1000/forest.12",
    "url": "https://doi.org/10.1000/forest.12",
}

CASES = [
    Case("lines", jsonl(PINE, BARK), "JSONL", [PINE_READ, BARK_READ]),
    Case(
        "lines with CRLF, blanks and no last end",
        "\r\n".join([dumped(PINE), "", dumped(BARK)]),
        "JSONL",
        [PINE_READ, BARK_READ],
    ),
    Case("lines with trailing commas", f"{dumped(PINE)},\n{dumped(BARK)},\n", "JSON", [PINE_READ, BARK_READ]),
    Case("array", dumped([PINE, BARK]), "JSON", [PINE_READ, BARK_READ]),
    Case("array, indented", dumped([PINE, BARK], indent=2), "JSON", [PINE_READ, BARK_READ]),
    Case("array, one a line", f"[\n{dumped(PINE)},\n{dumped(BARK)}\n]\n", "JSON", [PINE_READ, BARK_READ]),
    Case("array with byte order mark", b"\xef\xbb\xbf" + dumped([PINE]).encode(), "JSON", [PINE_READ]),
    Case("array in UTF-16", dumped([PINE]).encode("utf-16"), "JSON, UTF-16", [PINE_READ]),
    Case("one object", dumped(PINE, indent=1), "JSON", [PINE_READ]),
    Case(
        "objects one after another",
        dumped(PINE, indent=1) + "\n" + dumped(BARK, indent=1),
        "JSON",
        [PINE_READ, BARK_READ],
    ),
    Case(
        "list in an object",
        dumped({"meta": {"count": 2}, "results": [PINE, BARK]}),
        "JSON",
        [PINE_READ, BARK_READ],
    ),
    Case(
        "list deep in an object",
        dumped({"response": {"numFound": 2, "docs": [PINE, BARK]}}),
        "JSON",
        [PINE_READ, BARK_READ],
    ),
    Case(
        "pages of an API as lines",
        jsonl({"total": 2, "data": [PINE]}, {"total": 2, "data": [BARK]}),
        "JSONL",
        [PINE_READ, BARK_READ],
    ),
    Case(
        "object keyed by id",
        dumped(
            {
                "p1": {"title": "Pruning by Entropy", "abstract": "We prune heads by entropy.", "year": 2031},
                "p2": {**BARK},
            }
        ),
        "JSON",
        [PINE_READ, BARK_READ],
    ),
    Case(
        "a broken item in an array costs itself",
        '[\n  {"id": "p1", "title": "Pruning by Entropy", "abstract": "We prune heads by entropy.", "year": 2031},\n'
        '  {"id": "x", "title": "Broken" "abstract": [}\n  },\n  {"id": "y", "title": "Unclosed},\n'
        + dumped(BARK, indent=2).replace("\n", "\n  ").join(["  ", "\n]"]),
        "JSON",
        [PINE_READ, BARK_READ],
        skipped=[(3, "is no JSON: Expecting ',' delimiter"), (5, "is no JSON: Expecting ',' delimiter")],
    ),
    Case(
        "a broken item in an array without line breaks costs itself",
        '[{"id":"p1","title":"Pruning by Entropy","abstract":"We prune heads by entropy.","year":2031},{"id":"x","title":oops},'
        + dumped(BARK)
        + "]",
        "JSON",
        [PINE_READ, BARK_READ],
        skipped=[(1, "is no JSON: Expecting value")],
    ),
    Case(
        "strange values",
        jsonl(
            {
                "id": 7,
                "title": None,
                "abstract": "We prune.",
                "authors": None,
                "year": "31 May 2031",
                "venue": {"name": "Forests"},
                "keywords": "a; b",
            },
            {
                "title": ["On", "lists"],
                "abstract": 3.0,
                "authors": [None, {"x": 1}, "Jane Doe"],
                "year": float("nan"),
            },
        ),
        "JSONL",
        [
            {
                "id": "7",
                "title": "",
                "abstract": "We prune.",
                "authors": (),
                "year": 2031,
                "venue": "Forests",
                "keywords": ("a", "b"),
            },
            {"title": "On lists", "abstract": "3", "authors": ("Jane Doe",), "year": None},
        ],
    ),
    Case(
        "usual key names",
        jsonl(
            {
                "paper_id": "a",
                "paper_title": "T",
                "paper_abstract": "A.",
                "creators": "Jane Doe and Rick Roe",
                "published_date": "2031-05",
                "conference": "FOREST",
                "paper_url": "https://example.org/1",
            },
            {
                "ID": "b",
                "Title": "U",
                "summary": "B.",
                "author": "Doe, J.; Roe, R.",
                "publication_year": 2032,
                "journal": "Trees",
                "pdf_url": "https://example.org/2",
            },
            {
                "uid": "c",
                "articleTitle": "V",
                "abstractText": "C.",
                "authorString": "Doe J, Roe R.",
                "pubYear": "2033",
                "journalTitle": "Woods",
                "doi": "doi:10.1000/V",
            },
        ),
        "JSONL",
        [
            {
                "id": "a",
                "title": "T",
                "abstract": "A.",
                "authors": ("Jane Doe", "Rick Roe"),
                "year": 2031,
                "venue": "FOREST",
                "url": "https://example.org/1",
            },
            {
                "id": "b",
                "title": "U",
                "abstract": "B.",
                "authors": ("J. Doe", "R. Roe"),
                "year": 2032,
                "venue": "Trees",
                "url": "https://example.org/2",
            },
            {
                "id": "c",
                "title": "V",
                "abstract": "C.",
                "authors": ("Doe J", "Roe R."),
                "year": 2033,
                "venue": "Woods",
                "doi": "10.1000/v",
            },
        ],
    ),
    Case(
        "keys in Chinese",
        jsonl({"标题": "熵剪枝", "摘要": "我们剪枝。", "作者": "王伟；李娜", "年份": "2031年", "期刊": "森林"}),
        "JSONL",
        [
            {
                "title": "熵剪枝",
                "abstract": "我们剪枝。",
                "authors": ("王伟", "李娜"),
                "year": 2031,
                "venue": "森林",
            }
        ],
    ),
    Case(
        "OpenReview v2, lines",
        jsonl(NOTE_V2, REVIEW),
        "JSONL",
        [NOTE_READ],
        filtered={"a reply, not a paper": 1},
    ),
    Case("OpenReview v2, API answer", dumped({"notes": [NOTE_V2], "count": 1}), "JSON", [NOTE_READ]),
    Case(
        "OpenReview v2, accepted only",
        dumped(
            [
                NOTE_V2,
                note(
                    "r1",
                    venueid="FOREST.cc/2031/Conference/Rejected_Submission",
                    venue="Submitted to FOREST 2031",
                ),
                note("w1", venueid="FOREST.cc/2031/Conference/Withdrawn_Submission"),
                note("d1", venueid="FOREST.cc/2031/Conference/Desk_Rejected_Submission"),
                note(
                    "s1",
                    venueid="FOREST.cc/2031/Conference/Submission",
                    venue="FOREST 2031 Conference Submission",
                ),
            ]
        ),
        "JSON",
        [NOTE_READ],
        filtered={"not accepted": 4},
    ),
    Case(
        "OpenReview v1",
        jsonl(NOTE_V1, NOTE_V1_DECIDED, NOTE_V1_REFUSED),
        "JSONL",
        [
            {
                "id": "xY1zW2vU3t",
                "title": "What Is Lost First?",
                "authors": ("Ada Poe",),
                "venue": "FOREST 2029 Poster",
                "year": 2029,
            }
        ],
        filtered={"not accepted": 1},
    ),
    Case(
        "arXiv snapshot",
        jsonl(ARXIV, {**ARXIV, "id": "3101.00001", "title": "Other", "doi": None, "journal-ref": None}),
        "JSONL",
        [
            {
                "id": "hep-th/9901001",
                "arxiv_id": "hep-th/9901001",
                "title": "Pruning by\n  Entropy",
                "abstract": "We prune heads\nby entropy.",
                "authors": ("Jane Doe", "Rick Roe Jr."),
                "venue": "J. Forests 12 (1999) 1-12",
                "year": 1999,
                "doi": "10.1000/forest.12",
                "url": "https://arxiv.org/abs/hep-th/9901001",
            },
            {"id": "3101.00001", "arxiv_id": "3101.00001", "venue": "", "doi": ""},
        ],
    ),
    Case(
        "OpenAlex",
        dumped(
            {
                "meta": {"count": 2, "page": 1},
                "results": [
                    OPENALEX,
                    {
                        **OPENALEX,
                        "id": "https://openalex.org/W2",
                        "doi": None,
                        "title": "No Words",
                        "locations": [],
                        "abstract_inverted_index": None,
                    },
                ],
            }
        ),
        "JSON",
        [
            {
                "id": "W4400000001",
                "title": "Pruning by Entropy",
                "abstract": "We prune heads by entropy.",
                "authors": ("Jane Doe", "Rick Roe"),
                "venue": "Journal of Forests",
                "year": 2031,
                "doi": "10.1000/forest.12",
                "arxiv_id": "3101.00001",
                "url": "https://example.org/forest/12",
                "keywords": ("Pruning",),
            },
            {"id": "W2", "title": "No Words", "abstract": "", "doi": "", "arxiv_id": ""},
        ],
    ),
    Case(
        "Semantic Scholar Graph API",
        dumped({"total": 1, "offset": 0, "data": [S2_GRAPH]}),
        "JSON",
        [
            {
                "id": "0123456789abcdef0123456789abcdef01234567",
                "title": "Pruning by Entropy",
                "abstract": "",
                "authors": ("Jane Doe", "Rick Roe"),
                "venue": "Journal of Forests",
                "year": 2031,
                "doi": "10.1000/forest.12",
                "arxiv_id": "3101.00001",
            }
        ],
    ),
    Case(
        "Semantic Scholar, papers that cite",
        dumped(
            {
                "offset": 0,
                "data": [
                    {
                        "intents": [],
                        "citingPaper": {
                            "paperId": "ab",
                            "title": "Pruning by Entropy",
                            "abstract": "We prune.",
                        },
                    }
                ],
            }
        ),
        "JSON",
        [{"id": "ab", "title": "Pruning by Entropy", "abstract": "We prune."}],
    ),
    Case(
        "Crossref",
        dumped(
            {
                "status": "ok",
                "message-type": "work-list",
                "message": {"total-results": 1, "items": [CROSSREF]},
            }
        ),
        "JSON",
        [CROSSREF_READ],
    ),
    Case(
        "Crossref, one work",
        dumped({"status": "ok", "message-type": "work", "message": CROSSREF}),
        "JSON",
        [CROSSREF_READ],
    ),
    Case(
        "CSL JSON of Zotero",
        dumped(
            [
                {
                    "id": "doePruning2031",
                    "type": "paper-conference",
                    "title": "Pruning by Entropy",
                    "abstract": "We prune.",
                    "container-title": "Proceedings of FOREST",
                    "author": [{"family": "Doe", "given": "Jane"}, {"literal": "Forest Team"}],
                    "issued": {"date-parts": [["2031", 5, 4]]},
                    "DOI": "10.1000/F",
                }
            ]
        ),
        "JSON",
        [
            {
                "id": "doePruning2031",
                "title": "Pruning by Entropy",
                "abstract": "We prune.",
                "venue": "Proceedings of FOREST",
                "authors": ("Jane Doe", "Forest Team"),
                "year": 2031,
                "doi": "10.1000/f",
            }
        ],
    ),
    Case(
        "Zotero API",
        dumped(
            [
                {
                    "key": "ABCD2345",
                    "version": 3,
                    "data": {
                        "key": "ABCD2345",
                        "itemType": "journalArticle",
                        "title": "Pruning by Entropy",
                        "creators": [{"creatorType": "author", "firstName": "Jane", "lastName": "Doe"}],
                        "abstractNote": "We prune.",
                        "publicationTitle": "Forests",
                        "date": "May 2031",
                        "DOI": "10.1000/f",
                        "tags": [{"tag": "pruning"}],
                    },
                }
            ]
        ),
        "JSON",
        [
            {
                "id": "ABCD2345",
                "title": "Pruning by Entropy",
                "abstract": "We prune.",
                "authors": ("Jane Doe",),
                "venue": "Forests",
                "year": 2031,
                "keywords": ("pruning",),
            }
        ],
    ),
    # https://europepmc.org/RestfulWebService (resultType=core)
    Case(
        "Europe PMC",
        dumped(
            {
                "version": "6.9",
                "hitCount": 1,
                "resultList": {
                    "result": [
                        {
                            "id": "39000001",
                            "source": "MED",
                            "pmid": "39000001",
                            "doi": "10.1000/f",
                            "title": "Pruning by Entropy.",
                            "authorString": "Doe J, Roe R.",
                            "journalInfo": {"volume": "1", "journal": {"title": "Journal of forests"}},
                            "pubYear": "2031",
                            "abstractText": "<h4>Aims</h4>We prune.",
                        }
                    ]
                },
            }
        ),
        "JSON",
        [
            {
                "id": "39000001",
                "title": "Pruning by Entropy.",
                "abstract": "<h4>Aims</h4>We prune.",
                "authors": ("Doe J", "Roe R."),
                "venue": "Journal of forests",
                "year": 2031,
            }
        ],
    ),
    # https://dblp.org/faq/How+to+use+the+dblp+search+API.html
    Case(
        "DBLP",
        dumped(
            {
                "result": {
                    "query": "x",
                    "hits": {
                        "@total": "1",
                        "hit": [
                            {
                                "@score": "3",
                                "@id": "1",
                                "info": {
                                    "authors": {
                                        "author": [
                                            {"@pid": "1/1", "text": "Jane Doe"},
                                            {"@pid": "2/2", "text": "Rick Roe 0002"},
                                        ]
                                    },
                                    "title": "Pruning by Entropy.",
                                    "venue": "FOREST",
                                    "year": "2031",
                                    "doi": "10.1000/F",
                                    "url": "https://dblp.org/rec/conf/forest/DoeR31",
                                },
                                "url": "URL#1",
                            }
                        ],
                    },
                }
            }
        ),
        "JSON",
        [
            {
                "title": "Pruning by Entropy.",
                "authors": ("Jane Doe", "Rick Roe"),
                "venue": "FOREST",
                "year": 2031,
                "doi": "10.1000/f",
                "abstract": "",
            }
        ],
    ),
    # https://github.com/paperswithcode/paperswithcode-data
    Case(
        "Papers with Code",
        dumped(
            [
                {
                    "paper_url": "https://example.org/paper/pine",
                    "arxiv_id": "3101.00001",
                    "title": "Pruning by Entropy",
                    "abstract": "We prune.",
                    "url_abs": "https://arxiv.org/abs/3101.00001v1",
                    "url_pdf": "https://arxiv.org/pdf/3101.00001v1.pdf",
                    "proceeding": "FOREST 2031 5",
                    "authors": ["Jane Doe"],
                    "tasks": ["Pruning"],
                    "date": "2031-01-01",
                }
            ]
        ),
        "JSON",
        [
            {
                "title": "Pruning by Entropy",
                "abstract": "We prune.",
                "authors": ("Jane Doe",),
                "arxiv_id": "3101.00001",
                "venue": "FOREST 2031 5",
                "year": 2031,
            }
        ],
    ),
    Case(
        "ElasticSearch answer",
        dumped({"took": 1, "hits": {"total": 1, "hits": [{"_index": "x", "_id": "1", "_source": PINE}]}}),
        "JSON",
        [PINE_READ],
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_json_is_read_with_its_values(case, tmp_path):
    check(case, tmp_path)


def test_json_rejected_submissions_are_read_on_request(tmp_path):
    path = tmp_path / "notes.json"
    path.write_text(
        dumped([NOTE_V2, note("r1", title="Rejected", venueid="FOREST.cc/2031/Conference/Rejected_Submission")])
    )
    papers, report = read(path, rejected=True)
    assert [paper.id for paper in papers] == ["aB3dE5fG7h", "r1"]
    assert report.filtered == {}


@pytest.mark.parametrize("turned", [False, True])
def test_json_bulk_files_of_semantic_scholar_are_joined(tmp_path, turned):
    lone = {**S2_PAPER, "corpusid": 778, "title": "Alone", "externalids": {}, "url": "https://example.org"}
    (tmp_path / "papers.jsonl").write_text(jsonl(S2_PAPER, lone))
    (tmp_path / "abstracts.jsonl").write_text(jsonl(S2_ABSTRACT))
    names = ["papers.jsonl", "abstracts.jsonl"]
    papers, report = read(*(tmp_path / name for name in (reversed(names) if turned else names)))
    joined = next(paper for paper in papers if paper.id == "CorpusId:777")
    assert (joined.title, joined.abstract, joined.arxiv_id) == (
        "Pruning by Entropy",
        "We prune heads by entropy.",
        "3101.00001",
    )
    assert (joined.authors, joined.venue, joined.year) == (("Jane Doe",), "Journal of Forests", 2031)
    assert (report.records, report.papers, report.with_abstract, report.duplicates) == (3, 2, 1, 0)
    assert [told.reason for told in report.warnings] == ["has no abstract"]


def test_json_array_of_any_size_is_streamed(tmp_path):
    path = tmp_path / "big.json"
    with path.open("w") as out:
        out.write('{"count": 3000, "results": [')
        out.write(
            ",".join(
                dumped(
                    {
                        **PINE,
                        "id": f"p{number}",
                        "title": f"Oak number {number}",
                        "abstract": "y" * 400 + str(number),
                    }
                )
                for number in range(3000)
            )
        )
        out.write("]}")
    papers, report = read(path)
    assert [paper.id for paper in papers] == [f"p{number}" for number in range(3000)]
    assert report.skipped == []
