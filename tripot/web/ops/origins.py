"""Host and Origin: under which names this server answers, and whose pages may use it."""

from __future__ import annotations

import re
import socket
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers

from tripot.web.ops.settings import Settings

# RFC 6454: a scheme, a host and perhaps a port, and nothing else. A host has no more than 253 characters.
ORIGIN = re.compile(r"(https?)://([a-z0-9._\-\[\]:]{1,280})")
HOST = re.compile(r"(\[[0-9a-f:.]{2,45}\]|[a-z0-9._\-]{1,253})(?::[0-9]{1,5})?")
DEFAULT_PORT = {"http": ":80", "https": ":443", "ws": ":80", "wss": ":443"}
HOME = (".local", ".lan", ".home", ".internal", ".home.arpa", ".localhost")  # names that no public site can have


class Origins:
    """Decides which hosts and origins a server accepts."""

    def __init__(self, settings: Settings) -> None:
        share = urlsplit(settings.share or "")
        names = [*settings.hosts, share.netloc, socket.gethostname()]
        self._hosts = {name_of(name.lower()) for name in names if name}
        self._origins = {origin.lower() for origin in settings.origins}
        if settings.share:
            self._origins.add(f"{share.scheme}://{share.netloc}".lower())

    def known_host(self, headers: Headers) -> bool:
        """Whether a request names this server. A public name must be in the settings: that stops DNS rebinding."""
        given = headers.getlist("host")
        if not given:
            return True  # HTTP/1.0
        name = name_of(given[0].lower())
        if len(given) > 1 or name is None:
            return False
        return name in self._hosts or "." not in name or name.endswith(HOME) or is_address(name)

    def foreign(self, headers: Headers, scheme: str) -> bool:
        """Whether a request comes from a page of another site. Programs send no origin."""
        given = headers.getlist("origin")
        if not given:
            return False
        found = ORIGIN.fullmatch(given[0].lower())
        if len(given) > 1 or found is None:
            return True
        if found[2] in self._origins or found[0] in self._origins:
            return False
        secure = scheme in ("https", "wss")
        if secure and found[1] == "http":
            return True  # anyone on the way can write such a page
        # A proxy may end TLS without saying so: an https page of the same host is our own.
        host = headers.get("host", "").lower().removesuffix(DEFAULT_PORT[scheme])
        return found[2].removesuffix(DEFAULT_PORT[found[1]]) != host.removesuffix(DEFAULT_PORT[found[1]])


def name_of(host: str) -> str | None:
    """Returns a host without its port, or None if it is malformed.

    >>> name_of("play.example:8000"), name_of("[::1]:8000"), name_of("http://["), name_of("a@b")
    ('play.example', '[::1]', None, None)
    """
    found = HOST.fullmatch(host)
    return None if found is None else found[1]


def is_address(name: str) -> bool:
    """Whether a host is an IP address: a page of another site cannot have it."""
    try:
        ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True
