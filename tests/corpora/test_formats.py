"""Reading and detection of every format."""

from __future__ import annotations

import bz2
import json
from pathlib import Path

import pytest

from litotes.core.errors import LitotesError, UsageError
from litotes.corpora.base import Problems, Record
from litotes.corpora.formats import detect_format, list_formats
from litotes.corpora.read import describe_sources, read_corpus

NLI = {"gold_label": "neutral", "pairID": "p1", "sentence1": "Ann sings.", "sentence2": "Ann sings well."}
SICK = "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment\n"
MRPC = "\ufeffQuality\t#1 ID\t#2 ID\t#1 String\t#2 String\n"


def write(path: Path, text: str | bytes) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode("utf-8") if isinstance(text, str) else text)
    return str(path)


def jsonl(*rows: object) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def read(path: str, **options: object) -> list[Record]:
    return list(read_corpus([path], strict=True, **options))  # type: ignore[arg-type]


def test_text_has_one_sentence_per_line(tmp_path: Path) -> None:
    path = write(tmp_path / "talk.txt", "\ufeffThe bus is late.\r\n\r\n  Nobody minds. \rIt rains.\n\n\nWe wait.")
    assert [(record.id, record.text) for record in read(path)] == [
        ("talk.txt:1", "The bus is late."),
        ("talk.txt:3", "Nobody minds."),
        ("talk.txt:4", "It rains."),
        ("talk.txt:7", "We wait."),
    ]


def test_only_line_feeds_and_carriage_returns_end_lines(tmp_path: Path) -> None:
    path = write(tmp_path / "talk.txt", "One\u2028and the\x0bsame\x85line.\nTwo.\n")
    assert [record.id for record in read(path)] == ["talk.txt:1", "talk.txt:2"]


def test_byte_order_mark_in_the_middle_is_removed(tmp_path: Path) -> None:
    assert read(write(tmp_path / "talk.txt", "One.\n\ufeffTwo.\n"))[1].text == "Two."


RUNNING = """The ferry did not
sail. Dr. Moss stayed
at home. Why?

She was ill
"""


@pytest.mark.parametrize("options", [{"split": True}, {"format": "running"}, {"format": "text", "split": True}])
def test_running_text_is_split(tmp_path: Path, options: dict[str, object]) -> None:
    records = read(write(tmp_path / "book.txt", RUNNING), **options)
    assert [(record.id, record.text) for record in records] == [
        ("book.txt:1", "The ferry did not sail."),
        ("book.txt:2", "Dr. Moss stayed at home."),
        ("book.txt:3", "Why?"),
        ("book.txt:5", "She was ill"),
    ]


def test_sentences_of_one_line_have_different_ids(tmp_path: Path) -> None:
    records = read(write(tmp_path / "book.txt", "One came. Two went. Three\nstayed. Four slept.\n"), split=True)
    assert [record.id for record in records] == ["book.txt:1", "book.txt:1.2", "book.txt:1.3", "book.txt:2"]


def test_sentences_of_a_long_paragraph_are_returned_before_its_end(tmp_path: Path) -> None:
    lines = [f"Gate {number} is not\nopen. It is" for number in range(5_000)]
    records = read(write(tmp_path / "book.txt", "\n".join(lines) + " shut."), split=True)
    assert len(records) == 5_001
    assert len({record.id for record in records}) == 5_001
    assert records[4_000].text == "It is Gate 4000 is not open."


def test_texts_of_tables_are_split(tmp_path: Path) -> None:
    path = write(tmp_path / "posts.jsonl", jsonl({"text": "It broke. We wept."}, {"text": "Fine."}))
    assert [(record.id, record.text) for record in read(path, split=True)] == [
        ("posts.jsonl:1", "It broke."),
        ("posts.jsonl:1.2", "We wept."),
        ("posts.jsonl:2", "Fine."),
    ]


def test_json_lines_are_read_by_field(tmp_path: Path) -> None:
    path = write(tmp_path / "posts.jsonl", jsonl({"body": "It works.", "n": 1}, {"body": "It\nfails.", "n": 2}))
    assert [record.text for record in read(path, columns=["body"])] == ["It works.", "It fails."]
    assert read(path, columns=["1"])[0].text == "It works."


def test_common_json_fields_are_recognised(tmp_path: Path) -> None:
    path = write(tmp_path / "posts.jsonl", jsonl({"id": 4, "text": "It works.", "label": "joy", "score": 2}))
    assert read(path) == [Record("posts.jsonl:1", "It works.", None, "joy", 2.0)]


def test_unknown_labels_of_other_pairs_are_retained(tmp_path: Path) -> None:
    path = write(tmp_path / "pairs.tsv", "sentence1\tsentence2\tlabel\nAnn ran.\tAnn jogged.\tsame\n")
    assert read(path)[0].label == "same"


def test_csv_cells_may_contain_quotation_marks_and_line_breaks(tmp_path: Path) -> None:
    path = write(tmp_path / "c.csv", 'id,said\r\n1,"Yes, ""now"" \r\nor never."\r\n\r\n2,No.\r\n')
    assert [(record.id, record.text) for record in read(path, columns=["said"])] == [
        ("c.csv:2", 'Yes, "now" or never.'),
        ("c.csv:5", "No."),
    ]


def test_csv_may_be_separated_by_semicolons(tmp_path: Path) -> None:
    path = write(tmp_path / "c.csv", "nr;text\n1;Well, no.\n")
    assert read(path)[0].text == "Well, no."


def test_columns_without_header_are_chosen_by_number(tmp_path: Path) -> None:
    path = write(tmp_path / "c.csv", "7,She left.,He stayed.\n8,It rained.,It was dry.\n")
    assert read(path, columns=["2", "3"])[1] == Record("c.csv:2", "It rained.", "It was dry.", second_id="c.csv:2#2")


def test_header_is_not_read_as_a_sentence(tmp_path: Path) -> None:
    path = write(tmp_path / "c.csv", "ID,Said\n7,She left.\n")
    assert [record.text for record in read(path, columns=["2"])] == ["She left."]
    assert [record.text for record in read(write(tmp_path / "d.csv", "ID,Text\n7,She left.\n"))] == ["She left."]


def test_quotation_marks_in_tsv_have_no_meaning(tmp_path: Path) -> None:
    path = write(tmp_path / "t.tsv", 'nr\tsentence\n1\t"No" is short.\n2\tHe said "go\n')
    assert [record.text for record in read(path)] == ['"No" is short.', 'He said "go']


def test_two_columns_without_header_are_a_pair(tmp_path: Path) -> None:
    path = write(tmp_path / "t.tsv", "She left.\tShe went away.\n")
    assert read(path)[0].second_text == "She went away."


def test_text_is_read_as_a_table_if_columns_are_chosen(tmp_path: Path) -> None:
    path = write(tmp_path / "t.txt", "a\tb\nx\tIt rains.\n")
    assert [record.text for record in read(path, columns=["b"])] == ["It rains."]


CONLLU = """# sent_id = w-1
# text = It isn't far.
1\tIt\tit\tPRON\t_\t_\t4\tnsubj\t_\t_
2-3\tisn't\t_\t_\t_\t_\t_\t_\t_\t_
2\tis\tbe\tAUX\t_\t_\t4\tcop\t_\t_
3\tn't\tnot\tPART\t_\t_\t4\tadvmod\t_\t_
4\tfar\tfar\tADJ\t_\t_\t0\troot\t_\tSpaceAfter=No
5\t.\t.\tPUNCT\t_\t_\t4\tpunct\t_\t_

1\tWe\twe\tPRON\t_\t_\t3\tnsubj\t_\t_
2-3\tcan't\t_\t_\t_\t_\t_\t_\t_\t_
2\tca\tcan\tAUX\t_\t_\t4\taux\t_\t_
3\tn't\tnot\tPART\t_\t_\t4\tadvmod\t_\t_
4\tstay\tstay\tVERB\t_\t_\t0\troot\t_\tSpaceAfter=No
4.1\tgone\t_\t_\t_\t_\t_\t_\t_\t_
5\t.\t.\tPUNCT\t_\t_\t4\tpunct\t_\t_
"""


@pytest.mark.parametrize("name", ["w.conllu", "words.txt"])
def test_conllu(tmp_path: Path, name: str) -> None:
    records = read(write(tmp_path / name, CONLLU))
    assert [(record.id, record.text) for record in records] == [
        (f"{name}:w-1", "It isn't far."),
        (f"{name}:10", "We can't stay."),
    ]


PTB = """\
( (S
    (NP-SBJ-1 (DT The) (NN crew) )
    (VP (VBD asked)
      (S
        (NP-SBJ (-NONE- *-1) )
        (VP (TO to)
          (VP (VB leave)
            (PRN (-LRB- -LRB-) (RB now) (-RRB- -RRB-) )))))
    (. .) ))

( (S (NP-SBJ (PRP We) ) (VP (VBP pay) (NP (CD 1\\/2) ) ) (. .) ))
(ROOT (S (NP (NNP Tilde)) (VP (VBZ waits)) (. .)))
"""


@pytest.mark.parametrize("name", ["wsj_0001.mrg", "trees.ptb", "trees.txt"])
def test_bracketed_parses_of_the_penn_treebank(tmp_path: Path, name: str) -> None:
    path = write(tmp_path / name, PTB)
    assert [(record.id, record.text) for record in read(path)] == [
        (f"{name}:1", "The crew asked to leave ( now ) ."),
        (f"{name}:11", "We pay 1/2 ."),
        (f"{name}:12", "Tilde waits ."),
    ]
    assert describe_sources([path])[0]["format"] == "ptb"
    assert [record.id for record in read(str(tmp_path))] == [record.id for record in read(path)]


def test_opusparcus_training_file(tmp_path: Path) -> None:
    lines = "en-N1\tGet in .\tStep inside .\t61.5\t20.1\t5\t7.0\nen-N2\tNot now .\tLater .\t60\t19\t4\t6\n"
    path = write(tmp_path / "en-train.txt.bz2", bz2.compress(lines.encode()))
    assert read(path)[0] == Record(
        "en-train.txt.bz2:en-N1", "Get in .", "Step inside .", "", 61.5, "en-train.txt.bz2:en-N1#2"
    )
    assert describe_sources([path])[0]["format"] == "opusparcus"


def test_opusparcus_development_file(tmp_path: Path) -> None:
    path = write(tmp_path / "en-dev.txt", "en-D1\tGet in .\tStep inside .\t3.5\n")
    assert read(path)[0].score == 3.5


def test_opusparcus_json_lines(tmp_path: Path) -> None:
    row = {"lang": "en", "sent1": "Get in .", "sent2": "Stay .", "annot_score": 1.5, "gem_id": "v-1"}
    assert read(write(tmp_path / "validation.jsonl", jsonl(row)))[0] == Record(
        "validation.jsonl:v-1", "Get in .", "Stay .", "", 1.5, "validation.jsonl:v-1#2"
    )


def test_snli_json_lines(tmp_path: Path) -> None:
    path = write(tmp_path / "d.jsonl", jsonl(NLI, {**NLI, "pairID": "p2", "gold_label": "-"}))
    assert read(path) == [
        Record("d.jsonl:p1", "Ann sings.", "Ann sings well.", "neutral", None, "d.jsonl:p1#2"),
        Record("d.jsonl:p2", "Ann sings.", "Ann sings well.", "", None, "d.jsonl:p2#2"),
    ]


def test_repeated_ids_are_made_unique(tmp_path: Path) -> None:
    other = {key: value for key, value in NLI.items() if key != "pairID"}
    path = write(tmp_path / "d.jsonl", jsonl(NLI, NLI, other, {**NLI, "pairID": 3}, NLI))
    assert [record.id for record in read(path)] == [
        "d.jsonl:p1",
        "d.jsonl:p1@2",
        "d.jsonl:3",
        "d.jsonl:3@4",
        "d.jsonl:p1@5",
    ]


def test_snli_tab_separated(tmp_path: Path) -> None:
    path = write(
        tmp_path / "d.txt", "gold_label\tsentence1\tsentence2\tpairID\tlabel2\nentailment\tAnn ran.\tAnn moved.\t7e\t\n"
    )
    assert read(path) == [Record("d.txt:7e", "Ann ran.", "Ann moved.", "entailment", None, "d.txt:7e#2")]


@pytest.mark.parametrize(
    ("label", "normalised"), [("contradictory", "contradiction"), ("2", "contradiction"), ("-1", "")]
)
def test_label_variants_are_normalised(tmp_path: Path, label: str, normalised: str) -> None:
    path = write(tmp_path / "d.tsv", f"premise\thypo\tlabel\nAnn ran.\tAnn slept.\t{label}\n")
    assert read(path)[0].label == normalised


def test_inference_corpora_are_distinguished(tmp_path: Path) -> None:
    genre = write(tmp_path / "a.jsonl", jsonl({**NLI, "genre": "letters"}))
    folder = write(tmp_path / "mnli" / "dev.jsonl", jsonl({"premise": "A.", "hypothesis": "B.", "label": "neutral"}))
    plain = write(tmp_path / "b.jsonl", jsonl(NLI))
    assert [source["format"] for source in describe_sources([genre, folder, plain])] == ["mnli", "mnli", "snli"]


def test_sick(tmp_path: Path) -> None:
    path = write(tmp_path / "t.txt", SICK + "12\tA dog runs\tNo dog runs\t3.6\tCONTRADICTION\n")
    assert read(path) == [Record("t.txt:12", "A dog runs", "No dog runs", "contradiction", 3.6, "t.txt:12#2")]


def test_mrpc(tmp_path: Path) -> None:
    path = write(tmp_path / "m.txt", MRPC + '1\t11\t12\tHe said " no " .\tHe refused .\n')
    assert read(path) == [Record("m.txt:2", 'He said " no " .', "He refused .", "1", None, "m.txt:2#2")]


STSB = [
    ("stsb-dev.csv", 'A man runs.,"A man, tall, runs.",4.2\r\n', ":1"),
    ("sts-dev.csv", "main-news\tnews\t2015\t0001\t4.2\tA man runs.\tA man, tall, runs.\textra\n", ":1"),
    ("dev.tsv", "index\tsentence1\tsentence2\tscore\n0\tA man runs.\tA man, tall, runs.\t4.2\n", ":2"),
]


@pytest.mark.parametrize(("name", "text", "row_id"), STSB)
def test_stsb(tmp_path: Path, name: str, text: str, row_id: str) -> None:
    path = write(tmp_path / name, text)
    assert read(path) == [
        Record(name + row_id, "A man runs.", "A man, tall, runs.", "", 4.2, f"{name}{row_id}#2"),
    ]
    assert describe_sources([path])[0]["format"] == "stsb"


def test_goemotions(tmp_path: Path) -> None:
    path = write(tmp_path / "dev.tsv", "I did not expect that!\t4,27\tab12cd3\n")
    assert read(path) == [Record("dev.tsv:ab12cd3", "I did not expect that!", None, "4,27")]


@pytest.mark.parametrize("format", [name for name in list_formats() if name not in ("text", "running", "tsv")])
def test_text_in_a_table_format_is_an_error(tmp_path: Path, format: str) -> None:
    path = write(tmp_path / "talk.txt", "The bus, they say, is late.\nNobody minds.\n")
    with pytest.raises(LitotesError):
        list(read_corpus([path], format=format))


def test_wrong_format_is_an_error_with_the_columns(tmp_path: Path) -> None:
    path = write(tmp_path / "t.tsv", "nr\tsaid\n1\tNo.\n")
    with pytest.raises(LitotesError, match=r"t\.tsv: is not sick, which has sentence_A and sentence_B; .*nr, said"):
        list(read_corpus([path], format="sick"))


def test_unknown_format_is_an_error() -> None:
    with pytest.raises(UsageError, match="did you mean jsonl"):
        read_corpus(["-"], format="jsonlines")


@pytest.mark.parametrize(
    ("name", "line", "format"),
    [
        ("tests/a.csv", "one,two,3", "csv"),
        ("posts.txt", "{not json}", "text"),
        ("posts.txt", '{"text": "No."}', "jsonl"),
        ("a.tsv", "", "tsv"),
        ("a.txt", "", "text"),
        ("a.txt", "a\tb", "text"),
        ("a.csv", "a\tb", "tsv"),
        ("a.csv", '"', "csv"),
        ("a", "1\tIt\tit\tPRON\t_\t_\t2\tnsubj\t_\t_", "conllu"),
        ("a.mrg", "", "ptb"),
        ("a.txt", "( (S ", "ptb"),
        ("a.txt", "(TOP (S (NP (NNP Tilde)) (VP (VBZ waits))))", "ptb"),
        ("a.txt", "(S) stands for small.", "text"),
        ("a.txt", "(A boy laughs.)", "text"),
    ],
)
def test_format_is_detected(name: str, line: str, format: str) -> None:
    assert detect_format(name, line) == format


def test_problems_are_counted_in_the_given_object(tmp_path: Path) -> None:
    problems = Problems()
    path = write(
        tmp_path / "t.txt",
        SICK + "1\tA dog runs\tNo dog runs\tmuch\tNEUTRAL\n2\tA.\tB.\t1\tPERHAPS\n3\tA.\tB.\t1\tNEUTRAL\n",
    )
    assert [record.id for record in read_corpus([path], problems=problems)] == ["t.txt:3"]
    assert problems.summary() == "2 lines skipped: 1 label, 1 score; t.txt:2 (score), t.txt:3 (label)"
