"""CSV, TSV, Markdown and Parquet of indexes, publishers and hands. All papers are invented."""

# ruff: noqa: E501 (rows stand as the vendors write them)

from __future__ import annotations

import csv
import gzip
import io

import pytest

from tests.paper_files import Case, check, read

PINE = {"title": "Pruning by Entropy", "abstract": 'We prune "heads", by entropy.'}
LONG = "We prune heads by entropy, and show in four studies that little is lost; half of the cost is saved on every benchmark that we tried."


def table(*rows: dict[str, str], delimiter: str = ",", quoting: int = csv.QUOTE_MINIMAL, end: str = "\r\n") -> str:
    out = io.StringIO()
    names = list(rows[0])
    writer = csv.DictWriter(out, names, delimiter=delimiter, quoting=quoting, lineterminator=end)  # type: ignore[arg-type]
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


# https://service.elsevier.com/app/answers/detail/a_id/14805 (all fields quoted, UTF-8 with mark)
SCOPUS = {
    "Authors": "Doe J.; Roe R.",
    "Author full names": "Doe, Jane (57190000001); Roe, Rick (57190000002)",
    "Author(s) ID": "57190000001; 57190000002",
    "Title": "Pruning by Entropy",
    "Year": "2031",
    "Source title": "Journal of Forests",
    "Volume": "12",
    "Art. No.": "",
    "DOI": "10.1000/Forest.12",
    "Link": "https://www.scopus.com/inward/record.uri?eid=2-s2.0-85000000001",
    "Affiliations": "Forest University, Paris, France",
    "Abstract": 'We prune "heads", by entropy.',
    "Author Keywords": "entropy; pruning",
    "Index Keywords": "Trees",
    "Document Type": "Article",
    "Source": "Scopus",
    "EID": "2-s2.0-85000000001",
}
SCOPUS_READ = {
    **PINE,
    "id": "2-s2.0-85000000001",
    "authors": ("Jane Doe", "Rick Roe"),
    "venue": "Journal of Forests",
    "year": 2031,
    "doi": "10.1000/forest.12",
    "url": "https://www.scopus.com/inward/record.uri?eid=2-s2.0-85000000001",
    "keywords": ("entropy", "pruning"),
}
# https://webofscience.help.clarivate.com (tab-delimited; fields are never quoted)
WOS_HEADER = "PT\tAU\tAF\tTI\tSO\tDT\tDE\tID\tAB\tPY\tDI\tUT\tDA"
WOS_ROW = 'J\tDoe, J; Roe, R\tDoe, Jane; Roe, Rick\tPruning by Entropy\tJOURNAL OF FORESTS\tArticle\tpruning; entropy\tTREES\tWe prune "heads", by entropy.\t2031\t10.1000/forest.12\tWOS:000999999900001\t2032-01-01'
WOS_READ = {
    **PINE,
    "id": "WOS:000999999900001",
    "authors": ("Jane Doe", "Rick Roe"),
    "venue": "JOURNAL OF FORESTS",
    "year": 2031,
    "doi": "10.1000/forest.12",
    "keywords": ("pruning", "entropy"),
}
WOS_EXCEL = {
    "Publication Type": "J",
    "Authors": "Doe, J; Roe, R",
    "Author Full Names": "Doe, Jane; Roe, Rick",
    "Article Title": "Pruning by Entropy",
    "Source Title": "JOURNAL OF FORESTS",
    "Author Keywords": "pruning; entropy",
    "Keywords Plus": "TREES",
    "Abstract": 'We prune "heads", by entropy.',
    "Publication Year": "2031",
    "DOI": "10.1000/forest.12",
    "UT (Unique WOS ID)": "WOS:000999999900001",
}
# https://ieeexplore.ieee.org/Xplorehelp (every field quoted)
IEEE = {
    "Document Title": "Pruning by Entropy",
    "Authors": "J. Doe; R. Roe",
    "Author Affiliations": "Forest University, Paris; Forest University, Paris",
    "Publication Title": "2031 IEEE Forest Conference (FOREST)",
    "Date Added To Xplore": "4 May 2031",
    "Publication Year": "2031",
    "Abstract": 'We prune "heads", by entropy.',
    "ISSN": "1234-5678",
    "DOI": "10.1109/FOREST.2031.12",
    "PDF Link": "https://ieeexplore.ieee.org/stamp/stamp.jsp?arnumber=99999999",
    "Author Keywords": "Pruning;Entropy",
    "IEEE Terms": "Trees",
    "Document Identifier": "IEEE Conferences",
}
# https://link.springer.com (names joined without a blank, no abstracts)
SPRINGER = {
    "Item Title": "Pruning by Entropy",
    "Publication Title": "Forests",
    "Book Series Title": "",
    "Journal Volume": "12",
    "Journal Issue": "1",
    "Item DOI": "10.1007/s99999-031-0012-3",
    "Authors": "Jane DoeRick A. RoeAnn McPoe",
    "Publication Year": "2031",
    "URL": "https://link.springer.com/article/10.1007/s99999-031-0012-3",
    "Content Type": "Article",
}
# https://pubmed.ncbi.nlm.nih.gov/help/#save-pubmed (CSV: no abstracts)
PUBMED = {
    "PMID": "39000001",
    "Title": "Pruning by entropy.",
    "Authors": "Doe J, Roe R.",
    "Citation": "Forests. 2031 May 4;12:1-12. doi: 10.1000/forest.12.",
    "First Author": "Doe J",
    "Journal/Book": "Forests",
    "Publication Year": "2031",
    "Create Date": "2031/05/04",
    "PMCID": "",
    "NIHMS ID": "",
    "DOI": "10.1000/forest.12",
}
# https://www.zotero.org/support/kb/exporting (CSV)
ZOTERO = {
    "Key": "ABCD2345",
    "Item Type": "journalArticle",
    "Publication Year": "2031",
    "Author": "Doe, Jane; Roe, Rick",
    "Title": "Pruning by Entropy",
    "Publication Title": "Forests",
    "DOI": "10.1000/forest.12",
    "Url": "https://example.org/12",
    "Abstract Note": 'We prune "heads", by entropy.',
    "Date": "2031-05-04",
    "Manual Tags": "pruning; entropy",
}
# https://harzing.com/resources/publish-or-perish (CSV)
HARZING = {
    "Cites": "3",
    "Authors": "J Doe, R Roe",
    "Title": "Pruning by Entropy",
    "Year": "2031",
    "Source": "Forests",
    "Publisher": "Forest Ltd",
    "ArticleURL": "https://example.org/12",
    "GSRank": "1",
    "Abstract": "We prune …",
}
# https://support.lens.org (CSV)
LENS = {
    "Lens ID": "000-111-222-333-444",
    "Title": "Pruning by Entropy",
    "Date Published": "2031-05-04",
    "Publication Year": "2031",
    "Source Title": "Forests",
    "Author/s": "Jane Doe; Rick Roe",
    "Abstract": "We prune.",
    "DOI": "10.1000/forest.12",
    "Keywords": "pruning; entropy",
}
# https://dimensions.freshdesk.com (a line before the header)
DIMENSIONS = {
    "Rank": "1",
    "Publication ID": "pub.1999999999",
    "DOI": "10.1000/forest.12",
    "Title": "Pruning by Entropy",
    "Abstract": "We prune.",
    "Source title": "Forests",
    "PubYear": "2031",
    "Authors": "Doe, Jane; Roe, Rick",
}

TABLES = [
    Case("CSV of Scopus", b"\xef\xbb\xbf" + table(SCOPUS, quoting=csv.QUOTE_ALL).encode(), "CSV", [SCOPUS_READ]),
    Case(
        "CSV of Scopus without abstracts",
        table({**SCOPUS, "Abstract": "[No abstract available]"}),
        "CSV",
        [{**SCOPUS_READ, "abstract": ""}],
    ),
    Case("TSV of Web of Science", f"{WOS_HEADER}\r\n{WOS_ROW}\r\n".encode("utf-8-sig"), "TSV", [WOS_READ]),
    Case(
        "TSV of Web of Science in UTF-16",
        f"{WOS_HEADER}\r\n{WOS_ROW}\r\n".encode("utf-16"),
        "TSV, UTF-16",
        [WOS_READ],
    ),
    Case(
        "Excel of Web of Science saved as CSV with semicolons",
        table(WOS_EXCEL, delimiter=";"),
        "CSV",
        [WOS_READ],
    ),
    Case(
        "CSV of IEEE Xplore",
        table(IEEE, quoting=csv.QUOTE_ALL, end="\n"),
        "CSV",
        [
            {
                **PINE,
                "authors": ("J. Doe", "R. Roe"),
                "venue": "2031 IEEE Forest Conference (FOREST)",
                "year": 2031,
                "doi": "10.1109/forest.2031.12",
                "keywords": ("Pruning", "Entropy"),
                "url": IEEE["PDF Link"],
            }
        ],
    ),
    Case(
        "CSV of Springer",
        table(SPRINGER, quoting=csv.QUOTE_ALL),
        "CSV",
        [
            {
                "title": "Pruning by Entropy",
                "abstract": "",
                "authors": ("Jane Doe", "Rick A. Roe", "Ann McPoe"),
                "venue": "Forests",
                "year": 2031,
                "doi": "10.1007/s99999-031-0012-3",
            }
        ],
    ),
    Case(
        "CSV of PubMed",
        table(PUBMED),
        "CSV",
        [
            {
                "id": "39000001",
                "title": "Pruning by entropy.",
                "authors": ("Doe J", "Roe R."),
                "venue": "Forests",
                "year": 2031,
                "doi": "10.1000/forest.12",
            }
        ],
    ),
    Case(
        "CSV of Zotero",
        table(ZOTERO, quoting=csv.QUOTE_ALL),
        "CSV",
        [
            {
                **PINE,
                "id": "ABCD2345",
                "authors": ("Jane Doe", "Rick Roe"),
                "venue": "Forests",
                "year": 2031,
                "url": "https://example.org/12",
                "keywords": ("pruning", "entropy"),
            }
        ],
    ),
    Case(
        "CSV of Publish or Perish",
        table(HARZING),
        "CSV",
        [
            {
                "title": "Pruning by Entropy",
                "authors": ("J Doe", "R Roe"),
                "venue": "Forests",
                "year": 2031,
                "url": "https://example.org/12",
                "abstract": "We prune …",
            }
        ],
    ),
    Case(
        "CSV of Lens",
        table(LENS),
        "CSV",
        [
            {
                "id": "000-111-222-333-444",
                "title": "Pruning by Entropy",
                "authors": ("Jane Doe", "Rick Roe"),
                "venue": "Forests",
                "year": 2031,
            }
        ],
    ),
    Case(
        "CSV of Dimensions",
        '"About the data: Exported on May 4, 2031. Criteria: trees. © 2031 Digital Science"\n' + table(DIMENSIONS),
        "CSV",
        [
            {
                "id": "pub.1999999999",
                "title": "Pruning by Entropy",
                "authors": ("Jane Doe", "Rick Roe"),
                "year": 2031,
            }
        ],
    ),
    # https://oversea.cnki.net (both languages in each column name)
    Case(
        "CSV of CNKI in GBK",
        "Title-题名,Author-作者,Source-文献来源,Keyword-关键词,Summary-摘要,PubTime-发表时间\n基于熵的剪枝方法研究,王伟;李娜;,森林学报,剪枝;;熵,我们提出一种按熵剪枝的方法，在多个基准上保持准确率。,2031-05-04\n".encode(
            "gbk"
        ),
        "CSV, GBK",
        [
            {
                "title": "基于熵的剪枝方法研究",
                "authors": ("王伟", "李娜"),
                "venue": "森林学报",
                "year": 2031,
                "abstract": "我们提出一种按熵剪枝的方法，在多个基准上保持准确率。",
                "keywords": ("剪枝", "熵"),
            }
        ],
    ),
    Case(
        "hand-made CSV",
        'title,abstract\nPruning by Entropy,"We prune ""heads"", by entropy."\nOther,"Two\nlines"\n',
        "CSV",
        [PINE, {"title": "Other", "abstract": "Two\nlines"}],
    ),
    Case(
        "hand-made CSV, abstract last and not quoted",
        "id,title,abstract\n1,Pruning,We prune heads, by entropy, and win.\n2,Other,Short.\n",
        "CSV",
        [{"id": "1", "abstract": "We prune heads, by entropy, and win."}, {"id": "2", "abstract": "Short."}],
    ),
    Case(
        "CSV of a German Excel",
        "sep=;\r\nTitel;Zusammenfassung;Autoren;Jahr\r\nÜber Bäume;Wir fällen Bäume.;Jürgen Groß;2031\r\n".encode(
            "cp1252"
        ),
        "CSV, Windows-1252",
        [{"title": "Über Bäume", "abstract": "Wir fällen Bäume.", "authors": ("Jürgen Groß",), "year": 2031}],
    ),
    Case(
        "CSV with bars",
        "Title|Abstract|Year\nPruning|We prune.|2031\n",
        "CSV",
        [{"title": "Pruning", "abstract": "We prune.", "year": 2031}],
    ),
    Case(
        "TSV",
        'title\tabstract\tyear\nPruning by Entropy\tWe prune "heads", by entropy.\t2031\n\nOther\tB.\n',
        "TSV",
        [{**PINE, "year": 2031}, {"title": "Other", "year": None}],
    ),
    Case(
        "TSV without a header",
        f"Pruning by Entropy\t{LONG}\nAbout Bark\t{LONG} Really.\n",
        "TSV",
        [
            {"title": "Pruning by Entropy", "abstract": LONG},
            {"title": "About Bark", "abstract": LONG + " Really."},
        ],
    ),
    Case(
        "CSV without a header",
        f'"1","Pruning by Entropy","{LONG}"\n"2","About Bark","{LONG} Really."\n',
        "CSV",
        [
            {"title": "Pruning by Entropy", "abstract": LONG},
            {"title": "About Bark", "abstract": LONG + " Really."},
        ],
    ),
    Case(
        "CSV with broken rows",
        'id,title,abstract,year\n1,Good,A.,2031\n2,"Open,B.,2031\n3,Good Too,C.,2031\n4,"Open again,B.,2031\n5,"Quoted","D.",2031\n6,Too,many,cells,here\n7,,,2031\n8,"5"" disk",E.,2031\n',
        "CSV",
        [
            {"id": "1"},
            {"id": "3", "abstract": "C."},
            {"id": "5", "title": "Quoted", "abstract": "D."},
            {"id": "8", "title": '5" disk'},
        ],
        skipped=[
            (3, "a quote is never closed"),
            (5, "a quote is never closed"),
            (7, "has 5 cells, the header 4"),
            (8, "has neither a title nor an abstract"),
        ],
    ),
    Case(
        "a sentence with the names of columns is text",
        f"Title, abstract and year are three words.\n\n{LONG}\n\n{LONG} Really.\n",
        "text",
        [
            {"abstract": "Title, abstract and year are three words."},
            {"abstract": LONG},
            {"abstract": LONG + " Really."},
        ],
    ),
]

MARKDOWN = [
    Case(
        "Markdown list with links",
        "# Awesome Pruning\n\nA list. See [the site](https://example.org).\n\n- [Contents](#contents)\n\n## 2031\n\n"
        "- [Pruning by Entropy](https://arxiv.org/abs/3101.00001) - Jane Doe, Rick Roe, *FOREST 2031*. [[code]](https://github.com/x/y)\n"
        "* **What Is Lost First?** Ada Poe, Bo Li. FOREST 2030. [[pdf](https://example.org/2.pdf)]\n",
        "Markdown",
        [
            {
                "title": "Pruning by Entropy",
                "url": "https://arxiv.org/abs/3101.00001",
                "arxiv_id": "3101.00001",
                "authors": ("Jane Doe", "Rick Roe"),
                "venue": "FOREST",
                "year": 2031,
            },
            {
                "title": "What Is Lost First?",
                "url": "https://example.org/2.pdf",
                "authors": ("Ada Poe", "Bo Li"),
                "venue": "FOREST",
                "year": 2030,
            },
        ],
    ),
    Case(
        "Markdown list with tags before and abstracts below",
        f"1. [2031/05] **[Pruning by Entropy](https://arxiv.org/abs/3101.00001)**\n   - Authors: Jane Doe, Rick Roe\n   - Abstract: {LONG}\n2. (FOREST 2030) [What Is Lost First?](https://example.org/2) [[code](https://example.org/c)]\n\n   > We measure\n   > forgetting.\n",
        "Markdown",
        [
            {
                "title": "Pruning by Entropy",
                "year": 2031,
                "authors": ("Jane Doe", "Rick Roe"),
                "abstract": LONG,
            },
            {
                "title": "What Is Lost First?",
                "year": 2030,
                "venue": "FOREST",
                "abstract": "We measure\nforgetting.",
            },
        ],
    ),
    Case(
        "Markdown sections",
        f"# Reading list 2031\n\nSome words.\n\n## Section One\n\n### [Pruning by Entropy](https://arxiv.org/abs/3101.00001)\n\n*Jane Doe, Rick Roe*\n\n{LONG}\n\nMore of it.\n\n[pdf](https://example.org/1.pdf) | [code](https://example.org/c)\n\n### What Is Lost First?\n\n**Abstract:** We measure\nforgetting.\n\n```bibtex\n@misc{{x, title={{No}}}}\n```\n",
        "Markdown",
        [
            {
                "title": "Pruning by Entropy",
                "authors": ("Jane Doe", "Rick Roe"),
                "abstract": f"{LONG}\n\nMore of it.",
                "arxiv_id": "3101.00001",
            },
            {"title": "What Is Lost First?", "abstract": "We measure\nforgetting."},
        ],
    ),
    Case(
        "Markdown with abstracts that unfold",
        "- **Pruning by Entropy**, Jane Doe, Rick Roe\n  <details><summary>Abstract</summary>\n  We prune heads.\n  </details>\n- **What Is Lost First?**\n",
        "Markdown",
        [
            {
                "title": "Pruning by Entropy",
                "abstract": "We prune heads.",
                "authors": ("Jane Doe", "Rick Roe"),
            },
            {"title": "What Is Lost First?", "abstract": ""},
        ],
    ),
    Case(
        "Markdown list of abstracts that begin with a name",
        "1. **PINE** prunes attention heads by their entropy.\n   It works.\n2. **BARK** is a cache that wins back what was forgotten.\n",
        "Markdown",
        [
            {"title": "", "abstract": "**PINE** prunes attention heads by their entropy.\n   It works."},
            {"title": "", "abstract": "**BARK** is a cache that wins back what was forgotten."},
        ],
    ),
    Case(
        "Markdown table",
        "# Updated on 2031.05.04\n\n|Publish Date|Title|Authors|PDF|Code|\n|---|---|---|---|---|\n|**2031-05-01**|**Pruning by Entropy**|Jane Doe et.al.|[3101.00001](http://arxiv.org/abs/3101.00001)|**[link](https://github.com/x/y)**|\n|**2030-05-01**|**A \\| B**|Ada Poe|[3001.00002](http://arxiv.org/abs/3001.00002)|null|\n",
        "Markdown",
        [
            {
                "title": "Pruning by Entropy",
                "authors": ("Jane Doe",),
                "year": 2031,
                "url": "http://arxiv.org/abs/3101.00001",
                "arxiv_id": "3101.00001",
            },
            {"title": "A \\| B", "authors": ("Ada Poe",), "year": 2030, "arxiv_id": "3001.00002"},
        ],
    ),
    Case(
        "Markdown table with abstracts and no outer bars",
        "Paper | Venue | Abstract\n:--- | :---: | ---\n[Pruning by Entropy](https://example.org/1) | FOREST 2031 | We **prune** heads.\n",
        "Markdown",
        [
            {
                "title": "Pruning by Entropy",
                "venue": "FOREST 2031",
                "abstract": "We **prune** heads.",
                "url": "https://example.org/1",
            }
        ],
    ),
]


@pytest.mark.parametrize("case", [*TABLES, *MARKDOWN], ids=lambda case: case.name)
def test_tables_are_read_with_their_values(case, tmp_path):
    check(case, tmp_path)


def test_tables_in_parquet_are_read_with_their_values(tmp_path):
    import pyarrow
    from pyarrow import parquet

    rows = {
        "paperId": ["a1", "b2"],
        "title": ["Pruning by Entropy", "What Is Lost First?"],
        "abstract": ["We prune heads by entropy.", None],
        "authors": [[{"authorId": "1", "name": "Jane Doe"}, {"authorId": "2", "name": "Rick Roe"}], []],
        "venue": ["FOREST", ""],
        "year": [2031, None],
        "embedding": [[0.1, 0.2], [0.3, 0.4]],
    }
    parquet.write_table(pyarrow.table(rows), tmp_path / "papers.parquet", compression="zstd")
    papers, report = read(tmp_path / "papers.parquet")
    assert [(paper.id, paper.title, paper.abstract) for paper in papers] == [
        ("a1", "Pruning by Entropy", "We prune heads by entropy."),
        ("b2", "What Is Lost First?", ""),
    ]
    assert (papers[0].authors, papers[0].venue, papers[0].year) == (("Jane Doe", "Rick Roe"), "FOREST", 2031)
    assert [(told.line, told.reason) for told in report.warnings] == [(2, "has no abstract")]
    assert list(report.formats.values()) == ["Parquet"]
    (tmp_path / "packed").write_bytes(gzip.compress((tmp_path / "papers.parquet").read_bytes()))
    assert read(tmp_path / "packed")[0] == papers


def test_tables_in_a_broken_parquet_file_are_refused(tmp_path):
    from kg.errors import InputError

    (tmp_path / "x.parquet").write_bytes(b"PAR1" + b"\x00" * 100 + b"PAR1")
    with pytest.raises(InputError, match="is a damaged Parquet file"):
        read(tmp_path / "x.parquet")
