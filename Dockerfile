# The application: `python -m app` by default, every other command of the README too, except those that measure and train.
# `--build-arg HUB=1` adds what models from the hub need (6.6 GB).
FROM python:3.11-slim-bookworm@sha256:0bee7276f83efd4a1ee05bbbf4281d95ed28e079220a9457f25a93e3f1e3c31b AS build
WORKDIR /srv/esoteric
RUN python -m venv .venv
ARG HUB=
COPY requirements.lock ./
COPY requirements-hub.lock ./
RUN .venv/bin/pip install --no-cache-dir --disable-pip-version-check --require-hashes -r requirements${HUB:+-hub}.lock && .venv/bin/pip uninstall -y pip setuptools \
  && find .venv -type d -name tests -prune -exec rm -r {} +
WORKDIR /srv/esoteric/code
COPY retrieval retrieval
COPY indexing indexing
COPY app app
COPY templates templates
COPY static static
COPY data/sample data/sample
# Whatever the umask of the clone, the user of the image may read it. Compiled once, not at every start and health check.
RUN chmod -R a+rX . && python -m compileall -q --invalidation-mode unchecked-hash retrieval indexing app

FROM python:3.11-slim-bookworm@sha256:0bee7276f83efd4a1ee05bbbf4281d95ed28e079220a9457f25a93e3f1e3c31b
RUN useradd --system --uid 10001 --no-create-home --home-dir /nonexistent esoteric && install -d -o esoteric -g esoteric -m 700 /data
WORKDIR /srv/esoteric
COPY --from=build /srv/esoteric/.venv .venv
COPY --from=build /srv/esoteric/code .
ENV PATH=/srv/esoteric/.venv/bin:/usr/local/bin:/usr/bin:/bin PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 ORT_DISABLE_TELEMETRY=1 HAYSTACK_TELEMETRY_ENABLED=False HF_HUB_DISABLE_TELEMETRY=1 DO_NOT_TRACK=1 MISTRAL_SDK_TELEMETRY=false DATA=/data HOST=0.0.0.0 PORT=8000
USER esoteric
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=10s --start-period=60s CMD ["python", "-m", "app", "--health"]
CMD ["python", "-m", "app"]
