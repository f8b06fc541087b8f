"""The base of everything that is a value: frozen, compared field by field, cheap to make, to copy and to write down; it
knows no value.

A frozen dataclass looks up every name to set it; msgspec's structures are made in C, and copied with changes
(`msgspec.structs.replace`) in a tenth of the time.
"""

import inspect
from typing import Any, ClassVar, get_type_hints

import msgspec
from msgspec.structs import fields
from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, core_schema


class Value(msgspec.Struct, frozen=True, gc=False):
    """A frozen value. All that it holds are values, so it can be in no cycle, and the collector passes it by."""

    hidden: ClassVar[frozenset[str]] = frozenset()
    """Fields that are in no repr: what is secret, and what is too long."""

    def __repr__(self) -> str:
        shown = ", ".join([f"{name}={value!r}" for name, value in self.__rich_repr__()])
        return f"{type(self).__name__}({shown})"

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        return [(name, getattr(self, name)) for name in self.__struct_fields__ if name not in self.hidden]

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, build: GetCoreSchemaHandler) -> CoreSchema:
        """Say how pydantic reads one: each field by its type, and what is no field is passed over."""
        hints = get_type_hints(cls, include_extras=True)
        read = {
            field.name: core_schema.typed_dict_field(build.generate_schema(hints[field.name]), required=field.required)
            for field in fields(cls)
        }
        known = core_schema.typed_dict_schema(read, cls_name=cls.__name__)
        return core_schema.no_info_after_validator_function(
            lambda said: cls(**said), known, ref=f"{cls.__module__}.{cls.__qualname__}"
        )

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, build: GetJsonSchemaHandler) -> dict[str, Any]:
        described = build.resolve_ref_schema(build(schema))
        return described | {"title": cls.__name__, "description": inspect.getdoc(cls)}
