"""`make faults`: every try is kept, a failure is told, and an interrupted run goes on."""

from pathlib import Path

import pytest

from tests import faults
from tests.faults import Failed, Fault, main, read_tries


@pytest.mark.process  # the page names the version of Node.js
def test_tries_are_kept_and_a_failure_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ran: list[tuple[str, int]] = []

    def sound(_: Path, number: int) -> int:
        ran.append(("sound", number))
        return 1000

    def broken(_: Path, number: int) -> int:
        ran.append(("broken", number))
        if number == 2:
            raise Failed("lost: [7] after 3")
        return 5

    known = [Fault("sound", "nothing breaks", "decisions", sound), Fault("broken", "it breaks", "files", broken)]
    monkeypatch.setattr(faults, "FAULTS", known)
    save, page = tmp_path / "kept" / "tries.jsonl", tmp_path / "page.md"
    page.write_text("# Page\n\n<!-- faults -->\n<!-- /faults -->\n\nthe end\n")
    assert main(["--tries", "1", "--save", str(save), "--write", str(page)]) == 0
    assert main(["--tries", "2", "--save", str(save), "--write", str(page)]) == 1
    assert ran == [("sound", 1), ("broken", 1), ("sound", 2), ("broken", 2)]  # none twice
    assert [(one.fault, one.compared) for one in read_tries(save)][2:] == [("sound", 1000), ("broken", 0)]
    written = page.read_text()
    assert "| nothing breaks | 2 | 0 | 2,000 decisions | 0 |" in written
    assert "| it breaks | 2 | 1 | 5 files | ? |" in written
    assert "- broken, try 2: Failed: lost: [7] after 3" in written and written.endswith("the end\n")
    assert main(["sound", "--tries", "2", "--save", str(save)]) == 1  # the failure stays until the file goes
    assert len(ran) == 4
    with pytest.raises(SystemExit):
        main(["flood"])
    assert "there is no fault flood" in capsys.readouterr().err
