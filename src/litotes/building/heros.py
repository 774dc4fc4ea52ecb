"""HEROS's six kinds of minimal pairs (Chiang, Lee and Lee, 2023, §2.2) from any text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from litotes.building.base import BuilderOutput, Candidate, Subject, builder, each_sentence, split_record
from litotes.building.heros_fillers import fillers, is_akin
from litotes.building.pipeline.generate import first_edit, first_edits
from litotes.building.pipeline.text_quality import count_words, has_cursing, is_clean, is_grammatical, is_used_as_name
from litotes.languages.en.lexicon.misspellings import is_word
from litotes.languages.en.syntax.verb_groups import is_be, verb_group
from litotes.rewrites.base import Sentence, Skip
from litotes.rewrites.en.antonym import Candidate as Antonym
from litotes.rewrites.en.antonym import candidates, telling
from litotes.rewrites.en.gates.text import text_fault
from litotes.rewrites.en.grammar.clauses import is_verb
from litotes.rewrites.en.synonym import is_weak
from litotes.rewrites.en.words.infill_words import kind
from litotes.rewrites.patches import patched
from litotes.rewrites.patches import replace as replaced

if TYPE_CHECKING:
    from collections.abc import Iterable

    from litotes.corpora.base import Record
    from litotes.languages.tree import Token
    from litotes.rewrites.base import Sentence


_CLAUSES = frozenset({"ccomp", "relcl", "advcl", "conj", "parataxis"})
_INFINITIVES = frozenset({"xcomp", "advcl", "acl", "relcl", "ccomp"})
_COMPLEMENTS = frozenset({"acomp", "oprd"})
_NEGATIVE_SUBJECTS = frozenset({"nobody", "nothing", "none", "neither", "no"})
_MODAL = frozenset({"go", "have", "need", "want", "tend"})
_MAKING = frozenset("make find consider think call keep".split())
_LIKENESS = frozenset("sound look feel seem be".split())
_OBJECTS = frozenset({"attr", "dobj"})


class Place(NamedTuple):
    """Where a word stands."""

    predicate: Token
    """The verb that is negated when the word is."""
    rank: int
    """0 where a negation reads best: in the main clause; 1 in another one; 2 at an infinitive."""


def target_place(token: Token, pos: str) -> Place | None:
    """The place of a verb (v) or adjective (a); None where “not” would bear on something else.

    An adjective must be the predicate, or belong to what the verb is about: in a subject or behind a preposition
    there is no “not” that says the opposite and reads well.
    """
    verb = token if pos == "v" else _predicate(token)
    # “angry at him”, “thin as a rail”: the words belong together
    is_bound = pos == "a" and token.i + 1 < len(token.doc) and _is_bound(token, token.nbor())
    if verb is None or not is_verb(verb) or is_bound:
        return None
    group = verb_group(verb)
    attributive = token.dep_ == "amod"
    if group.is_finite or (verb.tag_ == "VB" and verb.dep_ == "ROOT"):
        if verb.dep_ == "ROOT":
            return Place(verb, attributive)
        return Place(verb, 1 + attributive) if verb.dep_ in _CLAUSES else None
    if verb.dep_ == "xcomp" and verb.head.lemma_ in _MODAL and verb.head.i < verb.i:
        above = target_place(verb.head, "v")  # “is not going to start”, “does not have to start”
        return above and above._replace(rank=above.rank + attributive)
    if verb_group(verb.head).negation is not None or verb.head.lower_ in _NEGATIVE_SUBJECTS | {"able", "about"}:
        return None  # “does not try not to …”, “able not to …”
    is_infinitive = verb.tag_ == "VB" and any(one.lower_ == "to" for one in group.auxiliaries)
    return Place(verb, 2 + attributive) if is_infinitive and verb.dep_ in _INFINITIVES else None


def negated_at(sentence: Sentence, verb: Token, negations: Iterable[str]) -> str | None:
    """The first of some negations that is made at a verb: beside its auxiliaries, adverbs or its object's article."""
    return next((text for text in negations if _is_at(sentence, verb, text)), None)


def _is_bound(adjective: Token, after: Token) -> bool:
    return after.lower_ == "at" or (after.lower_ == "as" and not any(one.lower_ == "as" for one in adjective.lefts))


def _predicate(adjective: Token) -> Token | None:
    """The verb whose predicate an adjective is, or is in."""
    if adjective.dep_ in _COMPLEMENTS:
        # “how absurd it is”: nothing can be negated behind it
        return adjective.head if adjective.i > adjective.head.i else None
    noun = adjective.head
    # “It makes me happy.”
    if adjective.dep_ == "ccomp" and noun.lemma_ in _MAKING and noun.i < adjective.i and not is_verb(adjective):
        return noun
    if adjective.dep_ == "amod" and adjective.i < noun.i and noun.dep_ in _OBJECTS and noun.head.i < adjective.i:
        return noun.head
    # “It sounds like a good plan.”
    if adjective.dep_ == "amod" and adjective.i < noun.i and noun.dep_ == "pobj" and noun.head.lower_ == "like":
        verb = noun.head.head
        return verb if verb.lemma_ in _LIKENESS and noun.head.i == verb.i + 1 else None
    return None


def _is_at(sentence: Sentence, verb: Token, edited: str) -> bool:
    text = sentence.text
    same = 0
    while same < min(len(text), len(edited)) and text[same] == edited[same]:
        same += 1
    changed = next((token for token in sentence.doc if token.idx + len(token.text) > same), None)
    if changed is None or _changes_another(sentence, verb, edited, same):
        return False
    first = verb_group(verb).first
    if changed.i < first.i:
        before = sentence.doc[changed.i : first.i]
        return changed.lower_ in _NEGATIVE_SUBJECTS or all(
            one.dep_ == "advmod" and one.head.i == verb.i for one in before
        )
    if changed.i <= verb.i + 1:
        # “They have not good friends” is how it was said once.
        is_old = changed.i > verb.i and not is_be(verb) and edited.startswith("not ", same)
        return not is_old
    if changed.head.i == verb.i:
        between = sentence.doc[verb.i + 1 : changed.i]
        return not is_verb(changed) and all(one.dep_ in {"advmod", "neg", "det"} for one in between)
    return changed.dep_ in {"det", "advmod"} and changed.head.head.i == verb.i and changed.head.dep_ in _OBJECTS


def _changes_another(sentence: Sentence, verb: Token, edited: str, same: int) -> bool:
    """Whether the change goes on to another verb: then that one was turned round as well."""
    text = sentence.text
    end = 0
    while end < min(len(text), len(edited)) - same and text[-1 - end] == edited[-1 - end]:
        end += 1
    touched = (
        one for one in sentence.doc if one.i > verb.i and same <= one.idx and one.idx + len(one.text) <= len(text) - end
    )
    return any(is_verb(one) for one in touched)


_NAME = "[NAME]"
_NAMES = {"a": "adjective", "v": "verb"}
_MOST_WORDS = 3
"""Words of a sentence that are tried."""
_MOST_EACH = 2
"""Synonyms and antonyms of a word from which the most natural pair is chosen."""
_SAID_OF_ONESELF = frozenset("hope guess bet suppose wish swear mean pray fear reckon figure wager".split())
"""“I do not guess …” is not said."""
_EITHER = re.compile(r"\b(?:either|neither)\b.*\bn?or\b", re.IGNORECASE)
_AMOUNTS = frozenset(
    "enough many much few fewer more most less least several little first last next same other".split()
)
"""Words for how much and which one, not for what kind."""
_SAME_STEM = 5
"""Letters that two words of one stem share: nothing is “incredibly incredible”."""
_MOST_EDITS = 3
"""Negations among which the one at the right verb is looked for."""


def _units(record: Record, options: Mapping[str, Any]) -> Iterable[Record]:
    """Every sentence by itself, one neutral name in the place of [NAME]."""
    for one in each_sentence(record, options):
        for part in split_record(one) if options["split"] else [one]:
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
        "question": "it asks: a question and its negation ask the same",
        "cursing": "it curses or insults",
        "unclean": "it is not written as a sentence: no capital or end, chat, links, signs",
        "ungrammatical": "it is not one whole sentence of known words, as far as the parser can tell",
        "no-word": "no verb or adjective of it has both a synonym and an antonym that surely fit",
        "no-negation": "its main verb cannot be negated",
        "no-negation-at": "the replaced word cannot be negated by itself",
        "no-typo": "the replaced word cannot be misspelt",
        "no-random": "no other word is known for the replaced one",
        "alike": "two of its variants would be the same",
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
    seed: int = 0,
) -> Iterator[BuilderOutput]:
    """A verb or adjective replaced by a synonym, an antonym, a random word, a typo; and two negations."""
    sentence = subject.sentence
    if grammar == "parse" and not (is_grammatical(sentence) and is_used_as_name(sentence, name)):
        yield Skip("ungrammatical")
        return
    main = _main_negation(sentence)
    if main is None:
        yield Skip("no-negation")
        return
    tried = 0
    for antonyms, predicate in _words_with_antonyms(sentence):
        made = False
        for found in _of_word(sentence, antonyms, predicate, main, infill, seed):
            made |= isinstance(found, Candidate)
            yield found
        tried += made
        if tried == _MOST_WORDS:
            return
    if not tried:
        yield Skip("no-word")


def _main_negation(sentence: Sentence) -> str | None:
    """The sentence with its main verb negated, or no longer; a clause inside it is not what is meant."""
    root = sentence.roots[0]
    if _EITHER.search(sentence.text):
        return None
    found = negated_at(sentence, root, _texts("negation", sentence))
    if (
        found is None
        and root.lemma_ not in _SAID_OF_ONESELF
        and sum(token.lower_ == root.lower_ for token in sentence.doc) == 1
    ):
        found = negated_at(sentence, root, _texts("negation_at", sentence, word=root.text))
    return found


def _words_with_antonyms(sentence: Sentence) -> list[tuple[list[Antonym], Token]]:
    """The verbs and adjectives that surely have an antonym and stand once in the sentence, with their predicates.

    First come those that “not” goes with best, then those on which most of the meaning hangs.
    """
    often = Counter(token.lower_ for token in sentence.doc)
    said = {token.lower_ for token in sentence.doc} | {token.lemma_ for token in sentence.doc}
    by_word: dict[int, list[Antonym]] = {}
    for found in candidates(sentence):
        if (
            isinstance(found, Skip)
            or not found.sure
            or found.content.pos not in _NAMES
            or found.content.lemma in _AMOUNTS
        ):
            continue
        token = found.content.token
        # “small” beside “big” would make “big” beside “big”.
        is_one = often[token.lower_] == 1 and " " not in found.content.lemma
        if _is_loose(found.content.lemma, found.opposite.word, token):
            continue
        if is_one and found.opposite.word not in said and not _is_said(found.opposite.word, sentence, token):
            by_word.setdefault(token.i, []).append(found)
    ranked = []
    for some in by_word.values():
        place = target_place(some[0].content.token, some[0].content.pos)
        if place is not None:
            ranked.append((place.rank, telling(some[0].content), some[0].content.token.i, some, place.predicate))
    return [(some, predicate) for *_, some, predicate in sorted(ranked, key=itemgetter(0, 1, 2))]


def _of_word(  # noqa: PLR0917  (what a word needs)
    sentence: Sentence, antonyms: list[Antonym], predicate: Token, main: str, model: str | None, seed: int
) -> Iterator[BuilderOutput]:
    content = antonyms[0].content
    word = content.token.text
    edits = first_edits("synonym", sentence, 2 * _MOST_EACH, word=word, pos=_NAMES[content.pos])
    synonyms = [
        edit.text
        for edit in edits
        if not is_weak(edit.reason) and not any(_is_said(change.new, sentence, content.token) for change in edit.words)
    ][:_MOST_EACH]
    if not synonyms:
        return
    at_word = negated_at(sentence, predicate, _texts("negation_at", sentence, word=word))
    if at_word is None and negated_at(sentence, predicate, [main]):
        at_word = main  # “is not going to start”: at the verb above it
    typo = first_edit("typo", sentence, word=word, seed=seed) or _short_typo(sentence, content.token)
    known = (
        [content.lemma]
        + [change.new for edit in edits for change in edit.words]
        + [one.opposite.word for one in antonyms]
    )
    random = _random(sentence, content.token, content.pos, known, model, seed)
    if at_word is None or typo is None or random is None:
        yield Skip("no-negation-at" if at_word is None else "no-typo" if typo is None else "no-random")
        return
    for synonym in synonyms:
        for one in antonyms[:_MOST_EACH]:
            antonym = patched(sentence.text, one.patches)
            if text_fault(sentence.text, antonym):
                continue
            variants = {
                "original": sentence.text,
                "synonym": synonym,
                "antonym": antonym,
                "random": random,
                "typo": typo,
                "negation_main": main,
                "negation_antonym": at_word,
            }
            # The two negations are the same where the replaced word is the main verb.
            if len(set(variants.values())) < len(variants) - (main == at_word):
                yield Skip("alike")
                continue
            yield Candidate(
                set="",
                sentences=variants,
                group=content.lemma,
                tags={"word": word, "lemma": content.lemma, "antonym": one.opposite.word, "pos": _NAMES[content.pos]},
                changed=("synonym", "antonym"),
            )


def _texts(rule: str, sentence: Sentence, **options: Any) -> list[str]:
    return [edit.text for edit in first_edits(rule, sentence, _MOST_EDITS, **options)]


def _short_typo(sentence: Sentence, token: Token) -> str | None:
    """A word of three letters with the last two swapped: the rule leaves such words alone."""
    word = token.text
    slip = f"{word[:1]}{word[:0:-1]}"
    if len(word) != 3 or not token.is_alpha or slip == word or is_word(slip.lower()):
        return None
    return patched(sentence.text, [replaced(token, slip)])


def _is_loose(lemma: str, opposite: str, token: Token) -> bool:
    """Whether an antonym holds in one use of the word only, and this is another."""
    if lemma == "sad":  # “It is sad that …” has no “glad”
        subject = verb_group(token.head).subject
        return subject is None or kind(subject) != "person"
    if lemma == "agree":
        return any(child.dep_ == "ccomp" for child in token.children)
    if lemma in {"cute", "adorable"} or opposite == "unafraid":  # no “ugly that …”, no “too unafraid”
        subject = verb_group(token.head).subject
        return any(child.lower_ == "too" for child in token.lefts) or (subject is not None and subject.lower_ == "it")
    return (lemma, opposite) in {("fine", "unwell"), ("gentle", "rough")}


def _is_said(word: str, sentence: Sentence, token: Token) -> bool:
    """Whether another word of the sentence has the same stem."""
    stem = word.lower()[:_SAME_STEM]
    return len(stem) == _SAME_STEM and any(one.lower_.startswith(stem) for one in sentence.doc if one.i != token.i)


def _random(  # noqa: PLR0917  (what a word needs)
    sentence: Sentence, token: Token, pos: str, known: list[str], model: str | None, seed: int
) -> str | None:
    """The sentence with a word in the token's place that is akin neither to it nor to its synonyms and antonyms."""
    before_gerund = pos == "a" and token.i + 1 < len(token.doc) and token.nbor().tag_ == "VBG"
    edits = (
        [] if before_gerund else first_edits("infill", sentence, _MOST_EDITS, word=token.text, seed=seed, model=model)
    )
    for edit in edits:
        if not any(is_akin(change.new.lower(), known, pos) for change in edit.words):
            return edit.text
    if model is not None:
        return None
    return next(
        (text for word, text in fillers(sentence, token, seed) if not is_akin(word, known, pos)),
        None,
    )
