"""Names of people, and the verbs whose arguments can or cannot change places."""

from __future__ import annotations

from litotes.rewrites.grammar.noun_phrases import word_set

GIVEN_NAMES = word_set(
    """
    aaron abigail adam adele agnes alan albert alex alexander alfred alice alison allison amanda amy andrea andrew
    andy angela ann anna anne annie anthony arthur ashley barbara barry beatrice becky ben benjamin bernard bert
    beth betty bill billy bob bobby brad brandon brenda brian bruce carl carla carlos carol caroline catherine cathy
    cecil charles charlie charlotte chloe chris christina christine christopher cindy claire clara claude colin
    connie craig cynthia dan daniel danny dave david dawn dean deborah debra dennis derek diana diane dick don
    donald donna doris dorothy doug douglas duncan dylan ed eddie edgar edith edward edwin eileen elaine eleanor
    elena eli elizabeth ellen elmer elsie emily emma eric erica erik ernest esther ethan eugene eva evan eve evelyn
    felix fiona florence frances francis frank fred freda freddie frederick gabriel gary george gerald gina glen
    glenn gloria gordon grace graham greg gregory gwen hannah harold harriet harry hazel heather hector helen henry
    herbert hilda holly howard hugh ian ida imogen ingrid irene iris isaac isabel isabella ivan jack jackie jacob
    jake james jamie jan jane janet janice jason jay jean jeff jeffrey jenna jennifer jenny jeremy jerry jesse
    jessica jill jim jimmy joan joanna joe joel john johnny jon jonathan jordan joseph josh joshua joyce juan judith
    judy julia julian julie karen karl kate katherine kathleen kathy katie keith kelly ken kenneth kevin kim kumiko
    kyle lance larry laura lauren laurie lawrence layla leah lee leo leon leonard leroy leslie lester lewis liam
    lillian lilly lily linda lisa liz lloyd lois lola lorraine louis louise lucas lucy luis luke lydia lynn mabel
    maggie marcus margaret maria marian marie marilyn marion marjorie mark marlene martha martin marvin mary mateo
    matilda matt matthew maurice max megan melissa mia michael michelle miguel mike mildred molly monica morgan
    muriel nancy naomi natalie nathan ned neil nicholas nick nicole nigel nina noah noel nora norma norman oliver
    olivia omar oscar owen pam pamela patricia patrick paul paula pauline pedro peggy penelope percy peter phil
    philip phillip phoebe phyllis rachel ralph ray raymond rebecca ricardo richard rick ricky rita robert roberta
    robin rodney roger roland ron ronald rosa rosemary roy ruby rupert russell ruth ryan sally sam samantha sami
    samuel sandra sara sarah scott sean sergio seth shane sharon sheila shirley sid sidney simon skura sonia sophia
    sophie stan stanley stella stephanie stephen steve steven stuart sue susan suzanne sylvia taro ted teresa terry
    thelma theodore theresa thomas tim timothy tina todd tom tommy tony tracy trevor ursula vanessa vera vernon
    veronica vicky victor victoria vincent viola violet virginia vivian walter wanda warren wayne wendy wesley
    wilfred william willie winston yoko yuri ziri zoe
    """
)
TITLES = word_set(
    "mr mr. mrs mrs. ms ms. miss dr dr. sir lady lord professor prof. captain uncle aunt president king queen"
)

SYMMETRIC = word_set(
    """
    meet marry resemble equal divorce date wed hug kiss embrace cuddle fight match join encounter accompany rival face
    parallel adjoin touch contact mirror complement neighbor neighbour friend befriend agree argue chat quarrel differ
    collide play compete live dance wrestle spar debate mate separate unite combine correspond cooperate collaborate
    share exchange swap
    """
)
"""If one does it to the other, so does the other: to change places would change nothing."""

SYMMETRIC_ADJECTIVES = word_set(
    """
    similar equal related married engaged identical close next near same different friendly alike equivalent parallel
    adjacent unlike comparable familiar connected attached
    """
)

BETWEEN_PARTIES = word_set(
    """
    accuse advise alert allow answer apologize ask assure attack authorize beat beg blame bribe challenge charge
    convince criticize criticise defeat defend defy denounce encourage fire forgive forbid help hire inform
    instruct insult interview invite lobby notify obey order outbid outvote oppose pay permit persuade praise
    press pressure promise promote question reassure rebuke remind reprimand request rescue reward ridicule sack
    scold serve sue summon support suspect telephone thank threaten urge warn
    """
)
"""What people and companies do to each other: whoever has a name and does it can have it done to them."""

NOT_SWAPPED = word_set(
    """
    have get be become include involve cost own wear contain lack keep lose play name elect appoint bear mean
    consist comprise represent number make do use excuse bless say bet owe marry father mother sire rent sell
    employ raise breastfeed adopt deliver conceive think assume imagine suppose guess wonder hope agree decide swear
    assemble gather surround outnumber divide ride drive eat drink cook fry boil peel
    plant stand sit socialize socialise obtain
    """
)
"""Whose object is no second actor: “I have a friend”, “She wears a ring”, “They named him Tom”."""

CAUSING = word_set("make let help have see hear watch feel notice want need expect like get")
"""“made her cry”, “saw him leave”, “wants them to stay”: the object is the subject of another verb."""

OF_ONE_KNOWN = word_set("want need expect seek find have")
"""Whose indefinite object need not be: “She wants a daughter”."""

OF_BOTH = word_set(
    """
    chase watch follow see hear love like hate kick hit push kill hurt find approach tease eye sniff ignore avoid bite
    attack scare frighten startle lead surprise miss know smell trust notice fear pull lick touch injure save rescue
    need protect defend disturb wake annoy bother
    """
)
"""What people do to animals, and animals to people."""
OF_BOTH_PREPOSITIONS = {("look", "at"), ("stare", "at"), ("run", "after"), ("jump", "over"), ("run", "from"),
                        ("jump", "on"), ("run", "to"), ("run", "towards"), ("walk", "towards"), ("walk", "behind"),
                        ("run", "behind"), ("go", "after"), ("listen", "to")}  # fmt: skip

OF_THINGS = word_set(
    """
    hit follow block replace precede cause affect influence beat exceed outweigh crush support threaten destroy damage
    shake outlast outnumber
    """
)
"""What one thing does to another that the other can do as well."""

PREPOSITIONS = word_set("to at for after about from over behind towards toward past of")
OF_OR_ABOUT = word_set(
    """
    think dream hear speak talk complain worry know care write forget ask read lie brag wonder sing learn
    """
)
"""Verbs that take “of” or “about” and what is talked or thought of."""
TAKING = word_set("take get buy borrow steal receive learn hear hide keep win inherit want")
"""Verbs that take something from somebody."""
IN_PHRASE = word_set("of in from on with at behind near next who that")
"""Prepositions that stay with the noun before them; others may belong to the verb."""
ADJECTIVE_PREPOSITIONS = word_set("of at to than about for")
