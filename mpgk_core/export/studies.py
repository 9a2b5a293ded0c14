"""Studies, one or more for each page: all that it takes to compute its numbers again."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from mpgk_core.checks import check_choice, check_choices, check_not_empty, check_whole
from mpgk_core.errors import InvalidParameterError
from mpgk_core.evaluation import METHODS, NODE_METHODS, NodeProtocol, Protocol
from mpgk_core.evaluation.choices import CHOSEN
from mpgk_core.evaluation.methods import OWN
from mpgk_core.evaluation.regression import RegressionProtocol, RegressionSpec
from mpgk_core.export.programs import Study, call
from mpgk_core.export.sources import ClassifiedGraphs, GivenSet, OneGraph, RoleSource
from mpgk_core.graphs.generators import GivenGraph, PresetGraph
from mpgk_core.graphs.neighbourhoods import EdgeUse
from mpgk_core.kernels.graph_kernel import VARIANTS
from mpgk_core.kernels.update import KernelParameters, edges_part
from mpgk_core.tuning import SCORES, Grid

_NEIGHBOURHOODS = {
    "R": (
        "k_N is the sum of the similarities of all pairs of neighbours (R).",
        r"k_N(N(v), N(u)) = \sum_{v' \in N(v)} \sum_{u' \in N(u)} k^t(v', u')",
    ),
    "A": (
        "k_N is the value of the best matching between the neighbours, along a hierarchy of "
        "clusters (A).",
        r"k_N(N(v), N(u)) = \max_{\pi} \sum_{v' \in N(v)} k_s^t(v', \pi(v'))",
    ),
}


def _edges_argument(edges: str) -> str:
    """Return the argument that says what is used of edges, after others; nothing by default."""
    return "" if edges == "ignore" else f", edges={edges!a}"


@dataclass(frozen=True, eq=False)
class NodeStudy(Study):
    """The node kernel of one graph, and its embedding in all rounds.

    Parameters
    ----------
    data : PresetGraph or GivenGraph
    kernel : KernelParameters
    n_axes : {2, 3}
        Axes of the embedding.

    Examples
    --------
    >>> from mpgk_core.graphs.generators import PresetGraph
    >>> study = NodeStudy(PresetGraph("barbell"), KernelParameters("A", features="degree"))
    >>> study.title, study.file_name("script", "py")
    ('Which vertices play the same role? Barbell', 'barbell-10-10_A_alpha0.8_beta0.2_T5_script.py')
    """

    data: OneGraph
    kernel: KernelParameters
    n_axes: int = 2

    question = "Which vertices play the same role?"

    def __post_init__(self) -> None:
        check_whole(self.n_axes, 2, "n_axes", "NodeStudy", maximum=3)

    def file_parts(self) -> list[str]:
        """Return graph and kernel, without what is usual."""
        kernel = self.kernel
        has_seed = kernel.neighbourhood == "A" and kernel.random_state
        return [
            self.data.file_part,
            kernel.neighbourhood,
            *kernel.file_parts()[:3],
            "" if kernel.features == "degree" else str(kernel.features),
            edges_part(kernel.edges),
            "normalised" if kernel.normalize else "",
            f"seed{kernel.random_state}" if has_seed else "",
        ]

    def program(self) -> tuple[list[str], dict[str, str]]:
        """Return kernel, embedding, summary and pictures."""
        words, formula = _NEIGHBOURHOODS[self.kernel.neighbourhood]
        return ["node kernel"], {
            "kernel": call("MessagePassingNodeKernel", **self.kernel.settings()),
            "neighbourhood": words,
            "formula": formula,
            "n_axes": str(int(self.n_axes)),
            "edges": _edges_argument(self.kernel.edges),
        }


def _protocol_arguments(protocol: Protocol) -> dict[str, Any]:
    """Return the arguments that make a protocol; splits only where there are any."""
    arguments = asdict(protocol)
    if not protocol.splits:
        del arguments["splits"]
    return arguments


@dataclass(frozen=True, eq=False)
class ClassificationStudy(Study):
    """Accuracies of kernels between graphs under one protocol.

    Parameters
    ----------
    data : NamedSet, GeneratedSet or GivenSet
    methods : tuple of str
        Keys of :data:`~mpgk_core.evaluation.METHODS`, evaluated with the choices of
        :func:`~mpgk_core.evaluation.table_spec`.
    protocol : Protocol
    edges : str
        What is used of edges; see :mod:`mpgk_core.graphs.neighbourhoods`. By default the training
        folds of the variants choose.
    fixed : tuple of (str, JSON value)
        Parameters of the variants that the training folds do not choose, by name.
    has_own_matrix : bool
        Whether a kernel matrix of the user's is evaluated after the methods, which may then be
        none. Programs read it from the file :attr:`matrix_file`.

    Examples
    --------
    >>> from mpgk_core.export import NamedSet
    >>> study = ClassificationStudy(NamedSet("MUTAG"), ("AA", "WL"), Protocol().quick())
    >>> study.file_name("table", "csv")
    'MUTAG_AA-WL_1x10folds_seed0_table.csv'
    """

    data: ClassifiedGraphs
    methods: tuple[str, ...]
    protocol: Protocol
    edges: str = CHOSEN
    fixed: tuple[tuple[str, Any], ...] = ()
    has_own_matrix: bool = False

    question = "How well do kernels tell classes of graphs apart?"

    def __post_init__(self) -> None:
        if self.methods or not self.has_own_matrix:
            check_choices(self.methods, list(METHODS), "methods", "ClassificationStudy")
        if self.edges != CHOSEN:
            EdgeUse.of(self.edges)

    @property
    def matrix_file(self) -> str:
        """The name of the file of the user's kernel matrix."""
        return self.file_name("own-matrix", "npy")

    def file_parts(self) -> list[str]:
        """Return data set, kernels and protocol."""
        folds = f"{self.protocol.n_repeats}x{self.protocol.n_folds}folds"
        seed = f"seed{self.protocol.random_state}"
        methods = "-".join([*self.methods, *([OWN] if self.has_own_matrix else [])])
        edges = "" if self.edges == CHOSEN else edges_part(self.edges)
        fixed = "fixed" if self.fixed else ""
        return [self.data.file_part, methods, edges, fixed, folds, seed]

    def program(self) -> tuple[list[str], dict[str, str]]:
        """Return protocol, evaluation, table and pictures."""
        chosen = ({} if self.edges == CHOSEN else {"edges": self.edges}) | dict(self.fixed)
        own = ["own kernel matrix"] if self.has_own_matrix else []
        return ["long work", *own, "classes of graphs"], {
            "protocol": call("Protocol", **_protocol_arguments(self.protocol)),
            "own": " + [matrix]" if own else "",
            "matrix_file": ascii(self.matrix_file),
            "methods": ascii(list(self.methods)),
            "name": ascii(self.data.name),
            "edges": "".join(f", {name}={value!a}" for name, value in chosen.items()),
        }


@dataclass(frozen=True, eq=False)
class RegressionStudy(Study):
    """Errors of models that predict a number of every graph.

    Parameters
    ----------
    data : GivenSet
        Graphs with their numbers in place of classes.
    target, unit : str
        What the numbers are.
    specs : tuple of RegressionSpec
    protocol : RegressionProtocol

    Examples
    --------
    >>> from mpgk_core.graphs import as_graph_set
    >>> import networkx as nx
    >>> data = GivenSet("paths", as_graph_set([nx.path_graph(n) for n in (2, 3)]), (1.0, 2.0))
    >>> study = RegressionStudy(data, "edges", "", (RegressionSpec.of("linear-counts"),))
    >>> study.file_name("errors", "csv")
    'paths_edges_linear-counts_seed0_errors.csv'
    """

    data: GivenSet
    target: str
    unit: str
    specs: tuple[RegressionSpec, ...]
    protocol: RegressionProtocol = field(default_factory=RegressionProtocol)

    question = "Which numbers can be predicted from graphs?"

    def __post_init__(self) -> None:
        check_not_empty(self.specs, "specs", "RegressionStudy")

    def file_parts(self) -> list[str]:
        """Return data, target, models and protocol."""
        models = "-".join(dict.fromkeys(spec.model for spec in self.specs))
        kernels = "-".join(dict.fromkeys(one for spec in self.specs for one in spec.kernels))
        seed = f"seed{self.protocol.random_state}"
        return [self.data.file_part, self.target, models, kernels, seed]

    def program(self) -> tuple[list[str], dict[str, str]]:
        """Return target, protocol, models, errors and pictures."""
        return ["long work", "numbers of graphs"], {
            "target": ascii(self.target),
            "unit": ascii(self.unit),
            "protocol": call("RegressionProtocol", **asdict(self.protocol)),
            "specs": "".join(f"    {_spec_source(spec)},\n" for spec in self.specs),
        }


def _spec_source(spec: RegressionSpec) -> str:
    """Return the source that makes a model again."""
    named: dict[str, Any] = {"composition": True} if spec.composition else {}
    named |= {"kernel_parameters": spec.kernel_parameters} if spec.kernel_parameters else {}
    named |= spec.model_parameters
    kernels = [list(spec.kernels)] if spec.kernels else []
    parts = [ascii(spec.model), *map(ascii, kernels)]
    parts += [f"{name}={value!a}" for name, value in named.items()]
    return f"RegressionSpec.of({', '.join(parts)})"


@dataclass(frozen=True, eq=False)
class RoleStudy(Study):
    """Learning curves of kernels between the vertices of one graph.

    Parameters
    ----------
    data : PresetRoles or GivenRoles
    methods : tuple of str
        Keys of :data:`~mpgk_core.evaluation.NODE_METHODS`.
    protocol : NodeProtocol
    kernel : KernelParameters
        For R and A; the number of rounds counts for Weisfeiler-Lehman too.

    Examples
    --------
    >>> from mpgk_core.export import PresetRoles
    >>> study = RoleStudy(PresetRoles("houses", 4), ("R", "WL"), NodeProtocol())
    >>> study.file_name("learning-curve", "csv")
    'houses-4-0_R-WL_alpha0.8_beta0.2_T5_auto_10trials_seed0_learning-curve.csv'
    """

    data: RoleSource
    methods: tuple[str, ...]
    protocol: NodeProtocol
    kernel: KernelParameters = field(default_factory=KernelParameters)

    question = "Which role does a vertex play?"

    def __post_init__(self) -> None:
        check_choices(self.methods, list(NODE_METHODS), "methods", "RoleStudy")

    def file_parts(self) -> list[str]:
        """Return graph, kernels and protocol."""
        trials, seed = f"{self.protocol.n_repeats}trials", f"seed{self.protocol.random_state}"
        methods = "-".join(self.methods)
        return [self.data.file_part, methods, *self.kernel.file_parts(), trials, seed]

    def program(self) -> tuple[list[str], dict[str, str]]:
        """Return protocol, trials, accuracies and pictures."""
        return ["long work", "roles of vertices"], {
            "protocol": call("NodeProtocol", **asdict(self.protocol)),
            "methods": ascii(list(self.methods)),
            "parameters": call("dict", **self.kernel.passing()),
        }


@dataclass(frozen=True, eq=False)
class SweepStudy(Study):
    """Scores of all kernels of a grid.

    Parameters
    ----------
    data : PresetGraph, GivenGraph, NamedSet, GeneratedSet or GivenSet
        One graph, whose vertices are compared, or a set of graphs with classes.
    grid : Grid
        With the variants R and A for one graph, and RR, RA, AR and AA for a set.
    scores : tuple of str
        Keys of :data:`~mpgk_core.tuning.SCORES`, for one graph.
    n_folds : int
        Folds of cross-validations; at least 2.
    random_state : int
        Their seed.

    Examples
    --------
    >>> study = SweepStudy(PresetGraph("barbell"), Grid((0.5, 1), (0.5, 1), (1, 2)))
    >>> study.file_name("sweep", "csv")
    'barbell-10-10_R_2x2_T2_auto_sweep.csv'
    >>> print(study.steps()[4].code)
    scores = ['recovered']
    found = sweep(graph, grid, scores, n_folds=5, random_state=0)
    """

    data: OneGraph | ClassifiedGraphs
    grid: Grid = field(default_factory=Grid)
    scores: tuple[str, ...] = ("recovered",)
    n_folds: int = 5
    random_state: int = 0

    question = "Which parameters are good ones?"

    def __post_init__(self) -> None:
        if self.grid.is_for_graphs == self.is_about_vertices:
            wanted = "R and A" if self.is_about_vertices else "RR, RA, AR and AA"
            raise InvalidParameterError(
                f"The variants {', '.join(self.grid.variants)} do not suit the data of a "
                f"SweepStudy. Give {wanted}."
            )
        check_choices(self.scores, list(SCORES), "scores", "SweepStudy")
        check_whole(self.n_folds, 2, "n_folds", "SweepStudy")
        check_whole(self.random_state, 0, "random_state", "SweepStudy")

    @property
    def is_about_vertices(self) -> bool:
        """Whether the vertices of one graph are compared."""
        return isinstance(self.data, (PresetGraph, GivenGraph))

    def file_parts(self) -> list[str]:
        """Return the data, and what is tried on them."""
        grid = self.grid
        return [
            self.data.file_part,
            "-".join(grid.variants),
            f"{len(grid.alphas)}x{len(grid.betas)}",
            f"T{grid.iterations[-1]}",
            grid.features[0] if len(grid.features) == 1 else f"{len(grid.features)}starts",
            edges_part(grid.edges),
            f"seed{self.random_state}" if self.random_state else "",
        ]

    def program(self) -> tuple[list[str], dict[str, str]]:
        """Return grid, sweep, best kernels and pictures."""
        sweep = "sweep of one graph" if self.is_about_vertices else "sweep of a set"
        return ["long work", "grid of parameters", sweep, "best of a sweep"], {
            "grid": call("Grid", **asdict(self.grid)),
            "scores": ascii(list(self.scores)),
            "n_folds": str(int(self.n_folds)),
            "random_state": str(int(self.random_state)),
        }


@dataclass(frozen=True, eq=False)
class VariantStudy(Study):
    """The kernels RR, RA, AR and AA of a whole set of graphs.

    Parameters
    ----------
    data : NamedSet, GeneratedSet or GivenSet
    kernel : KernelParameters
        How messages are passed; all four variants are computed.

    Examples
    --------
    >>> from mpgk_core.export import NamedSet
    >>> VariantStudy(NamedSet("MUTAG")).file_name("kernels", "csv")
    'MUTAG_RR-RA-AR-AA_alpha0.8_beta0.2_T5_auto_kernels.csv'
    """

    data: ClassifiedGraphs
    kernel: KernelParameters = field(default_factory=KernelParameters)

    question = "R or A, for neighbourhoods and for graphs?"

    def file_parts(self) -> list[str]:
        """Return set and kernels."""
        return [self.data.file_part, "-".join(VARIANTS), *self.kernel.file_parts()]

    def program(self) -> tuple[list[str], dict[str, str]]:
        """Return kernels, mean similarities and maps."""
        parts = ["R and A", "passing of messages", "four kernels"]
        return parts, {"parameters": call("dict", **self.kernel.passing())}


@dataclass(frozen=True, eq=False)
class PairStudy(VariantStudy):
    """Two graphs of a set under the kernels RR, RA, AR and AA, which are fitted to the whole set.

    Parameters
    ----------
    data : NamedSet, GeneratedSet or GivenSet
    kernel : KernelParameters
        How messages are passed; all four variants are computed.
    pair : tuple of two ints
        Numbers of the two graphs.

    Examples
    --------
    >>> from mpgk_core.export import NamedSet
    >>> study = PairStudy(NamedSet("MUTAG"), KernelParameters(features="labels"), (0, 187))
    >>> study.file_name("contributions", "csv")
    'MUTAG_RR-RA-AR-AA_graphs0-187_alpha0.8_beta0.2_T5_labels_contributions.csv'
    >>> print(study.steps()[4].code)
    kernel = MessagePassingGraphKernel(**parameters)
    pairs = explain_four_variants(data.graphs, 0, 187, kernel)
    """

    pair: tuple[int, int] = (0, 1)

    def __post_init__(self) -> None:
        for number in self.pair:
            check_whole(number, 0, "pair", "PairStudy")

    def file_parts(self) -> list[str]:
        """Return set, kernels, and the numbers of the graphs."""
        data, variants, *kernel = super().file_parts()
        return [data, variants, "graphs{}-{}".format(*self.pair), *kernel]

    def program(self) -> tuple[list[str], dict[str, str]]:
        """Return kernels, similarities and pictures."""
        (*parts, _), values = super().program()
        left, right = map(str, self.pair)
        return [*parts, "pair of graphs"], values | {"left": left, "right": right}


@dataclass(frozen=True, eq=False)
class LandmarkStudy(Study):
    """Nyström's method: errors by the number of landmarks.

    Parameters
    ----------
    data : NamedSet, GeneratedSet or GivenSet
    landmarks : tuple of int
        Numbers of landmarks.
    variant : {"RR", "RA", "AR", "AA"}
    kernel : KernelParameters

    Examples
    --------
    >>> from mpgk_core.export import NamedSet
    >>> study = LandmarkStudy(NamedSet("MUTAG"), (5, 200))
    >>> study.file_name("landmarks", "csv")
    'MUTAG_AA_alpha0.8_beta0.2_T5_auto_landmarks.csv'
    >>> print(study.steps()[4].code)
    landmarks = [5, 200]
    found = list(nystroem_quality(data.graphs, landmarks, 'AA', **parameters))
    """

    data: ClassifiedGraphs
    landmarks: tuple[int, ...]
    variant: str = "AA"
    kernel: KernelParameters = field(default_factory=KernelParameters)

    question = "The exact kernel against landmarks."

    def __post_init__(self) -> None:
        check_not_empty(self.landmarks, "landmarks", "LandmarkStudy")
        for number in self.landmarks:
            check_whole(number, 1, "landmarks", "LandmarkStudy")
        check_choice(self.variant, VARIANTS, "variant", "LandmarkStudy")

    def file_parts(self) -> list[str]:
        """Return set and kernel."""
        return [self.data.file_part, self.variant, *self.kernel.file_parts()]

    def program(self) -> tuple[list[str], dict[str, str]]:
        """Return approximations, errors and pictures."""
        return ["long work", "passing of messages", "landmarks"], {
            "landmarks": str(list(map(int, self.landmarks))),
            "variant": ascii(self.variant),
            "parameters": call("dict", **self.kernel.passing()),
        }
