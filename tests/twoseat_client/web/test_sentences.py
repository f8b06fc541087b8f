"""The page asks for sentences that are there, and none is kept for it in vain."""

import json
import re

from e2e.nodes import ROOT

WEB, TEXT = ROOT / "client" / "twoseat_client" / "web", ROOT / "client" / "twoseat_client" / "text"


def test_37_every_sentence_the_page_asks_for_is_there_and_none_is_idle() -> None:
    texts = {path.stem: json.loads(path.read_text("utf-8")) for path in TEXT.glob("*.json")}
    source = "".join(path.read_text("utf-8") for path in WEB.iterdir())
    own = {key for key in texts["en"] if key.startswith("page.")}
    asked = set(re.findall(r"['\"`]((?:page|word|help|say|error)(?:\.[a-z0-9_]+)+)['\"`]", source))
    assert asked <= texts["en"].keys()
    families = set(re.findall(r"[`'](page(?:\.[a-z]+)*)\.\$\{", source))
    assert {key for key in own - asked if not any(key.startswith(f"{family}.") for family in families)} == set()
    assert all(own <= text.keys() for text in texts.values())
