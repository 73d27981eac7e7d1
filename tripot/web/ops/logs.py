"""Logs: one line for each event, as text or JSON. Tokens and invite codes are never logged."""

from __future__ import annotations

import json
import logging
import sys
import time
from typing import Any

FORMATS = ("text", "json")
PLAIN = set(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}
CLIENTS_FAULT = "Invalid UTF-8 sequence received from client."  # answered with code 1007; uvicorn logs a traceback


class JsonFormatter(logging.Formatter):
    """Writes one JSON object a line: time, level, logger, message, and the event's `extra` fields."""

    def format(self, record: logging.LogRecord) -> str:
        moment = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        line: dict[str, Any] = {
            "time": f"{moment}.{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        line |= {key: value for key, value in vars(record).items() if key not in PLAIN}
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


def configure(form: str) -> None:
    """Logs to standard error: every event as JSON, or only warnings and errors as text."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter() if form == "json" else logging.Formatter("%(message)s"))
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("uvicorn.error").addFilter(lambda record: record.msg != CLIENTS_FAULT)
    logging.getLogger("tripot").setLevel(logging.INFO if form == "json" else logging.WARNING)
