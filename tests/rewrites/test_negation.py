"""`negation`: every construction in the three contraction styles, in both directions, and skips."""

from __future__ import annotations

import pytest

from litotes.rewrites.apply import rewrite

STYLES = ("keep", "contract", "expand")

# sentence, then its negation in the styles keep, contract and expand (—: the same as in keep)
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
    ("You'd better go.", "You'd better not go.", "—", "You had better not go."),
    ("I'd rather stay.", "I'd rather not stay.", "—", "I would rather not stay."),
    ("He's probably right.", "He's probably not right.", "—", "He is probably not right."),
    ("She's gone home.", "She hasn't gone home.", "—", "She has not gone home."),
    ("He's gone.", "He's not gone.", "He isn't gone.", "He is not gone."),
    ("It's stopped raining.", "It hasn't stopped raining.", "—", "It has not stopped raining."),
    ("There's a man here.", "There's no man here.", "—", "There is no man here."),
    ("Tom's late.", "Tom's not late.", "Tom isn't late.", "Tom is not late."),
    ("My brother's here.", "My brother's not here.", "My brother isn't here.", "My brother is not here."),
    ("Mary's at home.", "Mary's not at home.", "Mary isn't at home.", "Mary is not at home."),
    (
        "My father's a teacher.",
        "My father's not a teacher.",
        "My father isn't a teacher.",
        "My father is not a teacher.",
    ),
    ("The dog's barking.", "The dog's not barking.", "The dog isn't barking.", "The dog is not barking."),
    ("He likes fish.", "He does not like fish.", "He doesn't like fish.", "—"),
    ("They sang.", "They did not sing.", "They didn't sing.", "—"),
    ("We live here.", "We do not live here.", "We don't live here.", "—"),
    ("He put it on the table.", "He did not put it on the table.", "He didn't put it on the table.", "—"),
    ("I used to smoke.", "I did not use to smoke.", "I didn't use to smoke.", "—"),
    ("He has to leave.", "He does not have to leave.", "He doesn't have to leave.", "—"),
    ("Be glad.", "Do not be glad.", "Don't be glad.", "—"),
    ("Please sit down.", "Please do not sit down.", "Please don't sit down.", "—"),
    ("Let's go.", "Let's not go.", "—", "—"),
    ("Let's eat something.", "Let's not eat anything.", "—", "—"),
    ("Let's have some tea.", "Let's not have any tea.", "—", "—"),
    ("Let's invite somebody.", "Let's not invite anybody.", "—", "—"),
    ("Let's ask someone.", "Let's not ask anyone.", "—", "—"),
    ("Let's go too.", "Let's not go either.", "—", "—"),
    ("There is a man on the roof.", "There is no man on the roof.", "—", "—"),
    ("There is someone at the door.", "There is no one at the door.", "—", "—"),
    ("There were many guests.", "There were not many guests.", "There weren't many guests.", "—"),
    ("Yeah, good.", "Yeah, not good.", "—", "—"),
    ("Good idea.", "Not a good idea.", "—", "—"),
    ("Bad news.", "Not bad news.", "—", "—"),
    ("Good advice.", "Not good advice.", "—", "—"),
    ("Great service.", "Not great service.", "—", "—"),
    ("Nice weather today.", "Not nice weather today.", "—", "—"),
    ("Is he here?", "Is he not here?", "Isn't he here?", "—"),
    ("Did you see it?", "Did you not see it?", "Didn't you see it?", "—"),
    ("Was the dog at home?", "Was the dog not at home?", "Wasn't the dog at home?", "—"),
    ("It gets lost.", "It does not get lost.", "It doesn't get lost.", "—"),
    ("Some of them came.", "None of them came.", "—", "—"),
    ("Why are you sad?", "Why are you not sad?", "Why aren't you sad?", "—"),
    ("Why is he here?", "Why is he not here?", "Why isn't he here?", "—"),
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
    ("You like it, don't you?", "You don't like it, do you?", "—", "You do not like it, do you?"),
    ("He has a car, doesn't he?", "He doesn't have a car, does he?", "—", "He does not have a car, does he?"),
    (
        "The man who lives here is a doctor.",
        "The man who lives here is not a doctor.",
        "The man who lives here isn't a doctor.",
        "—",
    ),
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
    ("There's no problem.", "There's a problem."),
    ("There is no problem here.", "There is a problem here."),
    ("There is no need to hurry.", "There is a need to hurry."),
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
    ("It isn't at all good.", "It is very good."),
    ("Not bad.", "Bad."),
    ("Not bad at all.", "Bad."),
    ("Not bad news.", "Bad news."),
    ("Not many people came.", "Many people came."),
    ("You needn't worry.", "You need to worry."),
    ("He need not know.", "He needs to know."),
    ("It need not be done today.", "It needs to be done today."),
    ("They needn't bring anything.", "They need to bring something."),
    ("He daren't speak.", "He dares to speak."),
    ("I dare not ask.", "I dare to ask."),
    ("He dared not move.", "He dared to move."),
    ("He can't read or write.", "He can read and write."),
    ("He couldn't see or hear anything.", "He could see and hear something."),
    ("She isn't reading or writing.", "She is reading and writing."),
    ("He doesn't sing or dance.", "He sings and dances."),
    ("He isn't rich or famous.", "He is rich or famous."),
    ("Can't you read or write?", "Can you read or write?"),
    ("She did not say a word and left.", "She said a word and left."),
    ("Let's not eat anything.", "Let's eat something."),
    ("I think not.", "I think so."),
    ("I don't think so.", "I think so."),
    ("Listen, I can't help you.", "Listen, I can help you."),
    ("I do not think anyone came.", "I think someone came."),
    ("You obviously don't need any help.", "You obviously need some help."),
]

# Verbs that share a subject, independent of the tags of the later ones.
JOINED = [
    ("He reads and writes.", "He does not read and write."),
    ("He sings and dances.", "He does not sing and dance."),
    ("She cooks and cleans.", "She does not cook and clean."),
    ("He eats and sleeps.", "He does not eat and sleep."),
    ("He drinks and smokes.", "He does not drink and smoke."),
    ("The dog barks and bites.", "The dog does not bark and bite."),
    ("He gets up early and runs.", "He does not get up early and run."),
    ("The baby eats, sleeps and cries.", "The baby does not eat, sleep and cry."),
    ("He swims, runs and cycles.", "He does not swim, run and cycle."),
    ("She stood up, smiled and walked away.", "She did not stand up, smile and walk away."),
    ("He opened the door, looked around and left.", "He did not open the door, look around and leave."),
    ("She stopped, turned and ran.", "She did not stop, turn and run."),
    ("He bought a book and left.", "He did not buy a book and leave."),
    ("He both smokes and drinks.", "He does not both smoke and drink."),
]

# Coordinated nouns and adjectives do not change.
NOT_JOINED = [
    ("He likes cats and dogs.", "He does not like cats and dogs."),
    ("He sells food and drinks.", "He does not sell food and drinks."),
    ("She works nights and weekends.", "She does not work nights and weekends."),
    ("He stood there, tired and hungry.", "He did not stand there, tired and hungry."),
    ("She sat there, surrounded by friends.", "She did not sit there, surrounded by friends."),
    ("It's a small but cosy room.", "It's not a small but cosy room."),
]

# Answers that replace a clause.
ANSWERS = [
    ("I hope so.", "I hope not."),
    ("He hopes so.", "He hopes not."),
    ("I guess so.", "I guess not."),
    ("I suppose so.", "I suppose not."),
    ("I'm afraid so.", "I'm afraid not."),
    ("I'm afraid so, Tom.", "I'm afraid not, Tom."),
]

ONE_WAY = {"It's pretty good.", "Good idea.", "Some of them came."}
"""Their negation needs other words: “not very good”, “not a good idea”."""

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
    # It is ambiguous which words are verbs.
    ("He got up, washed and left.", "coordination"),
    ("She cleans the house and cooks.", "coordination"),
    ("He drinks coffee and smokes.", "coordination"),
    ("He lives here and worked there.", "coordination"),
    # The contrast with “but” would be reversed.
    ("We were tired but happy.", "correlative"),
    ("The room is small but cosy.", "correlative"),
    ("They are poor but honest.", "correlative"),
    ("The work is hard, but fun.", "correlative"),
    ("He speaks slowly but clearly.", "correlative"),
    ("He is not tired but happy.", "correlative"),
    ("He does not walk but runs.", "correlative"),
    ("He does not wash and dry clothes.", "coordination"),
    ("I like coffee but I don't like tea.", "several-sentences"),
    ("I like coffee. But I don't like tea.", "several-sentences"),
    ("All but one came.", "quantifier"),
    ("He has nothing but trouble.", "correlative"),
    ("I could not but laugh.", "focus"),
    # “need” and “dare” before a bare verb.
    ("We needn't have hurried.", "not-sure"),
    ("No one need know.", "not-sure"),
    ("Need I say more?", "inversion"),
    ("You need not only money.", "focus"),
    # Clauses that begin with “not”, and other inversions.
    ("Not only is he late, he is rude.", "correlative"),
    ("Not only did he lose, but he also cried.", "correlative"),
    ("Not until noon did he wake up.", "correlative"),
    ("Not to worry.", "set-phrase"),
    ("Not a soul was there.", "set-phrase"),
    ("Not anymore.", "polarity-item"),
    ("There goes the bus.", "inversion"),
    ("There lived a king.", "inversion"),
    ("There he goes.", "not-a-clause"),
    # Commands next to another clause.
    ("Don't worry, be happy.", "coordination"),
    ("Don't just stand there, do something!", "coordination"),
    ("Be careful, or you'll fall.", "coordination"),
    ("Don't be afraid, come closer.", "coordination"),
    ("Come here and I'll show you.", "coordination"),
    ("Don't worry, I'll help you.", "coordination"),
    ("Don't worry. Be happy.", "several-sentences"),
    # Words and phrases that depend on the polarity of the clause.
    ("I hope so too.", "set-phrase"),
    ("To be or not to be.", "not-a-clause"),
    ("Tom did not come, and neither did Mary.", "correlative"),
    ("Tom came, and so did Mary.", "correlative"),
    ("God bless you.", "set-phrase"),
    ("Heaven forbid.", "set-phrase"),
    ("He can't possibly know.", "set-phrase"),
    ("I can't seem to find it.", "set-phrase"),
    ("I haven't seen him for years.", "polarity-item"),
    ("I haven't slept in days.", "polarity-item"),
    ("There must be a mistake.", "not-sure"),
    ("There must be no mistake.", "not-sure"),
    ("Has anyone called?", "quantifier"),
    ("Does any of you know?", "quantifier"),
    ("Tom's house.", "not-a-clause"),
    ("Everybody's in bed.", "quantifier"),
    ("The king's painting.", "not-a-clause"),
    ("A friend of Tom's from work.", "not-a-clause"),
]


@pytest.mark.parametrize(
    ("text", "style", "expected"),
    [
        (text, style, forms[index] if forms[index] != "—" else forms[0])
        for text, *forms in ADDED
        for index, style in enumerate(STYLES)
    ],
)
def test_negates_a_clause_in_the_given_style(text: str, style: str, expected: str) -> None:
    assert rewrite("negation", text, contractions=style)[0].text == expected


@pytest.mark.parametrize(("text", "expected"), [*JOINED, *NOT_JOINED])
def test_inflects_only_coordinated_verbs(text: str, expected: str) -> None:
    assert rewrite("negation", text)[0].text == expected


@pytest.mark.parametrize(("text", "expected"), [(expected, text) for text, expected in JOINED])
def test_restores_the_forms_of_coordinated_verbs(text: str, expected: str) -> None:
    assert rewrite("negation", text)[0].text == expected


@pytest.mark.parametrize(("text", "expected"), [*ANSWERS, *((expected, text) for text, expected in ANSWERS)])
def test_swaps_so_and_not_in_answers(text: str, expected: str) -> None:
    assert [edit.text for edit in rewrite("negation", text)] == [expected]


@pytest.mark.parametrize(("text", "expected"), REMOVED)
def test_removes_a_negation(text: str, expected: str) -> None:
    assert rewrite("negation", text)[0].text == expected


@pytest.mark.parametrize(("text", "code"), SKIPPED)
def test_skips_doubtful_sentences(text: str, code: str) -> None:
    edits = rewrite("negation", text)
    assert not edits
    assert code in {skip.code for skip in edits.skips}


@pytest.mark.parametrize("text", [text for text, *_ in ADDED if text not in ONE_WAY])
def test_negating_twice_restores_the_sentence(text: str) -> None:
    there = rewrite("negation", text)[0].text
    back = [edit.text for edit in rewrite("negation", there)]
    assert _plain(text) in [_plain(one) for one in back]


def _plain(text: str) -> str:
    """Expand contractions, because the reverse rewrite may not restore them."""
    for short, full in (
        ("'ll", " will"),
        ("'ve", " have"),
        ("'d", " would"),
        ("'s been", " has been"),
        ("'s gone", " has gone"),
        ("'s st", " has st"),
    ):
        text = text.replace(short, full)
    return text


def test_reports_the_changed_words() -> None:
    (edit,) = rewrite("negation", "He likes fish.", contractions="expand")
    assert edit.rule == "negation"
    assert edit.effect == "opposite"
    assert edit.words == (("likes", "does not like"),)


def test_swaps_always_and_never_as_an_option() -> None:
    assert rewrite("negation", "He always lies.", always_never=True)[0].text == "He never lies."
    assert rewrite("negation", "He never lies.", always_never=True)[0].text == "He always lies."
    assert rewrite("negation", "He always lies.")[0].text == "He does not always lie."


def test_swapping_always_and_never_changes_polarity_items() -> None:
    def turned(text: str) -> str:
        return rewrite("negation", text, always_never=True)[0].text

    assert turned("He'll always be my friend, won't he?") == "He'll never be my friend, will he?"
    assert turned("He'll never be my friend, will he?") == "He'll always be my friend, won't he?"
    assert turned("He never says anything.") == "He always says something."
    assert turned("I've never liked him.") == "I've always liked him."


def test_does_not_replace_never_of_a_single_event() -> None:
    for text in ("I've never been to Rome.", "She has never seen it.", "He never even called.", "Never mind."):
        assert "always" not in " ".join(edit.text for edit in rewrite("negation", text, always_never=True))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He has a car, hasn't he?", "He doesn't have a car, does he?"),
        ("You have time, haven't you?", "You don't have time, do you?"),
        ("They had a dog, hadn't they?", "They didn't have a dog, did they?"),
        ("He's got a car, hasn't he?", "He hasn't got a car, has he?"),
    ],
)
def test_question_tag_agrees_with_the_new_verb(text: str, expected: str) -> None:
    assert rewrite("negation", text)[0].text == expected


def test_expands_contractions_when_removing_a_negation() -> None:
    assert rewrite("negation", "I'm not tired.", contractions="expand")[0].text == "I am tired."


def test_preserves_surrounding_spaces_and_punctuation() -> None:
    assert rewrite("negation", "  He  likes   it … 🙂 ")[0].text == "  He  does not like   it … 🙂 "


def test_affirms_the_negative_of_two_short_sentences() -> None:
    assert rewrite("negation", "Look at me. I am not joking.")[0].text == "Look at me. I am joking."
