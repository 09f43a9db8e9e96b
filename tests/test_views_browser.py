"""The page as a person uses it, in a real browser; any request, console error or breach of policy fails."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest

from kg.views import write_report, write_site, write_view
from tests import view_graphs

CHROMIUM = shutil.which("chromium")
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
WATCH = """
window.breaches = [];
const note = (event) => breaches.push(event.violatedDirective + " " + event.blockedURI);
document.addEventListener("securitypolicyviolation", note);
"""

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium (Debian's package chromium)"),
]
sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright")


@pytest.fixture(scope="module")
def browser() -> Iterator[sync_api.Browser]:
    with sync_api.sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


class Watched:
    """A page, and everything about it that must not happen."""

    def __init__(self, browser: sync_api.Browser, **context: object) -> None:
        self.context = browser.new_context(**{"viewport": {"width": 1280, "height": 800}, **context})
        self.page = self.context.new_page()
        self.faults: list[str] = []
        self.page.add_init_script(WATCH)
        self.page.on("console", lambda message: self.faults.append(message.text))
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("request", self._requested)

    def _requested(self, request: sync_api.Request) -> None:
        if not request.url.startswith(("file:", "data:", "blob:")):
            self.faults.append(request.url)

    def open(self, path: Path, state: str = "") -> sync_api.Page:
        self.page.goto(path.as_uri() + state)
        self.page.wait_for_selector("#stage canvas")
        return self.page

    def close(self) -> None:
        self.faults.extend(self.page.evaluate("window.breaches"))
        self.context.close()
        assert self.faults == []


@pytest.fixture
def watched(browser: sync_api.Browser) -> Iterator[Watched]:
    watched = Watched(browser)
    yield watched
    watched.close()


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("views") / "small.html"
    write_view(view_graphs.small(), path, title="Toy <graph>")
    return path


def card(page: sync_api.Page) -> str:
    return page.inner_text("#card")


def test_browser_search_completes_aliases_and_opens_the_node(watched, small):
    page = watched.open(small)
    assert page.inner_text("h1") == "Toy <graph>"
    assert page.inner_text("#about") == "6 nodes."
    page.keyboard.press("/")
    page.keyboard.type("tuner")
    assert page.inner_text("#hits li >> nth=0").split("\n") == ["KITE", "kite tuner", "Method"]
    page.keyboard.press("Enter")
    assert page.inner_text("#card h2") == "KITE"
    assert "Also written kite tuner" in card(page)
    assert "n=method:kite" in unquote(page.url)


def test_browser_panel_shows_evidence_with_both_ends_marked(watched, small):
    page = watched.open(small, "#n=method:kite")
    relation = page.locator("#card li.relation", has_text="lake mapping")
    relation.locator("summary").click()
    assert relation.locator("summary").inner_text() == "2 papers, confidence 0.90"
    assert relation.locator("blockquote").all_inner_texts() == [
        "We present KITE, the kite tuner, for lake mapping.",
        "Does KITE help lake mapping?",
    ]
    assert relation.locator("mark").all_inner_texts() == [
        "kite tuner",
        "lake mapping",
        "KITE",
        "lake mapping",
    ]
    assert "91% recall" in card(page)
    page.locator("#card .source", has_text="A second look").first.click()
    assert page.inner_text("#card h2") == "A second look at lake mapping"


def test_browser_click_on_a_node_opens_it_and_back_closes_it(watched, tmp_path):
    write_view(view_graphs.small(), tmp_path / "one.html", nodes=("method:kite",))
    page = watched.open(tmp_path / "one.html")
    box = page.locator("#stage").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_selector("#card h2")
    assert page.inner_text("#card h2") == "KITE"
    page.click("#undo")
    page.wait_for_selector("#panel", state="hidden")
    assert page.is_disabled("#undo")


def test_browser_click_on_a_line_opens_the_relation(watched, tmp_path):
    write_view(view_graphs.small(), tmp_path / "two.html", types=("Method", "Task"))
    page = watched.open(tmp_path / "two.html")
    box = page.locator("#stage").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_selector("#card .ends")
    assert page.locator("#card .ends > *").all_inner_texts() == ["KITE", "used for", "lake mapping"]
    assert page.locator("#card blockquote").count() == 2
    state = page.url.partition("#")[2]
    assert unquote(state) == "e=method:kite+USED_FOR+task:lake+mapping"
    page.goto("about:blank")
    watched.open(tmp_path / "two.html", f"#{state}")
    assert page.locator("#card blockquote").count() == 2


def test_browser_filters_and_undo(watched, small):
    page = watched.open(small)
    page.click('[data-name="Metric"]')
    assert page.inner_text("#about") == "5 nodes, 1 filtered out."
    page.select_option("#year-from", "2024")
    assert page.inner_text("#about") == "3 nodes, 3 filtered out."
    assert unquote(page.url).endswith("#hide=Metric&from=2024")
    page.keyboard.press("u")
    page.wait_for_function("document.getElementById('about').textContent === '5 nodes, 1 filtered out.'")
    page.click("#reset")
    assert page.inner_text("#about") == "6 nodes."


def test_browser_filter_by_support(watched, tmp_path):
    write_view(view_graphs.small(), tmp_path / "few.html", types=("Method", "Task", "Dataset"))
    page = watched.open(tmp_path / "few.html")
    page.fill("#support", "2")
    assert page.inner_text("#about") == "2 nodes, 1 filtered out."
    page.fill("#confidence", "0.95")
    assert page.inner_text("#about") == "0 nodes, 3 filtered out."


def test_browser_filter_by_venue(watched, small):
    page = watched.open(small)
    page.click("#venues summary")
    page.check('[data-venue="LakeConf"]')
    assert page.inner_text("#about") == "3 nodes, 3 filtered out."


def test_browser_address_holds_the_state(watched, small):
    page = watched.open(small, "#n=task:lake+mapping&hide=Metric,Nonsense&theme=dark&s=99&l=7")
    assert page.inner_text("#card h2") == "lake mapping"
    assert page.get_attribute("html", "data-theme") == "dark"
    assert page.get_attribute('[data-name="Metric"]', "aria-pressed") == "false"
    assert page.input_value("#support") == "2"


def test_browser_saves_png_and_svg(watched, small):
    page = watched.open(small)
    saved = {}
    for kind in ("png", "svg"):
        page.click("#save summary")
        with page.expect_download() as download:
            page.click(f"#save-{kind}")
        assert download.value.suggested_filename == f"toy-graph.{kind}"
        saved[kind] = Path(download.value.path()).read_bytes()
    assert saved["png"].startswith(b"\x89PNG") and len(saved["png"]) > 5000
    drawing = ElementTree.fromstring(saved["svg"])
    words = {text.text for text in drawing.iter("{http://www.w3.org/2000/svg}text")}
    assert {"KITE", "lake mapping", "PondSet", "recall"} <= words


def test_browser_links_lead_to_papers_and_code(watched, small):
    page = watched.open(small, "#p=a1")
    links = page.locator("#card a").all()
    assert [link.get_attribute("href") for link in links] == [
        "https://example.org/a1",
        "https://example.org/code",
    ]
    watched.context.route("https://example.org/**", lambda route: route.fulfill(body="the paper"))
    with watched.context.expect_page() as opened:
        links[0].click()
    assert opened.value.url == "https://example.org/a1"
    assert opened.value.evaluate("window.opener") is None


def test_browser_prints(watched, small):
    page = watched.open(small, "#n=method:kite&theme=dark")
    assert page.pdf().startswith(b"%PDF")
    assert page.get_attribute("html", "data-theme") == "dark"


def test_browser_on_a_phone(browser, small):
    watched = Watched(browser, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = watched.open(small)
    assert not page.is_visible("#search")
    page.tap("#filter-toggle")
    page.fill("#search", "recall")
    page.tap("#hits li")
    page.wait_for_selector("#card h2")
    box = page.locator("#panel").bounding_box()
    assert (box["x"], round(box["x"] + box["width"]), round(box["y"] + box["height"])) == (0, 390, 844)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    watched.close()


def test_browser_shows_more_of_a_large_graph(watched, tmp_path):
    write_view(view_graphs.grown(300), tmp_path / "large.html", top=100)
    page = watched.open(tmp_path / "large.html")
    assert page.inner_text("#about").startswith("The 100 best connected nodes of ")
    page.click("#more")
    assert page.inner_text("#about").startswith("The 200 best connected nodes of ")
    page.keyboard.press("n")
    assert page.is_visible("#card h2")


def test_browser_never_runs_text(watched, tmp_path):
    G = view_graphs.small()
    script = "</script><script>window.hurt=1</script><img src=x onerror='window.hurt=1'>"
    G.nodes["method:kite"].update(name=script, aliases=['"href" <a href="javascript:window.hurt=1">x</a>'])
    G.nodes["paper:a1"].update(title=script, name=script, venue=script, url="javascript:window.hurt=1")
    G.nodes["link:u"].update(url="javascript:window.hurt=1//https://x")
    for _, _, data in G.edges(data=True):
        data["evidence_sentences"] = [script] * data["support"]
    write_view(G, tmp_path / "hostile.html", title=script)
    page = watched.open(tmp_path / "hostile.html", "#n=method:kite")
    for summary in page.locator("#card summary").all():
        summary.click()
    assert page.inner_text("#card h2") == script
    assert page.locator("#card blockquote").first.inner_text() == script
    page.locator("#card .source").first.click()
    assert page.locator("#card a").count() == 0
    page.fill("#search", "script")
    assert page.locator("#hits li").count() > 0
    assert page.evaluate("window.hurt") is None


def test_browser_walks_through_the_site(watched, tmp_path):
    write_site(view_graphs.small(), tmp_path, title="Toy")
    page = watched.page
    page.goto((tmp_path / "index.html").as_uri())
    page.fill("#search", "tuner")
    assert page.inner_text("#hits li").split("\n") == ["KITE", "Method"]
    page.keyboard.press("Enter")
    page.wait_for_selector("h1:text-is('KITE')")
    page.click("summary >> nth=0")
    assert page.locator("mark").all_inner_texts()[:2] == ["kite tuner", "lake mapping"]
    page.click("text=KITE tunes maps >> nth=0")
    page.wait_for_selector("h1:text-is('KITE tunes maps')")
    assert page.evaluate("getComputedStyle(document.querySelector('main')).maxWidth") == "720px"
    page.click("nav >> text=Picture")
    page.wait_for_selector("#stage canvas")


def test_browser_follows_a_number_of_the_report_to_its_papers(watched, tmp_path):
    pytest.importorskip("matplotlib", reason="plots need matplotlib")
    write_report(view_graphs.small(), tmp_path / "report.html", title="Toy")
    page = watched.page
    page.goto((tmp_path / "report.html").as_uri())
    assert page.locator("svg.plot").count() == 4
    page.locator(".behind > summary").nth(1).click()
    page.locator(".behind").nth(1).locator(".refs > summary").first.click()
    page.locator(".behind").nth(1).locator(".refs a").first.click()
    assert page.url.endswith("#p1")
    assert page.locator(":target").inner_text() == "KITE tunes maps MapConf 2023"
