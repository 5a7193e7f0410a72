"""How the time of a reading grows with its length."""

from __future__ import annotations

import time
from collections.abc import Callable

TIMES = 3


def grows_in_proportion(read: Callable[[int], object], length: int) -> bool:
    """Whether ten times as much takes about ten times as long: up to forty, where its square would take a hundred.

    read: reads something of a length. The quickest of three times counts: of the long one, as many as it takes.
    """

    def seconds(length: int) -> float:
        began = time.process_time()
        read(length)
        return time.process_time() - began

    most = 40 * min(seconds(length) for _ in range(TIMES)) + 0.1
    return any(seconds(10 * length) < most for _ in range(TIMES))
