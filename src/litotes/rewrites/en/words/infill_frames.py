"""The frame of a word: its subject, object or complement, and so the lists of words that fit its position."""

from __future__ import annotations

from litotes.languages.base import word_set
from litotes.languages.en.function_words import DIRECTION_PARTICLES, PATH_PREPOSITIONS, PLACE_PREPOSITIONS
from litotes.languages.en.lexicon.fixed_expressions import in_fixed_expression
from litotes.languages.en.lexicon.wordnet import default_lexicon
from litotes.languages.en.morphology.inflection import has_form
from litotes.languages.en.pronouns import INDEFINITE_ARTICLES, INTERROGATIVE_ADVERBS, RELATIVE_PRONOUNS
from litotes.languages.en.quantifiers import AMOUNTS, COMPARATIVE_AMOUNTS, IDENTITY_WORDS, ORDINALS, SUPERLATIVE_AMOUNTS
from litotes.languages.en.syntax.tags import AUXILIARY_DEPS, PREDICATIVE_DEPS, RELATIVE_CLAUSE_DEPS
from litotes.languages.en.verbs import APPEARANCE_VERBS, LIGHT_VERBS
from litotes.languages.en.word_lists import word_list
from litotes.languages.tree import Token, has_word
from litotes.rewrites.en.words.infill_words import frame_of_noun, frame_words, semantic_class

_LOCATIVES = PLACE_PREPOSITIONS | word_set("beside behind under inside during by around")
"""Prepositions that may follow any verb."""
_LOCATIVES_IN_PASSIVES = _LOCATIVES - {"by"}
_DIRECTIONAL = PATH_PREPOSITIONS | word_set("along past up down over to from")
_DIRECTION_ADVERBS = DIRECTION_PARTICLES | {"home", "here", "there", "together", "apart", "forward", "around", "along"}
_PREPOSITION_FRAMES = {
    "about": "about", "for": "for", "at": "at", "to": "to-", "with": "with", "of": "of", "from": "from", "on": "on",
}  # fmt: skip
_FRAMES_WITH_PEOPLE = frozenset({"with", "to-"})
_FIXED_VERBS = LIGHT_VERBS | word_list("fixed verbs")
"""Verbs that only make sense with the words after them, so that no other verb can replace them."""
_FIXED_OBJECTS = (AMOUNTS - {"little"}) | IDENTITY_WORDS | word_list("fixed objects")
"""Objects that only fit certain verbs."""
_FIXED_ADJECTIVES = (
    AMOUNTS
    | (COMPARATIVE_AMOUNTS - {"fewer"})
    | SUPERLATIVE_AMOUNTS
    | ORDINALS
    | IDENTITY_WORDS
    | word_list("fixed adjectives")
)
"""Adjectives that depend on more than their noun."""
_EMPTY_HEADS = word_list("empty heads")
_COPULAS = (APPEARANCE_VERBS - {"appear", "sound"}) | {"be", "become", "get"}
_PREPOSITION_LIKE_VERBS = frozenset({"consider", "regard", "include", "follow"})
"""Verbs whose -ing form is often a preposition: “including”."""
_NOUN_VERBS = frozenset({"make", "take", "do", "give", "pay", "tell", "play", "ask"})
"""Verbs that form fixed phrases with nouns: “make plans”, “take a taxi”."""
_ADJECTIVE_PREPOSITIONS = frozenset({"of", "about", "with", "for"})
_PAST_OR_PRESENT = frozenset({"VBZ", "VBP", "VBD"})

Frame = tuple[str, tuple[str, ...]]
"""The part of speech (n, v, a or r) and the names of the lists of words that fit."""


def frame_of(token: Token) -> Frame | None:
    """Return the frame of a word, or None if no list fits its position.

    >>> from litotes.languages.en.parser import parse
    >>> doc = parse("The tall man was carrying a red box in the park.")
    >>> [frame_of(doc[index]) for index in (1, 2, 4, 6)]
    [('a', ('person',)), ('n', ('person',)), ('v', ('person>thing',)), ('a', ('thing',))]
    """
    tag = token.tag_[:2]
    if tag == "VB":
        names = _verb_frames(token)
        return ("v", names) if names else None
    if tag == "JJ":
        name = _adjective_frame(token)
        return ("a", (name,)) if name and not in_fixed_expression(token) else None
    if tag == "NN":
        name = _noun_frame(token)
        return ("n", (name,)) if name else None
    if tag == "RB" and token.lower_ in frame_words("r", "manner") and token.head.pos_ == "VERB":
        return ("r", ("manner",))
    return None


# Verbs


def _verb_frames(verb: Token) -> tuple[str, ...] | None:
    lemma = verb.lemma_.lower()
    if lemma in _FIXED_VERBS or verb.dep_ in {"aux", "auxpass", "amod", "compound", "prep", "pcomp", "nsubj", "pobj"}:
        return None
    if _is_misread(verb, lemma):
        return None
    parts = _VerbDependents(verb)
    if parts.is_unusual:
        return None
    if parts.dative is not None:
        is_double_object = parts.object is not None and parts.dative.lower_ not in {"to", "for"}
        return ("two objects",) if is_double_object and lemma in frame_words("v", "two objects") else None
    if parts.clause is not None:
        return _clause_frames(lemma, parts, parts.clause)
    if parts.object is not None:
        return _object_frames(verb, parts, parts.object)
    return None if parts.is_passive else _intransitive_frames(lemma, parts)


def _is_misread(verb: Token, lemma: str) -> bool:
    if verb.dep_ == "conj" and verb.head.tag_[:2] != "VB":
        return True  # "big and open"
    if verb.tag_ == "VBG" and lemma in _PREPOSITION_LIKE_VERBS and verb.dep_ != "ROOT":
        return True
    # "braid" is not a past tense, even if it is tagged as one.
    return verb.tag_ in {"VBD", "VBN"} and not has_form(verb.lower_, verb.tag_)


class _VerbDependents:
    """The subject, the objects and the other dependents of a verb."""

    def __init__(self, verb: Token) -> None:
        self.verb = verb
        self.subject: Token | None = None
        self.object: Token | None = None
        self.dative: Token | None = None
        self.clause: Token | None = None
        self.prepositions: list[Token] = []
        self.is_passive = False
        self.has_direction = False
        # A bare participle is usually a mistagged past tense: "Ignored it."
        self.is_unusual = (
            verb.tag_ == "VBN" and verb.dep_ != "acl" and not any(child.dep_ in AUXILIARY_DEPS for child in verb.lefts)
        )
        for child in verb.children:
            self._add(child)
        self.has_own_subject = self.subject is not None
        if self.subject is None:
            self.subject = self._controlling_subject()
        if verb.dep_ == "acl" and verb.tag_ == "VBN":
            self.object, self.subject, self.is_passive = verb.head, None, True
        if verb.dep_ == "relcl":
            self._resolve_relative()

    def _add(self, child: Token) -> None:
        dep = child.dep_
        if dep in {"nsubj", "csubj"}:
            self.subject = child
        elif dep == "nsubjpass":
            self.object, self.is_passive = child, True
        elif dep == "dobj":
            self.object = child
        elif dep == "dative":
            self.dative = child
        elif dep in {"ccomp", "xcomp"}:
            self.is_unusual |= self.clause is not None
            self.clause = child
        elif dep == "prep":
            self.prepositions.append(child)
            self.is_unusual |= not child.children  # "the man he talked to"
        elif dep == "advmod":
            self.has_direction |= child.lower_ in _DIRECTION_ADVERBS
            self.is_unusual |= child.lower_ in {"so", "how", "well", "hard"} and child.i > self.verb.i
        elif dep == "aux":
            self.is_unusual |= child.lower_ in {"would", "'d", "’d"} and self.verb.lemma_ in {"like", "love", "rather"}
        elif dep == "conj":
            # "cutting and eating bread": the object may belong to both verbs.
            self.is_unusual |= child.pos_ == "VERB" and child.i < self.verb.i + 4
        elif dep == "agent":
            agent = child.child("pobj")
            self.is_unusual |= agent is None or semantic_class(agent) not in {"person", "animal", "group"}
        elif dep in {"prt", "expl"} or dep in PREDICATIVE_DEPS:
            self.is_unusual = True

    def _controlling_subject(self) -> Token | None:
        head = self.verb.head
        if self.verb.dep_ in RELATIVE_CLAUSE_DEPS:
            return head
        if self.verb.dep_ in {"xcomp", "conj", "advcl"} and head.i != self.verb.i:
            return head.child("nsubj", "nsubjpass")
        return None

    def _resolve_relative(self) -> None:
        """Replace the relative pronoun by its noun, or add the object that it represents: "the book he bought"."""
        verb = self.verb
        if self.object is not None and self.object.lower_ in RELATIVE_PRONOUNS:
            self.object = verb.head
        elif self.subject is not None and self.subject.lower_ in RELATIVE_PRONOUNS:
            self.subject = verb.head
        elif any(child.dep_ == "advmod" and child.lower_ in INTERROGATIVE_ADVERBS for child in verb.lefts):
            return  # "the road where he walked"
        elif verb.lemma_.lower() in frame_words("v", "that"):
            self.is_unusual = True  # "the people you claim are rich"
        elif self.subject is not verb.head and self.object is None:
            self.object = verb.head if not self.prepositions and self.clause is None else None
            self.is_unusual |= self.object is None

    @property
    def subject_class(self) -> str:
        """Person, animal or thing; the subject of an imperative is a person."""
        if self.subject is None:
            return "person"
        subject_class = semantic_class(self.subject)
        if subject_class == "group":
            return "person"
        return subject_class if subject_class in {"person", "animal"} else "thing"


def _clause_frames(lemma: str, parts: _VerbDependents, clause: Token) -> tuple[str, ...] | None:
    if parts.is_passive or parts.subject_class == "thing":
        return None
    name = None
    introduction = next((child.lower_ for child in clause.children if child.dep_ in {"mark", "advmod", "aux"}), "")
    if clause.dep_ == "xcomp" and clause.tag_ == "VB" and introduction == "to":
        if parts.object is None:
            if lemma not in frame_words("v", "to") and lemma not in frame_words("v", "to not going on"):
                return None
            return ("to", "to not going on") if parts.verb.tag_ in _PAST_OR_PRESENT else ("to",)
        name = "whom to"
    elif clause.dep_ == "xcomp" and clause.tag_ == "VBG" and parts.object is None:
        name = "ing"
    elif clause.dep_ == "ccomp" and clause.i > parts.verb.i and parts.object is None:
        if introduction in INTERROGATIVE_ADVERBS | {"whether", "if"}:
            name = "whether"
        elif introduction == "that":
            name = "that"
    return (name,) if name and lemma in frame_words("v", name) else None


def _object_frames(verb: Token, parts: _VerbDependents, noun: Token) -> tuple[str, ...] | None:
    if verb.lemma_.lower() in _quotative_verbs() or noun.lemma_.lower() in _FIXED_OBJECTS:
        return None
    allowed = _LOCATIVES_IN_PASSIVES if parts.is_passive else _LOCATIVES
    if parts.has_direction or any(preposition.lower_ not in allowed for preposition in parts.prepositions):
        return None
    is_doubtful = not parts.is_passive and noun.i > verb.i and _is_doubtful_object(verb, noun)
    if is_doubtful or noun.lower_.endswith(("self", "selves")):
        return None
    # A name may be that of a person or of anything else.
    object_class = "any" if noun.pos_ == "PROPN" else semantic_class(noun)
    subject_class = "person" if parts.is_passive else parts.subject_class
    if subject_class == "person":
        name = {"animal": "person", "group": "any", "place": "any"}.get(object_class, object_class)
        if name == "time":
            return None
        frame = f"person>{name}"
        is_simple = verb.tag_ in _PAST_OR_PRESENT and parts.has_own_subject and not parts.is_passive
        return (frame, f"{frame} not going on") if is_simple and name != "body" else (frame,)
    if subject_class == "animal":
        frames = {"person": "animal>living", "animal": "animal>living", "thing": "animal>thing"}
        return (frames[object_class],) if object_class in frames else None
    return (f"thing>{object_class}",) if object_class in {"person", "thing", "idea"} else None


def _quotative_verbs() -> frozenset[str]:
    """Return intransitive verbs whose object is probably the subject of a quotation: “cried Tom”."""
    return frame_words("v", "person") - {"eat", "drink", "read", "sing", "smoke", "jump"}


def _is_doubtful_object(verb: Token, noun: Token) -> bool:
    """Return whether the parse is probably wrong, or the noun only fits this verb."""
    if noun.pos_ in {"ADJ", "ADV", "VERB"}:
        return True  # "eat healthier"
    if noun.lemma_.lower() in frame_words("n", "instrument") and noun.tag_ == "NN" and not noun.lefts:
        return True  # "playing flute"
    if any(token.is_punct for token in noun.doc.tokens[verb.i + 1 : noun.left_edge.i]):
        return True  # "he says, boys"
    # "save everybody some trouble", "fly that low"
    following = noun.right_edge.next
    if following is None:
        return False
    if following.pos_ in {"DET", "NOUN", "PRON", "NUM", "PROPN", "ADJ"} or following.lower_ == "that":
        return True
    return following.pos_ == "ADV" and noun.lower_ in {"that", "this"}


def _intransitive_frames(lemma: str, parts: _VerbDependents) -> tuple[str, ...] | None:
    subject_class = parts.subject_class
    if parts.prepositions and subject_class == "person":
        frame = _PREPOSITION_FRAMES.get(parts.prepositions[0].lower_)
        if frame is not None and lemma in frame_words("v", frame):
            return _preposition_frames(frame, parts)
    is_directed = parts.has_direction or has_word(parts.prepositions, _DIRECTIONAL)
    if is_directed:
        motion = {"person": "motion", "animal": "animal motion"}.get(subject_class)
        return (motion,) if motion is not None and lemma in frame_words("v", motion) else None
    if any(preposition.lower_ not in _LOCATIVES for preposition in parts.prepositions):
        return None
    is_listed = lemma in frame_words("v", subject_class) or lemma in frame_words("v", "motion")
    return (subject_class,) if is_listed else None


def _preposition_frames(frame: str, parts: _VerbDependents) -> tuple[str, ...] | None:
    preposition = parts.prepositions[0]
    noun = preposition.child("pobj")
    if preposition.i != parts.verb.i + 1:
        return None
    if frame in _FRAMES_WITH_PEOPLE and (noun is None or semantic_class(noun) != "person"):
        return None
    return (frame,)


# Adjectives


def _adjective_frame(adjective: Token) -> str | None:
    # "nine hours old"
    if adjective.lower_ in _FIXED_ADJECTIVES or adjective.has_child("npadvmod", "conj", "cc"):
        return None
    if not default_lexicon().knows(adjective.lemma_, "a"):
        return None
    head = adjective.head
    if adjective.dep_ == "amod":
        return _attributive_frame(adjective, head)
    if adjective.dep_ != "acomp" or head.lemma_ not in _COPULAS:
        return None
    subject = head.child("nsubj", "expl")
    if subject is None or has_word((*head.children, *adjective.children), {"being", "by"}):
        return None  # "is being drunk by" is a passive
    if subject.lower_ in RELATIVE_PRONOUNS and head.dep_ == "relcl":
        subject = head.head
    return _predicative_frame(adjective, subject)


def _attributive_frame(adjective: Token, noun: Token) -> str | None:
    if noun.i < adjective.i or noun.tag_[:2] != "NN" or noun.dep_ == "compound" or noun.lemma_.lower() in _EMPTY_HEADS:
        return None
    # "shade tolerant grass", "short stay nurse"
    if any(near is not None and near.tag_[:2] == "NN" for near in (adjective.previous, noun.next)):
        return None
    for token in noun.doc.tokens[adjective.i + 1 : noun.i]:
        if token.tag_[:2] == "VB" or token.lower_.endswith("ed"):
            return None  # "weak minded people"
    noun_class = semantic_class(noun)
    return None if noun_class == "any" else "idea" if noun_class == "text" else noun_class


def _predicative_frame(adjective: Token, subject: Token) -> str | None:
    complements = [
        child
        for child in adjective.rights
        if child.dep_ in {"prep", "xcomp", "ccomp", "advcl"} and child.lower_ not in {"than", "as"}
    ]
    complements += [
        child
        for child in adjective.head.rights
        if child.dep_ in {"xcomp", "ccomp", "csubj"}
        or (
            child.dep_ == "prep"
            and (child.lower_ in _ADJECTIVE_PREPOSITIONS or any(part.dep_ == "pcomp" for part in child.rights))
        )
    ]
    subject_class = semantic_class(subject)
    if not complements:
        if subject_class == "time":
            return None
        return "it" if subject_class in {"any", "text", "idea"} else subject_class
    if len(complements) > 1:
        return None
    complement, is_person, is_it = complements[0], subject_class == "person", subject.lower_ == "it"
    frame = None
    if complement.dep_ == "prep" and complement.lower_ in _ADJECTIVE_PREPOSITIONS:
        frame = complement.lower_ if is_person else "it for" if complement.lower_ == "for" else None
    elif complement.dep_ != "prep":
        marks = {child.lower_ for child in complement.children if child.dep_ in {"aux", "mark"}}
        if "to" in marks:
            frame = "it to" if is_it else "to" if is_person else None
        elif is_it and "that" in marks:
            frame = "it that"
    return frame if frame and adjective.lower_ in frame_words("a", frame) else None


# Nouns


def _noun_frame(noun: Token) -> str | None:
    if noun.dep_ in {"compound", "npadvmod", "nmod"} or noun.tag_ not in {"NN", "NNS"} or _is_part_of_phrase(noun):
        return None
    frame = frame_of_noun().get(noun.lemma_.lower())
    if frame in {"food", "drink"}:
        is_counted = has_word(noun.children, INDEFINITE_ARTICLES | {"another", "each", "every"})
        return None if is_counted or noun.tag_ != "NN" else frame
    if noun.tag_ == "NN" and not noun.has_child("det", "poss"):
        return None
    if frame is not None:
        return frame
    noun_class = semantic_class(noun)
    if noun_class == "person":
        return "someone's" if noun.has_child("poss") else "person"
    return noun_class if noun_class == "animal" else None


def _is_part_of_phrase(noun: Token) -> bool:
    """Return whether the modifiers of a noun, or the words around it, would not fit another noun."""
    for child in noun.children:
        if child.dep_ in {"compound", "relcl", "acl", "appos", "conj", "nummod"}:
            return True
        if child.dep_ == "prep" and child.lower_ not in _LOCATIVES:
            return True
    before, after = noun.previous, noun.next
    if before is not None and noun.dep_ == "pobj" and before.dep_ == "prep":
        return True  # without an article: "at school", "by car"
    if (before is not None and before.tag_ in {"NN", "NNP", "VBG"}) or (
        after is not None and after.tag_ in {"NN", "NNS"}
    ):
        return True  # a compound that the parser missed
    return noun.dep_ == "dobj" and noun.head.lemma_ in _NOUN_VERBS
