"""Which orbits a kernel recovers, which it confuses, and why."""

from mpgk_core.recovery.verdict import Confusion, Reason, Recovery, Verdict, verdict, verdicts

__all__ = ["Confusion", "Reason", "Recovery", "Verdict", "verdict", "verdicts"]
