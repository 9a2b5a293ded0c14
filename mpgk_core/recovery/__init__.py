"""Which orbits a kernel recovers, which it confuses, and why."""

from mpgk_core.recovery.diagnosis import Confusion, Reason
from mpgk_core.recovery.verdict import Verdict, verdict

__all__ = ["Confusion", "Reason", "Verdict", "verdict"]
