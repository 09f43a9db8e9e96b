"""`kg train` as a whole, on invented papers and an encoder of two tiny layers: stop, go on, read with the result."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="needs the extra `train`")
for needed in ("onnx", "safetensors", "matplotlib"):
    pytest.importorskip(needed, reason="needs the extra `train`")

from safetensors.torch import save_file  # noqa: E402
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers  # noqa: E402

from extractors.cleaning import clean  # noqa: E402
from extractors.readers import load_reader  # noqa: E402
from extractors.reading import Page  # noqa: E402
from extractors.training import answers, restore, trainer  # noqa: E402
from extractors.training.export import load_network  # noqa: E402
from extractors.training.export import main as export_main  # noqa: E402
from extractors.training.learning import draw_learning  # noqa: E402
from extractors.training.run import train  # noqa: E402
from extractors.training.trainer import step_of  # noqa: E402
from kg.errors import InputError, UsageError  # noqa: E402
from kg.types import Span  # noqa: E402
from tests.conftest import ROOT  # noqa: E402

NAMES = ("TULIP", "ROSE", "DAISY", "LILY", "ASTER", "PEONY", "VIOLA", "IRIS")
WIDTH, LAYERS = 24, 2


def paper(name: str) -> dict[str, object]:
    text = f"{name} for Maps\n\nWe propose {name} for garden mapping."
    again = text.index(name, 3)
    task = text.index("garden")
    return {
        "id": name,
        "text": text,
        "spans": [
            [0, len(name), "Method", 0, "core"],
            [again, again + len(name), "Method", 0, "core"],
            [task, task + 14, "Task", 1, "core"],
        ],
        "entities": [
            {"name": name, "type": "Method", "surface": [name], "introduced": True, "level": "core"},
            {"name": "garden mapping", "type": "Task", "surface": ["garden mapping"], "introduced": False},
        ],
        "relations": [[name, "USED_FOR", "garden mapping"]],
    }


def paper_with_a_number(name: str) -> dict[str, object]:
    abstract = f"{name} reaches 96.5% accuracy on beds."
    text = f"Maps\n\n{abstract}"
    kinds = {name: "Method", "accuracy": "Metric", "beds": "Dataset"}
    return {
        "id": f"{name}-96",
        "title": "Maps",
        "abstract": abstract,
        "text": text,
        "spans": [[text.index(n), text.index(n) + len(n), k, i, "core"] for i, (n, k) in enumerate(kinds.items())],
        "entities": [
            {"name": n, "type": k, "surface": [n], "introduced": n == name, "level": "core"} for n, k in kinds.items()
        ],
        "relations": [],
        "results": [{"method": name, "metric": "accuracy", "value": "96.5%", "on": "beds", "baseline": None}],
    }


def sentence(name: str, number: int) -> dict[str, object]:
    return {
        "doc_id": f"d{number % 2}",
        "sentence": f"We use {name} for garden mapping .",
        "ner": [[name, "Method"], ["garden mapping", "Task"]],
        "rel_plus": [[f"{name}:Method", "Used-For", "garden mapping:Task"]],
    }


def write(file: Path, records: list[dict[str, object]]) -> Path:
    file.write_text("".join(json.dumps(r) + "\n" for r in records), "utf-8")
    return file


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    return write(tmp_path / "papers.jsonl", [paper(name) for name in NAMES])


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BERT folder with random weights."""
    folder = tmp_path_factory.mktemp("encoder")
    letters = "abcdefghijklmnopqrstuvwxyz."
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *letters, *(f"##{c}" for c in letters)]
    tokenizer = Tokenizer(models.WordPiece({w: i for i, w in enumerate(vocabulary)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.save(str(folder / "tokenizer.json"))
    sizes = {
        "vocab_size": len(vocabulary),
        "hidden_size": WIDTH,
        "num_hidden_layers": LAYERS,
        "num_attention_heads": 2,
        "intermediate_size": 2 * WIDTH,
        "max_position_embeddings": 512,
        "layer_norm_eps": 1e-12,
    }
    (folder / "config.json").write_text(json.dumps(sizes), "utf-8")
    torch.manual_seed(1)
    save_file(bert_weights(len(vocabulary)), folder / "model.safetensors")
    return folder


def bert_weights(words: int) -> dict[str, torch.Tensor]:
    shapes = {
        "embeddings.word_embeddings.weight": (words, WIDTH),
        "embeddings.token_type_embeddings.weight": (2, WIDTH),
        "embeddings.position_embeddings.weight": (512, WIDTH),
        "embeddings.LayerNorm.weight": (WIDTH,),
        "embeddings.LayerNorm.bias": (WIDTH,),
    }
    for i in range(LAYERS):
        for part, (out, into) in {
            "attention.self.query": (WIDTH, WIDTH),
            "attention.self.key": (WIDTH, WIDTH),
            "attention.self.value": (WIDTH, WIDTH),
            "attention.output.dense": (WIDTH, WIDTH),
            "intermediate.dense": (2 * WIDTH, WIDTH),
            "output.dense": (WIDTH, 2 * WIDTH),
        }.items():
            shapes[f"encoder.layer.{i}.{part}.weight"] = (out, into)
            shapes[f"encoder.layer.{i}.{part}.bias"] = (out,)
        for part in ("attention.output.LayerNorm", "output.LayerNorm"):
            shapes |= {f"encoder.layer.{i}.{part}.{end}": (WIDTH,) for end in ("weight", "bias")}
    ones = {name: torch.ones(shape) for name, shape in shapes.items() if name.endswith("LayerNorm.weight")}
    return {name: 0.1 * torch.randn(shape) for name, shape in shapes.items()} | ones


def test_train_writes_a_model_that_reads_and_a_learning_curve(papers: Path, encoder: Path, tmp_path: Path) -> None:
    from extractors.pipeline import load_extractor
    from kg.config import ReadConfig
    from kg.types import Paper

    out = tmp_path / "model"
    scores = train(papers, papers, out, encoder=encoder, epochs=12, processes=1)
    assert {"entities", "introduced", "relations"} <= set(scores)
    assert (step_of(out / "run" / "last.pt"), step_of(out / "run" / "cool" / "last.pt")) == (16, 24)
    looked = [json.loads(line)["step"] for line in (out / "run" / "scores.jsonl").read_text("utf-8").splitlines()]
    assert looked == [8, 16]
    assert (out / "learning.png").read_bytes().startswith(b"\x89PNG")
    extractor = load_extractor(ReadConfig(reader=str(out), keyphrases=0))
    assert extractor.read_one(Paper("p", title="", abstract="We propose TULIP for garden mapping.")).paper_id == "p"
    # made again it trains no more
    before = (out / "run" / "cool" / "last.pt").stat().st_mtime_ns
    assert train(papers, papers, out, encoder=encoder, epochs=12, processes=1) == scores
    assert (out / "run" / "cool" / "last.pt").stat().st_mtime_ns == before


def test_a_cool_down_with_answers_makes_a_model_that_judges_numbers(
    papers: Path, encoder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model, branch, more = tmp_path / "model", tmp_path / "branch", tmp_path / "more"
    train(papers, papers, model, encoder=encoder, epochs=8, processes=1)
    numbered = write(tmp_path / "numbered.jsonl", [paper_with_a_number(name) for name in NAMES])
    answers.main([str(numbered), "-o", str(tmp_path / "answers.pickle"), "--reader", str(model)])
    assert "8 results of 8 papers" in capsys.readouterr().out
    restore.main(str(model), str(papers), str(more / "last.pt"))
    arguments = ["--steps", "8", "--processes", "1", "--answers", str(tmp_path / "answers.pickle"), "--frozen", "1"]
    trainer.main(["cool", str(papers), str(more / "last.pt"), str(branch), *arguments])
    before, after = (load_network(folder / "last.pt") for folder in (more, branch))
    assert torch.equal(before.encoder.layers[0].up.weight, after.encoder.layers[0].up.weight)
    assert not torch.equal(before.encoder.layers[1].up.weight, after.encoder.layers[1].up.weight)
    assert not torch.equal(before.answers.weight, after.answers.weight)
    export_main(str(branch / "last.pt"), str(encoder), str(tmp_path / "judge"))
    page = Page(clean("TULIP reaches 96.5% accuracy."), (Span(0, 29),))
    assert load_reader(str(tmp_path / "judge")).read(page).answers is not None
    assert load_reader(str(model)).read(page).answers is None


def test_train_refuses_to_go_on_with_another_recipe(papers: Path, encoder: Path, tmp_path: Path) -> None:
    out = tmp_path / "model"
    train(papers, papers, out, encoder=encoder, epochs=8, processes=1)
    with pytest.raises(UsageError, match="begun with another recipe"):
        train(papers, papers, out, encoder=encoder, epochs=30, processes=1)


def test_train_goes_on_after_a_stop(papers: Path, encoder: Path, tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from extractors.training.run import train;"
        "a, b, c = map(Path, sys.argv[1:]); train(a, a, b, encoder=c, epochs=160, processes=1)"
    )
    out = tmp_path / "model"
    log = out / "run" / "log.jsonl"
    arguments = [sys.executable, "-c", code, str(papers), str(out), str(encoder)]
    child = subprocess.Popen(arguments, cwd=ROOT, stderr=subprocess.DEVNULL, env={**os.environ, "PYTHONPATH": "."})
    while not log.exists() and child.poll() is None:
        time.sleep(0.05)
    child.send_signal(signal.SIGINT)
    assert child.wait() != 0
    reached = step_of(out / "run" / "last.pt")
    assert 0 < reached < 240
    assert reached % 8 == 0
    assert not (out / "encoder.onnx").exists()
    before = log.read_text("utf-8")
    train(papers, papers, out, encoder=encoder, epochs=160, processes=1)
    after = log.read_text("utf-8")
    assert after.startswith(before)
    steps = [json.loads(line)["step"] for line in after.removeprefix(before).splitlines()]
    assert steps == [*range(reached + 20, 241, 20)]
    assert (step_of(out / "run" / "last.pt"), step_of(out / "run" / "cool" / "last.pt")) == (240, 320)
    assert (out / "encoder.onnx").exists()


def test_train_of_scier_scores_its_rows(encoder: Path, tmp_path: Path) -> None:
    file = write(tmp_path / "scier.jsonl", [sentence(name, i) for i, name in enumerate(NAMES * 4)])
    out = tmp_path / "model"
    assert set(train(file, file, out, encoder=encoder, epochs=8, processes=1)) == {"NER", "Rel", "Rel+"}
    rows = [json.loads(line) for line in (out / "run" / "scores.jsonl").read_text("utf-8").splitlines()]
    assert all(set(row) == {"step", "NER", "Rel", "Rel+"} for row in rows)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"spans": [[0, 999, "Method", 0, "core"]]}, r"2 is no annotated paper: the span 0-999 lies outside"),
        ({"spans": [[0, 4, "Metod", 0, "core"]]}, r"2 is no annotated paper: 'Metod' is not one of Method"),
        ({"spans": [[0, 4, "Method", 7, "core"]]}, r"2 is no annotated paper: the span 0-4 is of entity 7"),
        ({"entities": None}, r"2 is no annotated paper: "),
    ],
)
def test_train_names_the_line_of_a_bad_record(
    encoder: Path, tmp_path: Path, change: dict[str, object], said: str
) -> None:
    file = write(tmp_path / "papers.jsonl", [paper("ROSE"), paper("LILY") | change])
    with pytest.raises(InputError, match=said):
        train(file, file, tmp_path / "model", encoder=encoder)


def test_train_refuses_files_of_two_formats_and_no_encoder(papers: Path, encoder: Path, tmp_path: Path) -> None:
    other = write(tmp_path / "scier.jsonl", [sentence("ROSE", 0)])
    with pytest.raises(InputError, match="both must be of one format"):
        train(papers, other, tmp_path / "model", encoder=encoder)
    with pytest.raises(InputError, match="no folder of a BERT encoder"):
        train(papers, papers, tmp_path / "model", encoder=tmp_path)


def test_learning_curve_of_a_run_too_short_for_a_log(tmp_path: Path) -> None:
    draw_learning([tmp_path], tmp_path / "curve.png")
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")
