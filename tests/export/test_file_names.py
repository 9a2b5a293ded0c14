"""Names of files are safe everywhere, bounded, and say what is inside."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mpgk_core import InvalidParameterError
from mpgk_core.evaluation import Protocol
from mpgk_core.export import (
    ClassificationStudy,
    GeneratedSet,
    GivenGraph,
    KernelParameters,
    NodeStudy,
    PresetGraph,
    file_name,
)
from tests.export.studies import NASTY, nasty_graph

PARTS = st.lists(st.text() | st.sampled_from(NASTY) | st.floats() | st.integers(), max_size=12)


@settings(max_examples=60)
@given(parts=PARTS, extension=st.sampled_from(["csv", "npz", "ipynb", "mpgk.json"]))
def test_any_parts_make_a_safe_name(parts, extension):
    name = file_name(*parts, extension=extension)
    assert re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", name)
    assert name.endswith(f".{extension}")
    assert len(name) <= 120
    assert not re.match(r"(?i)(con|prn|aux|nul|com\d|lpt\d)\.", name)


@settings(max_examples=30)
@given(parts=PARTS)
def test_what_is_inside_stays_in_the_longest_name(parts):
    assert file_name("x" * 40, *parts, "embedding", extension="csv").endswith("_embedding.csv")


def test_studies_are_named_after_what_they_compute():
    kernel = KernelParameters("A", 1, 0.25, 3, "labels+degree", True, random_state=4)
    study = NodeStudy(GivenGraph("Häuser/Ring", nasty_graph()), kernel)
    name = study.file_name("kernel", "npz")
    assert name == "Hauser-Ring_A_alpha1_beta0.25_T3_labels-degree_normalised_seed4_kernel.npz"
    study = NodeStudy(PresetGraph("barbell"), KernelParameters(features="degree"))
    name = study.file_name("embedding", "csv")
    assert name == "barbell-10-10_R_alpha0.8_beta0.2_T5_embedding.csv"
    study = ClassificationStudy(GeneratedSet("rings", 20), ("AA", "WL-OA"), Protocol())
    assert study.file_name("folds", "csv") == ("rings-20-0_AA-WL-OA_10x10folds_seed0_folds.csv")


def test_reserved_names_are_avoided():
    assert file_name("CON", extension="csv") == "graph-CON.csv"
    assert file_name("nul.x", extension="csv") == "graph-nul.x.csv"
    assert file_name("", None, "…", extension="csv") == "graph.csv"


@pytest.mark.parametrize("extension", ["", ".csv", "a/b", "exe\n", "x" * 20])
def test_strange_extensions_are_refused(extension):
    with pytest.raises(InvalidParameterError, match="extension"):
        file_name("a", extension=extension)
