"""The names that papers' fields go by, in many files and languages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

#: Our field, then the names it goes by, the best first. Compared without case, spaces and punctuation.
_TABLE: Final = """
id: id paperid uid uniqueid key citekey citationkey corpusid eid ut utuniquewosid accessionnumber an pmid
id: pubmedid uri forum openreviewid articleid documentid recordid publicationid
id: lensid
title: title papertitle articletitle documenttitle itemtitle paper titre titel título titulo titolo
title: primarytitle t1 ti name displayname 题名 题目 标题 篇名 论文标题 论文题目
abstract: abstract abstracttext abstractnote paperabstract articleabstract ab n2 summary résumé resume
abstract: resumen resumo zusammenfassung kurzfassung riassunto 摘要 论文摘要 text content description
authors: authorfullnames authors author authornames authorslist authorstring authorsparsed creators creator
authors: writers authorshipsauthordisplayname au af by auteurs auteur autoren autores autori 作者
venue: venue journal journaltitle journalname journalbook publicationtitle publicationname sourcetitle
venue: containertitle booktitle conference conferencename conferencetitle proceedings publication
venue: publishedin journalref proceeding source so jt jf t2 revue zeitschrift revista
venue: 期刊 会议 刊名 来源 文献来源
year: year publicationyear pubyear yearpublished publishedyear yr py publicationdate publisheddate
year: publishdate pubdate dateofpublication published issued date coverdate creationdate onlinedate
year: earlyaccessdate created updated année annee jahr año ano 年份 年 发表时间 出版年 pubtime
url: url urlabs link links paperurl articleurl pdfurl urlpdf pdf pdflink weblink href fulltexturl
url: htmlurl ur website
url: 链接 网址
doi: doi doilink itemdoi articledoi digitalobjectidentifier di do doiurl
arxiv_id: arxivid arxiv arxivnumber eprint arxivurl
keywords: keywords keyword authorkeywords manualtags tags subjects subject kw de topics indexkeywords
keywords: concepts motsclés motscles schlagworte schlagwörter palabrasclave 关键词
"""
_ODD: Final = re.compile(r"[\W_]+")
_FOREIGN: Final = re.compile(r"[^a-z0-9]+")


def _ranked(table: str) -> dict[str, tuple[str, int]]:
    ranked: dict[str, tuple[str, int]] = {}
    for line in table.strip().splitlines():
        field, names = line.split(":")
        for name in names.split():
            ranked.setdefault(name, (field, len(ranked)))
    return ranked


#: A folded foreign name -> our field and its rank among the names of that field (lower is better).
FIELD_OF: Final[Mapping[str, tuple[str, int]]] = MappingProxyType(_ranked(_TABLE))


def plain_name(name: str) -> str:
    """Fold a field name.

    >>> plain_name("Author full names"), plain_name("abstract_note")
    ('authorfullnames', 'abstractnote')
    """
    return _ODD.sub("", name).casefold()


def field_of(name: str) -> str:
    """Return which of our fields a foreign name stands for, or "".

    >>> field_of("Document Title"), field_of("ISSN")
    ('title', '')
    """
    return ranked_field_of(name)[0]


@lru_cache(maxsize=4096)
def ranked_field_of(name: str) -> tuple[str, int]:
    """Return our field for a foreign name and the rank of that name among its names.

    >>> ranked_field_of("Title-题名") == ranked_field_of("title")
    True
    """
    plain = plain_name(name)
    return FIELD_OF.get(plain) or FIELD_OF.get(_FOREIGN.sub("", plain), ("", 0))
