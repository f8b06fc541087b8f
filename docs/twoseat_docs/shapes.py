"""What a JSON schema allows, in a few words for a table; it knows no message."""

from typing import Any

from twoseat_docs.messages import REFERENCE

_LISTED = {"ErrorCode": "one of [these](#errors)", "Reason": "one of [these](#rejections)"}
"""Enumerations with a table of their own."""


def shape(schema: dict[str, Any], known: dict[str, dict[str, Any]]) -> str:
    """Return what a value of this schema is; objects in `known` are named with a link, enumerations spelled out."""
    if "$ref" in schema:
        title = schema["$ref"].removeprefix(REFERENCE)
        if title in _LISTED:
            return _LISTED[title]
        there = known[title]
        return _one_of(there["enum"]) if "enum" in there else f"[{title}](#{title.lower()})"
    if choices := schema.get("anyOf", schema.get("oneOf")):
        return " or ".join(shape(choice, known) for choice in choices)
    if "const" in schema:
        return f"`{schema['const']}`"
    if "enum" in schema:
        return _one_of(schema["enum"])
    match schema["type"]:
        case "integer":
            return _range("integer", schema.get("minimum"), schema.get("maximum"))
        case "string":
            return _text(schema)
        case "array":
            return _list(schema, known)
        case "object":
            return f"object of names and {shape(schema['additionalProperties'], known)}"
        case kind:
            return str(kind)


def _one_of(values: list[Any]) -> str:
    *first, last = (f"`{value}`" for value in values)
    return f"{', '.join(first)} or {last}" if first else last


def _range(kind: str, least: int | None, most: int | None) -> str:
    return kind if least is None else f"{kind}, {least:,} to {most:,}"


def _text(schema: dict[str, Any]) -> str:
    if "pattern" in schema:
        return f"string, `{schema['pattern']}`"
    most = schema.get("maxLength")
    return "string" if most is None else f"string, {schema.get('minLength', 0)} to {most} characters"


def _list(schema: dict[str, Any], known: dict[str, dict[str, Any]]) -> str:
    items = schema["items"]
    if isinstance(items, list):
        return f"pair of {shape(items[0], known)}"
    return f"list of {shape(items, known)}"
