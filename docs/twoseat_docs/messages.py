"""The messages of the wire as the documents need them: their models, JSON schemas and names; it writes nothing."""

import inspect
from collections.abc import Iterator
from typing import Any, get_args, get_type_hints

from pydantic import TypeAdapter

from twoseat import wire

CLIENT: tuple[type, ...] = get_args(get_args(wire.ClientMessage)[0])
SERVER: tuple[type, ...] = get_args(get_args(wire.ServerMessage)[0])
REFERENCE = "#/components/schemas/"


def name(model: type) -> str:
    """Return the word in a message's `type`."""
    (word,) = get_args(get_type_hints(model)["type"])
    return str(word)


def says(model: type) -> str:
    """Return a model's docstring for readers of JSON: without its line breaks, paragraphs kept."""
    text = (inspect.getdoc(model) or "").replace("None", "null")
    return "\n\n".join(" ".join(part.split()) for part in text.split("\n\n"))


def schemas() -> dict[str, dict[str, Any]]:
    """Return the JSON schema (draft 07) of every message and of all they are made of, by model name."""
    adapters: list[tuple[str, Any, TypeAdapter[Any]]] = [
        (model.__name__, "validation" if model in CLIENT else "serialization", TypeAdapter(model))
        for model in (*CLIENT, *SERVER)
    ]
    _, found = TypeAdapter.json_schemas(adapters, ref_template=f"{REFERENCE}{{model}}")
    return {title: _plain(schema, strict=_strict(schema)) for title, schema in sorted(found["$defs"].items())}


def parts() -> list[str]:
    """Return the names of the objects inside messages, in the order in which they first appear."""
    all_schemas = schemas()
    messages = {model.__name__ for model in (*CLIENT, *SERVER)}
    seen: dict[str, None] = {}
    waiting = [model.__name__ for model in (*CLIENT, *SERVER)]
    while waiting:
        title = waiting.pop(0)
        if title not in messages and "properties" in all_schemas[title]:
            seen[title] = None
        waiting += [ref for ref in _references(all_schemas[title]) if ref not in seen]
    return list(seen)


def _strict(schema: dict[str, Any]) -> bool:
    return schema.get("additionalProperties") is False


def _plain(value: Any, *, strict: bool) -> Any:
    """Draft 07 has tuples as `items`; titles only repeat names; what a server sends has every field in it."""
    if isinstance(value, list):
        return [_plain(item, strict=strict) for item in value]
    if not isinstance(value, dict):
        return value
    plain = {key: _plain(item, strict=strict) for key, item in value.items() if not _noise(key, item)}
    if "prefixItems" in plain:
        plain["items"] = plain.pop("prefixItems")
    if "properties" in plain and not strict:
        plain["required"] = list(plain["properties"])
        for field in plain["properties"].values():
            field.pop("default", None)
    if isinstance(plain.get("description"), str):
        plain["description"] = " ".join(plain["description"].replace("None", "null").split())
    return plain


def _noise(key: str, item: Any) -> bool:
    """Titles only repeat names; which of a choice it is, its `const` tells already."""
    return (key == "title" and isinstance(item, str)) or (key == "discriminator" and isinstance(item, dict))


def _references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if "$ref" in value:
            yield value["$ref"].removeprefix(REFERENCE)
        for item in value.values():
            yield from _references(item)
    elif isinstance(value, list):
        for item in value:
            yield from _references(item)
