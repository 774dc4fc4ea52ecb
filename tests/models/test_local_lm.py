"""Tests of prompted language models on this machine: prompts, next tokens, position bias."""

from __future__ import annotations

import json
import statistics
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from litotes.core.errors import LitotesError, UsageError
from litotes.evaluation.api import evaluate, evaluate_models
from litotes.evaluation.engine import Engine
from litotes.evaluation.settings import EvaluationSettings
from litotes.models.base import Chooser, Fingerprint, Vectors
from litotes.models.loading import load_model
from litotes.models.prompts import (
    PromptTemplate,
    Question,
    list_prompts,
    load_prompt,
    paraphrase_pair_question,
    paraphrase_question,
    same_meaning_question,
)
from litotes.suites.folder import save_folder
from litotes.suites.loading import load_suite

QUESTIONS = [
    paraphrase_question("The lamp is not off.", ("The lamp is on.", "The lamp is off.", "The lamp is not on.")),
    paraphrase_question("Ida isn't late.", ("Ida is late.", "Ida is early or in time.", "Ida is not early.")),
    paraphrase_question(
        "It was raining 🌧 all day long in the valley.", ("It rained.", "It did not rain.", "It was dry.")
    ),
]


@pytest.fixture(scope="module")
def model_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a language model of two layers with a vocabulary of bytes."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    folder = tmp_path_factory.mktemp("lm")
    signs = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {sign: number for number, sign in enumerate([*signs, "<|end|>"])}
    tokenizer = Tokenizer(models.BPE(vocabulary, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<|end|>", model_max_length=512).save_pretrained(
        folder
    )
    torch.manual_seed(3)
    config = LlamaConfig(
        vocab_size=len(vocabulary),
        hidden_size=32,
        intermediate_size=48,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=2,
        max_position_embeddings=512,
        initializer_range=0.6,
    )
    LlamaForCausalLM(config).save_pretrained(folder)
    return folder


def letter_logits(folder: Path, prompt: str, labels: str) -> np.ndarray[Any, Any]:
    """Return the probabilities of the letters, computed by transformers for one prompt at a time."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    model = AutoModelForCausalLM.from_pretrained(folder).eval()
    tokenizer = AutoTokenizer.from_pretrained(folder)
    with torch.no_grad():
        logits = model(**tokenizer(prompt, return_tensors="pt")).logits[0, -1].double()
    raw = np.exp([float(logits[tokenizer.encode(letter)[0]]) for letter in labels])
    return np.asarray(raw / raw.sum())


def test_uses_the_probabilities_of_the_letters(model_folder: Path) -> None:
    chooser = load_model(f"lm:{model_folder}")
    assert isinstance(chooser, Chooser)
    rows = chooser.ask(QUESTIONS)
    for question, row in zip(QUESTIONS, rows, strict=True):
        expected = letter_logits(model_folder, PromptTemplate().text(question) + "\nAnswer:", "ABC")
        np.testing.assert_allclose(row, expected, atol=1e-5)
    assert np.ptp(rows) > 0.05  # it has a preference


def test_each_option_is_shown_at_each_position(model_folder: Path) -> None:
    chooser = load_model(f"lm:{model_folder}")
    assert isinstance(chooser, Chooser)
    question = QUESTIONS[0]
    expected = np.zeros(3)
    for turn in range(3):
        row = letter_logits(model_folder, PromptTemplate().text(question.rotated(turn)) + "\nAnswer:", "ABC")
        for index, option in enumerate(question.rotated(turn).options):
            expected[question.options.index(option)] += row[index] / 3
    np.testing.assert_allclose(chooser.choose([question])[0], expected, atol=1e-5)


def test_a_chat_template_is_used(model_folder: Path, tmp_path: Path) -> None:
    from transformers import AutoModelForCausalLM, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(model_folder)
    tokenizer.chat_template = (
        "{% for m in messages %}[{{ m['role'] }}] {{ m['content'] }}\n{% endfor %}"
        "{% if add_generation_prompt %}[assistant] {% endif %}"
    )
    tokenizer.save_pretrained(tmp_path)
    AutoModelForCausalLM.from_pretrained(model_folder).save_pretrained(tmp_path)
    chooser = load_model(f"lm:{tmp_path}")
    assert isinstance(chooser, Chooser)
    expected = letter_logits(tmp_path, f"[user] {PromptTemplate().text(QUESTIONS[0])}\n[assistant] ", "ABC")
    np.testing.assert_allclose(chooser.ask(QUESTIONS[:1])[0], expected, atol=1e-5)
    plain = load_model(f"lm:{tmp_path}?template=plain")
    assert plain.fingerprint.key() != chooser.fingerprint.key()


def test_reports_a_missing_template_and_a_too_long_prompt(model_folder: Path) -> None:
    with pytest.raises(UsageError, match="no chat template"):
        load_model(f"lm:{model_folder}?template=chat")
    chooser = load_model(f"lm:{model_folder}")
    assert isinstance(chooser, Chooser)
    with pytest.raises(LitotesError, match="the model reads at most 512"):
        chooser.ask([paraphrase_question("very " * 10_000 + "long", ("a", "b"))])


class OnlyByPlace(Chooser):
    """A chooser that selects the first option nine times out of ten."""

    def __init__(self) -> None:
        super().__init__("by place", Fingerprint("toy", weights="place"))

    def lengths(self, questions: Sequence[Question]) -> list[int]:
        return [len(question.text) for question in questions]

    def ask(self, questions: Sequence[Question]) -> Vectors:
        n_others = len(questions[0].options) - 1
        return np.array([[0.9, *[0.1 / n_others] * n_others] for _ in questions], dtype=np.float32)


class KnowsNegation(OnlyByPlace):
    """A chooser that prefers the same number of negations, which is correct for some suites only."""

    def ask(self, questions: Sequence[Question]) -> Vectors:
        rows = super().ask(questions)
        for row, question in zip(rows, questions, strict=True):
            row += [float(_negations(option) == _negations(question.text)) for option in question.options]
        return rows / rows.sum(axis=1, keepdims=True)


def _negations(text: str) -> int:
    words = text.lower().replace("n't", " not").split()
    return sum(word.strip("“”.,?!") in {"not", "no", "never"} for word in words)


def test_position_bias_alone_solves_no_item() -> None:
    result = evaluate(OnlyByPlace(), "negation-detection-mini", cache=None)
    assert result.metrics.ties == result.metrics.items
    assert result.metrics.accuracy == pytest.approx(0.5)


def test_runs_on_all_suites_of_similarity() -> None:
    names = ["semantoneg-mini", "heros-mini", "negation-detection-mini", "negation-variants-mini"]
    suites = [load_suite(name) for name in names]
    results = list(Engine(cache=None).run(KnowsNegation(), suites))
    assert [result.metrics.items for result in results] == [len(suite.items) for suite in suites]
    detection = results[2]
    assert detection.metrics.accuracy > 0.9
    # Only suites with options are run.
    assert set(detection.items[0].similarities) == {"original~synonym", "original~negated"}
    assert detection.items[0].similarities["original~synonym"] == pytest.approx(
        1 - detection.items[0].similarities["original~negated"], abs=1e-5
    )


def test_answers_are_cached(tmp_path: Path) -> None:
    efforts = []
    for _ in range(2):
        engine = Engine(cache=tmp_path, on_encoded=lambda _, effort: efforts.append(effort))
        results = list(engine.run(KnowsNegation(), [load_suite("semantoneg-mini")]))
    assert efforts[0].computed > 0 and efforts[1].computed == 0
    assert results[0].metrics.items


def test_scores_pairs_by_yes_and_no() -> None:
    class SaysYes(OnlyByPlace):
        def ask(self, questions: Sequence[Question]) -> Vectors:
            return np.array(
                [[0.8 if option == "yes" else 0.2 for option in question.options] for question in questions]
            )

    np.testing.assert_allclose(SaysYes().score([("It rains.", "It is wet."), ("a", "b")]), [0.8, 0.8], rtol=1e-6)


def test_command_reports_unsuitable_suites(run_litotes: Callable[..., Any], model_folder: Path) -> None:
    done = run_litotes("run", f"lm:{model_folder}", "--suite", "developmental-mini")
    assert done.code == 2 and "needs entailment" in done.err


# Prompts


@pytest.mark.parametrize("name", list_prompts())
def test_every_named_prompt_asks_every_question(name: str) -> None:
    template = load_prompt(name)
    pair = paraphrase_pair_question([("It is on.", "It is not off."), ("It is on.", "It is off.")])
    for question, sentences in (
        (QUESTIONS[0], ["The lamp is not off."]),
        (pair, []),
        (same_meaning_question("It {question} rains.", "It is wet."), ["It {question} rains.", "It is wet."]),
    ):
        text = template.text(question)
        assert all(sentence in text for sentence in sentences), "braces in a sentence are text"
        assert [f"{letter}. {option}" in text for letter, option in zip("ABC", question.options, strict=False)]
        assert text.index("A. ") < text.index("B. ")
    assert template.text(QUESTIONS[0]) == PromptTemplate().text(QUESTIONS[0]) or name != "plain"


def test_prompts_differ_in_text_and_fingerprint(model_folder: Path, tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text('paraphrase = "{sentence} Which is the same?"\n')
    names = [*list_prompts(), str(own)]
    choosers = [load_model(f"lm:{model_folder}?prompt={name}") for name in names]
    assert len({load_prompt(name).text(QUESTIONS[0]) for name in names}) == len(names)
    assert len({chooser.fingerprint.key() for chooser in choosers}) == len(names)
    assert "{sentence} Which is the same?" in choosers[-1].fingerprint.prompt
    before = choosers[-1].fingerprint.key()
    own.write_text('paraphrase = "{sentence} Which is it?"\n')
    assert load_model(f"lm:{model_folder}?prompt={own}").fingerprint.key() != before
    assert load_model(f"lm:{model_folder}").fingerprint.key() == choosers[0].fingerprint.key()


def test_asks_with_the_prompt(model_folder: Path) -> None:
    chooser = load_model(f"lm:{model_folder}?prompt=truth")
    assert isinstance(chooser, Chooser)
    prompt = load_prompt("truth").text(QUESTIONS[0])
    assert prompt.startswith("Which of these sentences is true in exactly the same situations as")
    np.testing.assert_allclose(
        chooser.ask(QUESTIONS[:1])[0], letter_logits(model_folder, prompt + "\nAnswer:", "ABC"), atol=1e-5
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('paraphrase = "Which?"', "paraphrase: must contain {sentence} once and nothing else in braces"),
        ('same = "{first}?"', "same: must contain {first} and {second} once"),
        ('prompt = "{question} {options} {answer}"', "prompt: must contain {question} and {options} once"),
        ("paraphase = 1", 'unknown key "paraphase"; did you mean paraphrase'),
        ("paraphrase = 1", "paraphrase=1: must be a string"),
        ("paraphrase = ", "is not TOML"),
    ],
)
def test_wrong_prompt_files_are_one_line(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(text)
    with pytest.raises(UsageError) as error:
        load_prompt(str(path))
    assert message in str(error.value) and str(path) in str(error.value) and "\n" not in str(error.value)


def test_unknown_prompts_are_errors(model_folder: Path) -> None:
    with pytest.raises(UsageError, match='unknown prompt "palin"; did you mean plain'):
        load_model(f"lm:{model_folder}?prompt=palin")
    with pytest.raises(LitotesError, match="no such file"):
        load_model(f"lm:{model_folder}?prompt=missing.toml")
    with pytest.raises(UsageError, match="needs a prompted language model"):
        evaluate_models(["overlap:words"], settings=EvaluationSettings(prompt=("all",)))


def test_mean_and_spread_over_prompts(model_folder: Path, run_here: Callable[..., Any], tmp_path: Path) -> None:
    items = load_suite("semantoneg-mini").items[:12]
    save_folder(replace(load_suite("semantoneg-mini"), name="few", items=items, sha256=""), tmp_path / "few")
    (tmp_path / "own.toml").write_text('prompt = "{question}\\n{options}\\nLetter?"')
    prompts = ("--prompt", "all", "--prompt", str(tmp_path / "own.toml"))
    done = run_here("run", f"lm:{model_folder}", *prompts, "--suite", str(tmp_path / "few"), "--json")
    assert done.code == 0, done.err
    runs = json.loads(done.out)["runs"]
    assert [run["model"].partition("?prompt=")[2] for run in runs] == [
        *list_prompts(),
        f"{tmp_path}/own.toml",
    ]
    report = run_here("report", "runs", "--out", "report.md")
    assert report.code == 0, report.err
    text = (tmp_path / "report.md").read_text("utf-8")
    accuracies = [run["metrics"]["accuracy"] for run in runs]
    assert len(set(accuracies)) > 1
    assert f"| mean | {100 * statistics.fmean(accuracies):.1f} |" in text
    assert f"| deviation | {100 * statistics.stdev(accuracies):.1f} |" in text
