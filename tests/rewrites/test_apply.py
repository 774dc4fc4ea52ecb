"""Applying rules: refusals before a rule runs, drafts, streams, gates, limits and workers."""

from __future__ import annotations

import itertools
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import pytest

import litotes
from litotes.core.errors import LitotesError, UsageError
from litotes.languages.base import MAX_TEXT_LENGTH
from litotes.languages.en.parser import load_pipeline, parse, parse_all
from litotes.rewrites.apply import apply_rule, rewrite, rewrite_all
from litotes.rewrites.base import (
    Draft,
    Edit,
    Edits,
    Outcome,
    Refusal,
    Sentence,
    Skip,
    WordChange,
    refuse_if,
    require,
    rule,
)
from litotes.rewrites.gates import EditCandidate, load_gate


@rule("shout", effect="same", skips={"loud": "it is loud already"})
def shout(sentence: Sentence, *, sign: str = "!", times: int = 1) -> Iterator[Outcome]:
    """Return the sentence in capitals."""
    if sign in sentence.text:
        yield Skip("loud")
        return
    yield Draft(sentence.text.rstrip(".") + sign * times, (WordChange(".", sign),), "louder")


@pytest.mark.parametrize(
    ("check", "reason"),
    [
        (lambda: refuse_if(True, "some"), "for some reason"),
        (lambda: refuse_if(True, "some", "because"), "because"),
        (lambda: require(None, "some"), "for some reason"),
    ],
)
def test_a_refusal_is_the_last_skip_of_a_rule(check: Callable[[], object], reason: str) -> None:
    @rule("refusing", effect="same", skips={"some": "for some reason"})
    def refusing(sentence: Sentence) -> Iterator[Outcome]:
        """Yield a draft and refuse."""
        yield Draft("I am happy.")
        check()
        yield Draft("I am cheerful.")

    edits = apply_rule(refusing, Sentence(parse("I am glad.")))
    assert [edit.text for edit in edits] == ["I am happy."]
    assert edits.skips == (Skip("some", reason),)


def test_checks_that_hold_do_not_refuse() -> None:
    refuse_if(False, "some")
    assert require(0, "some") == 0
    with pytest.raises(Refusal):
        refuse_if("a", "some")


def apply(*outcomes: Outcome) -> Edits:
    """Apply a rule that yields the given outcomes."""

    @rule("fixed", effect="opposite", skips={"some": "for some reason"})
    def fixed(sentence: Sentence) -> Iterator[Outcome]:
        """Yield the given outcomes."""
        yield from outcomes

    return apply_rule(fixed, Sentence(parse("I am glad.")))


CHANGE = (WordChange("glad", "sad"),)


# Single sentences


def test_edit_has_its_fields() -> None:
    edits = litotes.rewrite("negation", "I am glad.")
    assert isinstance(edits, list) and isinstance(edits, litotes.Edits)
    assert edits[0] == Edit("I am not glad.", "negation", "opposite", (WordChange("", "not"),), edits[0].reason)
    assert edits[0].words[0].new == "not"
    assert edits[0].to_dict() == {
        "text": "I am not glad.",
        "rule": "negation",
        "effect": "opposite",
        "words": [["", "not"]],
        "reason": edits[0].reason,
    }


def test_empty_result_has_skips() -> None:
    edits = rewrite("negation", "Hello!")
    assert edits == [] and edits.skips
    assert all(isinstance(skip, litotes.Skip) and skip.reason for skip in edits.skips)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "empty"),
        (" \t\n", "empty"),
        ("123 -- 4!", "empty"),
        ("😀", "empty"),
        ("half \ud83d a character", "not-text"),
        ("a" * (MAX_TEXT_LENGTH + 1), "too-long"),
        ("word " * 1_000_000, "too-long"),
        ("\ud83d" * (MAX_TEXT_LENGTH + 1), "empty"),
    ],
)
def test_unreadable_texts_never_reach_a_rule(text: str, code: str) -> None:
    @rule("never", effect="same", skips={})
    def never(sentence: Sentence) -> Iterator[Outcome]:
        """Fail."""
        raise AssertionError(sentence.text[:50])
        yield

    [skip] = rewrite(never, text).skips
    assert (skip.code, skip.reason) == (code, never.skips[code])
    # the same for a parsed document
    assert apply_rule(never, Sentence(parse(text))).skips == (skip,)


def test_reads_the_longest_allowed_text() -> None:
    text = "It is " + "very, " * ((MAX_TEXT_LENGTH - 11) // 6) + "good."
    assert rewrite(shout, text)[0].text == text[:-1] + "!"


def test_rejects_unknown_names_and_wrong_values() -> None:
    with pytest.raises(UsageError, match=r'L101.*unknown rewrite "negatoin"; did you mean negation'):
        rewrite("negatoin", "I am glad.")
    with pytest.raises(UsageError, match=r'L101.*unknown option of shout "sing"; did you mean sign'):
        rewrite(shout, "I am glad.", sing="?")
    with pytest.raises(UsageError, match=r"L102.*times=two is not one of NUMBER"):
        rewrite(shout, "I am glad.", times="two")
    with pytest.raises(UsageError, match=r'L101.*unknown gate "repass"; did you mean reparse'):
        rewrite(shout, "I am glad.", gates=["repass"])


def test_rejects_unknown_names_before_reading_the_stream() -> None:
    def stream() -> Iterator[str]:
        raise AssertionError("read")
        yield

    for wrong in ({"sing": "?"}, {"gates": ["repass"]}, {"workers": 0}):
        with pytest.raises(UsageError):
            rewrite_all(shout, stream(), **wrong)  # type: ignore[arg-type]


# Drafts


def test_drafts_are_ordered_and_distinct() -> None:
    edits = apply(Draft("I am sad.", CHANGE, "a"), Draft("I am unhappy.", CHANGE), Draft("I am sad.", CHANGE, "b"))
    assert [(edit.text, edit.reason) for edit in edits] == [("I am sad.", "a"), ("I am unhappy.", "")]
    assert edits.skips == ()


def test_draft_can_override_the_effect_of_the_rule() -> None:
    edits = apply(Draft("I am sad.", CHANGE), Draft("I was glad.", CHANGE, effect="different"))
    assert [(edit.rule, edit.effect) for edit in edits] == [("fixed", "opposite"), ("fixed", "different")]


@pytest.mark.parametrize(
    ("text", "code"),
    [("I am glad.", "unchanged"), ("I am glad. ", "unchanged"), ("I am am sad.", "broken"), ("I am  sad.", "broken")],
)
def test_faulty_drafts_become_skips(text: str, code: str) -> None:
    edits = apply(Draft(text, CHANGE), Draft("I am sad.", CHANGE))
    assert [edit.text for edit in edits] == ["I am sad."]
    assert [skip.code for skip in edits.skips] == [code] and edits.skips[0].reason


def test_surrounding_spaces_must_not_change() -> None:
    @rule("blanks", effect="same", skips={})
    def blanks(sentence: Sentence) -> Iterator[Outcome]:
        """Change the spaces at both ends."""
        for text in ("I am sad.", " I am sad. ", "\tI am sad. ", "\tI am sad.  \n", "\tI am sad.  "):
            yield Draft(text, CHANGE)

    edits = apply_rule(blanks, Sentence(parse("\tI am glad.  ")))
    assert [edit.text for edit in edits] == ["\tI am sad.  "]
    assert [skip.code for skip in edits.skips] == ["broken"]
    assert [edit.text for edit in apply_rule(blanks, Sentence(parse("I am glad.")))] == ["I am sad."]


def test_skip_without_a_reason_gets_the_declared_meaning_once() -> None:
    edits = apply(Skip("some"), Skip("some", "for this one"), Skip("some"))
    assert edits.skips == (Skip("some", "for some reason"), Skip("some", "for this one"))


def test_undeclared_code_is_an_error() -> None:
    with pytest.raises(KeyError):
        apply(Skip("undeclared"))


# Streams


def test_reads_a_stream_on_demand() -> None:
    read = 0

    def endless() -> Iterator[str]:
        nonlocal read
        for number in itertools.count():
            read += 1
            yield f"Number {number} is here."

    stream = rewrite_all(shout, endless())
    assert read == 0
    assert [edits[0].text for edits in itertools.islice(stream, 3)] == [f"Number {n} is here!" for n in range(3)]
    assert read <= 7


@pytest.mark.parametrize("workers", [1, 2])
def test_yields_one_list_per_text_in_order(workers: int) -> None:
    texts = ["I am glad.", "", "It rained.", "a" * 3000, "Hm!", "We won."] * 20
    results = list(rewrite_all("negation", texts, workers=workers))
    assert len(results) == len(texts)
    assert [edits[0].text if edits else edits.skips[0].code for edits in results[:4]] == [
        "I am not glad.",
        "empty",
        "It did not rain.",
        "too-long",
    ]
    assert [list(edits) for edits in results] == [list(edits) for edits in results[:6]] * 20
    assert all(isinstance(edits, Edits) and (edits or edits.skips) for edits in results)


def test_unnamed_rules_and_gates_need_one_worker() -> None:
    for wrong in ({"rule": shout}, {"rule": "negation", "gates": [RejectGlad()]}):
        with pytest.raises(UsageError, match=r"L102.*have a name; use workers=1"):
            rewrite_all(texts=["I am glad."], workers=2, **wrong)  # type: ignore[arg-type]


def test_is_thread_safe() -> None:
    texts = [f"Number {number} is {word}." for number in range(30) for word in ("glad", "old", "late")]
    expected = [edits[0].text for edits in rewrite_all("negation", texts)]
    result: dict[int, list[str]] = {}

    def work(number: int) -> None:
        result[number] = [rewrite("negation", text)[0].text for text in texts]

    threads = [threading.Thread(target=work, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert result == dict.fromkeys(range(3), expected)


# Gates


class RejectGlad:
    """A custom gate."""

    codes: Mapping[str, str] = {"glad": "nobody may be glad"}

    def refusals(self, candidates: Sequence[EditCandidate]) -> list[Skip | None]:
        return [Skip("glad", self.codes["glad"]) if "glad" in edit.text else None for _, edit in candidates]


def test_gate_rejects_edits() -> None:
    assert rewrite(shout, "I am sad.", gates=[RejectGlad()])[0].text == "I am sad!"
    refused = rewrite(shout, "I am glad.", gates=[RejectGlad(), "reparse"])
    assert refused == [] and refused.skips == (Skip("glad", "nobody may be glad"),)


def test_limit_stops_the_rule_unless_a_gate_rejects_edits() -> None:
    calls: list[str] = []

    @rule("moods", effect="different", skips={})
    def moods(sentence: Sentence) -> Iterator[Outcome]:
        """Return the sentence as a question."""
        for word in ("glad", "sad", "proud"):
            calls.append(word)
            yield Draft(f"She is {word}.")

    assert [edit.text for edit in rewrite(moods, "She is calm.", limit=1)] == ["She is glad."]
    assert calls == ["glad"]
    accepted = rewrite(moods, "She is calm.", limit=1, gates=[RejectGlad()])
    assert [edit.text for edit in accepted] == ["She is sad."] and [skip.code for skip in accepted.skips] == ["glad"]
    with pytest.raises(UsageError, match=r"L102.*limit=0"):
        rewrite(moods, "She is calm.", limit=0)


def test_limit_is_independent_of_the_number_of_workers() -> None:
    texts = ["The old man was very happy.", "He always lost good friends.", "Be careful."]
    for name in ("antonym", "negation_at"):
        expected = [[edit.text for edit in edits[:2]] for edits in rewrite_all(name, texts)]
        for workers in (1, 2):
            limited = rewrite_all(name, texts, limit=2, workers=workers)
            assert [[edit.text for edit in edits] for edits in limited] == expected


def test_accepts_gates_by_name() -> None:
    assert rewrite("negation", "I am glad.", gates=["reparse"])[0].text == "I am not glad."
    assert "language-tool" in load_gate("http://localhost:8081").codes
    with pytest.raises(UsageError, match="L102"):
        load_gate("ftp://localhost")


# Parsing


def test_accepts_a_pipeline_by_name() -> None:
    name = load_pipeline(None).meta["lang"] + "_" + load_pipeline(None).meta["name"]
    assert rewrite("negation", "I am glad.", pipeline=name)[0].text == "I am not glad."
    with pytest.raises(LitotesError, match=r'L301.*no spaCy pipeline is called "en_no_such"'):
        rewrite("negation", "I am glad.", pipeline="en_no_such")


def test_loads_the_pipeline_once() -> None:
    assert load_pipeline(None) is load_pipeline(None)


def test_unparsable_texts_keep_their_position() -> None:
    texts = ["I am glad.", "x" * 2_000_000, "\ud800", "", "We won."]
    docs = list(parse_all(texts))
    assert [doc.text for doc in docs] == texts
    assert [doc.is_parsed for doc in docs][:3] == [True, False, False]


def test_does_not_retain_words() -> None:
    list(rewrite_all(shout, ["Once is enough."]))
    before = len(load_pipeline(None).vocab.strings)
    list(rewrite_all(shout, [f"Mr Xyzz{number}qv is here." for number in range(300)]))
    assert len(load_pipeline(None).vocab.strings) == before


ALONE = """
import sys
from litotes.speedups.spacy_import import import_minimal_spacy
import_minimal_spacy()
assert "spacy" in sys.modules and "torch" not in sys.modules and "spacy.cli" not in sys.modules
from litotes.rewrites.apply import rewrite
print(rewrite("negation", "I am glad.")[0].text)
{more}
"""


def run(program: str) -> str:
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout


def test_spacy_is_imported_without_heavy_packages() -> None:
    assert run(ALONE.format(more="import_minimal_spacy()")) == "I am not glad.\n"


def test_omitted_packages_can_still_be_imported() -> None:
    assert run(ALONE.format(more="import spacy.cli; print(spacy.cli.info.__name__)")).split()[-1] == "info"
    if run("import importlib.util as u; print(bool(u.find_spec('torch')))") == "True\n":
        assert run(ALONE.format(more="import torch; print(torch.ones(2).sum().item())")).split()[-1] == "2.0"


def test_preserves_torch_if_already_imported(tmp_path: Any) -> None:
    (tmp_path / "torch.py").write_text("mine = True")
    program = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import torch\n"
    more = "import torch; assert torch.mine"
    assert run(program + ALONE.replace('"torch" not in sys.modules', "True").format(more=more)) == "I am not glad.\n"
