"""How the server writes what happened: one line an event, for people or (json) for machines; never a token, seed or
card.
"""

import logging
import sys

import structlog
from structlog.typing import Processor


def configure(form: str, level: str) -> None:
    """Send all logs, the libraries' warnings too, to standard error in `form` (text or json)."""
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    renderer: Processor = (
        structlog.processors.JSONRenderer()
        if form == "json"
        else structlog.dev.ConsoleRenderer(
            colors=sys.stderr.isatty(), pad_event_to=28, exception_formatter=structlog.dev.plain_traceback
        )
    )
    last: list[Processor] = [structlog.stdlib.ProcessorFormatter.remove_processors_meta]
    if form == "json":
        # Without the values of local variables, which may be tokens and decks (plain_traceback shows none either).
        traces = structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
        last.append(structlog.processors.ExceptionRenderer(traces))
    formatter = structlog.stdlib.ProcessorFormatter(foreign_pre_chain=shared, processors=[*last, renderer])
    output = logging.StreamHandler(sys.stderr)
    output.setFormatter(formatter)
    root = logging.getLogger()
    root.handlers = [output]
    root.setLevel(logging.getLevelNamesMapping()[level.upper()])
    logging.getLogger("websockets").setLevel(logging.ERROR)
    structlog.configure(
        processors=[structlog.stdlib.filter_by_level, *shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
