"""Contraction: expand “I'm” to “I am”, or contract “I am” to “I'm”; the meaning does not change."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal, TypeAlias

from litotes.languages.base import word_set
from litotes.languages.en import pronouns
from litotes.languages.en.function_words import COORDINATORS
from litotes.languages.en.modals import MODAL_STEMS
from litotes.languages.en.modifiers import LIMITING_ADVERBS
from litotes.languages.en.morphology.casing import cased_like
from litotes.languages.en.morphology.contractions import TAKES_NOT, apostrophe, full_form, with_not, without_not
from litotes.languages.en.morphology.inflection import inflect
from litotes.languages.en.negation import NOT_TOKENS
from litotes.languages.en.syntax.question_tags import tag_start
from litotes.languages.en.syntax.tags import CLAUSAL_COMPLEMENT_DEPS, PREDICATIVE_DEPS, SUBJECT_DEPS, WH_TAGS
from litotes.languages.en.syntax.verb_groups import verb_group
from litotes.languages.en.verbs import FULL_FINITE_BE
from litotes.languages.en.word_lists import word_list
from litotes.languages.tree import Doc, Token
from litotes.rewrites.base import Draft, Outcome, Refusal, Sentence, Skip, refuse_if, require, rule
from litotes.rewrites.en.grammar.clauses import is_verb
from litotes.rewrites.patches import Patch, patched, replace

Direction: TypeAlias = Literal["both", "contract", "expand"]
_ENDINGS = {"am": "m", "is": "s", "are": "re", "have": "ve", "has": "s", "had": "d", "will": "ll", "would": "d"}
_WH_HOSTS = pronouns.INTERROGATIVE_ADVERBS - {"when", "why"} | {"what", "who"}
_HOSTS = {
    "am": frozenset({"i"}),
    "are": pronouns.PLAIN_FORM_PRONOUNS - {"i"},
    "is": pronouns.THIRD_SINGULAR_PRONOUNS | _WH_HOSTS | {"that", "there", "here"},
    "has": pronouns.THIRD_SINGULAR_PRONOUNS | {"that", "there", "who"},
    "have": pronouns.PLAIN_FORM_PRONOUNS,
    "had": pronouns.PERSONAL_SUBJECTS,
    "would": pronouns.PERSONAL_SUBJECTS,
    "will": pronouns.SUBJECT_PRONOUNS | {"that", "who"},
}
"""The words to which each verb is contracted in writing; “it'd” and “that'd” are heard more often than written."""
_FULL_FORMS = TAKES_NOT | _HOSTS.keys()
_SHORT_FORMS = word_set("n't 'm 're 've 'll 's 'd n’t ’m ’re ’ve ’ll ’s ’d")
_SUBJECT_WORDS = pronouns.SUBJECT_PRONOUNS | pronouns.DEMONSTRATIVES | {"there", "one"}
_FOCUS_WORDS = LIMITING_ADVERBS | word_set("but so because to even if until unless always all every")
"""Words that “not” negates instead of the verb when it precedes them; “isn't only” would negate the clause."""
_FORMAL = frozenset({"shall", "need"})
"""“shan't” and “needn't” are expanded, but never produced: they sound dated."""
_BEFORE_NT = (TAKES_NOT - {"can", "will", "shall"}) | MODAL_STEMS
_PERFECT_PARTICIPLES = word_set("been got had become")
"""Participles before which “'s” is always “has”."""
_PASSIVE_PARTICIPLES = word_list("passive participles")
"""Participles before which “'s” is “is”; before others (“he's left”) it may be “has”."""
_DITRANSITIVE_PARTICIPLES = word_list("ditransitive participles")
"""Participles that take an object in the passive too: “he's given a book”."""
_RESULT_WORDS = word_set("gone done finished left over up")
"""After these, “'s” is “is” or “has” with nearly the same meaning: “he's gone”."""
_COMPLEMENTS = PREDICATIVE_DEPS | CLAUSAL_COMPLEMENT_DEPS | {"prep", "advmod", "advcl", "npadvmod", "expl"}
_AFTER_GAP = NOT_TOKENS | COORDINATORS
"""Words before which a verb has lost its predicate: “Tom is and will be late”."""
_COMPARISONS = frozenset({"than", "as"})


@rule(
    "contraction",
    effect="same",
    needs=("parse", "inflection"),
    skips={
        "nothing": "the sentence contains nothing that can be contracted or expanded",
        "place": "the other form is not used here: at the end of a clause, in a question tag, before the subject",
        "unclear": "the short form could be one of several words",
        "emphasis": "the word is stressed, or “not” negates the words after it",
    },
)
def contraction(sentence: Sentence, *, direction: Direction = "both") -> Iterator[Outcome]:
    """Expand contractions, or contract full forms: “I'm sure.” → “I am sure.”

    >>> from litotes.rewrites.apply import rewrite
    >>> [edit.text for edit in rewrite("contraction", "I'm sure that it is not far.")]
    ['I am sure that it is not far.', "I'm sure that it isn't far."]
    """
    skips: dict[Skip, None] = {}
    has_drafts = False
    for name, change, words, reason in (
        ("expand", _expand, _SHORT_FORMS, "spelt out"),
        ("contract", _contract, _FULL_FORMS, "contracted"),
    ):
        patches = _patches(sentence.doc, words, change, skips) if direction in {name, "both"} else []
        if not patches:
            continue
        has_drafts = True
        yield Draft(patched(sentence.text, patches), reason=reason)
        if len(patches) > 1:
            for patch in patches:
                yield Draft(patched(sentence.text, [patch]), reason=f"{reason} at one place")
    yield from skips
    refuse_if(not has_drafts and not skips, "nothing")


def _patches(
    doc: Doc, words: frozenset[str], change: Callable[[Token], Patch | None], skips: dict[Skip, None]
) -> list[Patch]:
    """Return the changes of all tokens that are among the words; the reasons for unchanged ones are added to skips."""
    patches: list[Patch] = []
    for token in () if words.isdisjoint(doc.lowers) else doc.tokens:
        try:
            patch = change(token) if token.lower_ in words else None
        except Refusal as refusal:
            skips[refusal.skip] = None
        else:
            patches += [] if patch is None else [patch]
    return patches


# Expanding


def _expand(token: Token) -> Patch | None:
    if token.i == 0 or token.nbor(-1).whitespace_:
        return None
    short, host = token.lower_.replace("’", "'"), token.nbor(-1)
    if short == "n't":
        refuse_if(host.lower_ not in _BEFORE_NT, "unclear")  # “ain't” has several full forms
        refuse_if(_precedes_subject(token, host), "place")
        full = without_not(host)
        if full == "can":
            return Patch(host.idx, token.end, cased_like(host.text, "cannot"))
        new = cased_like(host.text, full) if full != host.text else full
        return Patch(host.idx, token.end, f"{new} {'NOT' if token.text.isupper() else 'not'}")
    if short in {"'m", "'re", "'ve", "'ll"}:
        refuse_if(not host.is_alpha or host.lower_ in {"y", "n't"}, "unclear")
        return _full(token, full_form(token, token.head))
    if token.tag_ == "POS" or host.lower_ in {"let", "one"}:  # “Let us go” may ask for permission
        return None
    if short == "'s":
        return _expand_s(token, host)
    return _expand_d(token, host) if short == "'d" else None


def _precedes_subject(token: Token, verb: Token) -> bool:
    """Return whether the subject follows: “Isn't it odd?”, “Why didn't Tom come?”, a question tag."""
    if token.idx >= tag_start(token.doc) or token.next_word in _SUBJECT_WORDS:
        return True
    if verb.previous_word in pronouns.INTERROGATIVE_ADVERBS:
        return True
    heads = {id(verb), id(token.head), id(verb.head)}
    rest = [word for word in token.doc[token.i + 1 :] if word.idx < tag_start(token.doc)]
    if any(word.dep_ in SUBJECT_DEPS and id(word.head) in heads for word in rest):
        return True
    return _is_question(token) and (verb.i == 0 or not verb.nbor(-1).is_alpha)


def _is_question(token: Token) -> bool:
    return token.doc.text.rstrip(" \"'”’)").endswith("?")


def _expand_s(token: Token, host: Token) -> Patch | None:
    """Expand “'s” to “is” or “has” if the parse disambiguates it."""
    verb = token.head if token.dep_ in {"aux", "auxpass"} else token
    refuse_if(not (is_verb(token) or token.pos_ == "AUX") or not _is_host_of_s(host, verb), "unclear")
    if verb is token:
        return _expand_copula(token)
    refuse_if(verb.i < token.i or verb.tag_ in {"VB", "VBP", "NN", "VBZ"}, "unclear")  # “What's he want?” is “does”
    first = next((word for word in token.doc[token.i + 1 : verb.i + 1] if word.tag_.startswith("VB")), verb)
    if first.lower_ in _PERFECT_PARTICIPLES:
        return _full(token, "has")
    if first.tag_ == "VBG":
        return _full(token, "is")
    refuse_if(first.tag_ not in {"VBN", "VBD"}, "unclear")
    if any(child.dep_ in {"dobj", "ccomp"} and child.i > verb.i for child in verb.children):
        is_perfect = token.dep_ == "aux" or verb.lower_ not in _DITRANSITIVE_PARTICIPLES
        refuse_if(not is_perfect, "unclear")
        return _full(token, "has")
    is_passive = verb.has_child("agent") or (first is verb and verb.lower_ in _PASSIVE_PARTICIPLES)
    refuse_if(not is_passive, "unclear")
    return _full(token, "is")


def _is_host_of_s(host: Token, verb: Token) -> bool:
    """Return whether the word before “'s” is a wh-word or the subject of the verb."""
    if host.lower_ in _HOSTS["is"]:
        return True
    return host.dep_ in {"nsubj", "nsubjpass"} and host.head is verb and host.tag_ in {"NN", "NNP", "DT", "WDT"}


def _expand_copula(token: Token) -> Patch | None:
    complements = [child for child in token.rights if child.dep_ in _COMPLEMENTS | SUBJECT_DEPS]
    refuse_if(not complements or token.nbor().is_punct, "unclear")
    host = token.nbor(-1).lower_
    refuse_if(host == "here" and token.nbor().lower_ == "to", "place")  # a toast
    # “There's three of them.”
    refuse_if(host in {"there", "here"} and any(child.tag_ in {"NNS", "NNPS"} for child in complements), "unclear")
    refuse_if(any(child.lower_ in _RESULT_WORDS or child.tag_ in {"VBN", "VBD"} for child in complements), "unclear")
    return _full(token, "is")


def _expand_d(token: Token, host: Token) -> Patch | None:
    """Expand “'d” to “had” or “would” if the form of the next verb disambiguates it."""
    refuse_if(host.lower_ not in pronouns.SUBJECT_PRONOUNS | {"who", "that", "there"}, "unclear")
    following = token.doc[token.i + 1 : min(len(token.doc), token.i + 5)]
    if following and following[0].lower_ == "better":
        return _full(token, "had")
    verb = require(next((word for word in following if word.tag_.startswith("VB")), None), "unclear")
    if any(word.pos_ not in {"ADV", "PART"} or word.lower_ == "to" for word in following if word.i < verb.i):
        raise Refusal("unclear")
    if verb.tag_ in {"VBD", "VBN"} and verb.lower_ != verb.lemma_.lower():
        return _full(token, "had")
    is_ambiguous = inflect(verb.lower_, "VBN") == verb.lower_
    refuse_if(not (verb.tag_ in {"VB", "VBP"} and not is_ambiguous), "unclear")
    return _full(token, "would")


def _full(token: Token, full: str) -> Patch:
    return replace(token, f" {full.upper() if token.text[1:].isupper() else full}")


# Contracting


def _contract(token: Token) -> Patch | None:
    """Contract a verb with “not” or with the word before it."""
    verb = token.lower_
    if verb in TAKES_NOT and token.next_word == "not":
        return _contract_with_not(token, token.nbor())
    hosts = _HOSTS.get(verb)
    if hosts is None or token.i == 0:
        return None
    host = token.nbor(-1)
    if host.lower_ not in hosts or not host.whitespace_:
        return None
    if verb in {"have", "has", "had"} and token.dep_ != "aux":
        return None  # “I have no time”: only the auxiliary is contracted
    refuse_if(_is_stressed(token), "emphasis")
    refuse_if(not _can_contract(token, host), "place")
    return Patch(host.end, token.end, f"{apostrophe(token.doc)}{_ENDINGS[verb]}")


def _contract_with_not(verb: Token, negator: Token) -> Patch | None:
    short = with_not(verb.lower_, verb.doc)
    following = negator.next
    is_of_verb = negator.dep_ == "neg" and (negator.head is verb or negator.head is verb.head)
    is_auxiliary = verb.dep_ in {"aux", "auxpass"} or verb.lower_ in FULL_FINITE_BE - {"am"}
    if _is_stressed(verb) or _is_stressed(negator) or (following is not None and following.lower_ in _FOCUS_WORDS):
        raise Refusal("emphasis")
    if short is None or not is_of_verb or not is_auxiliary or verb.lower_ in _FORMAL:
        raise Refusal("place")
    refuse_if(verb.previous_word == "or", "place")
    return Patch(verb.idx, negator.end, cased_like(verb.text, short))


def _is_stressed(token: Token) -> bool:
    return len(token) > 1 and token.is_upper


def _can_contract(token: Token, host: Token) -> bool:
    """Return whether a verb can be contracted with the word before it: its predicate must follow."""
    if token.next is None or token.nbor().is_punct or token.idx >= tag_start(token.doc):
        return False
    following = token.nbor()
    if following.is_space or following.lower_ in _AFTER_GAP:
        return following.lower_ == "not" and token.lower_ == "am"
    verb = token.head if token.dep_ in {"aux", "auxpass"} else token
    if verb_group(verb).first is not token:
        return False  # “Should I have gone?”
    if host.lower_ in _WH_HOSTS and host.head is verb and host.dep_ not in SUBJECT_DEPS:
        return token.lower_ == "is" and _is_contractible_question(token, verb)
    is_subject = host.dep_ in SUBJECT_DEPS or (host.dep_ == "advmod" and host.lower_ == "here")
    if host.head is not verb or not is_subject:
        return False
    if token.lower_ in {"have", "has", "had"} and verb.tag_ not in {"VBN", "VBD", "VBG"}:
        return token.lower_ == "had" and following.lower_ == "better"
    if verb is not token:
        between = token.doc[token.i + 1 : verb.i]
        return verb.i > token.i and all(word.pos_ in {"ADV", "PART", "AUX", "VERB"} for word in between)
    return token.lower_ in {"am", "is", "are"} and _has_predicate(token, host)


def _has_predicate(verb: Token, host: Token) -> bool:
    """Return whether the predicate follows a copula, unlike in “where he is now” or “than I am at home”."""
    if not any(child.dep_ in _COMPLEMENTS for child in verb.rights):
        return False
    for child in verb.lefts:
        if child is not host and any(word.tag_ in WH_TAGS for word in child.subtree):
            return False
        if child.dep_ == "mark" and child.lower_ in _COMPARISONS:
            return False
    if verb.dep_ == "relcl" and host.tag_ not in {"WP", "WDT"}:
        return False
    start = verb.left_edge.i
    return not (start and verb.doc[start - 1].lower_ in _COMPARISONS)


def _is_contractible_question(token: Token, verb: Token) -> bool:
    """Return whether “is” may be contracted: in “What is the time?”, but not in “What is it?”."""
    if verb.dep_ != "ROOT" or not _is_question(token):
        return False
    following = token.nbor()
    after = following.next
    return following.lower_ not in _SUBJECT_WORDS or (after is not None and not after.is_punct)
