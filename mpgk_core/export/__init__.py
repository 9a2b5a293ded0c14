"""Take results away: files, scripts, notebooks, reports and sessions.

Examples
--------
>>> from mpgk_core.export import KernelParameters, NodeStudy, PresetGraph, study_file_name
>>> study = NodeStudy(PresetGraph("barbell"), KernelParameters("A", features="degree"))
>>> study_file_name(study, "script", "py")
'barbell-10-10_A_alpha0.8_beta0.2_T5_script.py'
"""

from mpgk_core.export.arrays import embedding_csv, embedding_npz, kernel_csv, kernel_npz
from mpgk_core.export.classification_study import ClassificationStudy
from mpgk_core.export.exact_json import PackedSet
from mpgk_core.export.file_names import file_name, study_file_name
from mpgk_core.export.landmark_study import LandmarkStudy
from mpgk_core.export.node_study import NodeStudy
from mpgk_core.export.packed_graphs import packed, unpacked
from mpgk_core.export.page_session import CarriedData, PageSession
from mpgk_core.export.page_session_files import load_page_session, save_page_session
from mpgk_core.export.passing_parameters import PassingParameters
from mpgk_core.export.programs import notebook, script
from mpgk_core.export.report import ReportFigure, ReportTable, report
from mpgk_core.export.role_sources import GivenRoles, PresetRoles
from mpgk_core.export.role_study import RoleStudy
from mpgk_core.export.session import PictureParameters, Session
from mpgk_core.export.session_files import load_session, save_session
from mpgk_core.export.set_sources import ClassifiedGraphs, GeneratedSet, GivenSet, NamedSet
from mpgk_core.export.study import Study
from mpgk_core.export.sweep_study import SweepStudy
from mpgk_core.export.variant_study import VariantStudy
from mpgk_core.export.variant_tables import (
    contributions_csv,
    landmarks_csv,
    set_kernels_csv,
    set_kernels_npz,
    similarities_csv,
)
from mpgk_core.graphs.recipes import GivenGraph, PresetGraph
from mpgk_core.kernels.parameters import KernelParameters

__all__ = [
    "CarriedData",
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
    "PageSession",
    "PassingParameters",
    "PictureParameters",
    "PresetGraph",
    "PresetRoles",
    "ReportFigure",
    "ReportTable",
    "RoleStudy",
    "Session",
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
    "load_page_session",
    "load_session",
    "notebook",
    "packed",
    "report",
    "save_page_session",
    "save_session",
    "script",
    "set_kernels_csv",
    "set_kernels_npz",
    "similarities_csv",
    "study_file_name",
    "unpacked",
]
