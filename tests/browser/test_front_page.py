"""The first ten seconds in a real browser: what is seen, what plays, and what a slider moves."""

from itertools import pairwise
from urllib.parse import urlsplit

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser.playground import (
    EMBEDDING_POINTS,
    HAS_VISITED,
    open_playground,
    press,
    stamp,
    wait_for_other_pictures,
    wait_until_still,
)
from tests.browser.resting import wait_until_answered, wait_until_quiet

SMALL = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}
ROUNDS = """() => {
  window.rounds = [];
  const look = () => {
    const words = document.querySelector(".mpgk-where")?.textContent;
    if (words && words !== window.rounds.at(-1)) window.rounds.push(words);
  };
  const begin = () => new MutationObserver(look).observe(
    document.documentElement, {childList: true, subtree: true, characterData: true});
  document.documentElement ? begin() : addEventListener("DOMContentLoaded", begin);
}"""
"""Notes every text of the bar, from before the first one."""

ABOVE_THE_PICTURES = {
    "title": "role=heading[name='Which vertices play the same role?']",
    "sentence": "text=Vertices of one orbit play the same role",
    "paper": "role=link[name='The paper']",
    "lesson": "role=link[name='Start lesson 1']",
    "play": "role=button[name='Play']",
}


def box_of(page, selector):
    box = page.locator(selector).bounding_box()
    return box["x"], box["y"], box["x"] + box["width"], box["y"] + box["height"]


def is_within(box, width, height):
    left, top, right, bottom = box
    return 0 <= left < right <= width and 0 <= top < bottom <= height


@pytest.fixture
def first_visit(browser, app_url):
    """Open the app as someone who has never been here; options are those of a new window."""
    contexts = []

    def visit(query="", **options):
        contexts.append(browser.new_context(viewport=SMALL, **options))
        page = contexts[-1].new_page()
        page.faults = []
        page.on("pageerror", lambda error: page.faults.append(str(error)))
        page.add_init_script(f"({ROUNDS})()")
        page.goto(f"{app_url}/?{query}")
        expect(page.locator(".mpgk[data-drawn]")).to_be_visible(timeout=90_000)
        return page

    yield visit
    for context in contexts:
        context.close()


def rounds_seen(page):
    """Return the rounds that the bar has shown, one after the other."""
    return [int(words.split()[2]) for words in page.evaluate("rounds")]


def test_the_first_visit_plays_all_rounds_once_and_rests_at_the_start(first_visit):
    page = first_visit()
    page.wait_for_function("rounds.at(-1).startsWith('t = 5') && rounds.length > 5", timeout=60_000)
    expect(page.locator(".mpgk-where")).to_contain_text("t = 0 of 5", timeout=30_000)
    wait_until_still(page)
    assert rounds_seen(page)[-7:] == [0, 1, 2, 3, 4, 5, 0]
    expect(page.locator(".mpgk-play")).to_have_text("Play")
    assert page.evaluate("location.search") == "", "nobody has chosen this round"
    page.reload()
    expect(page.locator(".mpgk[data-drawn]")).to_be_visible(timeout=90_000)
    wait_until_still(page)
    assert len(set(rounds_seen(page))) == 1, "a second visit is quiet"
    assert page.faults == []


def test_the_first_visit_is_quiet_where_motion_is_reduced(first_visit):
    page = first_visit(reduced_motion="reduce")
    expect(page.locator(".mpgk-where")).to_contain_text("t = 0 of 5", timeout=30_000)
    wait_until_still(page)
    assert set(rounds_seen(page)) <= {5, 0}
    assert rounds_seen(page)[-1] == 0
    assert page.faults == []


def test_a_link_to_a_round_is_not_played_over(first_visit):
    page = first_visit("round=3")
    wait_until_still(page)
    assert rounds_seen(page) == [3]


def test_a_user_who_scrubs_is_not_overruled_by_the_first_play(first_visit):
    page = first_visit()
    page.wait_for_function("rounds.at(-1).startsWith('t = 1')", timeout=60_000)
    page.locator(".mpgk-round").press("End")
    wait_until_quiet(page, ".mpgk-stage", 2_000, attributes=True, characterData=True)
    expect(page.locator(".mpgk-where")).to_contain_text("t = 5 of 5")


def test_all_that_matters_is_seen_without_scrolling(page, app_url):
    page.set_viewport_size(SMALL)
    open_playground(page, app_url)
    wait_until_answered(page)
    for what, selector in ABOVE_THE_PICTURES.items():
        assert is_within(box_of(page, selector), 1280, 300), what
    link = page.locator(ABOVE_THE_PICTURES["paper"])
    assert urlsplit(link.get_attribute("href")).hostname == "arxiv.org"
    across = np.ptp(np.array(page.evaluate(PLACES))[:, 0])
    assert across >= 700, "the graph itself, not only its frame"
    for part in ("graph-card", "embedding-card", "other-card"):
        assert is_within(box_of(page, f".mpgk-{part}"), 1280, 800), part
    bar = box_of(page, "[data-testid=stHeader]")
    assert 0 <= box_of(page, ABOVE_THE_PICTURES["title"])[1] - bar[3] <= 24, "no blank strip"
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop") == 0


def test_the_words_around_the_pictures_are_not_cut_off(page, app_url):
    page.set_viewport_size(SMALL)
    open_playground(page, app_url)
    wait_until_still(page)
    assert page.evaluate(CUT_OFF) == []


CUT_OFF = """() => [...document.querySelectorAll(".mpgk-card:not([hidden])")].flatMap((card) => {
  const words = "figcaption, button, p, .xtitle, .ytitle, .xtick text, .ytick text, .textpoint";
  const isOut = (part) => {
    const frame = (part.closest(".mpgk-plot") ?? card).getBoundingClientRect();
    const { left, right, top, bottom } = part.getBoundingClientRect();
    return left < frame.left - 1 || right > frame.right + 1
      || top < frame.top - 1 || bottom > frame.bottom + 1;
  };
  return [...card.querySelectorAll(words)]
    .filter((part) => part.textContent.trim() && part.checkVisibility() && isOut(part))
    .map((part) => part.textContent);
})"""
"""Finds words that stick out of their picture."""


def test_a_phone_shows_the_pictures_first_and_the_controls_below_them(browser, app_url):
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    context.add_init_script(HAS_VISITED)
    page = context.new_page()
    open_playground(page, app_url)
    wait_until_answered(page)
    wait_until_quiet(page)
    pictures = [box_of(page, f".mpgk-{name}-card") for name in ("graph", "embedding", "other")]
    for above, below in pairwise(pictures):
        assert above[3] <= below[1]
    controls = [page.locator(f".st-key-{key}").first for key in ("graph", "T", "alpha", "colour")]
    for control in controls:
        expect(control).to_be_visible()
        assert control.bounding_box()["y"] >= pictures[-1][3]
    expect(page.get_by_test_id("stSidebar")).not_to_be_in_viewport()
    assert all(0 <= left < right <= 390 for left, _, right, _ in pictures)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    play = page.get_by_role("button", name="Play").bounding_box()
    assert min(play["width"], play["height"]) >= 44, "large enough for a finger"
    context.close()


def test_vertices_do_not_overlap_even_on_a_phone(page, app_url):
    page.set_viewport_size(PHONE)
    open_playground(page, app_url)
    wait_until_answered(page)
    places = np.array(page.evaluate(PLACES))
    size = page.evaluate(
        "document.querySelector('.mpgk-graph').editor.cy.nodes()[0].renderedOuterWidth()"
    )
    apart = np.linalg.norm(places[:, None] - places[None], axis=-1)
    assert apart[~np.eye(len(places), dtype=bool)].min() >= size


@pytest.mark.parametrize("graph", ["les-miserables", "grid", "pond-food-web"])
def test_names_beside_vertices_cover_neither_each_other_nor_vertices(page, app_url, graph):
    page.set_viewport_size(SMALL)
    open_playground(page, app_url, f"graph={graph}")
    wait_until_answered(page)
    texts, vertices = page.evaluate(TEXTS)
    assert len(texts) >= 7
    for i, one in enumerate(texts):
        for v, other in [*enumerate(texts[:i]), *enumerate(vertices)]:
            beside = max(one[0], other[0]) - min(one[1], other[1])
            below = max(one[2], other[2]) - min(one[3], other[3])
            assert max(beside, below) > -5, (one, v, other)  # texts have outlines and margins


TEXTS = """() => {
  const { cy } = document.querySelector(".mpgk-graph").editor;
  const box = ({ x1, x2, y1, y2 }) => [x1, x2, y1, y2];
  const named = cy.nodes().filter((node) => Number(node.style("text-opacity")) > 0);
  return [
    named.map((node) => box(node.renderedBoundingBox({ includeNodes: false, includeOverlays: false,
      includeUnderlays: false, includeOutlines: false, includeLabels: true }))),
    cy.nodes().map((node) => box(node.renderedBoundingBox({ includeLabels: false,
      includeOverlays: false, includeUnderlays: false, includeOutlines: false }))),
  ];
}"""


PLACES = """() => {
  const editor = document.querySelector(".mpgk-graph").editor;
  return editor.names.map((_, v) => editor.place(v)).map(({x, y}) => [x, y]);
}"""


def centres(page):
    """Return the middles of all points, as shares of the picture's width and height."""
    box = page.locator(".mpgk-embedding").bounding_box()
    found = page.locator(EMBEDDING_POINTS).evaluate_all(
        "marks => marks.map(m => m.getBoundingClientRect()).map(b => [b.x + b.width / 2, "
        "b.y + b.height / 2])"
    )
    return (np.array(found) - [box["x"], box["y"]]) / [box["width"], box["height"]]


def test_alpha_visibly_moves_the_points_of_the_default_page(page, app_url):
    open_playground(page, app_url)
    slider = page.locator(".st-key-alpha input[type=range]")
    expect(slider).to_have_value("0.8")
    wait_until_still(page)
    before = centres(page)
    while float(slider.input_value()) > 0.5:
        drawn = stamp(page)
        press(page, "alpha", "ArrowLeft")
        wait_for_other_pictures(page, drawn)
    expect(slider).to_have_value("0.5")
    wait_until_still(page)
    after = centres(page)
    assert before.shape == after.shape == (7, 2)
    assert np.abs(after - before).max() >= 0.05


def test_the_margins_of_both_planes_have_room_so_that_plotly_draws_once(first_visit):
    page = first_visit(query="round=3")
    for plane in ("embedding", "other"):
        needed, given = page.evaluate(
            """(plane) => {
              const {_fullLayout, layout} = document.querySelector(`.mpgk-${plane}`);
              return [_fullLayout._size, layout.margin].map(({l, r, t, b}) => [l, r, t, b]);
            }""",
            plane,
        )
        assert needed == given
