"""Contraction: expand “I'm” to “I am”, or contract “I am” to “I'm”; the meaning does not change."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal, TypeAlias

from litotes.languages.base import word_set
from litotes.languages.en.function_words import COORDINATORS
from litotes.languages.en.modals import MODAL_STEMS
from litotes.languages.en.modifiers import LIMITING_ADVERBS
from litotes.languages.en.morphology.casing import cased_like
from litotes.languages.en.morphology.contractions import TAKES_NOT, apostrophe, full_form, with_not, without_not
from litotes.languages.en.morphology.inflection import inflect
from litotes.languages.en.negation import NOT_TOKENS
from litotes.languages.en.pronouns import (
    DEMONSTRATIVES,
    INTERROGATIVE_ADVERBS,
    PERSONAL_SUBJECTS,
    PLAIN_FORM_PRONOUNS,
    SUBJECT_PRONOUNS,
    THIRD_SINGULAR_PRONOUNS,
)
from litotes.languages.en.syntax.question_tags import tag_start
from litotes.languages.en.syntax.tags import CLAUSAL_COMPLEMENT_DEPS, PREDICATIVE_DEPS, SUBJECT_DEPS, WH_TAGS
from litotes.languages.en.syntax.verb_groups import verb_group
from litotes.languages.en.verbs import FULL_FINITE_BE
from litotes.languages.tree import Doc, Token
from litotes.rewrites.base import Draft, Outcome, Sentence, Skip, rule
from litotes.rewrites.en.grammar.clauses import is_verb
from litotes.rewrites.patches import Patch, patched

Direction: TypeAlias = Literal["both", "contract", "expand"]
_TokenResult: TypeAlias = Patch | Skip | None
"""A change of one token, the reason why it cannot be changed, or None if it has no other form."""

_ENDINGS = {"am": "m", "is": "s", "are": "re", "have": "ve", "has": "s", "had": "d", "will": "ll", "would": "d"}
_WH_HOSTS = INTERROGATIVE_ADVERBS - {"when", "why"} | {"what", "who"}
_HOSTS = {
    "am": frozenset({"i"}),
    "are": PLAIN_FORM_PRONOUNS - {"i"},
    "is": THIRD_SINGULAR_PRONOUNS | _WH_HOSTS | {"that", "there", "here"},
    "has": THIRD_SINGULAR_PRONOUNS | {"that", "there", "who"},
    "have": PLAIN_FORM_PRONOUNS,
    "had": PERSONAL_SUBJECTS,
    "would": PERSONAL_SUBJECTS,
    "will": SUBJECT_PRONOUNS | {"that", "who"},
}
"""The words to which each verb is contracted in writing; “it'd” and “that'd” are heard more often than written."""
_FULL_FORMS = TAKES_NOT | _HOSTS.keys()
_SHORT_FORMS = word_set("n't 'm 're 've 'll 's 'd n’t ’m ’re ’ve ’ll ’s ’d")
_SUBJECT_WORDS = SUBJECT_PRONOUNS | DEMONSTRATIVES | {"there", "one"}
_FOCUS_WORDS = LIMITING_ADVERBS | word_set("but so because to even if until unless always all every")
"""Words that “not” negates instead of the verb when it precedes them; “isn't only” would negate the clause."""
_FORMAL = frozenset({"shall", "need"})
"""“shan't” and “needn't” are expanded, but never produced: they sound dated."""
_BEFORE_NT = (TAKES_NOT - {"can", "will", "shall"}) | MODAL_STEMS
_PERFECT_PARTICIPLES = word_set("been got had become")
"""Participles before which “'s” is always “has”."""
_PASSIVE_PARTICIPLES = frozenset(
    """called made named known supposed married born used said allowed expected based written located needed given
    meant considered built forbidden required worn sold spoken played understood""".split()
)
"""Participles before which “'s” is “is”; before others (“he's left”) it may be “has”."""
_DITRANSITIVE_PARTICIPLES = word_set(
    "given called named asked told offered paid taught shown considered elected sent charged granted owed"
)
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
    if not has_drafts and not skips:
        yield Skip("nothing")


def _patches(
    doc: Doc, words: frozenset[str], change: Callable[[Token], _TokenResult], skips: dict[Skip, None]
) -> list[Patch]:
    """Return the changes of all tokens that are among the words; the reasons for unchanged ones are added to skips."""
    patches: list[Patch] = []
    if words.isdisjoint(doc.lowers):
        return patches
    for token in doc.tokens:
        result = change(token) if token.lower_ in words else None
        if isinstance(result, Patch):
            patches.append(result)
        elif result is not None:
            skips[result] = None
    return patches


# Expanding


def _expand(token: Token) -> _TokenResult:
    """Replace a contracted word by its full form."""
    if token.i == 0 or token.nbor(-1).whitespace_:
        return None
    short = token.lower_.replace("’", "'")
    host = token.nbor(-1)
    if short == "n't":
        return _expand_not(token, host)
    if short in {"'m", "'re", "'ve", "'ll"}:
        if not host.is_alpha or host.lower_ in {"y", "n't"}:
            return Skip("unclear")
        return _full(token, full_form(token, token.head))
    if token.tag_ == "POS" or host.lower_ in {"let", "one"}:  # “Let us go” may ask for permission
        return None
    if short == "'s":
        return _expand_s(token, host)
    return _expand_d(token, host) if short == "'d" else None


def _expand_not(token: Token, verb: Token) -> _TokenResult:
    if verb.lower_ not in _BEFORE_NT:
        return Skip("unclear")  # “ain't” has several full forms
    if _precedes_subject(token, verb):
        return Skip("place")
    full = without_not(verb)
    if full == "can":
        return Patch(verb.idx, token.end, cased_like(verb.text, "cannot"))
    new = cased_like(verb.text, full) if full != verb.text else full
    return Patch(verb.idx, token.end, f"{new} {'NOT' if token.text.isupper() else 'not'}")


def _precedes_subject(token: Token, verb: Token) -> bool:
    """Return whether the subject follows: “Isn't it odd?”, “Why didn't Tom come?”, a question tag."""
    if token.idx >= tag_start(token.doc):
        return True
    if token.next_word in _SUBJECT_WORDS:
        return True
    if verb.previous_word in INTERROGATIVE_ADVERBS:
        return True
    heads = {id(verb), id(token.head), id(verb.head)}
    rest = [word for word in token.doc[token.i + 1 :] if word.idx < tag_start(token.doc)]
    if any(word.dep_ in SUBJECT_DEPS and id(word.head) in heads for word in rest):
        return True
    return _is_question(token) and (verb.i == 0 or not verb.nbor(-1).is_alpha)


def _is_question(token: Token) -> bool:
    return token.doc.text.rstrip(" \"'”’)").endswith("?")


def _expand_s(token: Token, host: Token) -> _TokenResult:
    """Expand “'s” to “is” or “has” if the parse disambiguates it."""
    verb = token.head if token.dep_ in {"aux", "auxpass"} else token
    if not (is_verb(token) or token.pos_ == "AUX") or not _is_host_of_s(host, verb):
        return Skip("unclear")
    if verb is token:
        return _expand_copula(token)
    if verb.i < token.i or verb.tag_ in {"VB", "VBP", "NN", "VBZ"}:
        return Skip("unclear")  # “What's he want?” is “does”
    first = next((word for word in token.doc[token.i + 1 : verb.i + 1] if word.tag_.startswith("VB")), verb)
    if first.lower_ in _PERFECT_PARTICIPLES:
        return _full(token, "has")
    if first.tag_ == "VBG":
        return _full(token, "is")
    if first.tag_ not in {"VBN", "VBD"}:
        return Skip("unclear")
    if any(child.dep_ in {"dobj", "ccomp"} and child.i > verb.i for child in verb.children):
        is_perfect = token.dep_ == "aux" or verb.lower_ not in _DITRANSITIVE_PARTICIPLES
        return _full(token, "has") if is_perfect else Skip("unclear")
    has_agent = verb.has_child("agent")
    is_passive = has_agent or (first is verb and verb.lower_ in _PASSIVE_PARTICIPLES)
    return _full(token, "is") if is_passive else Skip("unclear")


def _is_host_of_s(host: Token, verb: Token) -> bool:
    """Return whether the word before “'s” is a wh-word or the subject of the verb."""
    if host.lower_ in _HOSTS["is"]:
        return True
    return host.dep_ in {"nsubj", "nsubjpass"} and host.head is verb and host.tag_ in {"NN", "NNP", "DT", "WDT"}


def _expand_copula(token: Token) -> _TokenResult:
    complements = [child for child in token.rights if child.dep_ in _COMPLEMENTS | SUBJECT_DEPS]
    if not complements or token.nbor().is_punct:
        return Skip("unclear")
    host = token.nbor(-1).lower_
    if host == "here" and token.nbor().lower_ == "to":
        return Skip("place")  # a toast
    if host in {"there", "here"} and any(child.tag_ in {"NNS", "NNPS"} for child in complements):
        return Skip("unclear")  # “There's three of them.”
    if any(child.lower_ in _RESULT_WORDS or child.tag_ in {"VBN", "VBD"} for child in complements):
        return Skip("unclear")
    return _full(token, "is")


def _expand_d(token: Token, host: Token) -> _TokenResult:
    """Expand “'d” to “had” or “would” if the form of the next verb disambiguates it."""
    if host.lower_ not in SUBJECT_PRONOUNS | {"who", "that", "there"}:
        return Skip("unclear")
    following = token.doc[token.i + 1 : min(len(token.doc), token.i + 5)]
    if following and following[0].lower_ == "better":
        return _full(token, "had")
    verb = next((word for word in following if word.tag_.startswith("VB")), None)
    if verb is None:
        return Skip("unclear")
    if any(word.pos_ not in {"ADV", "PART"} or word.lower_ == "to" for word in following if word.i < verb.i):
        return Skip("unclear")
    if verb.tag_ in {"VBD", "VBN"} and verb.lower_ != verb.lemma_.lower():
        return _full(token, "had")
    is_ambiguous = inflect(verb.lower_, "VBN") == verb.lower_
    return _full(token, "would") if verb.tag_ in {"VB", "VBP"} and not is_ambiguous else Skip("unclear")


def _full(token: Token, full: str) -> Patch:
    return Patch(token.idx, token.end, f" {full.upper() if token.text[1:].isupper() else full}")


# Contracting


def _contract(token: Token) -> _TokenResult:
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
    if _is_stressed(token):
        return Skip("emphasis")
    if not _can_contract(token, host):
        return Skip("place")
    return Patch(host.end, token.end, f"{apostrophe(token.doc)}{_ENDINGS[verb]}")


def _contract_with_not(verb: Token, negator: Token) -> _TokenResult:
    short = with_not(verb.lower_, verb.doc)
    following = negator.next
    is_of_verb = negator.dep_ == "neg" and (negator.head is verb or negator.head is verb.head)
    is_auxiliary = verb.dep_ in {"aux", "auxpass"} or verb.lower_ in FULL_FINITE_BE - {"am"}
    if _is_stressed(verb) or _is_stressed(negator) or (following is not None and following.lower_ in _FOCUS_WORDS):
        return Skip("emphasis")
    if short is None or not is_of_verb or not is_auxiliary or verb.lower_ in _FORMAL:
        return Skip("place")
    if verb.previous_word == "or":
        return Skip("place")
    return Patch(verb.idx, negator.end, cased_like(verb.text, short))


def _is_stressed(token: Token) -> bool:
    return len(token) > 1 and token.is_upper


def _can_contract(token: Token, host: Token) -> bool:
    """Return whether a verb can be contracted with the word before it: its predicate must follow."""
    if token.i + 1 >= len(token.doc) or token.nbor().is_punct or token.idx >= tag_start(token.doc):
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
    after = following.nbor() if following.i + 1 < len(token.doc) else None
    return following.lower_ not in _SUBJECT_WORDS or (after is not None and not after.is_punct)
