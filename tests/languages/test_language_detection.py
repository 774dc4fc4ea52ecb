"""Detection of English: other languages are refused; chat, names and logs are accepted."""

from __future__ import annotations

import pytest

from litotes.core.errors import LitotesError
from litotes.languages.en.language_detection import check_english, identify, is_other_language

OTHER = {
    "German": [
        "Der Zug fährt heute nicht, weil es geschneit hat.",
        "Wo habe ich nur meine Brille hingelegt?",
        "Die Suppe war warm und das Brot war gut.",
        "Meine Schwester wohnt in einem kleinen Haus am See.",
    ],
    "French": [
        "Le train ne part pas avant midi.",
        "Je ne sais pas où sont mes lunettes.",
        "La soupe est froide mais le pain est bon.",
        "Nous avons passé une semaine chez ma tante.",
    ],
    "Spanish": [
        "El tren no sale hasta las doce.",
        "No sé dónde están mis gafas.",
        "La sopa está fría pero el pan es bueno.",
        "Pasamos una semana con los abuelos en el campo.",
    ],
    "Dutch": [
        "De trein vertrekt niet voor twaalf uur.",
        "Ik weet niet waar mijn bril is.",
        "De soep is koud, maar het brood is goed.",
        "Wij waren een week bij mijn tante op het platteland.",
    ],
    "Russian": ["Поезд сегодня не придёт.", "Я не знаю, где мои очки.", "Суп холодный."],
    "Chinese": ["今天火车不开。", "我不知道我的眼镜在哪里。", "汤是冷的。"],
    "Finnish": [
        "Juna ei lähde ennen kello kahtatoista.",
        "En tiedä, missä minun silmälasini ovat.",
        "Keitto on kylmää, mutta leipä on hyvää.",
    ],
    "Swedish": [
        "Tåget går inte före klockan tolv.",
        "Jag vet inte var mina glasögon är.",
        "Soppan är kall men brödet är gott.",
    ],
}

UNLISTED = {
    "Croatian": ["Vlak danas ne ide do mora.", "Juha je hladna, ali kruh je dobar.", "To je bio jako lijep dan."],
    "Catalan": ["El tren no surt fins a les dotze.", "Avui fa molt de sol a la ciutat.", "El pa és bo."],
    "Estonian": ["Rong ei välju enne kella kahtteist.", "Ma ei tea, kus mu prillid on.", "Tema raamat on laua peal."],
    "Latin": ["Puella rosam in horto videt.", "Nauta ad insulam navigat.", "Magister pueros laudat."],
    "Welsh": ["Mae hi'n braf iawn heddiw.", "Ble mae'r ysgol?", "Mae'r cawl yn oer ond mae'r bara yn dda."],
    "Irish": ["Tá an aimsir go breá inniu.", "Cá bhfuil an scoil?", "Níl an traein ag imeacht inniu."],
    "Afrikaans": [
        "Die trein ry nie vandag nie.",
        "My suster woon in 'n klein huis.",
        "Ons was verlede week by die see.",
    ],
    "Tagalog": ["Hindi aalis ang tren ngayon.", "Maganda ang araw na ito.", "Nakatira ang kapatid ko sa bahay."],
    "romanised Hindi": ["Aaj gaadi nahi jaayegi.", "Yeh kitaab meri hai.", "Soop thanda hai lekin roti achchhi hai."],
    "German buttons": ["Jetzt hier anmelden", "Seite wurde nicht gefunden", "Neues Konto erstellen"],
}
"""Languages without a word list, and texts without function words."""

ENGLISH = {
    "chat": [
        "lol no 😂",
        "idk man",
        "u coming 2nite??",
        "omg thats so cuuute ❤️❤️",
        "brb gotta feed teh cat",
        "k",
        "🔥🔥🔥",
    ],
    "products": [
        "Samsung Galaxy Buds2 Pro Graphite",
        "Wireless Mouse 2.4 GHz, Black",
        "Levi's 501 Original Fit Jeans",
        "HDMI Cable 2m",
        "Stainless Steel Water Bottle 750 ml",
    ],
    "logs": [
        "ERROR 2031-04-02 12:00:01 db.connect failed: timeout after 30s",
        "WARN retrying request id=88f1 (attempt 2/5)",
        "GET /api/v1/items 404 not found",
        "at com.example.Main.run(Main.java:42)",
    ],
    "capitals": ["THE PUMP IS NOT WORKING", "CALL ME BACK PLEASE", "NEW STOCK ARRIVED"],
    "short": ["Go!", "Wait.", "Tom left."],
}


@pytest.mark.parametrize("language", OTHER)
def test_texts_in_other_languages_are_refused(language: str) -> None:
    with pytest.raises(LitotesError, match=r"L203.*does not look English.*the rewrites support English only") as caught:
        check_english(OTHER[language])
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", [text for texts_ in OTHER.values() for text in texts_])
def test_foreign_sentences_are_not_classified_as_english(text: str) -> None:
    assert identify(text) != "english"


@pytest.mark.parametrize("kind", ENGLISH)
def test_english_of_any_kind_is_accepted(kind: str) -> None:
    check_english(ENGLISH[kind])
    assert not any(is_other_language(text) for text in ENGLISH[kind])


def test_single_foreign_sentences_are_mostly_recognised() -> None:
    texts = [text for texts_ in OTHER.values() for text in texts_]
    assert sum(is_other_language(text) for text in texts) >= 0.9 * len(texts)


def test_english_with_foreign_words_is_accepted() -> None:
    for text in ("The restaurant “Le Petit Chat” is closed.", "She said “das ist gut” and left the room.", "Oh la la"):
        assert not is_other_language(text)


def test_corpus_with_ten_percent_english_is_accepted() -> None:
    check_english([*OTHER["German"], *OTHER["Russian"], "The lamp in the hall is broken."])


@pytest.mark.parametrize("language", UNLISTED)
def test_unlisted_language_is_not_classified_as_english(language: str) -> None:
    with pytest.raises(LitotesError, match="does not look English"):
        check_english(UNLISTED[language])
