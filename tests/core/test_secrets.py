"""Keys and passwords are told from what only looks a little like them."""

from __future__ import annotations

import pytest

from litotes.core.errors import UsageError
from litotes.core.secrets import refuse_secret_option, refuse_secrets, without_secrets

KEYS = (
    "sk-1234567890abcdef",
    "sk-proj-Ab1_Cd2-Ef3Gh4Ij5Kl6Mn7Op8Qr9",
    "sk-ant-api03-a1b2c3d4e5f6g7h8",
    "hf_abcdefghijklmnopqrstuvwxyz",
)


@pytest.mark.parametrize("key", KEYS)
def test_keys_are_refused_and_not_shown(key: str) -> None:
    with pytest.raises(UsageError) as caught:
        refuse_secrets(f"openai:{key}@http://host/v1", "a name")
    assert "a name has a key in it" in str(caught.value) and key not in str(caught.value)


@pytest.mark.parametrize(
    "name",
    [
        "org/sk-sentence-bert-base",
        "task-specific-encoder-large",
        "hf_model",
        "hf:org/m@main",
        "https://host/@someone/x",
    ],
)
def test_names_of_models_are_no_keys(name: str) -> None:
    refuse_secrets(name, "a name")


@pytest.mark.parametrize("address", ["http://me:word@host/v1", "https://word@host"])
def test_passwords_in_addresses(address: str) -> None:
    with pytest.raises(UsageError, match="a name or a password"):
        refuse_secrets(address, "a name")
    with pytest.raises(UsageError, match="a name or a password"):
        refuse_secrets(address.replace("word", "wo/rd"), "a name", is_name=True)
    assert "word" not in without_secrets(address)


def test_what_the_environment_holds_as_a_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAB_API_KEY", "0123456789abcdef")
    with pytest.raises(UsageError, match="LAB_API_KEY") as caught:
        refuse_secrets("openai:0123456789abcdef", "a name")
    assert "0123456789" not in str(caught.value)
    monkeypatch.setenv("KEY_FOLDER", "/home/ann/models")
    monkeypatch.setenv("MY_TOKEN", "bert")
    refuse_secrets("/home/ann/models/bert", "a name")


@pytest.mark.parametrize(("name", "value"), [("key", "0123abcd"), ("api_key", "Abc"), ("token", "a b"), ("KEY", "")])
def test_an_option_that_is_called_key_names_a_variable(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match="never the key itself") as caught:
        refuse_secret_option(name, value)
    assert not value or value not in str(caught.value)
    monkeypatch.setenv("labkey", "1")
    for variable in ("labkey", "LAB_KEY"):  # one that is not set is told by whoever needs it
        refuse_secret_option(name, variable)
