"""Dockerfile and compose.yaml, read without Docker: not root, a health check, names that exist and fit together."""

import ipaddress
import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import yaml

from tripot.web.ops.settings import Settings

ROOT = Path(__file__).parent.parent
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))
NGINX = (ROOT / "docker/nginx.conf").read_text("utf-8")
INSTRUCTIONS = {"FROM", "COPY", "WORKDIR", "RUN", "ENV", "USER", "VOLUME", "EXPOSE", "HEALTHCHECK", "CMD"}
VARIABLES = {f"TRIPOT_{f.name.upper()}" for f in fields(Settings)} | {
    f"TRIPOT_{name}" for name in ("HOST", "PORT", "BROWSER", "CACHE")
}


def stages() -> list[list[tuple[str, str]]]:
    """The stages of the Dockerfile: its instructions with what they are given, lines that go on put together."""
    text = (ROOT / "Dockerfile").read_text("utf-8")
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    joined = re.sub(r"\\\n\s*", "", "\n".join(lines))
    found: list[list[tuple[str, str]]] = []
    for line in joined.splitlines():
        instruction, _, given = line.partition(" ")
        assert instruction in INSTRUCTIONS, line
        if instruction == "FROM":
            found.append([])
        found[-1].append((instruction, given.strip()))
    return found


def last(instruction: str) -> str:
    return next(given for name, given in reversed(stages()[-1]) if name == instruction)


def test_the_server_in_a_container_is_not_root_and_has_a_health_check() -> None:
    assert last("USER") == "10001" and "--uid 10001" in last("RUN")
    assert "http://127.0.0.1:8000/healthz" in last("HEALTHCHECK") and last("EXPOSE") == "8000"
    assert last("CMD") == '["tripot", "serve"]'
    assert all("latest" not in given and ":" in given for stage in stages() for name, given in stage if name == "FROM")


def test_what_the_image_is_built_from_exists_and_gets_through_the_ignore_file() -> None:
    allowed = {line[1:] for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines() if line.startswith("!")}
    copied = [given.split()[:-1] for name, given in stages()[0] if name == "COPY" and "--from" not in given]
    sources = {source for line in copied for source in line}
    assert sources == allowed and all((ROOT / source).exists() for source in sources)
    (uv,) = re.findall(r"/uv:([\d.]+)", (ROOT / "Dockerfile").read_text("utf-8"))
    assert f"UV_VERSION := {uv}\n" in (ROOT / "Makefile").read_text("utf-8")


def test_every_variable_of_the_containers_is_a_setting() -> None:
    named = set(re.findall(r"(TRIPOT_[A-Z_]+)=", last("ENV")))
    for service in COMPOSE["services"].values():
        named |= (
            {name for name in service["environment"] if name.startswith("TRIPOT_")} if "build" in service else set()
        )
    assert {"TRIPOT_HOST", "TRIPOT_PORT", "TRIPOT_DATABASE", "TRIPOT_PROXIES"} <= named <= VARIABLES


def test_compose_has_two_processes_with_one_database_that_wait_for_it() -> None:
    servers = {name: service for name, service in COMPOSE["services"].items() if "build" in service}
    assert list(servers) == ["one", "two"]
    for service in servers.values():
        assert service["image"] == "tripot" and "@database/tripot" in service["environment"]["TRIPOT_DATABASE"]
        assert service["depends_on"] == {"database": {"condition": "service_healthy"}}
        assert service["read_only"] and service["cap_drop"] == ["ALL"] and "ports" not in service
    database = COMPOSE["services"]["database"]
    assert database["image"].startswith("postgres:") and database["healthcheck"] and "ports" not in database
    mounted = [volume.split(":")[0] for service in (database, *servers.values()) for volume in service["volumes"]]
    assert sorted(mounted) == sorted(COMPOSE["volumes"])
    assert "${POSTGRES_PASSWORD:?" in database["environment"]["POSTGRES_PASSWORD"], "no password of ours"


def test_the_proxy_knows_both_processes_and_they_trust_it() -> None:
    proxy = COMPOSE["services"]["proxy"]
    assert re.findall(r"server (\w+):8000;", NGINX) == list(proxy["depends_on"]) == ["one", "two"]
    (subnet,) = (one["subnet"] for one in COMPOSE["networks"]["inside"]["ipam"]["config"])
    address = proxy["networks"]["inside"]["ipv4_address"]
    assert ipaddress.ip_address(address) in ipaddress.ip_network(subnet)
    assert COMPOSE["services"]["one"]["environment"]["TRIPOT_PROXIES"] == address
    assert NGINX.count("{") == NGINX.count("}") and "proxy_set_header Host $http_host;" in NGINX
    (port,) = re.findall(r"listen (\d+);", NGINX)
    assert all(published.endswith(f":{port}") for published in proxy["ports"])
    assert all((ROOT / volume.split(":")[0]).exists() for volume in proxy["volumes"])


def test_the_operating_page_names_them() -> None:
    page = (ROOT / "docs/operating.md").read_text("utf-8")
    assert "docker compose up" in page and "`Dockerfile`" in page and "`compose.yaml`" in page
