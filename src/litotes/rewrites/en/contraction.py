"""Contraction: what is spelt out contracted, what is contracted spelt out; nothing else changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Literal, TypeAlias

from litotes.languages.en.morphology.casing import cased_like
from litotes.languages.en.morphology.contractions import TAKES_NOT, apostrophe, full_form, positive_of, with_not
from litotes.languages.en.morphology.inflection import inflect
from litotes.languages.en.syntax.question_tags import tag_start
from litotes.languages.en.syntax.verb_groups import NEGATORS, SUBJECTS, verb_group
from litotes.rewrites.base import Draft, Outcome, Sentence, Skip, rule
from litotes.rewrites.en.grammar.clauses import is_verb
from litotes.rewrites.patches import Patch, end_of, patched, start_of

if TYPE_CHECKING:
    from litotes.languages.tree import Doc, Token

Direction: TypeAlias = Literal["both", "contract", "expand"]
_Found: TypeAlias = Patch | Skip | None
"""What becomes of a word: another text for it, the reason why it is left, or nothing at all."""

_SHORT = {"am": "m", "is": "s", "are": "re", "have": "ve", "has": "s", "had": "d", "will": "ll", "would": "d"}
_LEANING = {
    "am": "i",
    "are": "you we they",
    "is": "he she it that there here what who where how",
    "has": "he she it that there who",
    "have": "i you we they",
    "had": "i you he she we they",
    "would": "i you he she we they",
    "will": "i you he she it we they that who",
}
"""What each verb leans on in writing: “it'd” and “that'd” are rather heard than read."""
_HOSTS = {verb: frozenset(hosts.split()) for verb, hosts in _LEANING.items()}
_WHOLE_FORMS = TAKES_NOT | _HOSTS.keys()
_SHORT_FORMS = frozenset("n't 'm 're 've 'll 's 'd n’t ’m ’re ’ve ’ll ’s ’d".split())
_ASKING = frozenset("what who where how".split())
_PRONOUNS = frozenset("i you he she it we they there this that these those one".split())
_ONLY = frozenset("only just merely simply but so because to even if until unless always all every".split())
"""After “not” they are what is denied; “isn't only” would read as denying the clause."""
_FORMAL = frozenset({"shall", "need"})
"""“shan't” and “needn't” are spelt out, but nobody is made to say them."""
_NEGATABLE = frozenset("is are was were has have had do does did ca could wo would should must sha need".split())
_SURE_HAS = frozenset("been got had become".split())
_SURE_IS = frozenset(
    """called made named known supposed married born used said allowed expected based written located needed given
    meant considered built forbidden required worn sold spoken played understood""".split()
)
"""Participles behind “'s” that make a passive; others (“he's left”) may make a perfect."""
_WITH_TWO_OBJECTS = frozenset(
    "given called named asked told offered paid taught shown considered elected sent charged granted owed".split()
)
"""They may have an object in the passive too: “he's given a book”."""
_DONE = frozenset("gone done finished left over up".split())
_COMPLEMENTS = frozenset({"acomp", "attr", "prep", "advmod", "oprd", "xcomp", "ccomp", "advcl", "npadvmod", "expl"})
_BREAKING_OFF = NEGATORS | {"and", "or", "but"}
_NO_GAP = frozenset({"than", "as"})


@rule(
    "contraction",
    effect="same",
    needs=("parse", "inflection"),
    skips={
        "nothing": "it has nothing that can be contracted or spelt out",
        "place": "it stands where the other form is not used: at the end of a clause, in a tag, before its subject",
        "unclear": "it cannot be told for which word the short form stands",
        "emphasis": "the word is stressed, or what is denied follows it",
    },
)
def contraction(sentence: Sentence, *, direction: Direction = "both") -> Iterator[Outcome]:
    """Spell out what is contracted, or contract what is spelt out: “I'm sure.” → “I am sure.”

    >>> from litotes.rewrites.apply import rewrite
    >>> [edit.text for edit in rewrite("contraction", "I'm sure that it is not far.")]
    ['I am sure that it is not far.', "I'm sure that it isn't far."]
    """
    skips: dict[Skip, None] = {}
    found = False
    for name, read, words in (("expand", _spelt_out, _SHORT_FORMS), ("contract", _contracted, _WHOLE_FORMS)):
        if direction not in {name, "both"}:
            continue
        patches = _patches(sentence.doc, words, read, skips)
        if not patches:
            continue
        found = True
        reason = "spelt out" if name == "expand" else "contracted"
        yield Draft(patched(sentence.text, patches), reason=reason)
        if len(patches) > 1:
            for patch in patches:
                yield Draft(patched(sentence.text, [patch]), reason=f"{reason} at one place")
    yield from skips
    if not found and not skips:
        yield Skip("nothing")


def _patches(doc: Doc, words: frozenset[str], read: Callable[[Token], _Found], skips: dict[Skip, None]) -> list[Patch]:
    found: list[Patch] = []
    if words.isdisjoint(doc.lowers):
        return found
    for token in doc.tokens:
        outcome = read(token) if token.lower_ in words else None
        if isinstance(outcome, Patch):
            found.append(outcome)
        elif outcome is not None:
            skips[outcome] = None
    return found


# --- spelling out ---


def _spelt_out(token: Token) -> _Found:
    """The whole word in the place of a contracted one."""
    if token.i == 0 or token.nbor(-1).whitespace_:
        return None
    lower = token.lower_.replace("’", "'")
    before = token.nbor(-1)
    if lower == "n't":
        return _not_spelt_out(token, before)
    if lower in {"'m", "'re", "'ve", "'ll"}:
        if not before.is_alpha or before.lower_ in {"y", "n't"}:
            return Skip("unclear")
        return _whole(token, full_form(token, token.head))
    if token.tag_ == "POS" or before.lower_ in {"let", "one"}:  # “Let us go” may ask for leave
        return None
    if lower == "'s":
        return _is_or_has(token, before)
    return _had_or_would(token, before) if lower == "'d" else None


def _not_spelt_out(token: Token, verb: Token) -> _Found:
    if verb.lower_ not in _NEGATABLE:
        return Skip("unclear")  # “ain't” stands for many
    if _is_before_subject(token, verb):
        return Skip("place")
    full = positive_of(verb)
    if full == "can":
        return Patch(start_of(verb), end_of(token), cased_like(verb.text, "cannot"))
    new = cased_like(verb.text, full) if full != verb.text else full
    return Patch(start_of(verb), end_of(token), f"{new} {'NOT' if token.text.isupper() else 'not'}")


def _is_before_subject(token: Token, verb: Token) -> bool:
    """Whether “not” would come to stand before the subject: “Isn't it odd?”, “Why didn't Tom come?”, a question tag."""
    if token.idx >= tag_start(token.doc):
        return True
    if token.i + 1 < len(token.doc) and token.nbor().lower_ in _PRONOUNS:
        return True
    if verb.i and verb.nbor(-1).lower_ in {"why", "how", "when", "where"}:
        return True
    heads = {id(verb), id(token.head), id(verb.head)}
    before_tag = [one for one in token.doc[token.i + 1 :] if one.idx < tag_start(token.doc)]
    if any(one.dep_ in SUBJECTS and id(one.head) in heads for one in before_tag):
        return True
    asks = token.doc.text.rstrip(" \"'”’)").endswith("?")
    return asks and (verb.i == 0 or not verb.nbor(-1).is_alpha)


def _is_or_has(token: Token, before: Token) -> _Found:
    """“'s” as “is” or “has”, where the parse tells which."""
    verb = token.head if token.dep_ in {"aux", "auxpass"} else token
    if not (is_verb(token) or token.pos_ == "AUX") or not _is_host(token, before, verb):
        return Skip("unclear")
    if verb is token:
        return _copula_spelt_out(token)
    if verb.i < token.i or verb.tag_ in {"VB", "VBP", "NN", "VBZ"}:
        return Skip("unclear")  # “What's he want?” is “does”
    first = next((one for one in token.doc[token.i + 1 : verb.i + 1] if one.tag_.startswith("VB")), verb)
    if first.lower_ in _SURE_HAS:
        return _whole(token, "has")
    if first.tag_ == "VBG":
        return _whole(token, "is")
    if first.tag_ not in {"VBN", "VBD"}:
        return Skip("unclear")
    has_object = any(child.dep_ in {"dobj", "ccomp"} and child.i > verb.i for child in verb.children)
    if has_object:
        is_perfect = token.dep_ == "aux" or verb.lower_ not in _WITH_TWO_OBJECTS
        return _whole(token, "has") if is_perfect else Skip("unclear")
    is_passive = any(child.dep_ == "agent" for child in verb.children) or (first is verb and verb.lower_ in _SURE_IS)
    return _whole(token, "is") if is_passive else Skip("unclear")


def _is_host(token: Token, before: Token, verb: Token) -> bool:
    """Whether a word that “'s” leans on is its subject, or asks for something."""
    if before.lower_ in {"he", "she", "it", "that", "there", "here", *_ASKING}:
        return True
    return before.dep_ in {"nsubj", "nsubjpass"} and before.head is verb and before.tag_ in {"NN", "NNP", "DT", "WDT"}


def _copula_spelt_out(token: Token) -> _Found:
    after = [child for child in token.rights if child.dep_ in _COMPLEMENTS | SUBJECTS]
    if not after or token.nbor().is_punct:
        return Skip("unclear")
    if token.nbor(-1).lower_ == "here" and token.nbor().lower_ == "to":
        return Skip("place")  # a toast
    if token.nbor(-1).lower_ in {"there", "here"} and any(child.tag_ in {"NNS", "NNPS"} for child in after):
        return Skip("unclear")  # “There's three of them.”
    if any(child.lower_ in _DONE for child in after) or any(child.tag_ in {"VBN", "VBD"} for child in after):
        return Skip("unclear")
    return _whole(token, "is")


def _had_or_would(token: Token, before: Token) -> _Found:
    """“'d” as “had” or “would”, where the form of the verb after it tells which."""
    if before.lower_ not in {"i", "you", "he", "she", "it", "we", "they", "who", "that", "there"}:
        return Skip("unclear")
    end = min(len(token.doc), token.i + 5)
    following = token.doc[token.i + 1 : end]
    if following and following[0].lower_ == "better":
        return _whole(token, "had")
    first = next((one for one in following if one.tag_.startswith("VB")), None)
    between = [] if first is None else [one for one in following if one.i < first.i]
    if first is None or any(one.pos_ not in {"ADV", "PART"} or one.lower_ == "to" for one in between):
        return Skip("unclear")
    if first.tag_ in {"VBD", "VBN"} and first.lower_ != first.lemma_.lower():
        return _whole(token, "had")
    alike = inflect(first.lower_, "VBN") == first.lower_
    return _whole(token, "would") if first.tag_ in {"VB", "VBP"} and not alike else Skip("unclear")


def _whole(token: Token, full: str) -> Patch:
    return Patch(start_of(token), end_of(token), f" {full.upper() if token.text[1:].isupper() else full}")


# --- contracting ---


def _contracted(token: Token) -> _Found:
    """The short form in the place of a verb, with “not” or with what it leans on."""
    lower = token.lower_
    if lower in TAKES_NOT and token.i + 1 < len(token.doc) and token.nbor().lower_ == "not":
        return _contracted_with_not(token, token.nbor())
    hosts = _HOSTS.get(lower)
    if hosts is None or token.i == 0:
        return None
    host = token.nbor(-1)
    if host.lower_ not in hosts or not host.whitespace_:
        return None
    if lower in {"have", "has", "had"} and token.dep_ != "aux":
        return None  # “I have no time”: only as an auxiliary has it a short form
    if _is_stressed(token):
        return Skip("emphasis")
    if not _may_lean(token, host):
        return Skip("place")
    return Patch(end_of(host), end_of(token), f"{apostrophe(token.doc)}{_SHORT[lower]}")


def _contracted_with_not(verb: Token, negator: Token) -> _Found:
    short = with_not(verb.lower_, verb.doc)
    following = negator.nbor() if negator.i + 1 < len(negator.doc) else None
    is_of_verb = negator.dep_ == "neg" and (negator.head is verb or negator.head is verb.head)
    is_auxiliary = verb.dep_ in {"aux", "auxpass"} or verb.lower_ in {"is", "are", "was", "were"}
    if _is_stressed(verb) or _is_stressed(negator) or (following is not None and following.lower_ in _ONLY):
        return Skip("emphasis")
    if short is None or not is_of_verb or not is_auxiliary or verb.lower_ in _FORMAL:
        return Skip("place")
    if verb.i and verb.nbor(-1).lower_ == "or":
        return Skip("place")
    return Patch(start_of(verb), end_of(negator), cased_like(verb.text, short))


def _is_stressed(token: Token) -> bool:
    return len(token) > 1 and token.is_upper


def _may_lean(token: Token, host: Token) -> bool:
    """Whether a verb can lean on the word before it: it has its predicate behind it, and nothing left out between."""
    if token.i + 1 >= len(token.doc) or token.nbor().is_punct or token.idx >= tag_start(token.doc):
        return False
    following = token.nbor()
    if following.is_space or following.lower_ in _BREAKING_OFF:
        return following.lower_ == "not" and token.lower_ == "am"
    verb = token.head if token.dep_ in {"aux", "auxpass"} else token
    if verb_group(verb).first is not token:
        return False  # “Should I have gone?”
    asked = host.lower_ in _ASKING and host.head is verb and host.dep_ not in SUBJECTS
    if asked:
        return token.lower_ == "is" and _asks_plainly(token, verb)
    is_subject = host.dep_ in SUBJECTS or (host.dep_ == "advmod" and host.lower_ == "here")
    if host.head is not verb or not is_subject:
        return False
    if token.lower_ in {"have", "has", "had"} and verb.tag_ not in {"VBN", "VBD", "VBG"}:
        return token.lower_ == "had" and following.lower_ == "better"
    if verb is not token:
        return _reaches(token, verb)
    return token.lower_ in {"am", "is", "are"} and _has_predicate(token, host)


def _reaches(token: Token, verb: Token) -> bool:
    """Whether only adverbs stand between an auxiliary and its verb."""
    between = token.doc[token.i + 1 : verb.i]
    return verb.i > token.i and all(one.pos_ in {"ADV", "PART", "AUX", "VERB"} for one in between)


def _has_predicate(verb: Token, host: Token) -> bool:
    """Whether what is said follows the verb: not in “where he is now”, “than I am at home”, “what it is about”."""
    if not any(child.dep_ in _COMPLEMENTS for child in verb.rights):
        return False
    for child in verb.lefts:
        if child is not host and any(one.tag_ in {"WP", "WRB", "WDT", "WP$"} for one in child.subtree):
            return False
        if child.dep_ == "mark" and child.lower_ in _NO_GAP:
            return False
    if verb.dep_ == "relcl" and host.tag_ not in {"WP", "WDT"}:
        return False
    start = verb.left_edge.i
    return not (start and verb.doc[start - 1].lower_ in _NO_GAP)


def _asks_plainly(token: Token, verb: Token) -> bool:
    """“What is the time?”, “Where is he going?”, but “What is it?” ends in a pronoun that needs the whole verb."""
    following = token.nbor()
    if verb.dep_ != "ROOT" or not token.doc.text.rstrip(" \"'”’)").endswith("?"):
        return False
    after = following.nbor() if following.i + 1 < len(token.doc) else None
    return following.lower_ not in _PRONOUNS or (after is not None and not after.is_punct)
