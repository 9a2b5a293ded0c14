"""Export results: tables, scripts, notebooks, reports and sessions.

Examples
--------
>>> from mpgk_core.export import KernelParameters, NodeStudy, PresetGraph
>>> study = NodeStudy(PresetGraph("barbell"), KernelParameters("A", features="degree"))
>>> study.file_name("script", "py")
'barbell-10-10_A_alpha0.8_beta0.2_T5_script.py'
"""

from mpgk_core.export.packed_graphs import PackedSet, packed, unpacked
from mpgk_core.export.programs import Study, file_name, notebook, script
from mpgk_core.export.report import ReportFigure, ReportTable, report
from mpgk_core.export.session import Session, SessionData, load_session, save_session
from mpgk_core.export.sources import (
    ClassifiedGraphs,
    GeneratedSet,
    GivenRoles,
    GivenSet,
    NamedSet,
    PresetRoles,
)
from mpgk_core.export.studies import (
    ClassificationStudy,
    LandmarkStudy,
    NodeStudy,
    PairStudy,
    RegressionStudy,
    RoleStudy,
    SweepStudy,
    VariantStudy,
)
from mpgk_core.export.tables import (
    contributions_csv,
    embedding_csv,
    embedding_npz,
    kernel_csv,
    kernel_npz,
    landmarks_csv,
    set_kernels_csv,
    set_kernels_npz,
    similarities_csv,
)
from mpgk_core.graphs.generators import GivenGraph, PresetGraph
from mpgk_core.kernels.update import KernelParameters

__all__ = [
    "ClassificationStudy",
    "ClassifiedGraphs",
    "GeneratedSet",
    "GivenGraph",
    "GivenRoles",
    "GivenSet",
    "KernelParameters",
    "LandmarkStudy",
    "NamedSet",
    "NodeStudy",
    "PackedSet",
    "PairStudy",
    "PresetGraph",
    "PresetRoles",
    "RegressionStudy",
    "ReportFigure",
    "ReportTable",
    "RoleStudy",
    "Session",
    "SessionData",
    "Study",
    "SweepStudy",
    "VariantStudy",
    "contributions_csv",
    "embedding_csv",
    "embedding_npz",
    "file_name",
    "kernel_csv",
    "kernel_npz",
    "landmarks_csv",
    "load_session",
    "notebook",
    "packed",
    "report",
    "save_session",
    "script",
    "set_kernels_csv",
    "set_kernels_npz",
    "similarities_csv",
    "unpacked",
]
