"""Language identification by letters and function words, without parsing.

A sentence is classified as another language only if its function words show it. The language of sentences that are
short, misspelt or full of names and numbers is unknown.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from litotes.core.errors import LitotesError
from litotes.languages.base import word_set
from litotes.languages.en.function_words import COMMON_PREPOSITIONS, COORDINATORS, CORE_DIRECTIONS
from litotes.languages.en.lexicon.misspellings import is_word
from litotes.languages.en.modals import POSSIBILITY_MODALS
from litotes.languages.en.modifiers import DEGREE_ADVERBS
from litotes.languages.en.pronouns import (
    INTERROGATIVE_ADVERBS,
    NOUN_PHRASE_OPENERS,
    PERSONAL_OBJECTS,
)
from litotes.languages.en.quantifiers import LARGE_AMOUNTS
from litotes.languages.en.verbs import INVERTIBLE_VERBS

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_SAMPLE_SIZE = 2_000
"""Maximum number of sentences to check, spread over the corpus."""
_MIN_WORDS = 3
"""Minimum number of words of a sentence that counts if its language is unknown."""
_MIN_ENGLISH_SHARE = 0.1
_MIN_KNOWN_SHARE = 0.5
_MIN_FOREIGN_SHARE = 0.2

_CONTRACTIONS = word_set(
    """
    aren't can't didn't doesn't don't isn't wasn't won't he's i'll i'm i've it's she's that's there's they're we're
    you're cant dont im ive thats wont
    """
)
_CHAT_WORDS = word_set("lol ok okay please pls thank thanks thx u ur yes")
_COMMON_WORDS = word_set(
    """
    all also always any be because been being each every get go going good got here hers if just know make mine
    more most need never new no not one only other see some such then there think two want what which who
    """
)
_ENGLISH = (
    NOUN_PHRASE_OPENERS
    | PERSONAL_OBJECTS
    | INTERROGATIVE_ADVERBS
    | INVERTIBLE_VERBS
    | POSSIBILITY_MODALS
    | CORE_DIRECTIONS
    | COMMON_PREPOSITIONS
    | COORDINATORS
    | DEGREE_ADVERBS
    | LARGE_AMOUNTS
    | _CONTRACTIONS
    | _CHAT_WORDS
    | _COMMON_WORDS
)
_FUNCTION_WORDS = {
    "German": """der die das den dem des ein eine einen einem einer eines und oder aber nicht ist sind war waren
        bin bist in an so was meine deine seine ich du er sie es wir ihr mich dich sich mir dir uns auf mit von zu zum
        zur für bei nach aus über unter auch noch
        nur schon sehr wie wo wer warum wenn weil dass kein keine haben hat habe hatte wird werden wurde kann können
        muss müssen soll mein dein sein im am um""",
    "French": """le la les un une des du de et ou mais ne pas est sont était suis je tu il elle nous vous ils elles ce
        cette ces mon ma mes ton ta son sa ses leur qui que quoi dont où dans sur sous avec sans pour par chez plus très
        bien aussi avoir ai as a avons avez ont être fait faire c'est n'est j'ai d'un d'une qu'il l'a aux au si comme
        pourquoi quand""",
    "Spanish": """el la los las un una unos unas y o pero no es son era está están estoy soy yo tú él ella nosotros
        ellos me te se le lo les mi mis tu su sus que qué quién cuando dónde cómo por para con sin sobre en de del al
        muy más también ya hay ha he han tiene tengo fue este esta esto como porque si""",
    "Italian": """il lo la i gli le un uno una e o ma non è sono era sei io tu lui lei noi voi loro mi ti si ci vi che
        chi dove quando perché come con per in su da di del della dei delle nel nella al alla molto più anche ho hai ha
        abbiamo hanno questo questa mio mia tuo suo c'è""",
    "Portuguese": """o a os as um uma e ou mas não é são era está estou eu tu você ele ela nós eles me te se lhe meu
        minha seu sua que quem onde quando como porque por para com sem em no na nos nas do da dos das ao muito mais
        também já tem tenho foi este esta isso""",
    "Dutch": """de het een en of maar niet is zijn was waren ben bent ik jij je hij zij ze wij we jullie u mij hem haar
        ons hun mijn jouw dat dit deze die wie wat waar wanneer waarom hoe op met van voor bij naar uit over onder ook
        nog al zeer heel er geen hebben heb heeft had wordt worden kan kunnen moet moeten zal om te aan""",
    "Swedish": """en ett och eller men inte är var vara jag du han hon den det vi ni de mig dig sig honom henne oss dem
        min din sin som vad var vem när varför hur på med av för till från om under över också mycket mer än har hade
        ska kan måste här där att i""",
    "Danish": """en et og eller men ikke er var være jeg du han hun den det vi i de mig dig sig ham hende os dem min
        din som hvad hvor hvem når hvorfor hvordan på med af for til fra om under over også meget mere end har havde
        skal kan må her der at""",
    "Norwegian": """en et og eller men ikke er var være jeg du han hun den det vi dere de meg deg seg ham henne oss dem
        min din som hva hvor hvem når hvorfor hvordan på med av for til fra om under over også mye mer enn har hadde
        skal kan må her der å at""",
    "Finnish": """ja tai mutta ei on ovat oli olen olet minä sinä hän me te he se ne tämä nämä tuo mitä mikä kuka missä
        milloin miksi miten että jos kun niin myös vain hyvin enemmän kuin ole olla minun sinun hänen meidän kanssa
        ilman sitten nyt täällä siellä en et emme eivät sen""",
    "Polish": """i lub ale nie jest są był była było być ja ty on ona ono my wy oni się mnie ci go jej nas co kto gdzie
        kiedy dlaczego jak że czy w we na do z ze od po przez dla bez o u tak też bardzo już tylko to ten ta""",
    "Czech": """a nebo ale ne je jsou byl byla bylo být já ty on ona my vy oni se mě mi tě ho jí nás co kdo kde kdy proč
        jak že v ve na do z ze od po pro bez o u ano také velmi už jen to ten ta jsem jsi""",
    "Turkish": """ve veya ama değil bir bu şu o ben sen biz siz onlar ne kim nerede neden nasıl için ile gibi çok daha
        var yok mi mı mu da de ki her en olarak kadar""",
    "Hungarian": """a az és vagy de nem van vannak volt én te ő mi ti ők ez mit ki hol mikor miért hogyan hogy ha mint
        is csak már még nagyon egy""",
    "Romanian": """și sau dar nu este sunt era eu tu el ea noi voi ei mă te se îmi meu mea care ce cine unde când cum
        de la cu fără pe în din pentru mai foarte un o ale al""",
    "Indonesian": """dan atau tetapi tidak adalah saya kamu dia kami kita mereka ini itu yang apa siapa di ke dari untuk
        dengan pada sudah akan bisa ada sangat juga karena bukan""",
    "Vietnamese": """và là không có của tôi bạn anh chị em nó chúng này đó những các một cho với trong được đã sẽ rất
        cũng""",
}
_FOREIGN_WORDS = {
    language: frozenset(word for word in words.split() if len(word) > 1) for language, words in _FUNCTION_WORDS.items()
}
"""Function words of other languages, without single letters."""
_NOT_ENGLISH = frozenset[str]().union(*_FOREIGN_WORDS.values()) - _ENGLISH
_SURELY_ENGLISH = frozenset(word for word in _ENGLISH.difference(*_FOREIGN_WORDS.values()) if len(word) > 1)
"""English words that are not words of other languages, unlike “to”, “on”, “me” and “no”."""


def identify(text: str) -> Literal["english", "other", "unknown"]:
    """Return the language of a sentence as far as its words show it.

    >>> identify("idk why it crashes 😅"), identify("Wir wissen nicht, warum es regnet."), identify("Xqz 900")
    ('english', 'other', 'unknown')
    """
    words = [word.lower().replace("’", "'") for word in _WORD.findall(text)]
    if not words:
        return "unknown"
    if not text.isascii() and _is_foreign_script("".join(words)):
        return "other"
    n_english = sum(word in _ENGLISH for word in words)
    n_odd = 0 if text.isascii() else sum(not word.isascii() for word in words)
    if not n_odd and not any(word in _NOT_ENGLISH for word in words):
        is_certain = any(word in _SURELY_ENGLISH for word in words)
        return "english" if is_certain or _knows_most(words) else "unknown"
    language = max(_FOREIGN_WORDS.values(), key=lambda known: sum(word in known for word in words))
    n_foreign = n_odd + sum(word in language for word in words)
    n_certain = len(language.intersection(words) - _ENGLISH)
    if n_english > n_foreign:
        return "english"
    if n_certain and n_certain + n_odd >= 2 and n_foreign > n_english and n_foreign >= _MIN_FOREIGN_SHARE * len(words):
        return "other"
    return "english" if not n_certain and _knows_most(words) else "unknown"


def _knows_most(words: list[str]) -> bool:
    return sum(_is_known(word) for word in words) >= _MIN_KNOWN_SHARE * len(words)


def is_other_language(text: str) -> bool:
    """Return whether a sentence is clearly not English."""
    return identify(text) == "other"


def check_english(sentences: Sequence[str], name: str = "the text") -> None:
    """Raise an error if hardly any sentence of a corpus looks English."""
    n_checked = n_english = 0
    step = max(1, len(sentences) // _SAMPLE_SIZE)
    for text in sentences[::step]:
        kind = identify(text)
        n_english += kind == "english"
        n_checked += kind != "unknown" or len(_WORD.findall(text)) >= _MIN_WORDS
    if n_checked and n_english < _MIN_ENGLISH_SHARE * n_checked:
        share = f"{n_english:,} of {n_checked:,} sentences do" if n_english else f"none of {n_checked:,} sentences does"
        raise LitotesError("L203", f"{name} does not look English ({share}): the rewrites support English only")


def _is_foreign_script(text: str) -> bool:
    """Return whether most letters are not Latin."""
    return 2 * sum(not _is_latin(character) for character in text) > len(text)


def _is_latin(character: str) -> bool:
    return (
        character < "\u0250"
        or "\u1e00" <= character <= "\u1eff"
        or "\uff21" <= character <= "\uff5a"
        or character == "’"
    )


@lru_cache(maxsize=65_536)
def _is_known(word: str) -> bool:
    return len(word) > 1 and word.isascii() and is_word(word.partition("'")[0])
