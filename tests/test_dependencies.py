"""The SBOM, the licences and the answer of the vulnerability database."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from tests import dependencies

LOCK = """numpy==2.4.6 ; python_version >= "3.11" \\
    --hash=sha256:{0} \\
    --hash=sha256:{1}
    # via tripot
Some_Thing[extra]==1.0 \\
    --hash=sha256:{0}
""".format("0" * 64, "1" * 64)


def test_every_pin_of_the_lock_is_in_the_sbom(tmp_path: Path) -> None:
    packages = dependencies.locked((dependencies.ROOT / "requirements.lock").read_text("utf-8"))
    names = [package.name for package in packages]
    assert {"numpy", "numba", "starlette", "sqlalchemy", "pytest"} <= set(names) and len(names) > 100
    assert all(package.hashes for package in packages)
    document = dependencies.sbom(packages)
    assert document["bomFormat"] == "CycloneDX" and len(document["components"]) == len(packages)
    refs = [component["bom-ref"] for component in document["components"]]
    assert document["dependencies"] == [{"ref": "tripot", "dependsOn": refs}]
    numpy = next(one for one in document["components"] if one["name"] == "numpy")
    assert numpy["purl"].startswith("pkg:pypi/numpy@2.") and "BSD" in numpy["licenses"][0]["license"]["name"]


def test_pins_are_read_with_their_hashes() -> None:
    first, second = dependencies.locked(LOCK)
    assert (first.name, first.version, len(first.hashes)) == ("numpy", "2.4.6", 2)
    assert (second.name, second.version, second.licence) == ("some_thing", "1.0", dependencies.UNKNOWN)


@pytest.mark.parametrize(
    ("answer", "code", "said"),
    [
        ({"results": [{}, {}]}, 0, "0 of 2 packages"),
        ({"results": [{"vulns": [{"id": "X-1"}]}, {}]}, 1, "VULNERABLE pkg:pypi/numpy@2.4.6: X-1"),
        (None, 3, "NO VULNERABILITY DATABASE COULD BE REACHED"),
        ({"error": 1}, 3, "NO VULNERABILITY DATABASE COULD BE REACHED"),
    ],
)
def test_the_exit_code_says_what_is_known(
    answer: Any,
    code: int,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def asked(request: Any, timeout: float) -> io.BytesIO:
        assert json.loads(request.data)["queries"][0] == {"package": {"purl": "pkg:pypi/numpy@2.4.6"}}
        if answer is None:
            raise OSError("no network")
        return io.BytesIO(json.dumps(answer).encode())

    monkeypatch.setattr(dependencies.urllib.request, "urlopen", asked)
    lock, sbom = tmp_path / "lock", tmp_path / "out" / "sbom.json"
    lock.write_text(LOCK)
    assert dependencies.main(["--lock", str(lock), "--sbom", str(sbom)]) == code
    assert said in capsys.readouterr().out and len(json.loads(sbom.read_text())["components"]) == 2
