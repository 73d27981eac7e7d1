"""What MkDocs does not find under docs/: pages of the repository's root, rule books, and the command line.

Links between pages are written as they work in the repository. Here those that leave docs/ are led to the page of the
site, or lose their address where the site has none (sources).
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parent.parent.parent
DOCS = ROOT / "docs"
LOGO = ROOT / "tripot" / "web" / "page" / "art" / "pot.svg"
COMMANDS = "reference/command-line.md"
COMMANDS_HEAD = """`tripot` without a command is `tripot serve`. Exit code 0: done; 1: something is wrong with what was
given; 2: the command line itself is wrong. `--help` tells the same as this page.
"""
PAGES = {  # in the repository: on the site
    "ARCHITECTURE.md": "explanation/architecture.md",
    "CONTRIBUTING.md": "explanation/contributing.md",
    "CHANGELOG.md": "reference/changelog.md",
    "tripot/games/verrater/RULES.md": "rules/verrater.md",
    "tripot/games/trok/RULES.md": "rules/trok.md",
    "tripot/games/trieste/RULES.md": "rules/trieste.md",
}
SOURCES = {there: ROOT / here for here, there in PAGES.items()}
SHIM = "https://unpkg.com/iframe-worker/shim"
LOADED = re.compile(
    r"""<(?:script|img|iframe|source|link rel="(?:stylesheet|preconnect|icon)")[^>]*(https?://[^"'>]+)"""
)
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)#\s]+)(#[^)]*)?\)")


def on_files(files: Files, config: Any) -> Files:
    for here, there in PAGES.items():
        files.append(File.generated(config, there, content=(ROOT / here).read_text("utf-8")))
    files.append(File.generated(config, LOGO.name, content=LOGO.read_text("utf-8")))
    files.append(File.generated(config, COMMANDS, content=command_line()))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    uri = page.file.src_uri
    source = SOURCES.get(uri, DOCS / uri)
    return LINK.sub(lambda found: led(found, source, uri), markdown)


def on_post_page(output: str, page: Any, config: Any) -> str:
    """Material loads a shim for search in a folder from elsewhere; ours lies beside the pages."""
    return output.replace(SHIM, "../" * page.file.dest_uri.count("/") + "frame_worker.js")


def on_post_build(config: Any) -> None:
    """Nothing may be loaded from elsewhere."""
    for path in Path(config["site_dir"]).rglob("*.html"):
        path.write_text(path.read_text("utf-8").replace(SHIM, "/frame_worker.js"), "utf-8")  # 404.html is no page
        if found := LOADED.findall(path.read_text("utf-8")):
            raise PluginError(f"{path.name} loads {found[0]} from elsewhere")


def led(found: re.Match[str], source: Path, uri: str) -> str:
    """A link as the site has it."""
    picture, label, target, anchor = found[1], found[2], found[3], found[4] or ""
    if "://" in target or target.startswith("mailto:"):
        return found[0]
    there = site_uri((source.parent / target).resolve())
    if there is None:
        return label
    return f"{picture}[{label}]({os.path.relpath(there, Path(uri).parent)}{anchor})"


def site_uri(path: Path) -> str | None:
    """Where a file of the repository is on the site."""
    if path.is_relative_to(DOCS) and path.is_file():
        return path.relative_to(DOCS).as_posix()
    return PAGES.get(path.relative_to(ROOT).as_posix()) if path.is_relative_to(ROOT) else None


def command_line() -> str:
    """A page of every command with its options, as `tripot --help` tells them."""
    from typer.main import get_command

    from tripot.cli import lab, learn, new_game, store  # noqa: F401  # importing them registers their commands
    from tripot.cli.main import app

    parts = ["# Command line\n", COMMANDS_HEAD]
    main: Any = get_command(app)
    for name, command in main.commands.items():
        parts += described(f"tripot {name}", command)
    return "\n".join(parts)


def described(name: str, command: Any) -> list[str]:
    rows = [f"## {name}\n", " ".join((command.help or "").split()) + "\n"]
    if hasattr(command, "commands"):
        for inner, sub in command.commands.items():
            rows += [line.replace("## ", "### ", 1) for line in described(f"{name} {inner}", sub)]
        return rows
    table = ["| | default | |", "|---|---|---|"]
    for one in command.params:
        if not getattr(one, "hidden", False):
            names = ", ".join(f"`{opt}`" for opt in (*one.opts, *one.secondary_opts)) if one.opts else ""
            shown = f"`{(one.name or '').upper()}`" if one.param_type_name == "argument" else names
            default = "" if one.default is None or callable(one.default) else f"`{one.default}`"
            told = " ".join(str(getattr(one, "help", "") or "").split()).replace("|", "\\|")
            table.append(f"| {shown} | {default} | {told} |")
    return [*rows, *table, ""]
