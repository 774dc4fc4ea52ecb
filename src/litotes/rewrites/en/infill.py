"""Infill: one word is replaced by an unrelated word, drawn at random or predicted by a masked language model."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from itertools import accumulate
from pathlib import Path
from random import Random
from typing import Any

from litotes.core.errors import LitotesError, require_packages
from litotes.core.files import expand_user
from litotes.core.model_folders.checks import check_folder, limited_size
from litotes.languages.en.lexicon.misspellings import is_word
from litotes.languages.en.lexicon.synonyms import are_related, base_forms, related_words
from litotes.languages.en.lexicon.wordnet import default_lexicon
from litotes.languages.en.morphology.casing import cased_like
from litotes.languages.en.morphology.inflection import compared, inflect_like
from litotes.languages.en.negation import NEGATIVE_SUBJECTS
from litotes.languages.en.pronouns import ARTICLES
from litotes.languages.tree import Token
from litotes.rewrites.base import Draft, Outcome, Sentence, Skip, WordChange, refuse_if, rule
from litotes.rewrites.en.words.content_words import chosen_tokens, is_plain_word, salient_words
from litotes.rewrites.en.words.infill_frames import frame_of
from litotes.rewrites.en.words.infill_words import NOT_COMPARED, similar_words, weighted_words
from litotes.rewrites.patches import patched, replace

_ROUNDS = 5
"""Rounds of `count` random draws; some words are related to the original, some are drawn twice."""
_POS = {"ADJ": "a", "VERB": "v", "NOUN": "n", "ADV": "r"}
_PREFERRED_POS = {"ADJ": "a", "VERB": "v"}
_EXCLUDED_PREDICTIONS = NEGATIVE_SUBJECTS | ARTICLES | {"not", "never", "nor", "n't", "and", "or", "but"}
"""Predictions of a model that change more than a word: negation, or the structure of the sentence."""
_SUFFIXES = ("ly", "ally", "ness", "er", "est", "less", "ful", "ing", "ed")


@rule(
    "infill",
    effect="different",
    needs=("parse", "lexicon", "inflection"),
    skips={
        "no-word": "no word of the sentence can be replaced",
        "word-not-found": "the chosen word is not in the sentence",
        "not-to-be-replaced": "the chosen word is a name, a number or a function word",
        "no-other-word": "no unrelated word is known that fits the position of the chosen one",
        "no-prediction": "the model predicts no word that is unrelated to the original",
    },
)
def infill(
    sentence: Sentence, *, word: str | None = None, seed: int = 0, model: str | None = None, count: int = 3
) -> Iterator[Outcome]:
    """Replace the most salient word, or a chosen one, by a word that is neither similar nor opposite.

    With `model`, the name or folder of a fill-mask model, the words are its predictions, the most likely first.
    """
    tokens = _by_preference(sentence) if word is None else _chosen(sentence, word)
    # The seed includes the sentence, so that the result does not depend on the order of sentences or on workers.
    random = _LazyRandom(f"{seed}\0{sentence.text}")
    for token in tokens:
        replacements = _predicted(sentence, token, model) if model is not None else _drawn(token, random, count)
        is_replaced = False
        for form, reason in _first_distinct(replacements, count):
            is_replaced = True
            text = patched(sentence.text, [replace(token, form)])
            is_only_change = len(text) == len(sentence.text) - len(token.text) + len(form)
            yield Draft(text, (WordChange(token.text, form),) if is_only_change else None, reason)
        if is_replaced:
            return
    yield Skip("no-word" if word is None else "no-other-word" if model is None else "no-prediction")


def _by_preference(sentence: Sentence) -> Iterator[Token]:
    """Yield the salient words; verbs and adjectives that have both synonyms and antonyms come first."""
    others: list[Token] = []
    for token in salient_words(sentence):
        pos = _PREFERRED_POS.get(token.pos_)
        if pos is not None and _has_synonyms_and_antonyms(token.lemma_.lower(), pos):
            yield token
        else:
            others.append(token)
    yield from others


def _chosen(sentence: Sentence, word: str) -> list[Token]:
    tokens = [token for token in chosen_tokens(sentence, word) if token.pos_ in _POS and is_plain_word(token)]
    refuse_if(not tokens, "not-to-be-replaced")
    return tokens


@lru_cache(maxsize=16_384)
def _has_synonyms_and_antonyms(lemma: str, pos: str) -> bool:
    lexicon = default_lexicon()
    synsets = lexicon.synsets_at([sense.number for sense in lexicon.senses(lemma, pos)])
    return any(len(synset.members) > 1 for synset in synsets) and any(synset.has_antonyms for synset in synsets)


def _first_distinct(replacements: Iterator[tuple[str, str]], count: int) -> Iterator[tuple[str, str]]:
    seen: set[str] = set()
    for form, reason in replacements:
        if len(seen) >= count:
            return
        if form not in seen:
            seen.add(form)
            yield form, reason


class _LazyRandom:
    """A random generator that is seeded when it is first used; seeding takes as long as many drafts."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._random: Random | None = None

    def choices(self, words: list[str], cumulative_weights: list[float], count: int) -> list[str]:
        """Draw words with replacement."""
        if self._random is None:
            self._random = Random(self._seed)  # noqa: S311
        return self._random.choices(words, cum_weights=cumulative_weights, k=count)


def _drawn(token: Token, random: _LazyRandom, count: int) -> Iterator[tuple[str, str]]:
    """Yield inflected words that fit the token's position and the reasons; frequent words are drawn more often."""
    frame = frame_of(token)
    if frame is None:
        return
    pos, names = frame
    words, cumulative_weights = _cumulative_weights(pos, names)
    lemma, lower = token.lemma_.lower(), token.lower_
    own_forms = base_forms(lemma, pos) | base_forms(lower, pos)
    similar = similar_words(lemma) | similar_words(lower)
    text = token.doc.text.lower()
    for _ in range(_ROUNDS):
        for new in random.choices(words, cumulative_weights, count):
            if new in similar or not own_forms.isdisjoint(related_words(new, pos)):
                continue
            form = _inflected(token, new, pos)
            # No word is inserted that the sentence contains already.
            if form is not None and " " not in form and form.lower() not in text:
                yield form, f"“{new}” fits the position of “{lemma}” and is unrelated to it"


@lru_cache(maxsize=64)
def _cumulative_weights(pos: str, names: tuple[str, ...]) -> tuple[list[str], list[float]]:
    entries = [entry for name in names for entry in weighted_words(pos, name)]
    return [word for word, _ in entries], list(accumulate(weight for _, weight in entries))


def _inflected(token: Token, word: str, pos: str) -> str | None:
    if pos == "a":
        if token.tag_ in {"JJR", "JJS"} and word in NOT_COMPARED:
            return None
        for child in token.lefts:
            if child.lower_ in {"more", "most"} and " " not in compared(word, "R"):
                return None  # no "more tall"
    return inflect_like(token, word, pos)


def _predicted(sentence: Sentence, token: Token, model: str) -> Iterator[tuple[str, str]]:
    pos, lemma = _POS.get(token.pos_, "n"), token.lemma_.lower()
    predictions = load_masked_model(model).fill(sentence.text, token.idx, token.end)
    for rank, new in enumerate(predictions, 1):
        lower = new.lower()
        if len(lower) < 2 or lower in _EXCLUDED_PREDICTIONS or not is_word(lower):
            continue
        if are_related(token.lower_, lower, pos) or are_related(lemma, lower, pos) or _is_derived(lemma, lower):
            continue
        yield cased_like(token.text, lower if token.is_sent_start else new), f"the model's prediction {rank}"


def _is_derived(first: str, second: str) -> bool:
    """Return whether one of two words is derived from the other by a suffix, if the lexicon does not list it.

    >>> _is_derived("angry", "angrily"), _is_derived("carefully", "careful"), _is_derived("strange", "strangle")
    (True, True, False)
    """
    return any(
        longer in {f"{stem}{suffix}" for stem in (shorter, shorter[:-1], f"{shorter[:-1]}i") for suffix in _SUFFIXES}
        for shorter, longer in ((first, second), (second, first))
    )


_WORD_PREFIXES = ("Ġ", "▁")
"""Characters that mark the first piece of a word; other tokenizers mark the later pieces by ##."""
_MAX_PREDICTIONS = 256
_NO_LIMIT = 1_000_000
"""Tokenizers without a maximum length report a larger number."""
_DEFAULT_LENGTH = 512


class MaskedModel:
    """A fill-mask model of transformers."""

    def __init__(self, name: str, model: Any, tokenizer: Any) -> None:
        self.name = name
        self._model = model
        self._tokenizer = tokenizer
        self._lock = threading.Lock()
        self._tokens: list[str] = tokenizer.convert_ids_to_tokens(list(range(len(tokenizer))))
        counts = {prefix: sum(token.startswith(prefix) for token in self._tokens) for prefix in _WORD_PREFIXES}
        prefix = max(counts, key=lambda prefix: counts[prefix])
        self._word_prefix = prefix if counts[prefix] else ""
        self._special_ids = frozenset(tokenizer.all_special_ids)

    def fill(self, text: str, start: int, end: int) -> list[str]:
        """Return the words that the model predicts for the characters from `start` to `end`, the most likely first.

        Pieces of words, punctuation and numbers are left out. The list is empty if the gap is beyond the maximum
        length of the model.
        """
        import torch

        masked = f"{text[:start]}{self._tokenizer.mask_token}{text[end:]}"
        try:
            with self._lock, torch.inference_mode():
                features = self._tokenizer(masked, return_tensors="pt", truncation=True, max_length=self._max_length())
                mask_positions = (features["input_ids"][0] == self._tokenizer.mask_token_id).nonzero()
                if not len(mask_positions):
                    return []
                logits = self._model(**features).logits[0, int(mask_positions[0])]
                token_ids = logits.topk(min(_MAX_PREDICTIONS, logits.shape[-1])).indices.tolist()
        except Exception as error:  # models raise all kinds of errors
            raise _failure("be run", self.name, error) from error
        begins_text = not text[:start].strip()
        words = (self._word(token_id, begins_text=begins_text) for token_id in token_ids)
        return list(dict.fromkeys(word for word in words if word))

    def _word(self, token_id: int, *, begins_text: bool) -> str | None:
        """Return a token as a word, or None for pieces of words, punctuation and numbers."""
        if token_id in self._special_ids or token_id >= len(self._tokens):
            return None
        token = self._tokens[token_id]
        if self._word_prefix:
            # The first word of a text has no prefix.
            if not token.startswith(self._word_prefix) and not begins_text:
                return None
            token = token.removeprefix(self._word_prefix)
        return token if token.isalpha() and token.isascii() else None

    def _max_length(self) -> int:
        lengths = [self._tokenizer.model_max_length]
        n_positions = getattr(self._model.config, "max_position_embeddings", None)
        if isinstance(n_positions, int) and n_positions > 0:
            lengths.append(n_positions)
        # Models like RoBERTa reserve two positions for padding.
        return max(8, min(lengths) - (2 if self._word_prefix else 0)) if min(lengths) < _NO_LIMIT else _DEFAULT_LENGTH


@lru_cache(maxsize=2)
def load_masked_model(name: str) -> MaskedModel:
    """Load a fill-mask model from a folder, the local cache or the Hugging Face hub, in this order.

    Only safetensors are read, and no code that comes with a model is run.
    """
    require_packages("torch", "torch", "transformers")
    folder = _folder(name) or _snapshot(name)
    check_folder(folder, _NoPermissions())
    from transformers import AutoModelForMaskedLM, AutoTokenizer

    with _quiet(), limited_size(folder):
        common: dict[str, Any] = {"trust_remote_code": False, "local_files_only": True}
        try:
            tokenizer = AutoTokenizer.from_pretrained(folder, **common)
            model, report = AutoModelForMaskedLM.from_pretrained(
                folder, use_safetensors=True, output_loading_info=True, **common
            )
        except LitotesError:
            raise
        except Exception as error:
            raise _loading_error(name, error) from error
    # The pooler is not used for masks, and the output layer is often shared with the embeddings.
    missing = sorted(key for key in report["missing_keys"] if "pooler" not in key and "decoder" not in key)
    if missing:
        raise LitotesError("L311", f"{name}: lacks weights of a fill-mask model ({missing[0]} is missing)")
    if tokenizer.mask_token is None:
        raise LitotesError("L311", f"{name}: the tokenizer has no mask token, so it cannot fill masks")
    return MaskedModel(name, model.eval(), tokenizer)


def _folder(name: str) -> Path | None:
    path = expand_user(name)
    try:
        is_folder = path.is_dir()
    except (OSError, ValueError):  # too long for a path, or with a NUL
        is_folder = False
    if not is_folder:
        if name.startswith((".", "/", "~")) or not name.strip():
            raise LitotesError("L301", f'"{name}": no such folder', hint="name a folder, or a model on the hub")
        return None
    if not (path / "config.json").is_file():
        raise LitotesError("L301", f"{path}: contains no config.json, so it is not a model", hint="check the path")
    return path


class _NoPermissions:
    allow_pickle = False
    trust_remote_code = False


def _snapshot(name: str) -> Path:
    """Return the folder of a model of the hub, from the local cache or else downloaded, without pickled weights."""
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    from huggingface_hub import snapshot_download

    files = {"allow_patterns": ["*.json", "*.txt", "*.model", "*.safetensors"], "ignore_patterns": "*/*"}
    for is_local in (True, False):
        try:
            folder = Path(snapshot_download(name, local_files_only=is_local, **files))
        except Exception as error:
            if is_local:
                continue
            problem = f'no fill-mask model with safetensors is called "{name}"'
            raise LitotesError("L301", problem, hint="name a folder, or a model on the hub") from error
        if any(folder.glob("*.safetensors")):
            break
    return folder


def _loading_error(name: str, error: Exception) -> LitotesError:
    if "trust_remote_code" in str(error):
        return LitotesError(
            "L306", f"{name}: needs to run its own code, which is not supported", hint="name another model"
        )
    return _failure("be loaded", name, error)


def _failure(action: str, name: str, error: Exception) -> LitotesError:
    first_line = (str(error).strip().splitlines() or ["no reason given"])[0]
    kind = type(error).__name__
    return LitotesError("L311", f"{name}: cannot {action} as a fill-mask model ({kind}: {first_line[:200]})")


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence transformers while it loads a model; problems are raised as errors."""
    import logging

    from transformers.utils import logging as transformers_logging

    had_progress_bar = transformers_logging.is_progress_bar_enabled()
    transformers_logging.disable_progress_bar()
    logger = logging.getLogger("transformers")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(level)
        if had_progress_bar:
            transformers_logging.enable_progress_bar()
