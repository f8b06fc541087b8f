"""The table of settings, as README.md shows it; it knows only what Settings says of itself."""

from twoseat_server.settings import Settings

_NAMED = {"data": "the user's data folder"}
"""Defaults that differ from machine to machine."""


def table() -> str:
    """Return every setting as a row of Markdown."""
    rows = ["| flag | environment | default | meaning |", "| --- | --- | --- | --- |"]
    for name, setting in Settings.model_fields.items():
        default = _NAMED.get(name) or _shown(setting.default)
        flag = f"--{name.replace('_', '-')}"
        rows.append(f"| `{flag}` | `TWOSEAT_{name.upper()}` | {default} | {setting.description} |")
    return "\n".join(rows) + "\n"


def _shown(default: object) -> str:
    if default is None or default == "":
        return "none"
    if isinstance(default, bool):
        return "on" if default else "off"
    return f"`{default:g}`" if isinstance(default, float) else f"`{default}`"
