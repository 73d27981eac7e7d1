# A server: docker build --tag tripot . && docker run --publish 8000:8000 --volume tripot:/var/lib/tripot tripot
# With PostgreSQL and two processes: compose.yaml.
FROM python:3.12-slim AS build
COPY --from=ghcr.io/astral-sh/uv:0.13.7 /uv /usr/local/bin/uv
WORKDIR /source
COPY pyproject.toml requirements.lock README.md LICENSE ./
COPY tripot tripot
# The versions that the tests run with, from the lock; compiled, so that the first start is quick.
RUN uv venv /opt/tripot \
    && uv build --wheel --out-dir /dist . \
    && uv pip install --no-cache --compile-bytecode --python /opt/tripot/bin/python --constraints requirements.lock \
        "tripot[scale] @ file://$(echo /dist/*.whl)"

FROM python:3.12-slim
RUN useradd --system --uid 10001 --home-dir /var/lib/tripot --create-home tripot
COPY --from=build /opt/tripot /opt/tripot
ENV PATH=/opt/tripot/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    TRIPOT_HOST=0.0.0.0 \
    TRIPOT_PORT=8000 \
    TRIPOT_BROWSER=0 \
    TRIPOT_LOG=json \
    TRIPOT_CACHE=/var/lib/tripot/cache \
    XDG_DATA_HOME=/var/lib/tripot
USER 10001
WORKDIR /var/lib/tripot
VOLUME /var/lib/tripot
EXPOSE 8000
# 200 while the database can be written to.
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s --retries=3 \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]
CMD ["tripot", "serve"]
