"""Keys and passwords are recognised, and similar names are not mistaken for them."""

from __future__ import annotations

import pytest

from litotes.core.errors import UsageError
from litotes.core.secrets import mask_secrets, refuse_secret_option, refuse_secrets

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
    assert "a name contains a key" in str(caught.value) and key not in str(caught.value)


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
def test_model_names_are_not_mistaken_for_keys(name: str) -> None:
    refuse_secrets(name, "a name")


@pytest.mark.parametrize("address", ["http://me:word@host/v1", "https://word@host"])
def test_passwords_in_addresses_are_refused_and_masked(address: str) -> None:
    with pytest.raises(UsageError, match="a user name or a password"):
        refuse_secrets(address, "a name")
    with pytest.raises(UsageError, match="a user name or a password"):
        refuse_secrets(address.replace("word", "wo/rd"), "a name", is_name=True)
    assert "word" not in mask_secrets(address)


def test_values_of_secret_environment_variables_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAB_API_KEY", "0123456789abcdef")
    with pytest.raises(UsageError, match="LAB_API_KEY") as caught:
        refuse_secrets("openai:0123456789abcdef", "a name")
    assert "0123456789" not in str(caught.value)
    monkeypatch.setenv("KEY_FOLDER", "/home/ann/models")
    monkeypatch.setenv("MY_TOKEN", "bert")
    refuse_secrets("/home/ann/models/bert", "a name")


@pytest.mark.parametrize(("name", "value"), [("key", "0123abcd"), ("api_key", "Abc"), ("token", "a b"), ("KEY", "")])
def test_key_options_must_name_a_variable(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match="never the key itself") as caught:
        refuse_secret_option(name, value)
    assert not value or value not in str(caught.value)
    monkeypatch.setenv("labkey", "1")
    for variable in ("labkey", "LAB_KEY"):  # LAB_KEY is not set, which is an error only when it is used
        refuse_secret_option(name, variable)
