"""Infill: unrelated words that fit the position of a word."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from litotes.core.errors import LitotesError
from litotes.languages.en.lexicon.synonyms import are_related
from litotes.languages.en.lexicon.wordnet import default_lexicon, frequency
from litotes.languages.en.morphology.articles import indefinite_article
from litotes.languages.en.parser import parse
from litotes.rewrites.apply import rewrite, rewrite_all
from litotes.rewrites.en.infill import load_masked_model
from litotes.rewrites.en.words.infill_frames import frame_of
from litotes.rewrites.en.words.infill_words import (
    frame_words,
    semantic_class,
    similar_words,
    weighted_words,
    words_by_frame,
)


@pytest.mark.parametrize(
    ("text", "word", "pos"),
    [
        ("The old man is angry.", "angry", "a"),
        ("She bought a red car.", "bought", "v"),
        ("A woman is cutting a carrot.", "cutting", "v"),
        ("The dog is sleeping.", "sleeping", "v"),
        ("They are walking through the park.", "walking", "v"),
        ("He decided to call her.", "decided", "v"),
        ("We talked about it.", "talked", "v"),
        ("It is easy to forget.", "easy", "a"),
        ("She is proud of him.", "proud", "a"),
        ("He has a dog.", "dog", "n"),
        ("She is happier than you.", "happier", "a"),
    ],
)
def test_the_new_word_is_unrelated_and_has_the_same_form(text: str, word: str, pos: str) -> None:
    edits = rewrite("infill", text)
    assert edits, edits.skips
    tag = next(token.tag_ for token in parse(text) if token.text == word)
    for edit in edits:
        assert (edit.rule, edit.effect) == ("infill", "different")
        old, new = edit.words[0].old.split()[-1], edit.words[0].new.split()[-1]
        assert old == word
        assert not are_related(old, new, pos)
        new_tag = next(token.tag_ for token in parse(edit.text) if token.text == new)
        assert new_tag == tag or {new_tag, tag} <= {"VBD", "VBN"}


def test_count_limits_the_number_of_edits() -> None:
    assert len(rewrite("infill", "The man is angry.")) == 3
    assert len(rewrite("infill", "The man is angry.", count=1)) == 1
    assert len(rewrite("infill", "The man is angry.", count=6)) == 6


def test_article_and_capital_are_adapted() -> None:
    texts = {edit.text for seed in range(20) for edit in rewrite("infill", "An old man slept.", word="old", seed=seed)}
    firsts = {tuple(text.split()[:2]) for text in texts}
    assert {shown for shown, _ in firsts} == {"A", "An"}
    assert all(shown.lower() == indefinite_article(word) for shown, word in firsts)
    assert all(edit.text[0].isupper() for edit in rewrite("infill", "Angry people shout.", word="angry"))


@pytest.mark.parametrize(
    ("text", "options", "code"),
    [
        ("Tom met Mary.", {"word": "Mary"}, "not-to-be-replaced"),
        ("The soup is cold.", {"word": "bread"}, "word-not-found"),
        ("He gave up.", {"word": "gave"}, "no-other-word"),
        ("They seem tired.", {"word": "seem"}, "no-other-word"),
        ("The high school is new.", {"word": "high"}, "no-other-word"),
        ("Hello!", {}, "no-word"),
        ("He is here.", {}, "no-word"),
        ("", {}, "empty"),
    ],
)
def test_words_that_cannot_be_replaced_are_skipped(text: str, options: dict[str, str], code: str) -> None:
    edits = rewrite("infill", text, **options)
    assert edits == []
    assert [skip.code for skip in edits.skips] == [code]


@pytest.mark.parametrize(
    ("text", "word", "expected"),
    [
        ("The man was carrying a box.", "carrying", ("v", ("person>thing",))),
        ("The man carried a box.", "carried", ("v", ("person>thing", "person>thing not going on"))),
        ("She was seen by a boy.", "seen", ("v", ("person>person",))),
        ("The dog chased a cat.", "chased", ("v", ("animal>living",))),
        ("The book that he bought was new.", "bought", ("v", ("person>text", "person>text not going on"))),
        ("He gave her a book.", "gave", None),
        ("He sent her a book.", "sent", ("v", ("two objects",))),
        ("He sleeps in the garden.", "sleeps", ("v", ("person",))),
        ("He ran through the garden.", "ran", ("v", ("motion",))),
        ("He looked for it.", "looked", ("v", ("for",))),
        ("He depends on her.", "depends", ("v", ("on",))),
        ("They said that it rained.", "said", ("v", ("that",))),
        ("He wants to swim.", "wants", ("v", ("to", "to not going on"))),
        ("He is trying to swim.", "trying", ("v", ("to",))),
        ("He stopped smoking.", "stopped", ("v", ("ing",))),
        ("He picked it up.", "picked", None),
        ("A tall woman sang.", "tall", ("a", ("person",))),
        ("The car is red.", "red", ("a", ("thing",))),
        ("It is strange.", "strange", ("a", ("it",))),
        ("He is nine years old.", "old", None),
        ("The other man sang.", "other", None),
        ("He spoke quietly.", "quietly", ("r", ("manner",))),
        ("The bread is on the table.", "bread", ("n", ("food",))),
        ("My mother called.", "mother", ("n", ("someone's",))),
        ("He went by car.", "car", None),
    ],
)
def test_frame_follows_from_the_dependents_of_a_word(text: str, word: str, expected: object) -> None:
    token = next(token for token in parse(text) if token.text == word)
    assert frame_of(token) == expected


@pytest.mark.parametrize(
    ("text", "word", "expected"),
    [
        ("She slept.", "She", "person"),
        ("The teacher slept.", "teacher", "person"),
        ("The horses slept.", "horses", "animal"),
        ("The table broke.", "table", "thing"),
        ("The soup is hot.", "soup", "food"),
        ("The idea is good.", "idea", "idea"),
        ("The village is old.", "village", "place"),
        ("It is good.", "It", "any"),
        ("Tom slept.", "Tom", "person"),
    ],
)
def test_semantic_class_of_nouns_and_pronouns(text: str, word: str, expected: str) -> None:
    assert semantic_class(next(token for token in parse(text) if token.text == word)) == expected


def test_all_listed_words_have_the_part_of_speech_of_their_frame() -> None:
    for (pos, frame), words in words_by_frame().items():
        assert len(set(words)) == len(words), (pos, frame)
        assert all(default_lexicon().senses(word, pos) for word in words), (pos, frame)
        assert len(frame_words(pos, frame)) == len(weighted_words(pos, frame))


def test_frequent_words_are_drawn_more_often() -> None:
    weights = dict(weighted_words("v", "person>thing"))
    assert frequency("hold", "v") > frequency("photograph", "v")
    assert weights["hold"] > weights["photograph"] > 0
    drawn = [
        rewrite("infill", "The man saw a box.", word="saw", seed=seed, count=1)[0].words[0].new for seed in range(60)
    ]
    assert len(set(drawn)) > 10


def test_words_with_a_similar_meaning_are_not_drawn() -> None:
    drawn = {
        edit.words[0].new for seed in range(40) for edit in rewrite("infill", "The car is big.", word="big", seed=seed)
    }
    assert drawn and not drawn & (similar_words("big") | {"small", "little"})


def test_results_depend_only_on_the_seed_and_the_sentence() -> None:
    texts = ["The man is angry.", "She bought a car.", "The dog is sleeping."]
    first = [list(edits) for edits in rewrite_all("infill", texts, seed=5)]
    reversed_ = [list(edits) for edits in rewrite_all("infill", texts[::-1], seed=5)][::-1]
    assert first == reversed_ == [list(rewrite("infill", text, seed=5)) for text in texts]
    assert [list(edits) for edits in rewrite_all("infill", texts, seed=6)] != first


@given(st.text(max_size=60), st.integers(0, 3))
@settings(deadline=None, max_examples=60)
def test_handles_any_text(text: str, seed: int) -> None:
    edits = rewrite("infill", text, seed=seed)
    assert edits or edits.skips
    assert all(edit.text != text for edit in edits)


VOCABULARY = """
the a an soup is was hot cold warm green ready evil open heat heated big dog not good man old young angry anger angrily
##s ##ing ##ly . , ! ? she he her book honest strange
""".split()


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a BERT with random weights and a small vocabulary with pieces of words."""
    import torch
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import BertConfig, BertForMaskedLM, PreTrainedTokenizerFast

    folder = tmp_path_factory.mktemp("models") / "tiny"
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    vocabulary = {token: number for number, token in enumerate([*special, *VOCABULARY])}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    names = dict(zip(("pad_token", "unk_token", "cls_token", "sep_token", "mask_token"), special, strict=True))
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, model_max_length=24, **names).save_pretrained(folder)
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=24,
        initializer_range=0.5,
    )
    BertForMaskedLM(config).save_pretrained(folder)
    return folder


def test_a_model_predicts_complete_words_in_order(model: Path) -> None:
    text = "The soup is hot."
    predictions = load_masked_model(str(model)).fill(text, 12, 15)
    assert set(predictions) == {word for word in VOCABULARY if word.isalpha()}
    assert predictions == load_masked_model(str(model)).fill(text, 12, 15)
    assert predictions != load_masked_model(str(model)).fill("He is an old man.", 9, 12)


def test_predictions_related_to_the_word_are_excluded(model: Path) -> None:
    edits = rewrite("infill", "The soup is hot.", word="hot", model=str(model), count=50)
    new = [edit.words[0].new for edit in edits]
    assert new
    # Neither the word, its synonyms, antonyms, derivations and forms, nor pieces of words and negation.
    assert not set(new) & {"hot", "warm", "cold", "not", "the", "a", "an", "s", "ing"}
    predicted = load_masked_model(str(model)).fill("The soup is hot.", 12, 15)
    assert [word for word in predicted if word in new] == new
    assert all(edit.reason.startswith("the model's prediction ") for edit in edits)


def test_forms_and_derivations_are_excluded(model: Path) -> None:
    new = {edit.words[0].new for edit in rewrite("infill", "He is angry.", word="angry", model=str(model), count=50)}
    assert new and not new & {"angry", "anger", "angrily"}


def test_a_model_fills_the_most_salient_word_and_the_article_is_adapted(model: Path) -> None:
    edits = rewrite("infill", "She was a strange man.", model=str(model), count=50)
    assert {edit.words[0].old.split()[-1] for edit in edits} == {"strange"}
    texts = {edit.text for edit in edits}
    assert "She was an old man." in texts and "She was an honest man." in texts


def test_a_gap_beyond_the_maximum_length_is_skipped(model: Path) -> None:
    text = "the soup " * 20 + "is hot."
    edits = rewrite("infill", text, word="hot", model=str(model))
    assert [skip.code for skip in edits.skips] == ["no-prediction"]


def failing(name: str) -> LitotesError:
    with pytest.raises(LitotesError) as raised:
        rewrite("infill", "The soup is hot.", model=name)
    assert "\n" not in str(raised.value)
    return raised.value


@pytest.fixture
def offline(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Forbid the network and use an empty hub cache."""
    import huggingface_hub.constants

    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(tmp_path / "hub"))


@pytest.mark.usefixtures("offline")
@pytest.mark.parametrize("name", ["nobody/no-such-model", "./no/such/folder", "", "no such model"])
def test_a_missing_model_is_an_error(name: str) -> None:
    assert failing(name).code == "L301"


def test_a_folder_without_a_model_is_an_error(tmp_path: Path) -> None:
    assert failing(str(tmp_path)).code == "L301"


def test_pickled_weights_are_not_loaded(model: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(model, tmp_path / "pickled")
    (folder / "model.safetensors").unlink()
    assert failing(str(folder)).code == "L302"
    (folder / "pytorch_model.bin").write_bytes(b"not read")
    assert failing(str(folder)).code == "L305"


def test_damaged_weights_are_an_error(model: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(model, tmp_path / "damaged")
    (folder / "model.safetensors").write_bytes(b"\x00" * 100)
    assert failing(str(folder)).code == "L303"


@pytest.mark.parametrize(
    ("file", "setting", "code"),
    [
        ("config.json", {"attn_implementation": "kernels-community/flash-attn2"}, "L306"),
        ("config.json", {"num_hidden_layers": 1_000_000}, "L311"),
        ("config.json", {"transformers_weights": "a/b.safetensors"}, "L311"),
        ("tokenizer_config.json", {"gguf_file": "x.gguf"}, "L311"),
    ],
)
def test_folders_are_checked_like_those_of_other_models(
    model: Path, tmp_path: Path, file: str, setting: dict[str, object], code: str
) -> None:
    folder = shutil.copytree(model, tmp_path / "hostile")
    (folder / file).write_text(json.dumps({**json.loads((folder / file).read_text()), **setting}))
    assert failing(str(folder)).code == code


def test_links_out_of_the_folder_are_refused(model: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(model, tmp_path / "linked")
    (folder / "config.json").unlink()
    (folder / "config.json").symlink_to(model / "config.json")
    assert failing(str(folder)).code == "L202"


def test_a_model_without_a_masked_language_model_head_is_an_error(model: Path, tmp_path: Path) -> None:
    from transformers import AutoModel

    folder = shutil.copytree(model, tmp_path / "headless")
    AutoModel.from_pretrained(model).save_pretrained(folder)
    error = failing(str(folder))
    assert error.code == "L311" and "missing" in str(error)


def test_a_tokenizer_without_a_mask_token_is_an_error(model: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(model, tmp_path / "maskless")
    for path in (folder / "tokenizer_config.json", folder / "special_tokens_map.json"):
        if path.exists():
            settings = json.loads(path.read_text())
            settings.pop("mask_token", None)
            path.write_text(json.dumps(settings))
    assert failing(str(folder)).code == "L311"


def test_remote_code_is_not_run(model: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(model, tmp_path / "own_code")
    config = json.loads((folder / "config.json").read_text())
    config["model_type"] = "own-kind"
    config["auto_map"] = {"AutoConfig": "own.Config", "AutoModelForMaskedLM": "own.Model"}
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "own.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w').close()\n")
    assert failing(str(folder)).code in {"L306", "L311"}
    assert not (tmp_path / "ran").exists()
