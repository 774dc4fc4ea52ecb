"""Models of the papers, and how their authors turn tokens into a sentence's vector.

A bare name of this table (`unsup-simcse-bert-base-uncased`, `princeton-nlp/sup-simcse-roberta-large`) is run as
published; a scheme or an option that is given outweighs the table. Models of the sentence-transformers library carry
their pooling with them: the table only says where they are.
"""

from __future__ import annotations

import string
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePath

from litotes.core.files import expand_user, is_file, is_folder
from litotes.models.names import DEFAULT_SCHEME, ScorerName


@dataclass(frozen=True)
class KnownModel:
    """One published model and the settings that it was published with."""

    name: str
    """What it is called without its owner; also the name of a folder that holds its weights."""
    repository: str | None
    """Its id on the hub; None if its weights are published elsewhere."""
    family: str
    source: str
    """Where the settings stand."""
    scheme: str = DEFAULT_SCHEME
    options: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Family:
    """Models that are published together and read in the same way."""

    name: str
    source: str
    models: str
    """Their names, with blanks between them."""
    owner: str | None = "sentence-transformers"
    scheme: str = DEFAULT_SCHEME
    options: Mapping[str, str] = field(default_factory=dict)

    def members(self) -> list[KnownModel]:
        """Its models, one by one."""
        return [
            KnownModel(
                name,
                f"{self.owner}/{name}" if self.owner is not None else None,
                self.name,
                self.source,
                self.scheme,
                self.options,
            )
            for name in self.models.split()
        ]


_CLS = {"pooling": "cls"}
_CLS_MLP = {"pooling": "cls_mlp"}
_SIMCSE = "github.com/princeton-nlp/SimCSE (README, Evaluation)"
_DIFFCSE = "github.com/voidism/DiffCSE (README, Evaluation)"
_NONLING = "github.com/yiren-jian/NonLing-CSE (README, Evaluating)"
_PROMPTBERT = "github.com/kongds/Prompt-BERT (eval_only.sh, evaluation.py)"
_SNCSE = "github.com/Sense-GVT/SNCSE (bert_prediction.py, roberta_prediction.py)"
_SBERT = "sbert.net (each model's modules.json)"
_PROMPT_END = {"stop": ".", "stops": ".?\"'"}
_PROMPT_BERT = {"template": 'This sentence of "{text}" means{mask}.', **_PROMPT_END}
_PROMPT_ROBERTA = {"template": "This sentence : ' {text} ' means{mask}.", **_PROMPT_END}

FAMILIES = (
    Family(
        "SimCSE, unsupervised",
        _SIMCSE,
        "unsup-simcse-bert-base-uncased unsup-simcse-bert-large-uncased unsup-simcse-roberta-base "
        "unsup-simcse-roberta-large",
        owner="princeton-nlp",
        scheme="hf",
        options=_CLS,
    ),
    Family(
        "SimCSE, supervised",
        _SIMCSE,
        "sup-simcse-bert-base-uncased sup-simcse-bert-large-uncased sup-simcse-roberta-base sup-simcse-roberta-large",
        owner="princeton-nlp",
        scheme="hf",
        options=_CLS_MLP,
    ),
    Family(
        "DiffCSE",
        _DIFFCSE,
        "diffcse-bert-base-uncased-sts diffcse-bert-base-uncased-trans diffcse-roberta-base-sts "
        "diffcse-roberta-base-trans",
        owner="voidism",
        scheme="hf",
        options=_CLS,
    ),
    Family(
        "VisualCSE and AudioCSE, unsupervised",
        _NONLING,
        "unsup-VisualCSE-bert-base-uncased unsup-VisualCSE-roberta-base unsup-VisualCSE-roberta-large "
        "unsup-AudioCSE-bert-base-uncased unsup-AudioCSE-roberta-base unsup-AudioCSE-roberta-large",
        owner="gcyzsl",
        scheme="hf",
        options=_CLS,
    ),
    Family(
        "VisualCSE and AudioCSE, supervised",
        _NONLING,
        "sup-VisualCSE-bert-base-uncased sup-AudioCSE-bert-base-uncased",
        owner="gcyzsl",
        scheme="hf",
        options=_CLS_MLP,
    ),
    Family(
        "PromptBERT, unsupervised",
        _PROMPTBERT,
        "unsup-PromptBERT",
        owner="royokong",
        scheme="hf",
        options={"pooling": "mask", **_PROMPT_BERT},
    ),
    Family(
        "PromptRoBERTa, unsupervised",
        _PROMPTBERT,
        "unsup-PromptRoBERTa",
        owner="royokong",
        scheme="hf",
        options={"pooling": "mask", **_PROMPT_ROBERTA},
    ),
    Family(
        "PromptBERT, supervised",
        _PROMPTBERT,
        "sup-PromptBERT",
        owner="royokong",
        scheme="hf",
        options={"pooling": "mask_mlm", "debias": "yes", **_PROMPT_BERT},
    ),
    Family(
        "PromptRoBERTa, supervised",
        _PROMPTBERT,
        "sup-PromptRoBERTa",
        owner="royokong",
        scheme="hf",
        options={"pooling": "mask_mlp", "debias": "yes", **_PROMPT_ROBERTA},
    ),
    Family(
        "SNCSE",
        _SNCSE,
        "SNCSE-bert-base-uncased SNCSE-bert-large-uncased SNCSE-roberta-base SNCSE-roberta-large",
        owner=None,
        scheme="hf",
        options={
            "pooling": "mask",
            "template": 'This sentence : " {text} " means {mask} .',
            "stop": " .",
            "stops": string.punctuation,
        },
    ),
    Family(
        "Sentence-T5",
        _SBERT,
        "sentence-t5-base sentence-t5-large sentence-t5-xl sentence-t5-xxl",
    ),
    Family("GTR", _SBERT, "gtr-t5-base gtr-t5-large gtr-t5-xl gtr-t5-xxl"),
    Family("LaBSE", _SBERT, "LaBSE"),
    Family(
        "Universal Sentence Encoder, distilled or in its manner",
        _SBERT,
        "distiluse-base-multilingual-cased distiluse-base-multilingual-cased-v1 distiluse-base-multilingual-cased-v2 "
        "use-cmlm-multilingual",
    ),
    Family(
        "all",
        _SBERT,
        "all-MiniLM-L6-v1 all-MiniLM-L6-v2 all-MiniLM-L12-v1 all-MiniLM-L12-v2 all-distilroberta-v1 "
        "all-mpnet-base-v1 all-mpnet-base-v2 all-roberta-large-v1",
    ),
    Family(
        "paraphrase",
        _SBERT,
        "paraphrase-MiniLM-L3-v2 paraphrase-MiniLM-L6-v2 paraphrase-MiniLM-L12-v2 paraphrase-TinyBERT-L6-v2 "
        "paraphrase-albert-base-v2 paraphrase-albert-small-v2 paraphrase-distilroberta-base-v1 "
        "paraphrase-distilroberta-base-v2 paraphrase-mpnet-base-v2 paraphrase-multilingual-MiniLM-L12-v2 "
        "paraphrase-multilingual-mpnet-base-v2 paraphrase-xlm-r-multilingual-v1 distilroberta-base-paraphrase-v1 "
        "xlm-r-distilroberta-base-paraphrase-v1 quora-distilbert-base quora-distilbert-multilingual "
        "distilbert-base-nli-stsb-quora-ranking distilbert-multilingual-nli-stsb-quora-ranking",
    ),
    Family(
        "NLI",
        _SBERT,
        "nli-bert-base nli-bert-base-cls-pooling nli-bert-base-max-pooling nli-bert-large nli-bert-large-cls-pooling "
        "nli-bert-large-max-pooling nli-distilbert-base nli-distilbert-base-max-pooling nli-distilroberta-base-v2 "
        "nli-mpnet-base-v2 nli-roberta-base nli-roberta-base-v2 nli-roberta-large bert-base-nli-cls-token "
        "bert-base-nli-max-tokens bert-base-nli-mean-tokens bert-large-nli-cls-token bert-large-nli-max-tokens "
        "bert-large-nli-mean-tokens distilbert-base-nli-max-tokens distilbert-base-nli-mean-tokens "
        "roberta-base-nli-mean-tokens roberta-large-nli-mean-tokens xlm-r-bert-base-nli-mean-tokens "
        "xlm-r-100langs-bert-base-nli-mean-tokens",
    ),
    Family(
        "STS",
        _SBERT,
        "stsb-bert-base stsb-bert-large stsb-distilbert-base stsb-distilroberta-base-v2 stsb-mpnet-base-v2 "
        "stsb-roberta-base stsb-roberta-base-v2 stsb-roberta-large stsb-xlm-r-multilingual "
        "bert-base-nli-stsb-mean-tokens bert-large-nli-stsb-mean-tokens distilbert-base-nli-stsb-mean-tokens "
        "roberta-base-nli-stsb-mean-tokens roberta-large-nli-stsb-mean-tokens xlm-r-bert-base-nli-stsb-mean-tokens "
        "xlm-r-100langs-bert-base-nli-stsb-mean-tokens xlm-r-base-en-ko-nli-ststb xlm-r-large-en-ko-nli-ststb",
    ),
    Family(
        "questions and search",
        _SBERT,
        "multi-qa-MiniLM-L6-cos-v1 multi-qa-MiniLM-L6-dot-v1 multi-qa-distilbert-cos-v1 multi-qa-distilbert-dot-v1 "
        "multi-qa-mpnet-base-cos-v1 multi-qa-mpnet-base-dot-v1 msmarco-MiniLM-L-6-v3 msmarco-MiniLM-L-12-v3 "
        "msmarco-MiniLM-L6-cos-v5 msmarco-MiniLM-L12-cos-v5 msmarco-bert-base-dot-v5 msmarco-bert-co-condensor "
        "msmarco-distilbert-base-dot-prod-v3 msmarco-distilbert-base-tas-b msmarco-distilbert-base-v2 "
        "msmarco-distilbert-base-v3 msmarco-distilbert-base-v4 msmarco-distilbert-cos-v5 msmarco-distilbert-dot-v5 "
        "msmarco-distilbert-multilingual-en-de-v2-tmp-lng-aligned "
        "msmarco-distilbert-multilingual-en-de-v2-tmp-trained-scratch msmarco-distilroberta-base-v2 "
        "msmarco-roberta-base-ance-firstp msmarco-roberta-base-v2 msmarco-roberta-base-v3 "
        "distilroberta-base-msmarco-v1 distilroberta-base-msmarco-v2 nq-distilbert-base-v1 "
        "facebook-dpr-ctx_encoder-multiset-base facebook-dpr-ctx_encoder-single-nq-base "
        "facebook-dpr-question_encoder-multiset-base facebook-dpr-question_encoder-single-nq-base",
    ),
    Family("other sentence-transformers", _SBERT, "allenai-specter bert-base-wikipedia-sections-mean-tokens"),
    Family(
        "averaged word vectors",
        _SBERT,
        "average_word_embeddings_glove.6B.300d average_word_embeddings_glove.840B.300d "
        "average_word_embeddings_komninos average_word_embeddings_levy_dependency",
    ),
)

KNOWN_MODELS: tuple[KnownModel, ...] = tuple(model for family in FAMILIES for model in family.members())
_BY_NAME = {name: model for model in KNOWN_MODELS for name in (model.name, model.repository) if name is not None}


def known_model(name: str) -> KnownModel | None:
    """The published model of that name, with or without its owner; None for others.

    >>> known_model("sup-simcse-bert-base-uncased").options
    {'pooling': 'cls_mlp'}
    >>> known_model("sentence-transformers/LaBSE").scheme
    'st'
    >>> known_model("my-own-model")
    """
    return _BY_NAME.get(name)


def as_published(name: ScorerName) -> ScorerName:
    """A bare name with the scheme and the settings of the table; what was given outweighs them."""
    known = _meant_by(name) if name.is_bare else None
    if known is None or known.scheme == DEFAULT_SCHEME:
        return name
    return replace(name, scheme=known.scheme, options={**known.options, **name.options})


def _meant_by(name: ScorerName) -> KnownModel | None:
    """The known model: by name, or a folder of that name which says nothing of a pooling of its own."""
    folder = expand_user(name.rest)
    if not is_folder(folder):
        return known_model(name.rest)
    return None if is_file(folder / "modules.json") else known_model(PurePath(name.rest).name)
