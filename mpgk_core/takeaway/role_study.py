"""Roles learnt from a few vertices, described so fully that anybody can repeat it."""

from __future__ import annotations

from dataclasses import dataclass, field

from mpgk_core.errors import InvalidParameterError, shortened
from mpgk_core.node_classification import NODE_METHODS, NodeProtocol
from mpgk_core.parameters import check_choice
from mpgk_core.takeaway.passing_parameters import PassingParameters
from mpgk_core.takeaway.role_sources import RoleSource
from mpgk_core.takeaway.role_steps import role_steps
from mpgk_core.takeaway.steps import Step

__all__ = ["RoleStudy"]


@dataclass(frozen=True, eq=False)
class RoleStudy:
    """What the page on node classification shows: learning curves of kernels on one graph.

    Parameters
    ----------
    data : PresetRoles or GivenRoles
    methods : tuple of str
        Keys of :data:`~mpgk_core.node_classification.NODE_METHODS`.
    protocol : NodeProtocol
    kernel : PassingParameters
        For R and A; the number of rounds counts for Weisfeiler-Lehman too.

    Examples
    --------
    >>> from mpgk_core.takeaway import PresetRoles, study_file_name
    >>> study = RoleStudy(PresetRoles("houses", 4), ("R", "WL"), NodeProtocol())
    >>> study_file_name(study, "learning-curve", "csv")
    'houses-4-0_R-WL_alpha0.8_beta0.2_T5_auto_10trials_seed0_learning-curve.csv'
    """

    data: RoleSource
    methods: tuple[str, ...]
    protocol: NodeProtocol
    kernel: PassingParameters = field(default_factory=PassingParameters)

    def __post_init__(self) -> None:
        object.__setattr__(self, "methods", tuple(self.methods))
        if not self.methods:
            raise InvalidParameterError(
                "The 'methods' parameter of RoleStudy is empty. Give at least one."
            )
        for method in self.methods:
            check_choice(method, list(NODE_METHODS), "methods", "RoleStudy")

    @property
    def name(self) -> str:
        """Name of the graph, fit for a line of text."""
        return shortened(self.data.title)

    def steps(self) -> list[Step]:
        """Return what a script and a notebook that compute it are made of."""
        return role_steps(self)

    def file_parts(self) -> list[str]:
        """Return graph, kernels and protocol."""
        rules = self.protocol
        return [
            self.data.file_part,
            "-".join(self.methods),
            *self.kernel.file_parts(),
            f"{rules.n_repeats}trials",
            f"seed{rules.random_state}",
        ]
