"""docs/benchmarks.md: each command writes its own section, between two comments that name it."""

from __future__ import annotations

from pathlib import Path

HEADING = "# Benchmarks\n\nEvery section is measured and written by the command it names.\n"


def put_section(page: str, name: str, body: str) -> str:
    """Returns the page with the named section replaced, or added at the end; other sections stay as they are.

    >>> put_section("# Page\\n\\n<!-- a -->\\nold\\n<!-- /a -->\\nrest\\n", "a", "new")
    '# Page\\n\\n<!-- a -->\\nnew\\n<!-- /a -->\\nrest\\n'
    """
    start, end = f"<!-- {name} -->", f"<!-- /{name} -->"
    if start in page and end in page.partition(start)[2]:
        before, _, rest = page.partition(start)
        return f"{before}{start}\n{body}\n{end}{rest.partition(end)[2]}"
    return f"{page or HEADING}\n{start}\n{body}\n{end}\n"


def write_section(path: Path, name: str, body: str) -> None:
    """Writes one section of the page at `path`. Raises OSError where that is not possible."""
    before = path.read_text("utf-8") if path.exists() else ""
    path.write_text(put_section(before, name, body), "utf-8")
