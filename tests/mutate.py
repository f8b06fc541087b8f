"""Plants small mistakes in the pure core and lists those its tests let live: `python tests/mutate.py [FOLDER]`.

mutmut takes the import path from the folder a file lies in, so core and tests are laid out anew in FOLDER (by default
a new temporary one); a second run there goes on where the first stopped. docs/testing.md argues the survivors.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MUTATED = ("games/war.py", "games/battle.py", "match.py", "chair.py", "bots.py", "series.py")
WAR = ("war_classic", "war_golden", "war_properties", "war_rules", "war_seen")
JUDGES = (*WAR, "bots", "games_contract", "match_*", "series", "shake*", "sim")
"""Test modules that judge; the statistics of thousands of games are too slow for it."""
BESIDE = ("dealt.py", "relay.py", "script.py", "match_model.py", "oracles")
SETTINGS = f"""
[tool.pytest.ini_options]
pythonpath = [".", "tests"]
addopts = ["--import-mode=importlib"]

[tool.mutmut]
source_paths = ["twoseat"]
only_mutate = [{", ".join(f'"twoseat/{path}"' for path in MUTATED)}]
pytest_add_cli_args_test_selection = ["tests/twoseat"]
use_git_change_detection = false
timeout_multiplier = 4.0
"""


def lay_out(folder: Path) -> None:
    """Copy the core, and the tests that judge it, into `folder`."""
    shutil.copytree(ROOT / "shared" / "twoseat", folder / "twoseat", dirs_exist_ok=True)
    tests = folder / "tests"
    (tests / "twoseat").mkdir(parents=True, exist_ok=True)
    for name in BESIDE:
        source = ROOT / "tests" / name
        if source.is_dir():
            shutil.copytree(source, tests / name, dirs_exist_ok=True)
        else:
            shutil.copy2(source, tests / name)
    shutil.copy2(ROOT / "tests" / "twoseat" / "conftest.py", tests / "twoseat")
    for judge in JUDGES:
        for source in sorted((ROOT / "tests" / "twoseat").glob(f"test_{judge}.py")):
            shutil.copy2(source, tests / "twoseat")
    (folder / "pyproject.toml").write_text(SETTINGS, encoding="utf-8")


def main() -> int:
    """Run mutmut and say what lives."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(tempfile.mkdtemp(prefix="twoseat-mutants-"))
    lay_out(folder)
    mutmut = (sys.executable, "-m", "mutmut")
    environment = {**os.environ, "TWOSEAT_HYPOTHESIS": "mutation"}
    subprocess.run((*mutmut, "run"), cwd=folder, env=environment, check=False)
    subprocess.run((*mutmut, "results"), cwd=folder, check=False)
    sys.stdout.write(f"See one with: cd {folder} && python -m mutmut show NAME\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
