"""Names of people: given names, and titles that precede them."""

from __future__ import annotations

from litotes.languages.base import word_set

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
"""Common given names in lower case."""

NOUN_NAMES = word_set(
    """
    jack mike ray art gene jean frank stew basil ginger olive miles will bill bob dick rob mark rick van chip chase
    mason carter cooper porter tanner hunter ruby pearl jade amber crystal sandy max pat penny sterling brook bud
    heath cliff lance pierce reed rose may june april dawn joy hope faith grace iris lily ivy violet holly buck drew
    josh sue peg chuck guy dean earl duke christian page piper harper coral opal gates banks brooks woods waters
    fields rivers parks bridges ickes hicks burns stone
    """
)
"""Given names and surnames that are also common nouns, verbs or adjectives."""

HONORIFICS = word_set(
    "mr mr. mrs mrs. ms ms. miss dr dr. sir lady lord professor prof. captain uncle aunt president king queen"
)
"""Words that precede a name."""

FAMILY_NAMES = word_set("mom mum dad mother father grandma grandpa")
"""Words for relatives that are used like names: “Mom called.”"""
