"""Plain text lists in the many ways people write them."""

# ruff: noqa: E501 (records stand as they do in files)

from __future__ import annotations

from pathlib import Path

import pytest

from tests.paper_files import Case, check, read

ONE = (
    "We present PINE, a method that prunes attention heads by their entropy. It keeps 97% of the accuracy of "
    "the full model on the Larch benchmark at half of the cost, and it needs no training beyond a single pass over "
    "a thousand unlabelled sentences, which makes it cheap to use."
)
TWO = (
    "Large models forget what they were told first. We measure this with WILLOW, a suite of 1,200 dialogues (in "
    "three languages), and show that recall falls by 3.1 points per thousand tokens. A simple cache, BARK, wins back "
    "two thirds of the loss without any change to the model."
)


def wrapped(text: str, width: int = 70, indent: str = "") -> str:
    lines, line = [], ""
    for word in text.split():
        if len(line) + len(word) >= width:
            lines.append(line)
            line = ""
        line = f"{line} {word}" if line else indent + word
    return "\n".join([*lines, line])


ALONE = [{"title": "", "abstract": ONE}, {"title": "", "abstract": TWO}]
TITLED = [{"title": "Pruning by Entropy", "abstract": ONE}, {"title": "What Is Lost First?", "abstract": TWO}]
WRAPPED = [{"title": "", "abstract": wrapped(ONE)}, {"title": "", "abstract": wrapped(TWO)}]

CASES = [
    Case("heading in English", f"Forest Computing 2031 Papers\n\n{ONE}\n\n{TWO}\n", "text", ALONE),
    Case("heading in Chinese", f"森林计算 2031 论文列表\n\n{ONE}\n\n{TWO}\n", "text", ALONE),
    Case("heading in Russian, underlined", f"Доклады секции\n==============\n\n{ONE}\n\n{TWO}\n", "text", ALONE),
    Case("heading without a blank line", f"Forest Computing 2031 Papers\n{ONE}\n\n{TWO}\n", "text", ALONE),
    Case("no heading", f"{ONE}\n\n{TWO}", "text", ALONE),
    Case("several blank lines and blanks on them", f"\n\n{ONE}\n \n\t\n\n{TWO}\n\n\n", "text", ALONE),
    Case("one abstract a line", f"Papers\n\n{ONE}\n{TWO}\n", "text", ALONE),
    Case(
        "sections of one abstract on lines",
        f"Background: {ONE}\nResults: {TWO}\n\n{TWO}\n",
        "text",
        [{"abstract": f"Background: {ONE}\nResults: {TWO}"}, ALONE[1]],
    ),
    Case("rules between", f"{ONE}\n---\n{TWO}\n* * *\n", "text", ALONE),
    Case("form feeds", f"{ONE}\n\f{TWO}\n\f", "text", ALONE),
    Case("CRLF", f"Papers\r\n\r\n{ONE}\r\n\r\n{TWO}\r\n".encode(), "text", ALONE),
    Case("old Macintosh line ends", f"Papers\r\r{ONE}\r\r{TWO}\r".encode(), "text", ALONE),
    Case("byte order mark", b"\xef\xbb\xbf" + f"Papers\n\n{ONE}\n\n{TWO}\n".encode(), "text", ALONE),
    Case("UTF-16 of Windows", f"Papers\r\n\r\n{ONE}\r\n\r\n{TWO}".encode("utf-16"), "text, UTF-16", ALONE),
    Case("wrapped lines stay as they are", f"Papers\n\n{wrapped(ONE)}\n\n{wrapped(TWO)}\n", "text", WRAPPED),
    Case("numbered with dots", f"1. {ONE}\n\n2. {TWO}\n", "text", ALONE),
    Case("numbered in brackets", f"[1] {ONE}\n\n[2] {TWO}\n", "text", ALONE),
    Case("numbers on their own lines", f"1\n{ONE}\n\n(2)\n{TWO}\n", "text", ALONE),
    Case("bullets", f"- {ONE}\n\n- {TWO}\n", "text", ALONE),
    Case("page numbers", f"{ONE}\n\n12\n\n{TWO}\n\nPage 13\n", "text", ALONE),
    Case("abstracts labelled", f"Abstract: {ONE}\n\nABSTRACT. {TWO}\n", "text", ALONE),
    Case("abstracts with dashes", f"Abstract—{ONE}\n\n**Abstract** — {TWO}\n", "text", ALONE),
    Case("titles over abstracts", f"Pruning by Entropy\n{ONE}\n\nWhat Is Lost First?\n{TWO}\n", "text", TITLED),
    Case("titles apart", f"Pruning by Entropy\n\n{ONE}\n\nWhat Is Lost First?\n\n{TWO}\n", "text", TITLED),
    Case(
        "titles apart under a heading",
        f"Accepted papers\n\nPruning by Entropy\n\n{ONE}\n\nWhat Is Lost First?\n\n{TWO}\n",
        "text",
        TITLED,
    ),
    Case(
        "titles and abstracts line by line",
        f"Pruning by Entropy\n{ONE}\nWhat Is Lost First?\n{TWO}\n",
        "text",
        TITLED,
    ),
    Case(
        "titles over wrapped abstracts",
        f"Pruning by Entropy\n{wrapped(ONE)}\n\nWhat Is Lost First?\n{wrapped(TWO)}\n",
        "text",
        [
            {"title": "Pruning by Entropy", "abstract": wrapped(ONE)},
            {"title": "What Is Lost First?", "abstract": wrapped(TWO)},
        ],
    ),
    Case(
        "numbered titles",
        f"Paper 1: Pruning by Entropy\n{ONE}\n\nPaper 2: What Is Lost First?\n{TWO}\n",
        "text",
        TITLED,
    ),
    Case(
        "labels",
        f"Title: Pruning by Entropy\nAuthors: Jane Doe, Rick Roe\nYear: 2031\nKeywords: pruning; entropy\n"
        f"Abstract: {ONE}\n\nTitle: What Is Lost First?\nAbstract:\n{TWO}\n",
        "text",
        [
            {
                **TITLED[0],
                "authors": ("Jane Doe", "Rick Roe"),
                "year": 2031,
                "keywords": ("pruning", "entropy"),
            },
            {**TITLED[1], "authors": (), "year": None},
        ],
    ),
    Case(
        "labels with blank lines between",
        f"Title: Pruning by Entropy\n\nAuthors: Doe, Jane; Roe, Rick\n\nAbstract: {ONE}\n\n{TWO}\n\n"
        f"Title: What Is Lost First?\n\nAbstract: {TWO}\n",
        "text",
        [
            {
                "title": "Pruning by Entropy",
                "authors": ("Jane Doe", "Rick Roe"),
                "abstract": f"{ONE}\n\n{TWO}",
            },
            TITLED[1],
        ],
    ),
    Case(
        "labels in Chinese",
        "标题：熵剪枝\n作者：王伟，李娜\n摘要：我们提出一种按熵剪枝注意力头的方法。\n\n标题：遗忘\n摘要：我们测量遗忘。\n",
        "text",
        [
            {
                "title": "熵剪枝",
                "authors": ("王伟", "李娜"),
                "abstract": "我们提出一种按熵剪枝注意力头的方法。",
            },
            {"title": "遗忘", "abstract": "我们测量遗忘。"},
        ],
    ),
    Case(
        "words of labels within a wrapped abstract",
        "We open the\nsource: it helps everyone who works in a\nconference. We then publish it in a\njournal. Published: never.\n\n"
        + TWO
        + "\n",
        "text",
        [
            {
                "title": "",
                "abstract": "We open the\nsource: it helps everyone who works in a\nconference. We then publish it in a\njournal. Published: never.",
            },
            ALONE[1],
        ],
    ),
    Case(
        "labels on one line",
        f"Title: Pruning by Entropy Abstract: {ONE}\n\nTitle: What Is Lost First? Abstract: {TWO}\n",
        "text",
        TITLED,
    ),
    # https://info.arxiv.org/help/subscribe.html (the daily mail)
    Case(
        "mail of arXiv",
        "Submissions to:\nComputation and Language\n received from  Thu  1 May 31\n"
        + "-" * 78
        + f"\n\\\\\narXiv:3101.00001\nDate: Thu, 1 May 2031 10:00:00 GMT   (12kb)\n\nTitle: Pruning by\n  Entropy\nAuthors: Jane Doe, Rick Roe\nCategories: cs.CL cs.LG\nComments: 12 pages: long\n\\\\\n  {ONE}\n\\\\ ( https://arxiv.org/abs/3101.00001 ,  12kb)\n"
        + "-" * 78
        + f"\n\\\\\narXiv:3101.00002\nDate: Thu, 1 May 2031 11:00:00 GMT   (9kb)\n\nTitle: What Is Lost First?\nAuthors: Ada Poe\n\\\\\n  {TWO}\n\\\\ ( https://arxiv.org/abs/3101.00002 ,  9kb)\n",
        "text",
        [
            {
                "title": "Pruning by\n  Entropy",
                "abstract": ONE,
                "authors": ("Jane Doe", "Rick Roe"),
                "year": 2031,
                "arxiv_id": "3101.00001",
                "url": "https://arxiv.org/abs/3101.00001",
            },
            {"title": "What Is Lost First?", "abstract": TWO, "authors": ("Ada Poe",), "arxiv_id": "3101.00002"},
        ],
    ),
    Case(
        "title, authors, abstract",
        f"Pruning by Entropy\nJane Doe, Rick van Roe and Ann Poe\n{ONE}\n\nWhat Is Lost First?\n\nAda Poe, Bo Li\n\n{TWO}\n",
        "text",
        [
            {**TITLED[0], "authors": ("Jane Doe", "Rick van Roe", "Ann Poe")},
            {**TITLED[1], "authors": ("Ada Poe", "Bo Li")},
        ],
    ),
    Case(
        "some with titles, some without, under section headings",
        f"Forest Computing 2031\n\nOral Papers\n\n{ONE}\n\n{ONE} Twice.\n\n{ONE} Thrice.\n\nPoster session 2\n\n"
        f"What Is Lost First?\n{TWO}\n",
        "text",
        [
            {"title": "", "abstract": ONE},
            {"title": "", "abstract": f"{ONE} Twice."},
            {"title": "", "abstract": f"{ONE} Thrice."},
            TITLED[1],
        ],
    ),
    Case(
        "titles only",
        "Pruning by Entropy\nWhat Is Lost First?\nLearning to Fell Decision Trees\n",
        "text",
        [
            {"title": "Pruning by Entropy", "abstract": ""},
            {"title": "What Is Lost First?", "abstract": ""},
            {"title": "Learning to Fell Decision Trees", "abstract": ""},
        ],
    ),
    Case(
        "starts with LaTeX in braces",
        f"{{\\bf PINE}} {ONE}\n\n{TWO}\n",
        "text",
        [{"abstract": f"{{\\bf PINE}} {ONE}"}, ALONE[1]],
    ),
    Case("starts with a bracket", f"[Re] {ONE}\n\n{TWO}\n", "text", [{"abstract": f"[Re] {ONE}"}, ALONE[1]]),
    Case(
        "commas and bars are no table",
        f"a, b | c, d {ONE}\n\n{TWO}\n",
        "text",
        [{"abstract": f"a, b | c, d {ONE}"}, ALONE[1]],
    ),
    Case(
        "an address below",
        f"Pruning by Entropy\n{ONE}\nhttps://arxiv.org/abs/3101.00001v2\n\nWhat Is Lost First?\n{TWO}\n",
        "text",
        [{**TITLED[0], "url": "https://arxiv.org/abs/3101.00001v2", "arxiv_id": "3101.00001"}, TITLED[1]],
    ),
    Case(
        "Windows-1252",
        "Papers\n\nWe study the “naïve” forêt of Saint-Étienne – with care.\n\nWe fell it.\n".encode("cp1252"),
        "text, Windows-1252",
        [
            {"abstract": "We study the “naïve” forêt of Saint-Étienne – with care."},
            {"abstract": "We fell it."},
        ],
    ),
    Case(
        "GBK",
        "论文列表\n\n我们提出一种按熵剪枝注意力头的方法 PINE，在基准上保持准确率。\n\n我们测量大模型的遗忘。\n".encode(
            "gbk"
        ),
        "text, GBK",
        [
            {"abstract": "我们提出一种按熵剪枝注意力头的方法 PINE，在基准上保持准确率。"},
            {"abstract": "我们测量大模型的遗忘。"},
        ],
    ),
    Case(
        "Polish in Windows-1250",
        "Artykuły\n\nZażółć gęślą jaźń: metoda dla małych sieci.\n\nInna metoda, równie dobra.\n".encode("cp1250"),
        "text, Windows-1250",
        [{"abstract": "Zażółć gęślą jaźń: metoda dla małych sieci."}, {"abstract": "Inna metoda, równie dobra."}],
    ),
    Case(
        "Korean in EUC-KR",
        "논문 목록\n\n우리는 엔트로피로 어텐션 헤드를 가지치기하는 방법을 제안한다.\n\n우리는 큰 모델의 망각을 측정한다.\n".encode(
            "euc_kr"
        ),
        "text, EUC_KR",
        [
            {"abstract": "우리는 엔트로피로 어텐션 헤드를 가지치기하는 방법을 제안한다."},
            {"abstract": "우리는 큰 모델의 망각을 측정한다."},
        ],
    ),
    Case(
        "an odd carriage return within a line",
        f"Papers\n\n{ONE[:90]}\r {ONE[90:]}\n\n{TWO}\n",
        "text",
        [{"abstract": f"{ONE[:90]}\r {ONE[90:]}"}, {"abstract": TWO}],
    ),
    Case("a heading, then lines that end in two ways", f"Papers\r\n\r\n{ONE}\r\n\n{TWO}\n".encode(), "text", ALONE),
    Case(
        "Shift JIS",
        "論文一覧\n\n本研究では、注意機構の枝刈りを行う手法を提案する。\n\n大規模モデルの忘却を測定する。\n".encode(
            "shift_jis"
        ),
        "text, SHIFT_JIS",
        [
            {"abstract": "本研究では、注意機構の枝刈りを行う手法を提案する。"},
            {"abstract": "大規模モデルの忘却を測定する。"},
        ],
    ),
    Case(
        "Russian in Windows-1251",
        "Доклады\n\nМы предлагаем метод обрезки голов внимания по энтропии.\n\nМы измеряем забывание больших моделей.\n".encode(
            "cp1251"
        ),
        "text, Windows-1251",
        [
            {"abstract": "Мы предлагаем метод обрезки голов внимания по энтропии."},
            {"abstract": "Мы измеряем забывание больших моделей."},
        ],
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_text_is_read_as_written(case, tmp_path):
    check(case, tmp_path)


def test_text_in_utf8_with_a_stray_byte_is_read_and_told(tmp_path):
    path = tmp_path / "papers.txt"
    path.write_bytes(b"Papers\n\nWe fell oaks.\n\nWe plant caf\xe9s.\n")
    path.write_bytes("Papers é é é é\n\n".encode() + ("Wé prune. " * 60).encode() + b"\n\nWe plant caf\xe9s.\n")
    papers, report = read(path)
    assert papers[1].abstract == "We plant cafés."
    assert [(told.line, told.reason) for told in report.warnings] == [
        (5, "1 line(s) are not UTF-8 and were read as Windows-1252")
    ]


CORPUS = Path(__file__).parents[2] / "shared" / "corpora" / "icml2026"


@pytest.mark.shared
@pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpora are not there")
def test_text_of_the_two_lists_holds_nineteen_papers_each():
    for path in sorted(CORPUS.glob("*.txt")):
        text = path.read_text("utf-8")
        papers, _ = read(path)
        assert len(papers) == 19
        assert all(paper.raw in text and not paper.title for paper in papers)
        assert "\n\n".join(paper.raw for paper in papers) == text.partition("\n\n")[2].strip()
