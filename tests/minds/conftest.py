"""A local endpoint for every test that asks for one."""

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent))


@pytest.fixture
def endpoint():
    """A faithful OpenAI-style server on this machine."""
    import chat_server

    with chat_server.running() as found:
        yield found
