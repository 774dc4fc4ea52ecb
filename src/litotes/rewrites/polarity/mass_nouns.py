"""Nouns that are not counted: “some money”, “not bad news”, never with “a”."""

from __future__ import annotations

MASS_NOUNS = frozenset(
    "accommodation advice air applause baggage beef behavior behaviour blood bread bullshit butter cash cheese"
    " chemistry clothing coffee content courage crap cutlery darkness dirt dust economics education electricity"
    " energy entertainment equipment evidence feedback fiction flour food footage fuel fun furniture gameplay"
    " garbage gas gear gold gossip grammar grass gravity grief growth guidance hair happiness hardware harm health"
    " heat help homework honesty housework housing humor humour hygiene ice information intelligence irony"
    " jewellery jewelry journalism juice justice karma knowledge laughter laundry leather leisure lemonade"
    " lighting literature logic luck luggage machinery mail math maths meat milk money mud music news nonsense"
    " nutrition oil oxygen patience pay peace permission photography poetry politeness politics pollution postage"
    " poverty praise pride progress proof propaganda publicity punctuation rain research respect rice rubbish"
    " safety salt sand sarcasm satire scenery seafood sex shampoo shit sleep snow soap software sportsmanship"
    " stuff sugar sunshine support sushi tea teamwork traffic transport transportation trash trouble understanding"
    " underwear vandalism vinegar violence water wealth weather wildlife wine wisdom wood work workmanship".split()
)
"""A small list of common ones, of our own."""
ALSO_MASS = frozenset(
    "acting art business comedy company cooking dancing driving exercise fish language marketing packaging"
    " parenting parking quality reasoning seating service shopping singing spelling storytelling taste teaching"
    " technology thinking timing training tv writing".split()
)
"""Counted at times, or rather a verb; in praise and blame (“Great service.”, “Nice driving.”) they are not counted."""
