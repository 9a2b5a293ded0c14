"""Links with answers: what was set comes back, and no hostile link sets anything else."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpgk_core.lessons import answer_of, lessons
from mpgk_core.lessons.shared import SharedStep, read_shared, shared_text, with_values

STEPS = [step for lesson in lessons() for step in lesson.steps]
VALUES = st.fixed_dictionaries(
    {},
    optional={
        "kernel": st.sampled_from("RA"),
        "T": st.integers(1, 12),
        "alpha": st.floats(0, 1),
        "beta": st.floats(0, 1),
        "features": st.just("degree+triangles"),
    },
)


def plain(answer):
    return tuple(sorted(answer)) if isinstance(answer, frozenset) else answer


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.title)
def test_a_right_answer_travels(step):
    answer = plain(answer_of(step.question, step.picture))
    assert read_shared(shared_text(step, {}, answer), step) == SharedStep(step.picture, answer)
    assert shared_text(step, {}, None) == ""


@given(st.sampled_from(STEPS), VALUES)
def test_what_the_controls_are_set_to_travels_and_nothing_else(step, values):
    found = read_shared(shared_text(step, values, None), step).picture
    assert found == with_values(step.picture, values)
    names = {"kernel": "neighbourhood", "T": "n_iterations"}
    for name, value in values.items():
        field = names.get(name, name)
        wanted = value if name in step.picture.controls else getattr(step.picture.kernel, field)
        assert getattr(found.kernel, field) == wanted
    for field in ("graph", "parameters", "edges", "together", "data", "number"):
        assert getattr(found, field) == getattr(step.picture, field)


def test_an_edge_to_remove_travels():
    step = next(step for step in STEPS if "remove" in step.picture.controls)
    found = read_shared(shared_text(step, {"remove": "4 5"}, None), step)
    assert found.picture.removed == ("4", "5")


def test_the_round_and_what_is_selected_travel():
    step = next(step for step in STEPS if step.picture.graph == "barbell" and step.picture.t == 0)
    text = shared_text(step, {}, None, ("4", "9"))
    found = read_shared(text[:-1] + ', "t": 2}', step)
    assert (found.picture.t, found.selected) == (2, ("4", "9"))
    assert read_shared('{"t": 12}', step).picture.t == step.picture.kernel.n_iterations
    by_hand = next(step for step in STEPS if step.picture.view == "messages")
    assert read_shared(shared_text(by_hand, {}, None, ("d", "d")), by_hand).selected == ("d", "d")


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.title)
@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "\ud800",
        "[" * 3_000,
        " " * 9_000,
        json.dumps({"T": 99}),
        json.dumps({"T": 1, "graph": "star"}),
        json.dumps({"alpha": "x"}),
        json.dumps({"features": "passwords"}),
        json.dumps({"remove": "<b> x"}),
        json.dumps({"remove": "nowhere here"}),
        json.dumps({"answer": "<script>"}),
        json.dumps({"answer": ["<script>"]}),
        json.dumps({"t": 99}),
        json.dumps({"t": -1}),
        json.dumps({"selected": ["<script>"]}),
        json.dumps({"selected": ["0", "0", "0"]}),
        '{"answer": 1e999}',
        '{"answer": NaN}',
    ],
)
def test_a_hostile_link_shows_the_step_as_it_begins(step, text):
    assert read_shared(text, step) == SharedStep(step.picture)
