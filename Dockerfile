# One twoseat server: page, sockets, health and metrics on port 8765. Without --redis it keeps its data in /data.
ARG PYTHON=3.11

FROM python:${PYTHON}-slim AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
RUN python -m venv /opt/twoseat
WORKDIR /src
# The locked packages first: they change seldom, so this layer is usually there already.
COPY requirements/run.txt requirements/
RUN /opt/twoseat/bin/pip install --require-hashes -r requirements/run.txt
COPY pyproject.toml README.md LICENSE ./
COPY shared shared
COPY server server
COPY client client
RUN /opt/twoseat/bin/pip install --no-deps --no-build-isolation .

FROM python:${PYTHON}-slim
COPY --from=build /opt/twoseat /opt/twoseat
RUN useradd --system --uid 10001 --home-dir /data twoseat && install -d -o twoseat -m 700 /data
USER twoseat
ENV PATH=/opt/twoseat/bin:$PATH PYTHONUNBUFFERED=1 TWOSEAT_DATA=/data TWOSEAT_LOG_FORMAT=json
VOLUME /data
EXPOSE 8765
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=15s \
    CMD ["python", "-c", "import urllib.request as web; web.urlopen('http://127.0.0.1:8765/healthz', timeout=2)"]
ENTRYPOINT ["twoseat"]
CMD ["serve"]
