"""Options of commands: those of settings types, those that several commands share, and `--config FILE`."""

from __future__ import annotations

import functools
import inspect
import re
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints
from urllib.parse import unquote

import typer
from msgspec import Meta

from litotes.core.errors import UsageError
from litotes.core.http import is_loopback
from litotes.core.settings import ENGINE_HELP, Settings
from litotes.models.access import Access
from litotes.models.names import SERVER_SCHEMES

if TYPE_CHECKING:
    from litotes.rewrites.options import HasOptions
    from litotes.suites.base import Suite


EncoderName = Annotated[
    str | None,
    typer.Argument(
        metavar="MODEL",
        help="A sentence encoder: a folder, a hub id, a short name or scheme:rest. Default: the built-in model.",
    ),
]
TextSources = Annotated[
    list[str] | None,
    typer.Option(
        "--from",
        metavar="FILE",
        help="Your text: a file, folder, glob, URL, - for standard input, hf:NAME or builtin. Repeatable.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
EngineName = Annotated[str | None, typer.Option("--engine", metavar="ENGINE", help=ENGINE_HELP)]
LocalWorkers = Annotated[
    int | None, typer.Option("--workers", min=1, help="Number of processes. Default: 1, or all of a Ray cluster.")
]
Workers = Annotated[int | None, typer.Option(min=1, help="Number of processes. Default: one per core.")]


@dataclass(frozen=True)
class Overrides:
    """Marks a `dict` parameter: only the settings that the user gives, of one of several types or over a preset."""

    types: tuple[type[Settings], ...]
    default: str
    """Where the other values come from, for the help text: "the preset's"."""


def prepare_command(command: Callable[..., None]) -> Callable[..., None]:
    """Return the function that Typer sees: a settings parameter becomes one option per field, and `--config` is added.

    A settings parameter is `settings: SomeSettings` or `settings: Annotated[dict[str, Any], Overrides(...)]`.
    """
    hints = get_type_hints(command, include_extras=True)
    parameters: list[inspect.Parameter] = []
    fields: dict[str, tuple[Sequence[type[Settings]], bool, list[str]]] = {}
    for parameter in inspect.signature(command).parameters.values():
        hint = hints[parameter.name]
        overrides = next((extra for extra in get_args(hint)[1:] if isinstance(extra, Overrides)), None)
        if overrides is None and not _is_settings(hint):
            parameters.append(parameter.replace(annotation=hint, kind=inspect.Parameter.KEYWORD_ONLY))
            continue
        kinds = overrides.types if overrides else (hint,)
        options = _field_options(kinds, overrides)
        fields[parameter.name] = (kinds, overrides is not None, list(options))
        parameters += options.values()
    parameters.append(_config_option({_config_key(parameter): parameter for parameter in parameters}))

    @functools.wraps(command)
    def run(**values: Any) -> None:
        values.pop("config")
        for name, (kinds, is_partial, names) in fields.items():
            options = {field: values.pop(field) for field in names}
            if is_partial:
                values[name] = _field_values(kinds, {key: value for key, value in options.items() if value is not None})
            else:
                values[name] = kinds[0](**_field_values(kinds, options))
        command(**values)

    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run


def _is_settings(hint: Any) -> bool:
    return isinstance(hint, type) and issubclass(hint, Settings)


def _field_values(kinds: Sequence[type[Settings]], options: Mapping[str, Any]) -> dict[str, Any]:
    """Return option values as values of the fields: tuples for lists, None for a 0 that means "no limit"."""
    hints = {name: hint for kind in reversed(kinds) for name, hint in get_type_hints(kind, include_extras=True).items()}
    values: dict[str, Any] = {}
    for name, value in options.items():
        field = _details(hints[name])
        if get_origin(field.kind) is tuple:
            values[name] = tuple(value or ())
        else:
            values[name] = None if value == 0 and "zero" in field.extra else value
    return values


@dataclass(frozen=True)
class _Details:
    """What the annotation of a field says."""

    kind: Any
    optional: bool
    description: str
    extra: Mapping[str, Any]
    low: float | None
    high: float | None


def _details(hint: Any) -> _Details:
    """Read type, limits and description from a field's annotation; the type may be optional."""
    metas = [extra for extra in get_args(hint)[1:] if isinstance(extra, Meta)] if get_origin(hint) is Annotated else []
    bare = get_args(hint)[0] if get_origin(hint) is Annotated else hint
    optional = get_origin(bare) in (Union, types.UnionType)
    if optional:
        bare = next(kind for kind in get_args(bare) if kind is not types.NoneType)
        if get_origin(bare) is Annotated:
            metas = [*(extra for extra in get_args(bare)[1:] if isinstance(extra, Meta)), *metas]
            bare = get_args(bare)[0]

    def last(name: str) -> Any:
        return next((value for meta in reversed(metas) if (value := getattr(meta, name)) is not None), None)

    low, high = last("ge"), last("le")
    return _Details(bare, optional, last("description") or "", last("extra") or {}, low, high)


def _field_options(kinds: Sequence[type[Settings]], overrides: Overrides | None) -> dict[str, inspect.Parameter]:
    options: dict[str, inspect.Parameter] = {}
    for kind in kinds:
        hints = get_type_hints(kind, include_extras=True)
        defaults = kind().to_dict() if overrides is None else dict.fromkeys(kind.__struct_fields__)
        for name in kind.__struct_fields__:
            if name not in options and _details(hints[name]).extra.get("option") is not False:
                options[name] = _field_option(name, _details(hints[name]), defaults[name], overrides)
    return options


def _field_option(name: str, field: _Details, default: Any, overrides: Overrides | None) -> inspect.Parameter:
    flag = field.extra.get("option", f"--{name.replace('_', '-')}")
    kind: Any = str if get_origin(field.kind) is Literal else field.kind
    limits: dict[str, Any] = {}
    if get_origin(kind) is tuple:
        kind, default = list[str], None
    elif kind is bool and "/" not in flag and (default is not False or overrides):
        flag = f"{flag}/--no-{flag.removeprefix('--')}"
    elif kind in (int, float):
        limits = {"min": 0 if "zero" in field.extra else field.low, "max": field.high}
    text = field.description
    if "zero" in field.extra:
        text = f"{text.rstrip('.')}; 0: {field.extra['zero']}."
    if overrides is not None:
        text = f"{text} Default: {overrides.default}.".lstrip()
    option = typer.Option(flag, help=text, metavar=field.extra.get("metavar"), **limits)
    kind = kind if default is not None else kind | None
    annotation: Any = Annotated[kind, option]
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


# --config


def _config_option(keys: Mapping[str, inspect.Parameter]) -> inspect.Parameter:
    def apply(context: typer.Context, path: Path | None) -> Path | None:
        """Make the values of the file the defaults of the command."""
        if path is not None:
            from litotes.core.files import expand_user
            from litotes.core.settings import read_toml

            contexts: list[Any] = [context]
            while contexts[0].parent is not None:
                contexts.insert(0, contexts[0].parent)
            values = _command_values(read_toml(expand_user(path)), contexts, str(path))
            where = f"{path}: [{'.'.join(command.info_name for command in contexts[1:])}]"
            context.default_map = _checked_values(keys, values, where)
        return path

    help_text = "Read options from a TOML file; the command line takes precedence."
    option = typer.Option("--config", metavar="FILE", is_eager=True, callback=apply, help=help_text)
    annotation = Annotated[Path | None, option]
    return inspect.Parameter("config", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation)


def _config_key(parameter: inspect.Parameter) -> str:
    """Return the key of a parameter: an option without its dashes, an argument by its name in the usage line."""
    details = _typer_info(parameter)
    if details is not None and type(details).__name__ == "ArgumentInfo":
        return (details.metavar or parameter.name).strip("[].").lower()
    flags = [getattr(details, "default", None), *(getattr(details, "param_decls", None) or ())]
    long = next((flag for flag in flags if isinstance(flag, str) and flag.startswith("--")), parameter.name)
    return long.partition("/")[0].strip("-_").replace("_", "-")


def _typer_info(parameter: inspect.Parameter) -> Any:
    """Return what `typer.Option(...)` or `typer.Argument(...)` made."""
    hint = parameter.annotation
    return get_args(hint)[1] if get_origin(hint) is Annotated else None


def _command_values(tables: Mapping[str, Any], contexts: Sequence[Any], where: str) -> dict[str, Any]:
    """Return the keys outside of tables, overridden by those in the table of the command."""
    from litotes.core.registry import unknown_name

    values: dict[str, Any] = {}
    for index, context in enumerate(contexts):
        commands = getattr(context.command, "commands", {})
        for key, value in tables.items():
            if isinstance(value, dict) and key not in commands:
                error = unknown_name("table", key, commands or ["none"])
                raise UsageError(error.code, f"{where}: {error.message}", hint=error.hint)
        values |= {key: value for key, value in tables.items() if not isinstance(value, dict)}
        following = contexts[index + 1].info_name if index + 1 < len(contexts) else ""
        tables = table if isinstance(table := tables.get(following), dict) else {}
    return values


def _checked_values(keys: Mapping[str, inspect.Parameter], values: Mapping[str, Any], where: str) -> dict[str, Any]:
    from litotes.core.registry import unknown_name

    defaults: dict[str, Any] = {}
    for key, value in values.items():
        parameter = keys.get(key.replace("_", "-"))
        if parameter is None:
            error = unknown_name("key", key, keys)
            raise UsageError(error.code, f"{where}: {error.message}", hint=error.hint)
        _check_permitted(parameter.name, value, f"{where} {key}")
        defaults[parameter.name] = _checked_value(parameter, value, f"{where} {key}")
    return defaults


_TOML_TYPES: Mapping[Any, tuple[type | tuple[type, ...], str]] = {
    bool: (bool, "true or false"),
    int: (int, "an integer"),
    float: ((int, float), "a number"),
}


_PERMISSIONS = {*Access.__struct_fields__, "allow_remote"} - {"offline"}


def _check_permitted(name: str, value: Any, where: str) -> None:
    """Raise if a configuration file, which may come from others, grants permissions or names a server."""
    is_permission = name in _PERMISSIONS and value is not False
    texts = [text for text in (value if isinstance(value, list) else [value]) if isinstance(text, str)]
    if is_permission or any(_is_server(text) for text in texts):
        reason = "a permission" if is_permission else "the name of a server"
        raise UsageError(
            "L102", f"{where}: is {reason}, which a file may not give", hint="write it on the command line"
        )


def _is_server(text: str) -> bool:
    """Return whether a text names a server other than one without a key on this machine.

    >>> _is_server("openai:m@http://localhost/v1?key=X"), _is_server("http://localhost:8081"), _is_server("./openai:m")
    (True, False, False)
    """
    text = unquote(text)  # as in the options of a model's name
    return _SERVER.search(text) is not None or any(not is_loopback(host) for host in _URL_HOST.findall(text))


_SERVER = re.compile(rf"(^|=)({'|'.join(SERVER_SCHEMES)}):")
_URL_HOST = re.compile(r"://(?:[^/?#]*@)?([^/?#:\s]*|\[[^]]*\])", re.ASCII)


def _checked_value(parameter: inspect.Parameter, value: Any, where: str) -> Any:
    kind = _details(parameter.annotation).kind
    is_list = get_origin(kind) is list
    expected, words = _TOML_TYPES.get(kind, (str, "a string"))
    entries = value if is_list and isinstance(value, list) else [value]
    for entry in entries:
        if not isinstance(entry, expected) or (isinstance(entry, bool) and expected is not bool):
            raise UsageError("L102", f"{where} = {entry!r}: must be {words}")
    details = _typer_info(parameter)
    low, high = getattr(details, "min", None), getattr(details, "max", None)
    if expected is not str and ((low is not None and value < low) or (high is not None and value > high)):
        limits = " and ".join(f"{sign} {limit}" for sign, limit in ((">=", low), ("<=", high)) if limit is not None)
        raise UsageError("L102", f"{where} = {value!r}: must be {limits}")
    return entries if is_list else value


# Options of rules and builders: --option NAME=VALUE


def named_options(owner: HasOptions, entries: list[str], *, see: str) -> dict[str, Any]:
    """Return the options of a rule or builder by name; `see` is the command that lists them."""
    from litotes.rewrites.options import parse_options

    values: dict[str, str] = {}
    for entry in entries:
        name, separator, value = entry.partition("=")
        if not separator:
            raise UsageError("L102", f"--option {entry}: must be NAME=VALUE", hint=f"{see} lists the options")
        if name in values:
            raise UsageError("L102", f"--option {entry}: {name} is given twice", hint="give it once")
        values[name] = value
    return parse_options(owner, values)


def option_lines(owner: HasOptions) -> list[tuple[str, str]]:
    """Return the name of each option with its possible values and its default, for display."""
    from litotes.rewrites.options import options_of

    return [
        (name, f"{option.values} (default: {_display(option.default)})") for name, option in options_of(owner).items()
    ]


def _display(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


# Suites


class SuiteOptions(Settings, frozen=True, kw_only=True):
    """The suites of a command."""

    suite: Annotated[
        tuple[str, ...],
        Meta(
            description="A suite, a family of suites (triplets-mini) or a folder; repeatable. "
            "Default: the built-in suites that fit the model."
        ),
    ] = ()
    data: Annotated[
        tuple[str, ...], Meta(description="The official file of a published suite.", extra={"metavar": "NAME=PATH"})
    ] = ()

    def is_explicit(self) -> bool:
        """Return whether the user chose suites."""
        return bool(self.suite or self.data)

    def load(self) -> list[Suite]:
        """Load the suites: those that are named, else those whose official file is given, else the built-in ones."""
        from litotes.evaluation.api import resolve_suites
        from litotes.suites.loading import BUILT_IN

        files = _data_files(self.data)
        names = self.suite or tuple(files) or BUILT_IN
        for name in files:
            if name not in names:
                raise UsageError("L102", f"--data {name}=…: this suite is not used", hint=f"add --suite {name}")
        return resolve_suites(names, files)


def _data_files(entries: Sequence[str]) -> dict[str, Path]:
    from litotes.core.registry import unknown_name
    from litotes.suites.loading import list_suites

    files: dict[str, Path] = {}
    for entry in entries:
        name, separator, path = entry.partition("=")
        if not separator or not path:
            raise UsageError("L102", f"--data {entry}: must be NAME=PATH", hint="semantoneg=FILE, for example")
        if name not in list_suites():
            raise unknown_name("suite", name, list_suites())
        if name in files:
            raise UsageError("L102", f"--data {entry}: there is another file for {name}", hint="give one")
        files[name] = Path(path)
    return files
