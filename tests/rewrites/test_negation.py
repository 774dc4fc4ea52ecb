"""`negation`: every construction in the three styles, there and back, and what is left alone."""

from __future__ import annotations

import pytest

from litotes.rewrites.apply import rewrite

STYLES = ("keep", "contract", "expand")

# sentence, then its negation in the styles keep, contract and expand (— where it is the same as in keep)
ADDED = [
    ("That's bad.", "That's not bad.", "That isn't bad.", "That is not bad."),
    ("I'm excited.", "I'm not excited.", "—", "I am not excited."),
    ("I am glad.", "I am not glad.", "I'm not glad.", "—"),
    ("The soup is cold.", "The soup is not cold.", "The soup isn't cold.", "—"),
    ("They were late.", "They were not late.", "They weren't late.", "—"),
    ("She can swim.", "She cannot swim.", "She can't swim.", "—"),
    ("He will help us.", "He will not help us.", "He won't help us.", "—"),
    ("We shall see them.", "We shall not see them.", "We shan't see them.", "—"),
    ("I'll call you.", "I won't call you.", "—", "I will not call you."),
    ("We'd like that.", "We wouldn't like that.", "—", "We would not like that."),
    ("You've met him.", "You haven't met him.", "—", "You have not met him."),
    ("She's been there.", "She hasn't been there.", "—", "She has not been there."),
    ("She has been sleeping.", "She has not been sleeping.", "She hasn't been sleeping.", "—"),
    ("They could have won.", "They could not have won.", "They couldn't have won.", "—"),
    ("You could've asked.", "You couldn't have asked.", "—", "You could not have asked."),
    ("It may rain tomorrow.", "It may not rain tomorrow.", "—", "—"),
    ("You ought to go.", "You ought not to go.", "—", "—"),
    ("You'd better go.", "You'd better not go.", "—", "—"),
    ("I'd rather stay.", "I'd rather not stay.", "—", "—"),
    ("He likes fish.", "He does not like fish.", "He doesn't like fish.", "—"),
    ("They sang.", "They did not sing.", "They didn't sing.", "—"),
    ("We live here.", "We do not live here.", "We don't live here.", "—"),
    ("He put it on the table.", "He did not put it on the table.", "He didn't put it on the table.", "—"),
    ("I used to smoke.", "I did not use to smoke.", "I didn't use to smoke.", "—"),
    ("He has to leave.", "He does not have to leave.", "He doesn't have to leave.", "—"),
    ("Be glad.", "Do not be glad.", "Don't be glad.", "—"),
    ("Please sit down.", "Please do not sit down.", "Please don't sit down.", "—"),
    ("Let's go.", "Let's not go.", "—", "—"),
    ("There is a man on the roof.", "There is no man on the roof.", "—", "—"),
    ("There is someone at the door.", "There is no one at the door.", "—", "—"),
    ("There were many guests.", "There were not many guests.", "There weren't many guests.", "—"),
    ("Yeah, good.", "Yeah, not good.", "—", "—"),
    ("Good idea.", "Not a good idea.", "—", "—"),
    ("Is he here?", "Is he not here?", "Isn't he here?", "—"),
    ("Did you see it?", "Did you not see it?", "Didn't you see it?", "—"),
    ("Was the dog at home?", "Was the dog not at home?", "Wasn't the dog at home?", "—"),
    ("It gets lost.", "It does not get lost.", "It doesn't get lost.", "—"),
    ("Some of them came.", "None of them came.", "—", "—"),
    ("Why are you sad?", "Why are you not sad?", "Why aren't you sad?", "—"),
    ("Who knows the answer?", "Who does not know the answer?", "Who doesn't know the answer?", "—"),
    ("We're safe, aren't we?", "We're not safe, are we?", "We aren't safe, are we?", "We are not safe, are we?"),
    (
        "Refunds are allowed, aren't they?",
        "Refunds are not allowed, are they?",
        "Refunds aren't allowed, are they?",
        "—",
    ),
    (
        "Your sister was invited, wasn't she?",
        "Your sister was not invited, was she?",
        "Your sister wasn't invited, was she?",
        "—",
    ),
    ("You play chess, don't you?", "You don't play chess, do you?", "—", "You do not play chess, do you?"),
    ("He came in and sat down.", "He did not come in and sit down.", "He didn't come in and sit down.", "—"),
    ("Tom knows that Ann is ill.", "Tom does not know that Ann is ill.", "Tom doesn't know that Ann is ill.", "—"),
    ("If I were you, I would wait.", "If I were you, I would not wait.", "If I were you, I wouldn't wait.", "—"),
    ("He really likes it.", "He does not really like it.", "He doesn't really like it.", "—"),
    ("He is probably right.", "He is probably not right.", "—", "—"),
    ("He has already left.", "He has not yet left.", "He hasn't yet left.", "—"),
    ("She still works here.", "She no longer works here.", "—", "—"),
    ("He has some money.", "He does not have any money.", "He doesn't have any money.", "—"),
    ("I like it too.", "I do not like it either.", "I don't like it either.", "—"),
    ("Everybody left.", "Not everybody left.", "—", "—"),
    ("Somebody called.", "Nobody called.", "—", "—"),
    ("Some dogs are asleep.", "No dogs are asleep.", "—", "—"),
    ("It's pretty good.", "It's not very good.", "It isn't very good.", "It is not very good."),
    ('"It is late," she said.', '"It is not late," she said.', '"It isn\'t late," she said.', "—"),
    ("I hope he comes.", "I hope he does not come.", "I hope he doesn't come.", "—"),
    ("THIS IS GREAT!", "THIS IS NOT GREAT!", "THIS ISN'T GREAT!", "—"),
    ("It’s perfect!", "It’s not perfect!", "It isn’t perfect!", "It is not perfect!"),
    ("Sounds good.", "Does not sound good.", "Doesn't sound good.", "—"),
]

REMOVED = [
    ("She can't swim.", "She can swim."),
    ("She cannot swim.", "She can swim."),
    ("I won't go.", "I will go."),
    ("We shan't go.", "We shall go."),
    ("He doesn't smoke.", "He smokes."),
    ("They did not sing.", "They sang."),
    ("He didn't come and sit down.", "He came and sat down."),
    ("Do not be shy.", "Be shy."),
    ("Don't touch the stove.", "Touch the stove."),
    ("Never give up!", "Give up!"),
    ("I have never been there.", "I have been there."),
    ("He hardly works.", "He works."),
    ("There is no man on the roof.", "There is a man on the roof."),
    ("There is no egg left.", "There is an egg left."),
    ("There isn't any milk.", "There is some milk."),
    ("Nobody likes me.", "Somebody likes me."),
    ("He has no money.", "He has some money."),
    ("I haven't eaten yet.", "I have eaten already."),
    ("I don't like it either.", "I like it too."),
    ("I have not yet. But I was told to. Thanks!", "I have already. But I was told to. Thanks!"),
    ("She doesn't live here anymore.", "She still lives here."),
    ("You aren't coming, are you?", "You are coming, aren't you?"),
    ("I'm not right, am I?", "I'm right, aren't I?"),
    ("Aren't you tired?", "Are you tired?"),
    ("Are you not tired?", "Are you tired?"),
    ("Not everyone came.", "Everyone came."),
    ("I know it is not true.", "I know it is true."),
    ("That is no longer sold.", "That is still sold."),
    ("He didn't see anybody.", "He saw somebody."),
    ("It's not good at all.", "It's really good."),
    ("Not bad.", "Bad."),
    ("I do not think anyone came.", "I think someone came."),
    ("You obviously don't need any help.", "You obviously need some help."),
]

ONE_WAY = {"It's pretty good.", "Good idea.", "Some of them came."}
"""Their denial has other words of its own: “not very good”, “not a good idea”."""

SKIPPED = [
    ("Few people came.", "quantifier"),
    ("Only Tom came.", "focus"),
    ("It is almost ten.", "focus"),
    ("It's not only good, it's cheap.", "focus"),
    ("Here comes the bus.", "inversion"),
    ("Where is he?", "wh-question"),
    ("What a day!", "not-a-clause"),
    ("I ain't going.", "not-sure"),
    ("I like it. We went there twice last year.", "several-sentences"),
    ("We tried it, it works.", "several-sentences"),
    ("He did not stay until ten.", "correlative"),
    ("The more you read, the more you know.", "correlative"),
    ("There is no doubt about it.", "set-phrase"),
    ("I can't wait to see it.", "set-phrase"),
    ("It was hard, but we did it.", "coordination"),
    ("He has no sons, only daughters.", "correlative"),
    ("How many guests are there?", "wh-question"),
    ("Good luck!", "not-a-clause"),
    ("Im happy with it.", "not-sure"),
    ("Neither of them came.", "negative-word"),
]


@pytest.mark.parametrize(
    ("text", "style", "wanted"),
    [
        (text, style, forms[place] if forms[place] != "—" else forms[0])
        for text, *forms in ADDED
        for place, style in enumerate(STYLES)
    ],
)
def test_a_clause_is_negated_in_the_style_asked_for(text: str, style: str, wanted: str) -> None:
    assert rewrite("negation", text, contractions=style)[0].text == wanted


@pytest.mark.parametrize(("text", "wanted"), REMOVED)
def test_a_negation_is_taken_away(text: str, wanted: str) -> None:
    assert rewrite("negation", text)[0].text == wanted


@pytest.mark.parametrize(("text", "code"), SKIPPED)
def test_what_is_doubtful_is_left_alone(text: str, code: str) -> None:
    edits = rewrite("negation", text)
    assert not edits
    assert code in {skip.code for skip in edits.skips}


@pytest.mark.parametrize("text", [text for text, *_ in ADDED if text not in ONE_WAY])
def test_twice_gives_back_the_first_sentence(text: str) -> None:
    there = rewrite("negation", text)[0].text
    back = [edit.text for edit in rewrite("negation", there)]
    assert _plain(text) in [_plain(one) for one in back]


def _plain(text: str) -> str:
    """Contractions written out, since the way back may not know that there was one."""
    for short, full in (("'ll", " will"), ("'ve", " have"), ("'d", " would"), ("'s been", " has been")):
        text = text.replace(short, full)
    return text


def test_it_says_what_it_did() -> None:
    (edit,) = rewrite("negation", "He likes fish.", contractions="expand")
    assert edit.rule == "negation"
    assert edit.effect == "opposite"
    assert edit.words == (("likes", "does not like"),)


def test_always_and_never_change_places_if_asked() -> None:
    assert rewrite("negation", "He always lies.", always_never=True)[0].text == "He never lies."
    assert rewrite("negation", "He never lies.", always_never=True)[0].text == "He always lies."
    assert rewrite("negation", "He always lies.")[0].text == "He does not always lie."


def test_blanks_and_signs_outside_stay() -> None:
    assert rewrite("negation", "  He  likes   it … 🙂 ")[0].text == "  He  does not like   it … 🙂 "


def test_of_two_short_sentences_the_negated_one_is_turned() -> None:
    assert rewrite("negation", "Look at me. I am not joking.")[0].text == "Look at me. I am joking."
