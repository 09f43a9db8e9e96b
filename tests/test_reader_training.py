"""The way from annotations to a model folder, on invented papers and an encoder of two tiny layers."""

from __future__ import annotations

import copy
import json
import random
from dataclasses import asdict, replace
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="needs the extra `train`")
pytest.importorskip("onnx", reason="needs the extra `train`")

from tokenizers import Tokenizer, models, normalizers, pre_tokenizers  # noqa: E402

from extractors.reader.clusters import describe, group  # noqa: E402
from extractors.reader.decode import Found, FoundEntity, FoundRelation  # noqa: E402
from extractors.reader.labels import SAME  # noqa: E402
from extractors.reader.pieces import Pieces  # noqa: E402
from extractors.reader.session import Session  # noqa: E402
from extractors.reader.spans import Span  # noqa: E402
from extractors.reader.text import read_text  # noqa: E402
from extractors.training.annotations import (  # noqa: E402
    UNKNOWN,
    Example,
    align,
    example_of,
    targets_of,
    unread_example,
)
from extractors.training.answers import prepare  # noqa: E402
from extractors.training.batches import (  # noqa: E402
    answer_batch,
    band_of,
    batch_order,
    cluster_batch,
    span_targets,
    text_batch,
)
from extractors.training.evaluation import TorchNetwork  # noqa: E402
from extractors.training.export import export, load_network  # noqa: E402
from extractors.training.losses import losses_of  # noqa: E402
from extractors.training.network import ReaderNetwork, Sizes  # noqa: E402
from extractors.training.restore import restore  # noqa: E402
from extractors.training.results import open_scene  # noqa: E402
from extractors.training.scoring import count_papers  # noqa: E402
from extractors.training.shrink import shrink  # noqa: E402
from extractors.training.soup import soup  # noqa: E402
from extractors.training.trainer import Place, Recipe, optimiser_of  # noqa: E402
from kg.errors import InputError  # noqa: E402

TEXT = "TULIP for Maps\n\nWe propose TULIP for garden mapping. TULIP beats ROSE on BedBench."
RECORD = {
    "id": "p1",
    "text": TEXT,
    "spans": [
        [0, 5, "Method", 0, "core"],
        [27, 32, "Method", 0, "core"],
        [37, 51, "Task", 1, "core"],
        [53, 58, "Method", 0, "core"],
        [65, 69, "Method", 2, "optional"],
        [73, 81, "Benchmark", 3, "core"],
    ],
    "entities": [
        {"name": "TULIP", "type": "Method", "surface": ["TULIP"], "introduced": True, "level": "core"},
        {"name": "garden mapping", "type": "Task", "surface": ["garden mapping"], "introduced": False, "level": "core"},
        {"name": "ROSE", "type": "Method", "surface": ["ROSE"], "introduced": False, "level": "optional"},
        {"name": "BedBench", "type": "Benchmark", "surface": ["BedBench"], "introduced": False, "level": "core"},
    ],
    "relations": [
        ["TULIP", "USED_FOR", "garden mapping"],
        ["TULIP", "COMPARED_WITH", "ROSE"],
        ["TULIP", "EVALUATED_ON", "BedBench"],
    ],
}


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("encoder")
    words = sorted({*TEXT.lower().replace(".", " .").split(), *"abcdefghijklmnopqrstuvwxyz"})
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *words, *(f"##{c}" for c in "abcdefghijklmnopqrstuvwxyz")]
    tokenizer = Tokenizer(models.WordPiece({w: i for i, w in enumerate(vocabulary)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


@pytest.fixture(scope="module")
def example(encoder: Path) -> Example:
    return example_of(RECORD, Pieces(encoder / "tokenizer.json"))


NUMBER = "TULIP reaches 96.5% accuracy on BedBench."


@pytest.fixture(scope="module")
def numbered(encoder: Path) -> Example:
    text = f"TULIP for Maps\n\n{NUMBER}"
    names = {"TULIP": "Method", "accuracy": "Metric", "BedBench": "Benchmark"}
    record = {
        "id": "p2",
        "title": "TULIP for Maps",
        "abstract": NUMBER,
        "text": text,
        "spans": [[text.rindex(n), text.rindex(n) + len(n), t, i, "core"] for i, (n, t) in enumerate(names.items())],
        "entities": [
            {"name": n, "type": t, "surface": [n], "introduced": n == "TULIP", "level": "core"}
            for n, t in names.items()
        ],
        "relations": [],
        "results": [{"method": "TULIP", "metric": "accuracy", "value": "96.5%", "on": "BedBench", "baseline": None}],
    }
    scene = open_scene(record)
    papers = [({**record, "id": f"p{i}"}, [scene, scene]) for i in range(2, 10)]
    return prepare(papers, Pieces(encoder / "tokenizer.json"), frozenset())[0]


@pytest.fixture(scope="module")
def network() -> ReaderNetwork:
    torch.manual_seed(1)
    return ReaderNetwork(Sizes(vocabulary=80, width=24, layers=2, heads=2, inner=48, positions=512)).eval()


def found(*entities: tuple[str, tuple[int, int]], relations: tuple[FoundRelation, ...] = ()) -> Found:
    return Found([FoundEntity(kind, (place,), 0.9, 0.9, 0.9) for kind, place in entities], list(relations), [])


def test_example_keeps_spans_in_units(example: Example) -> None:
    surfaces = [example.units.surface(a, b) for a, b, *_ in example.spans]
    assert surfaces == ["TULIP", "TULIP", "garden mapping", "TULIP", "ROSE", "BedBench"]
    assert example.relations == ((0, 1, 1), (0, 4, 2), (0, 2, 3))


def test_align_and_targets_follow_the_scorer(example: Example) -> None:
    scores = torch.zeros(6).numpy()
    spans = [Span(a, b, scores) for a, b, *_ in example.spans] + [Span(3, 3, scores)]
    clusters = group(sorted(spans, key=lambda s: s.first), example.units)
    entities = align(clusters, example)
    assert sorted(entities) == [-1, 0, 1, 2, 3]
    targets = targets_of([0, -1, 2, 0], example)
    assert targets.kind.tolist() == [1, 0, 1, 1]
    assert targets.keep.tolist() == [1.0, 1.0, 0.0, 1.0]
    assert targets.relation.tolist() == [
        [UNKNOWN, 0, 4, SAME],
        [0, UNKNOWN, 0, 0],
        [4, 0, UNKNOWN, 4],
        [SAME, 0, 4, UNKNOWN],
    ]


def test_counts_leave_optional_entities_out(example: Example) -> None:
    paper = found(
        ("Method", (0, 0)),
        ("Method", (12, 12)),
        ("Dataset", (14, 14)),
        ("Task", (6, 6)),
        relations=(FoundRelation(0, "EVALUATED_ON", 2, 0.9), FoundRelation(0, "COMPARED_WITH", 1, 0.9)),
    )
    assert [example.units.surface(*e.mentions[0]) for e in paper.entities[1:3]] == ["ROSE", "BedBench"]
    counts = count_papers([paper], [example], introduced=0.5)
    assert (counts.right["entities"], counts.wrong["entities"], counts.wanted["entities"]) == (2, 1, 3)
    assert (counts.right["relations"], counts.wrong["relations"], counts.wanted["relations"]) == (1, 0, 2)
    assert (counts.right["introduced"], counts.wrong["introduced"]) == (1, 3)


def test_batch_order_is_a_function_of_seed_and_epoch() -> None:
    lengths = [i % 7 for i in range(50)]
    order = batch_order(lengths, size=4, seed=1, epoch=0)
    assert order == batch_order(lengths, size=4, seed=1, epoch=0)
    assert order != batch_order(lengths, size=4, seed=1, epoch=1)
    assert len({i for batch in order for i in batch}) == 48


def test_span_targets_mark_every_mention(example: Example) -> None:
    target = span_targets([example], 32)[0]
    assert sorted(target[target > 0].tolist()) == [1, 1, 1, 1, 2, 4]


def test_a_paper_scores_the_same_alone_and_beside_a_longer_one(
    example: Example, network: ReaderNetwork, encoder: Path
) -> None:
    longer = example_of({**RECORD, "text": TEXT + " We map gardens." * 5}, Pieces(encoder / "tokenizer.json"))
    batch = text_batch([example, longer], pad=0)
    with torch.inference_mode():
        x = network.encode(batch.ids, batch.forms, batch.firsts, batch.mask)
    alone, _ = TorchNetwork(network).spans(example.row)
    assert torch.allclose(x[0, : len(example.units)], torch.from_numpy(alone), atol=1e-5)


def test_exported_graphs_say_what_the_network_says(
    example: Example, network: ReaderNetwork, encoder: Path, tmp_path: Path
) -> None:
    export(network, encoder, tmp_path, int8=False)
    session, module = Session(tmp_path), TorchNetwork(network)
    x, logits = session.spans(example.row)
    want_x, want_logits = module.spans(example.row)
    assert abs(x - want_x).max() < 1e-4
    assert abs(logits - want_logits).max() < 1e-4
    spans = [Span(a, b, torch.full((6,), -1.8).numpy()) for a, b, *_ in example.spans]
    given = describe(group(spans, example.units), example.units)
    for ours, theirs in zip(session.clusters(x, given), module.clusters(x, given), strict=True):
        assert abs(ours - theirs).max() < 1e-4
    assert len(cluster_batch([given, given], 32)) == 6


def test_exported_answers_say_what_the_network_says(
    numbered: Example, network: ReaderNetwork, encoder: Path, tmp_path: Path
) -> None:
    network = copy.deepcopy(network)
    torch.nn.init.normal_(network.answers.weight)
    export(network, encoder, tmp_path, int8=False, answers=True)
    (number,) = numbered.numbers[0]
    x, _ = TorchNetwork(network).spans(numbered.row)
    *inputs, right = answer_batch([number], len(numbered.units))
    with torch.inference_mode():
        want = network.answers(torch.from_numpy(x)[None], None, *inputs).numpy()
    assert abs(Session(tmp_path).answers(x, number.given) - want).max() < 1e-3
    assert right.tolist() == number.right.tolist()


def test_numbers_are_asked_among_found_and_annotated_entities(numbered: Example) -> None:
    assert [len(group) for group in numbered.numbers] == [1, 1]
    given, right = numbered.numbers[1][0].given, numbered.numbers[1][0].right
    assert [int(right[given.roles == role].sum()) for role in range(3)] == [1, 1, 1]


def test_a_step_teaches_answers_and_skips_what_is_not_annotated(
    numbered: Example, network: ReaderNetwork, encoder: Path
) -> None:
    network = copy.deepcopy(network).train()
    pieces = Pieces(encoder / "tokenizer.json")
    unread = replace(unread_example("p3", numbered.units.text, 0, pieces), numbers=numbered.numbers)
    how = {"predicted": True, "pad": 0, "vectors": None, "half": False}
    losses = losses_of(network, [unread], rng=random.Random(1), **how)
    assert losses.numbers()["span"] == losses.numbers()["relation"] == 0
    losses.total().backward()
    assert network.answers.weight.grad is not None
    assert network.encoder.layers[0].up.weight.grad is not None
    before = losses.numbers()["answer"]
    step = torch.optim.SGD(network.answers.parameters(), lr=0.05)
    for turn in range(30):
        loss = losses_of(network, [numbered, unread], rng=random.Random(turn), **how).answer
        step.zero_grad()
        loss.backward()
        step.step()
    network.eval()
    assert losses_of(network, [unread], rng=random.Random(1), **how).numbers()["answer"] < before


def test_training_goes_on_after_scores_on_the_way(example: Example, network: ReaderNetwork) -> None:
    band_of.cache_clear()
    TorchNetwork(network).spans(example.row)
    batch = text_batch([example], pad=0)
    assert batch.firsts.shape[1] == len(example.units)
    x = network.encode(batch.ids, batch.forms, batch.firsts, batch.mask)
    network.spans(x, batch.band, batch.widths).sum().backward()
    assert network.spans.product.grad is not None
    network.zero_grad()


def test_int8_model_reads_any_text(
    network: ReaderNetwork, encoder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    export(network, encoder, tmp_path)
    config = json.loads((tmp_path / "config.json").read_text("utf-8"))
    config["settings"] |= {"span_bias": 8.0, "keep": dict.fromkeys(config["settings"]["keep"], 0.0)}
    (tmp_path / "config.json").write_text(json.dumps(config), "utf-8")
    session = Session(tmp_path)
    for text in ("", "🌷", "$$\\alpha$$", "地図の研究", "x" * 2000, "Maps help. " * 500):
        reading = read_text(session, text)
        assert len(reading.words) == len(reading.units)
        assert all(reading.units.surface(a, b) in text for entity in reading.entities for a, b in entity.mentions)
    assert reading.entities


def test_restore_returns_the_weights_of_a_model_folder(network: ReaderNetwork, encoder: Path, tmp_path: Path) -> None:
    network = copy.deepcopy(network)
    with torch.no_grad():
        for parameter in network.parameters():  # the exporter joins equal arrays, which trained ones never are
            parameter += 0.01 * torch.randn_like(parameter)
    export(network, encoder, tmp_path, answers=True)
    restored = restore(tmp_path).state_dict()
    wanted = network.state_dict()
    assert restored.keys() == wanted.keys()
    for name, weight in wanted.items():
        # half a step of 127 levels, or of 63 in products
        assert (restored[name] - weight).abs().max() <= weight.abs().max() / 63, name


def test_restore_refuses_graphs_in_full_precision(network: ReaderNetwork, encoder: Path, tmp_path: Path) -> None:
    export(network, encoder, tmp_path, int8=False)
    with pytest.raises(InputError, match="int8 graphs"):
        restore(tmp_path)


def test_shrink_keeps_chosen_layers_and_starts_afresh(network: ReaderNetwork, tmp_path: Path) -> None:
    network = copy.deepcopy(network)
    recipe = Recipe("train.jsonl", "encoder", dropout=0.1)
    weights = network.state_dict()
    average = {k: v + 1 for k, v in weights.items() if k.startswith("encoder.layers")}
    state = {"network": weights, "average": average, "recipe": asdict(recipe), "sizes": asdict(network.sizes)}
    torch.save(state, tmp_path / "large.pt")
    sizes = shrink(tmp_path / "large.pt", tmp_path / "run" / "last.pt", layers=[1])
    assert (sizes.layers, sizes.width) == (1, 24)
    small = torch.load(tmp_path / "run" / "last.pt", weights_only=True)
    assert (small["place"], small["recipe"]) == (asdict(Place()), asdict(recipe))
    ours = load_network(tmp_path / "run" / "last.pt")
    assert torch.equal(ours.encoder.layers[0].up.weight, weights["encoder.layers.1.up.weight"] + 1)
    assert torch.equal(ours.relations.product, network.relations.product)
    optimiser_of(ours, recipe).load_state_dict(small["optimiser"])
    with torch.no_grad():
        network.encoder.layers[0].up.weight[:-5] = 0
    torch.save({**state, "average": {}}, tmp_path / "large.pt")
    assert shrink(tmp_path / "large.pt", tmp_path / "narrow.pt", layers=[0], inner=5).inner == 5
    narrow = load_network(tmp_path / "narrow.pt").encoder.layers[0]
    assert torch.equal(narrow.down.weight, network.encoder.layers[0].down.weight[:, -5:])
    with pytest.raises(ValueError, match="give rising numbers from 0 to 1"):
        shrink(tmp_path / "large.pt", tmp_path / "none.pt", layers=[1, 2])


def test_soup_averages_the_weights_of_one_trunk(network: ReaderNetwork, tmp_path: Path) -> None:
    weights = network.state_dict()
    trained = {k: v for k, v in weights.items() if k.startswith("encoder.layers")}
    for name, more in (("first", 0), ("second", 4)):
        average = {k: v + more for k, v in trained.items()}
        torch.save({"network": weights, "average": average, "sizes": asdict(network.sizes)}, tmp_path / f"{name}.pt")
    soup(tmp_path / "first.pt", tmp_path / "second.pt", tmp_path / "mean.pt", share=0.25)
    mean = load_network(tmp_path / "mean.pt")
    torch.testing.assert_close(mean.encoder.layers[0].up.weight, trained["encoder.layers.0.up.weight"] + 1)
    assert torch.equal(mean.relations.product, network.relations.product)
    torch.save({"network": {}, "average": {}, "sizes": {}}, tmp_path / "other.pt")
    with pytest.raises(ValueError, match="two checkpoints of one trunk"):
        soup(tmp_path / "other.pt", tmp_path / "second.pt", tmp_path / "none.pt")
