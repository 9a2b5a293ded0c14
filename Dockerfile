# The MPGK Explorer for a class; docs/guides/class.md says how to build and run it.
FROM python:3.12-slim-bookworm

ENV HOME=/data PYTHONUNBUFFERED=1
RUN useradd --uid 10001 --home-dir /data --create-home mpgk

WORKDIR /app
COPY requirements.txt .
RUN pip install --no-cache-dir --requirement requirements.txt
COPY . .
# Compiled here, as root: whoever runs the app cannot change it, and starts at once.
RUN pip install --no-cache-dir --no-deps --editable . \
    && python -m compileall -q . \
    && python -m mpgk_core.warm_up

USER mpgk
VOLUME /data
EXPOSE 8501
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD ["python", "-c", \
    "import urllib.request; urllib.request.urlopen('http://localhost:8501/_stcore/health', timeout=4)"]
CMD ["python", "-m", "scripts.serve_class"]
