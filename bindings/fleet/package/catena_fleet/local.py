"""Ray: a local one that nobody else can reach, or a cluster that is named."""

from __future__ import annotations

import logging
import os
import socket
import warnings
from typing import Any, Optional

from .faults import INTERNAL, USAGE, Fault, plain

#: Seconds until an address that does not answer is given up.
REACH = 10.0
#: Results are small; the store is for texts.
STORE = 128 << 20


def load() -> Any:
    """The module, quiet and without statistics."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_DEDUP_LOGS", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    warnings.filterwarnings("ignore", category=FutureWarning, module="ray")
    try:
        import ray
        import ray.exceptions
    except ImportError as error:
        raise Fault(INTERNAL, f"Ray cannot be loaded: {plain(error)}") from None
    return ray


def start(address: Optional[str], workers: int) -> Any:
    """Begins, and gives the module of Ray."""
    if address is None or _reach(address):
        # Ray takes 127.0.0.1 for a machine's name and listens everywhere, unless clusters are switched off.
        os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"
    ray = load()
    quiet = {"logging_level": logging.ERROR, "log_to_driver": False}
    try:
        if address is None:
            ray.init(address="local", num_cpus=workers, include_dashboard=False, _node_ip_address="127.0.0.1",
                     object_store_memory=STORE, **quiet)
        else:
            ray.init(address=address, **quiet)
    except Exception as error:  # noqa: BLE001  Ray raises many kinds
        where = f"the cluster at {plain(address)} cannot be joined" if address else "Ray does not start"
        raise Fault(USAGE if address else INTERNAL, f"{where}: {plain(error)[:500]}") from None
    return ray


def _reach(address: str) -> bool:
    """Whether somebody listens there, since Ray itself asks for minutes; true if only this machine can reach it."""
    if address == "auto":
        return False
    host, _, port = address.removeprefix("ray://").rpartition(":")
    try:
        number = int(port)
        if not host or not 0 < number < 65536:
            raise ValueError
    except ValueError:
        raise Fault(USAGE, f"--address {plain(address)}: expected HOST:PORT, ray://HOST:PORT or auto") from None
    host = host.strip("[]")
    try:
        socket.create_connection((host, number), REACH).close()
    except OSError as error:
        raise Fault(USAGE, f"nobody answers at {plain(address)}: {plain(error)}") from None
    if host not in ("localhost", "::1") and not host.startswith("127."):
        return False
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            # Nothing is sent: it only tells by which address this machine is known.
            probe.connect(("192.0.2.1", 9))
            own: str = probe.getsockname()[0]
        socket.create_connection((own, number), REACH).close()
    except OSError:
        return True
    return own.startswith("127.")
