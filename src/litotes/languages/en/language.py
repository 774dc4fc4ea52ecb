"""English behind the `Language` protocol."""

from __future__ import annotations

from litotes.languages.base import Language
from litotes.languages.en.contrast.comparison import contrast_signature, find_contrasts
from litotes.languages.en.detection import check_english, is_other_language
from litotes.languages.en.lexicon.antonyms import is_affixal, usual_pairs
from litotes.languages.en.lexicon.wordnet import default_lexicon, frequency
from litotes.languages.en.morphology.articles import correct_article, indefinite_article
from litotes.languages.en.morphology.inflection import lemmas
from litotes.languages.en.negation import negation_spans
from litotes.languages.en.parser import parse_all
from litotes.languages.en.sentences import split_sentences
from litotes.languages.en.templates import ADJECTIVE_FRAMES, add_prefix, predicative_adjective


class English:
    """English; each method is documented in the protocol."""

    code = "en"
    name = "English"
    adjective_frames = ADJECTIVE_FRAMES

    split_sentences = staticmethod(split_sentences)
    parse_all = staticmethod(parse_all)
    is_other_language = staticmethod(is_other_language)
    check_language = staticmethod(check_english)
    lemmas = staticmethod(lemmas)
    indefinite_article = staticmethod(indefinite_article)
    correct_article = staticmethod(correct_article)
    lexicon = staticmethod(default_lexicon)
    antonym_pairs = staticmethod(usual_pairs)
    word_frequency = staticmethod(frequency)
    is_affixal_antonym = staticmethod(is_affixal)
    predicative_adjective = staticmethod(predicative_adjective)
    add_prefix = staticmethod(add_prefix)
    negation_spans = staticmethod(negation_spans)
    contrast_signature = staticmethod(contrast_signature)
    find_contrasts = staticmethod(find_contrasts)


ENGLISH: Language = English()
