"""Checks of English edits: faults of the text, and faults that the parse of the edit shows."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from litotes.languages.base import word_set
from litotes.languages.en.morphology.articles import indefinite_article
from litotes.languages.en.morphology.inflection import has_form
from litotes.languages.en.negation import ALL_NEGATORS, NOT_TOKENS
from litotes.languages.en.parser import parse_all
from litotes.languages.en.syntax.tags import AUXILIARY_DEPS, PLAIN_SUBJECT_DEPS
from litotes.languages.en.syntax.verb_groups import is_plural, person, verb_group
from litotes.languages.en.word_lists import word_list
from litotes.languages.tree import Doc, Token
from litotes.rewrites.base import COMMON_SKIPS, Edit, Sentence, Skip, common_skip
from litotes.rewrites.en.polarity.coordination import can_be_verb, hides_verb
from litotes.rewrites.gates import EditCandidate
from litotes.rewrites.patches import n_equal_words

_REPEATED = re.compile(r"(?<![\w'’])(\w+) \1(?![\w'’])", re.IGNORECASE)
_REPEATABLE = frozenset({"had", "that", "very", "really", "so", "no", "ha", "blah", "bye"})
_STRAY = re.compile(r" [,.;?!](?![.\w])|\( | \)|,,|,\.")
_ODD_SPACE = re.compile(r"\s{2,}|[^\S ]")
_SIGN = re.compile(r"[^\w\s'’‘,.;:?!\-–—…]")
_UNUSUAL_CHARACTER = re.compile(r"[^a-zA-Z ,.'?!\-]")
_PAIRED_SIGNS = (("(", ")"), ("[", "]"), ("{", "}"), ("“", "”"), ("«", "»"))
_ENDS = (".", "?", "!", "…")
_END = re.compile(r"[.?!…][\"'”’)\]*_~]*\s*$")
# A capital A inside a sentence is a name: "vitamin A".
_ARTICLE = re.compile(r"(?<![\w'’.\-])(an?|An|(?<!\w )A)\s+[\"“‘'(\[*]*(\w[\w.]*)")
_ARTICLES = frozenset({"a", "an"})
_NOT_AFTER_ARTICLE = word_set("is and or are was in of on at if as to for")
"""Words before which “a” is a letter, not the article."""

_PUNCTUATION = frozenset(",;:.?!")
_REMOVED_COUNTS = {0: (1, 2), 1: (0, 1, 2), 2: (0, 1, 2), -1: (2, 3)}
"""Number of additional words → possible numbers of removed words, most likely first."""


def edit_fault(sentence: Sentence, after: str) -> str | None:
    """Return the skip code of the fault in an edit, or None; cached, because several rules produce the same edit."""
    faults = sentence.faults
    if after not in faults:
        if is_simple_edit(sentence.pieces, after):
            faults[after] = None
        else:
            faults[after] = find_text_fault(sentence.text, after) or _fault_at_ends(sentence.text, after)
    return faults[after]


def _fault_at_ends(before: str, after: str) -> str | None:
    if len(before.strip()) == len(before) and len(after.strip()) == len(after):
        return None
    start, end = before[: len(before) - len(before.lstrip())], before[len(before.rstrip()) :]
    return None if after == f"{start}{after.strip()}{end}" else "broken"


def is_simple_edit(old: list[str], after: str) -> bool:
    """Whether an edit changes or inserts words in one position only, and certainly without a fault.

    This is a fast path: most edits are simple. `old` is the text before the edit, split at each space.

    >>> is_simple_edit(["I", "am", "glad."], "I am not glad."), is_simple_edit(["I", "am", "glad."], "I am am glad.")
    (True, False)
    """
    new = after.split(" ")
    start, n_new = 0, len(new)
    for word in old:
        if start == n_new or word != new[start]:
            break
        start += 1
    more = n_new - len(old)
    for n_removed in _REMOVED_COUNTS.get(more, ()):
        end = start + n_removed + more
        if start < end <= n_new and old[start + n_removed :] == new[end:]:
            if n_removed == 0 and end == n_new:
                return False  # inserted after the final punctuation
            return _is_alphabetic(old[start : start + n_removed], new[start:end]) and not _may_have_fault(
                new[start - 1 if start else 0 : end + 1]
            )
    return False


def _is_alphabetic(removed: list[str], added: list[str]) -> bool:
    """Whether both word lists consist of letters, apart from the same final sign."""
    old, new = "".join(removed), "".join(added)
    if not new.isalpha():
        if removed and old[-1:] == new[-1:] and len(removed[-1]) > 1 and len(added[-1]) > 1:
            old, new = old[:-1], new[:-1]
        if not new.replace("'", "").isalpha():
            return False
    if not removed:
        return True
    if "" in removed:
        return False  # two spaces in a row
    return (old.isalpha() or old.replace("'", "").isalpha()) and old.casefold() != new.casefold()


def _may_have_fault(words: list[str]) -> bool:
    """Whether adjacent words may have a fault: a repetition, a wrong indefinite_article, misplaced punctuation."""
    last = ""
    for word in words:
        lower = word.lower()
        if last:
            if not lower[:1].isalnum():
                return True
            if not last.isalpha():
                # The end of “well-known” may be repeated, and a bracket before a space is misplaced.
                if last[-1] not in _PUNCTUATION and not last.replace("'", "").isalpha():
                    return True
            elif lower.startswith(last) or (last in _ARTICLES and indefinite_article(word) != last):
                return True
        last = lower or " "
    return False


def text_fault(before: str, after: str) -> str | None:
    """Return the skip code of the fault in a rewritten text, or None.

    The checks cover repeated words, spaces and punctuation, quotes and brackets, and a and an. Faults that the text had
    before the rewrite do not count.

    >>> text_fault("I am glad.", "I am am glad."), text_fault("I am glad.", "I am not glad.")
    ('broken', None)
    >>> text_fault("It is a (bad) idea.", "It is an (bad) idea."), text_fault("I am glad.", "I am sad .")
    ('broken', 'broken')
    """
    return None if is_simple_edit(before.split(" "), after) else find_text_fault(before, after)


def find_text_fault(before: str, after: str) -> str | None:
    """Return the skip code of the fault in an edit that is not simple, or None."""
    old_words, new_words = _words(before), after.split()
    # A new fault can only be where the two differ, or a word or two around it.
    start, end = n_equal_words(old_words, new_words)
    old_end, new_end = len(old_words) - end, len(new_words) - end
    changed_pairs = zip(old_words[start:old_end], new_words[start:new_end], strict=False)
    if old_end == new_end and all(old_word.casefold() == new_word.casefold() for old_word, new_word in changed_pairs):
        return "unchanged"
    if ("  " in after or not after.isprintable()) and _occurs_more_often(_ODD_SPACE, before, after):
        return "broken"
    if not end and _is_closed(before) and not _is_closed(after):
        return "broken"
    first = max(0, start - 2)
    old_words, new_words = old_words[first : old_end + 1], new_words[first : new_end + 1]
    old, new = " ".join(old_words), " ".join(new_words)
    has_signs = _UNUSUAL_CHARACTER.search(new) or _UNUSUAL_CHARACTER.search(old)
    if has_signs and _SIGN.findall(old) != _SIGN.findall(new) and _signs_broken(before, after):
        return "broken"
    if _words_broken(old_words, new_words):
        return "broken"
    return None


def _words_broken(old_words: list[str], new_words: list[str]) -> bool:
    new = " ".join(new_words)
    if not _may_have_fault(new_words) and ",," not in new and ",." not in new:
        return False
    old = " ".join(old_words)
    repeated, stray = _count_repeated(new), _STRAY.findall(new)
    articles = _ARTICLE.findall(new) if "a " in new or "n " in new or "A " in new else []
    return bool(
        (repeated and repeated > _count_repeated(old))
        or (stray and len(stray) > len(_STRAY.findall(old)))
        or (articles and _article_wrong(_ARTICLE.findall(old), articles))
    )


@lru_cache(maxsize=64)
def _words(text: str) -> list[str]:
    """Split a text into words; cached, because all edits of a sentence are compared with it."""
    return text.split()


def _is_closed(text: str) -> bool:
    return text.endswith(_ENDS) or _END.search(text) is not None


def _count_repeated(text: str) -> int:
    return sum(word.lower() not in _REPEATABLE for word in _REPEATED.findall(text))


def _occurs_more_often(pattern: re.Pattern[str], before: str, after: str) -> bool:
    """Whether the pattern matches something in the new text that was not in the old one, or less often."""
    return bool(Counter(pattern.findall(after)) - Counter(pattern.findall(before)))


def _signs_broken(before: str, after: str) -> bool:
    old, new = Counter(_SIGN.findall(before)), Counter(_SIGN.findall(after))
    if any(sign not in old for sign in new if sign not in '"“”') or (old['"'] % 2 == 0 and new['"'] % 2):
        return True
    return any(old[left] == old[right] and new[left] != new[right] for left, right in _PAIRED_SIGNS)


def _article_wrong(old: list[tuple[str, str]], new: list[tuple[str, str]]) -> bool:
    return any(
        indefinite_article(word) != shown.lower() and word.lower() not in _NOT_AFTER_ARTICLE
        for shown, word in new
        if (shown, word) not in old
    )


class TextGate:
    """The gate of `text_fault`, for edits from other sources; rewrites check their own edits."""

    codes: Mapping[str, str] = {code: COMMON_SKIPS[code] for code in ("unchanged", "broken")}

    def refusals(self, candidates: Sequence[EditCandidate]) -> list[Skip | None]:
        """Return for each candidate the reason for its rejection, or None."""
        faults = [text_fault(text, edit.text) for text, edit in candidates]
        return [None if fault is None else common_skip(fault) for fault in faults]


FAULTS = {
    "not-parsed": "the rewritten sentence cannot be parsed",
    "sentences": "one sentence became several",
    "negation-count": "the number of negations does not change by one, or changes although it should not",
    "negation-scope": "the negation is in a subordinate clause",
    "voice": "the clause is not in the intended voice",
    "agreement": "the verb of the main clause does not agree with its subject",
    "verb-form": "a verb is not in the form that its auxiliary requires",
    "part-of-speech": "the new word is parsed as another part of speech than the old one",
}
"""Skip code → meaning."""

_QUESTION_TAG = re.compile(
    r"[,?] ?\w+(?: ?n['’]t)?(?: not)? (?:I|you|he|she|it|we|they|there|one)(?: not)?\?\W*$", re.IGNORECASE
)

_ONE_NEGATION_RULES = frozenset({"negation", "negation_at", "quantifier_negation", "negated_antonym"})
_WORD_RULES = frozenset({"antonym", "synonym", "infill"})
_SUBORDINATE_DEPS = frozenset({"relcl", "acl", "advcl"})
_CLAUSE_DEPS = frozenset({"ROOT", "ccomp", "csubj", "csubjpass", "pcomp", "parataxis", *_SUBORDINATE_DEPS})

_EITHER_NUMBER_SUBJECTS = word_list("either number subjects")
"""Subjects that take a singular or a plural verb, or whose tags do not show their number."""
_TAGS_AFTER_DO = {"does": "VBZ", "did": "VBD"}
_OWN_CLAUSE_DEPS = PLAIN_SUBJECT_DEPS | AUXILIARY_DEPS
_WORD_CLASSES = {"ADJ": "a", "VERB": "v", "AUX": "v", "NOUN": "n", "ADV": "r"}


def reparse_fault(before: Doc, edit: Edit, after: Doc) -> str | None:
    """Return the code in `FAULTS` of the fault that the parse of an edit shows, or None.

    >>> from litotes.languages.en.parser import parse
    >>> before = parse("She sings.")
    >>> texts = ("She does not sing.", "She do not sing.", "She never does not sing.")
    >>> [reparse_fault(before, Edit(text, "negation", "opposite", ()), parse(text)) for text in texts]
    [None, 'agreement', 'negation-count']
    """
    if not after.is_parsed or not before.is_parsed:
        return "not-parsed"
    if _n_sentences(before) == 1 < _n_sentences(after):
        return "sentences"
    return (
        _negation_fault(before, edit, after)
        or _voice_fault(before, edit, after)
        or _agreement_fault(before, after)
        or _form_fault(before, after)
        or _part_of_speech_fault(before, edit, after)
    )


class ReparseGate:
    """The gate of `reparse_fault`, with any English spaCy pipeline."""

    codes: Mapping[str, str] = FAULTS

    def __init__(self, pipeline: str | None = None) -> None:
        self._pipeline = pipeline

    def refusals(self, candidates: Sequence[EditCandidate]) -> list[Skip | None]:
        """Return for each candidate the reason for its rejection, or None; every text is parsed once."""
        texts = dict.fromkeys(text for candidate in candidates for text in (candidate.text, candidate.edit.text))
        docs = dict(zip(texts, parse_all(texts, pipeline=self._pipeline), strict=True))
        faults = [reparse_fault(docs[text], edit, docs[edit.text]) for text, edit in candidates]
        return [None if fault is None else Skip(fault, FAULTS[fault]) for fault in faults]


def _n_sentences(doc: Doc) -> int:
    return sum(any(token.is_alpha for token in span) for span in doc.sents)


def negators(doc: Doc) -> list[Token]:
    """Return the negators outside a question tag, whose polarity is opposite to that of its clause."""
    tag = _QUESTION_TAG.search(doc.text)
    end = tag.start() if tag else len(doc.text)
    return [token for token in doc if token.lower_ in ALL_NEGATORS and token.idx < end and not _is_answer(token)]


def _is_answer(token: Token) -> bool:
    """Whether a "no" is an answer or an interjection, not a negation: "No, I am." """
    return token.lower_ == "no" and token.dep_ in {"intj", "ROOT"}


def _negation_fault(before: Doc, edit: Edit, after: Doc) -> str | None:
    old, new = negators(before), negators(after)
    difference = len(new) - len(old)
    if edit.rule in _ONE_NEGATION_RULES:
        if abs(difference) != 1:
            return "negation-count"
        return "negation-scope" if edit.rule == "negation" and _n_subordinate(new) > _n_subordinate(old) else None
    if edit.rule == "quadruple" or _changes_a_negator(edit):
        return None
    is_wrong = difference > 0 if edit.rule == "embedded_clause" else difference != 0
    return "negation-count" if is_wrong else None


def _changes_a_negator(edit: Edit) -> bool:
    """Whether the edit replaces a negation word on purpose: "never" for "always"."""
    return any(word in ALL_NEGATORS for change in edit.words for words in change for word in words.lower().split())


def _n_subordinate(tokens: Sequence[Token]) -> int:
    return sum(_head_of_clause(token).dep_ in _SUBORDINATE_DEPS for token in tokens)


def _head_of_clause(token: Token) -> Token:
    while token.dep_ not in _CLAUSE_DEPS and token.head.i != token.i:
        token = token.head
    return token


def _voice_fault(before: Doc, edit: Edit, after: Doc) -> str | None:
    direction = {"passive": 1, "active": -1}.get(edit.rule)
    if direction is None:
        return None
    n_before, n_after = (sum(token.dep_ == "auxpass" for token in doc) for doc in (before, after))
    return None if (n_after - n_before) * direction > 0 else "voice"


def _agreement_fault(before: Doc, after: Doc) -> str | None:
    if all(_agrees(span.root) for span in after.sents) or not all(_agrees(span.root) for span in before.sents):
        return None
    return "agreement"


def _agrees(verb: Token) -> bool:
    """Whether the root of a sentence is not a verb, or agrees with its subject as far as the parse shows."""
    if not verb.is_verbal:
        return True
    group = verb_group(verb)
    subject, finite = group.subject, group.first
    if subject is None or subject.dep_ not in {"nsubj", "nsubjpass"} or finite.tag_ not in {"VBZ", "VBP", "VBD"}:
        return True
    form = finite.lower_
    if subject.lower_ == "i":
        return finite.tag_ != "VBZ" and form not in {"are", "were", "'re", "’re"}
    if subject.lower_ in _EITHER_NUMBER_SUBJECTS:
        return True
    if is_plural(subject) or person(subject) == 2:
        return finite.tag_ != "VBZ" and form not in {"was", "am", "'m", "’m"}
    return _is_doubtful(subject) or (finite.tag_ != "VBP" and form != "were")


def _form_fault(before: Doc, after: Doc) -> str | None:
    is_wrong = any(map(_governs_inflected_verb, after)) and not any(map(_governs_inflected_verb, before))
    return "verb-form" if is_wrong or _lacks_to(before, after) else None


def _governs_inflected_verb(do: Token) -> bool:
    """Whether a verb after “do” is inflected: “does not sing and dances”."""
    tag = _TAGS_AFTER_DO.get(do.lower_)
    if tag is None or do.dep_ != "aux" or do.head.tag_ not in {"VB", "VBP"}:
        return False
    return hides_verb(do.head, tag) or any(
        can_be_verb(verb, tag) and not has_form(verb.lower_, "VB") for verb in _verbs_under_do(do.head)
    )


def _verbs_under_do(verb: Token) -> Iterator[Token]:
    """Yield the verbs coordinated with a verb that depend on the same “do”; after “but” they have their own tense."""
    if any(child.dep_ == "cc" and child.lower_ == "but" for child in verb.rights):
        return
    for child in verb.rights:
        if child.dep_ in {"conj", "dep"} and not any(left.dep_ in _OWN_CLAUSE_DEPS for left in child.lefts):
            yield child
            yield from _verbs_under_do(child)


def _lacks_to(before: Doc, after: Doc) -> bool:
    """Whether “need not go” became “need go”: only the negated form takes a bare verb."""
    if {"need", "dare"}.isdisjoint(before.lowers) or {"need", "dare"}.isdisjoint(after.lowers):
        return False
    tokens = before.tokens
    bare = {
        (need.lower_, verb.lower_)
        for need, negator, verb in zip(tokens, tokens[1:], tokens[2:], strict=False)
        if need.lower_ in {"need", "dare"} and negator.lower_ in NOT_TOKENS
    }
    return any((need.lower_, verb.lower_) in bare for need, verb in itertools.pairwise(after.tokens))


def _is_doubtful(subject: Token) -> bool:
    """Whether a subject that is not plural may take a plural verb."""
    if (
        subject.lower_ in _EITHER_NUMBER_SUBJECTS
        or subject.tag_ in {"NNP", "NNPS"}
        or subject.pos_ in {"NUM", "X", "SYM", "DET"}
    ):
        return True
    # "a bunch of dogs are"; a coordination; "if she were".
    parts = (child.dep_ in {"conj", "cc", "appos"} or child.lower_ == "of" for child in subject.children)
    return any(parts) or subject.head.has_child("mark")


def _part_of_speech_fault(before: Doc, edit: Edit, after: Doc) -> str | None:
    if edit.rule not in _WORD_RULES:
        return None
    for old, new in edit.words:
        if " " in old or " " in new or not old or not new or {old.lower(), new.lower()} <= {"a", "an"}:
            continue
        old_classes, new_classes = _word_classes(before, old), _word_classes(after, new)
        if old_classes and new_classes and not old_classes & new_classes:
            return "part-of-speech"
    return None


def _word_classes(doc: Doc, word: str) -> set[str]:
    classes = set()
    for token in doc:
        if token.text == word:
            if token.tag_ in {"VBN", "VBG"}:
                classes |= {"a", "v"}
            elif token.pos_ in _WORD_CLASSES:  # names and function words are not compared
                classes.add(_WORD_CLASSES[token.pos_])
    return classes
