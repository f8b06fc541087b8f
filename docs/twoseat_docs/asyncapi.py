"""The protocol as one AsyncAPI 3.0 document, for programs that read such; it takes every word from the wire."""

import json
from typing import Any

from twoseat import wire
from twoseat_docs import messages, words
from twoseat_docs.samples import SAMPLES
from twoseat_server.settings import Settings

SPEC = "3.0.0"


def document() -> str:
    """Return the document as JSON."""
    return json.dumps(_document(), indent=2, ensure_ascii=False) + "\n"


def _document() -> dict[str, Any]:
    own_schemas = messages.schemas()
    for title, schema in own_schemas.items():
        for field, shape in schema.get("properties", {}).items():
            meaning = (words.ALWAYS | words.FIELDS.get(title, {}))[field]
            schema["properties"][field] = _described(shape, meaning)
    return {
        "asyncapi": SPEC,
        "info": {
            "title": "twoseat",
            "version": f"{wire.PROTOCOL_VERSION}.0.0",
            "description": "Real-time games for two people. One socket, JSON text frames, both directions.",
            "license": {"name": "MIT"},
        },
        "defaultContentType": "application/json",
        "servers": {
            "local": {
                "host": f"127.0.0.1:{Settings.model_fields['port'].default}",
                "protocol": "ws",
                "description": "A server on this machine; behind TLS the protocol is wss.",
            }
        },
        "channels": {
            "socket": {
                "address": "/ws",
                "description": "The client speaks first, and `hello` is what it says.",
                "messages": {messages.name(m): {"$ref": f"#/components/messages/{messages.name(m)}"} for m in _all()},
            }
        },
        "operations": {
            "hear": _operation("receive", "What a client sends.", messages.CLIENT),
            "tell": _operation("send", "What the server sends.", messages.SERVER),
        },
        "components": {
            "messages": {messages.name(model): _message(model) for model in _all()},
            "schemas": own_schemas,
        },
    }


def _all() -> tuple[type, ...]:
    return (*messages.CLIENT, *messages.SERVER)


def _operation(action: str, summary: str, models: tuple[type, ...]) -> dict[str, Any]:
    return {
        "action": action,
        "summary": summary,
        "channel": {"$ref": "#/channels/socket"},
        "messages": [{"$ref": f"#/channels/socket/messages/{messages.name(model)}"} for model in models],
    }


def _message(model: type) -> dict[str, Any]:
    word = messages.name(model)
    summary, _, more = messages.says(model).partition("\n\n")
    return {
        "name": word,
        "summary": summary,
        **({"description": more} if more else {}),
        "payload": {"$ref": f"{messages.REFERENCE}{model.__name__}"},
        "examples": [{"name": "example", "payload": json.loads(SAMPLES[word])}],
    }


def _described(shape: dict[str, Any], meaning: str) -> dict[str, Any]:
    if "$ref" in shape:  # draft 07 reads nothing beside a reference
        shape = {"allOf": [{"$ref": shape["$ref"]}], **{k: v for k, v in shape.items() if k != "$ref"}}
    return {"description": meaning, **shape}
