"""Which orbits a kernel recovers, which it confuses, and why."""

from mpgk_core.recovery.diagnosis import Confusion, Reason
from mpgk_core.recovery.verdict import Recovery, Verdict, verdict, verdicts

__all__ = ["Confusion", "Reason", "Recovery", "Verdict", "verdict", "verdicts"]
