import signal

import pytest


@pytest.fixture
def interruptible():
    """Ctrl-C works, also where the tests run in the background and the signal is ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
