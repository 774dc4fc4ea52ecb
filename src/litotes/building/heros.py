"""The builder of HEROS's six kinds of minimal pairs (Chiang, Chuang, Glass and Lee, 2023, section 2.2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Literal

from litotes.building.base import BuilderOutput, Candidate, Subject, builder, each_sentence, split_record
from litotes.building.heros_fillers import fillers, is_related
from litotes.building.negation_sites import MAX_EDITS, NegationSite, main_negation, negated_word, word_site
from litotes.building.pipeline.generate import first_edit, first_edits
from litotes.building.pipeline.text_quality import count_words, has_cursing, is_clean, is_grammatical, is_used_as_name
from litotes.languages.en.lexicon.misspellings import is_word
from litotes.languages.en.quantifiers import AMOUNTS, COMPARATIVE_AMOUNTS, IDENTITY_WORDS, ORDINALS, SUPERLATIVE_AMOUNTS
from litotes.languages.en.syntax.verb_groups import verb_group
from litotes.rewrites.base import Sentence, Skip
from litotes.rewrites.en.antonym import AntonymCandidate, find_antonyms, salience_rank
from litotes.rewrites.en.gates import text_fault
from litotes.rewrites.en.synonym import is_weak
from litotes.rewrites.en.words.infill_words import semantic_class
from litotes.rewrites.patches import patched
from litotes.rewrites.patches import replace as replace_token

if TYPE_CHECKING:
    from collections.abc import Iterable

    from litotes.corpora.base import Record
    from litotes.languages.tree import Token
    from litotes.rewrites.base import Sentence


_NAME = "[NAME]"
_PARTS_OF_SPEECH = {"a": "adjective", "v": "verb"}
_MAX_WORDS = 3
"""Words of a sentence for which candidates are made."""
_MAX_REPLACEMENTS = 2
"""Synonyms and antonyms of a word from which the most natural pair is selected."""
_NOT_DESCRIPTIVE = (
    AMOUNTS | COMPARATIVE_AMOUNTS | SUPERLATIVE_AMOUNTS | ORDINALS | IDENTITY_WORDS | {"enough", "several"}
)
"""Words for amounts and identity rather than properties."""
_STEM_LENGTH = 5
"""Letters that words with the same stem share; “incredibly incredible” is avoided."""


def _units(record: Record, options: Mapping[str, Any]) -> Iterable[Record]:
    """Yield the sentences, with a single [NAME] replaced by the name in the options."""
    for sentence in each_sentence(record, options):
        for part in split_record(sentence) if options["split"] else [sentence]:
            yield replace(part, text=part.text.replace(_NAME, options["name"])) if part.text.count(_NAME) == 1 else part


def _filter(record: Record, options: Mapping[str, Any]) -> str | None:
    text = record.text
    if not options["shortest"] <= count_words(text) <= options["longest"]:
        return "length"
    if _NAME in text:
        return "names"
    if "?" in text:
        return "question"
    if has_cursing(text):
        return "cursing"
    return None if is_clean(text) else "unclean"


@builder(
    "heros",
    sets={"": "heros"},
    skips={
        "length": "it has fewer words than --option shortest, or more than longest",
        "names": "it has more than one [NAME]",
        "question": "it is a question; a question and its negation ask the same",
        "cursing": "it contains profanity or insults",
        "unclean": "it is not written like a sentence: no capital or final mark, chat language, links, odd characters",
        "ungrammatical": "it is not one complete sentence of known words, as far as the parser can tell",
        "no-word": "none of its verbs and adjectives has both a synonym and an antonym that certainly fit",
        "no-negation": "its main verb cannot be negated",
        "no-negation-at": "the replaced word cannot be negated",
        "no-typo": "the replaced word cannot be misspelt",
        "no-random": "no unrelated word is known for the position of the replaced one",
        "alike": "two of its variants would be the same",
        "same-negation": "its main verb is the replaced word, or its verb; only with --option distinct",
    },
    filter=_filter,
    units=_units,
)
def heros(
    subject: Subject,
    *,
    shortest: int = 9,
    longest: int = 24,
    split: bool = True,
    name: str = "Jackie",
    grammar: Literal["parse", "none"] = "parse",
    infill: str | None = None,
    distinct: bool = False,
    seed: int = 0,
) -> Iterator[BuilderOutput]:
    """A verb or adjective replaced by a synonym, an antonym, a random word, a typo; and two negations."""
    sentence = subject.sentence
    if grammar == "parse" and not (is_grammatical(sentence) and is_used_as_name(sentence, name)):
        yield Skip("ungrammatical")
        return
    main = main_negation(sentence)
    if main is None:
        yield Skip("no-negation")
        return
    n_words = 0
    for antonyms, site in _words_with_antonyms(sentence):
        has_candidate = False
        negated = negated_word(sentence, antonyms[0].target.token, site, main)
        if distinct and negated == main:
            yield Skip("same-negation")
            continue
        for output in _word_candidates(sentence, antonyms, (main, negated), infill, seed):
            has_candidate |= isinstance(output, Candidate)
            yield output
        n_words += has_candidate
        if n_words == _MAX_WORDS:
            return
    if not n_words:
        yield Skip("no-word")


def _words_with_antonyms(sentence: Sentence) -> list[tuple[list[AntonymCandidate], NegationSite]]:
    """Return the antonyms of each verb and adjective with the sites of their negations, the most natural first.

    Only words that occur once in the sentence and have a certain antonym are returned. Of words that are equally
    natural to negate, the more important one comes first.
    """
    counts = Counter(token.lower_ for token in sentence.doc)
    words = {token.lower_ for token in sentence.doc} | {token.lemma_ for token in sentence.doc}
    by_word: dict[int, list[AntonymCandidate]] = {}
    for antonym in find_antonyms(sentence):
        if (
            isinstance(antonym, Skip)
            or not antonym.is_sure
            or antonym.target.pos not in _PARTS_OF_SPEECH
            or antonym.target.lemma in _NOT_DESCRIPTIVE
        ):
            continue
        token = antonym.target.token
        is_unique = counts[token.lower_] == 1 and " " not in antonym.target.lemma
        if _is_loose(antonym.target.lemma, antonym.opposite.word, token):
            continue
        # Replacing “small” in a sentence that contains “big” would repeat “big”.
        is_repeated = antonym.opposite.word in words or _has_same_stem(antonym.opposite.word, sentence, token)
        if is_unique and not is_repeated:
            by_word.setdefault(token.i, []).append(antonym)
    ranked = []
    for antonyms in by_word.values():
        target = antonyms[0].target
        site = word_site(target.token, target.pos)
        if site is not None:
            ranked.append((site.rank, salience_rank(target), target.token.i, antonyms, site))
    return [(antonyms, site) for *_, antonyms, site in sorted(ranked, key=itemgetter(0, 1, 2))]


def _word_candidates(
    sentence: Sentence,
    antonyms: list[AntonymCandidate],
    negations: tuple[str, str | None],
    model: str | None,
    seed: int,
) -> Iterator[BuilderOutput]:
    target = antonyms[0].target
    word = target.token.text
    edits = first_edits("synonym", sentence, 2 * _MAX_REPLACEMENTS, word=word, pos=_PARTS_OF_SPEECH[target.pos])
    synonyms = [
        edit.text
        for edit in edits
        if not is_weak(edit.reason)
        and not any(_has_same_stem(change.new, sentence, target.token) for change in edit.words)
    ][:_MAX_REPLACEMENTS]
    if not synonyms:
        return
    main, at_word = negations
    typo = misspelt(sentence, target.token, seed)
    known = (
        [target.lemma]
        + [change.new for edit in edits for change in edit.words]
        + [antonym.opposite.word for antonym in antonyms]
    )
    random = _random_replacement(sentence, target.token, target.pos, known, model, seed)
    if at_word is None or typo is None or random is None:
        yield Skip("no-negation-at" if at_word is None else "no-typo" if typo is None else "no-random")
        return
    for synonym in synonyms:
        for antonym in antonyms[:_MAX_REPLACEMENTS]:
            opposite = patched(sentence.text, antonym.patches)
            if text_fault(sentence.text, opposite):
                continue
            variants = {
                "original": sentence.text,
                "synonym": synonym,
                "antonym": opposite,
                "random": random,
                "typo": typo,
                "negation_main": main,
                "negation_antonym": at_word,
            }
            # The two negations are equal if the replaced word is the main verb.
            if len(set(variants.values())) < len(variants) - (main == at_word):
                yield Skip("alike")
                continue
            yield Candidate(
                set="",
                sentences=variants,
                group=target.lemma,
                tags={
                    "word": word,
                    "lemma": target.lemma,
                    "antonym": antonym.opposite.word,
                    "pos": _PARTS_OF_SPEECH[target.pos],
                },
                changed=("synonym", "antonym"),
            )


def misspelt(sentence: Sentence, token: Token, seed: int) -> str | None:
    """Return the sentence with a typo in a word; of a word with three letters, the last two are exchanged."""
    word = token.text
    edited = first_edit("typo", sentence, word=word, seed=seed)
    if edited is not None:
        return edited
    typo = f"{word[:1]}{word[:0:-1]}"
    if len(word) != 3 or not token.is_alpha or typo == word or is_word(typo.lower()):
        return None
    return patched(sentence.text, [replace_token(token, typo)])


def _is_loose(lemma: str, opposite: str, token: Token) -> bool:
    """Return whether an antonym does not fit the way in which the word is used here."""
    if lemma == "sad":  # “It is sad that …” has no opposite with “glad”
        subject = verb_group(token.head).subject
        return subject is None or semantic_class(subject) != "person"
    if lemma == "agree":
        return any(child.dep_ == "ccomp" for child in token.children)
    if lemma in {"cute", "adorable"} or opposite == "unafraid":  # “ugly that …” and “too unafraid” are odd
        subject = verb_group(token.head).subject
        return any(child.lower_ == "too" for child in token.lefts) or (subject is not None and subject.lower_ == "it")
    return (lemma, opposite) in {("fine", "unwell"), ("gentle", "rough")}


def _has_same_stem(word: str, sentence: Sentence, token: Token) -> bool:
    """Return whether another word of the sentence has the same stem as a word."""
    stem = word.lower()[:_STEM_LENGTH]
    return len(stem) == _STEM_LENGTH and any(
        other.lower_.startswith(stem) for other in sentence.doc if other.i != token.i
    )


def _random_replacement(  # noqa: PLR0917
    sentence: Sentence, token: Token, pos: str, known: list[str], model: str | None, seed: int
) -> str | None:
    """Return the sentence with a random word that is not related to any of the known words."""
    before_gerund = pos == "a" and token.i + 1 < len(token.doc) and token.nbor().tag_ == "VBG"
    edits = [] if before_gerund else first_edits("infill", sentence, MAX_EDITS, word=token.text, seed=seed, model=model)
    for edit in edits:
        if not any(is_related(change.new.lower(), known, pos) for change in edit.words):
            return edit.text
    if model is not None:
        return None
    return next((text for word, text in fillers(sentence, token, seed) if not is_related(word, known, pos)), None)
