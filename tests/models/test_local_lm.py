"""Tests of prompted language models on this machine: prompts, next tokens, position bias."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from litotes.core.errors import LitotesError, UsageError
from litotes.evaluation.api import evaluate
from litotes.evaluation.engine import Engine
from litotes.models.base import Chooser, Fingerprint, Question, Vectors, paraphrase_question, prompt_text
from litotes.models.loading import load_model
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
        expected = letter_logits(model_folder, prompt_text(question) + "\nAnswer:", "ABC")
        np.testing.assert_allclose(row, expected, atol=1e-5)
    assert np.ptp(rows) > 0.05  # it has a preference


def test_each_option_is_shown_at_each_position(model_folder: Path) -> None:
    chooser = load_model(f"lm:{model_folder}")
    assert isinstance(chooser, Chooser)
    question = QUESTIONS[0]
    expected = np.zeros(3)
    for turn in range(3):
        row = letter_logits(model_folder, prompt_text(question.rotated(turn)) + "\nAnswer:", "ABC")
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
    expected = letter_logits(tmp_path, f"[user] {prompt_text(QUESTIONS[0])}\n[assistant] ", "ABC")
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
