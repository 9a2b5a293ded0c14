"""Lessons in a real browser: to their end, by link, by keyboard and on a projector."""

import re
from io import BytesIO

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect

from mpgk_core.lessons import answer_of, lessons
from tests.browser.resting import choose_option, wait_until_answered

LESSONS = {lesson.key: lesson for lesson in lessons()}


def opened(page, address):
    page.goto(address)
    expect(page.locator(".st-key-to-next button")).to_be_visible(timeout=90_000)


def press(page, target, by="mouse"):
    """Press a button with the mouse, a finger, or the keyboard alone."""
    if by == "keyboard":
        tab_to(page, target)
        page.keyboard.press("Enter")
    elif by == "touch":
        target.tap()
    else:
        target.click()


def tab_to(page, target):
    """Go on from one element to the next until the one that is meant, or a part of it, is met."""
    is_met = "target => target.contains(document.activeElement)"
    for _ in range(150):
        page.keyboard.press("Tab")
        if target.evaluate(is_met):
            return
    raise AssertionError(f"the keyboard does not reach {target}")


def give(page, lesson, number, answer, by="mouse"):
    question = lesson.steps[number - 1].question
    box = page.locator(f".st-key-answer-{lesson.key}-{number}")
    if question.kind == "number":
        tab_to(page, box) if by == "keyboard" else press(page, box.locator("input"), by)
        page.keyboard.press("ControlOrMeta+A")
        page.keyboard.type(str(answer))
        page.keyboard.press("Tab")
    elif question.kind == "choice" and by == "keyboard":
        choose_by_keyboard(page, box, [option.text for option in question.options].index(answer))
    elif question.kind == "choice":
        press(page, box.get_by_text(answer, exact=True), by)
    elif by == "keyboard":
        tab_to(page, box)
        for name in answer:
            page.keyboard.type(name)
            page.keyboard.press("Enter")
        page.keyboard.press("Escape")
    else:
        for name in answer:
            choose_option(page, box.locator("input"), name)
        page.keyboard.press("Escape")
    press(page, page.locator(f".st-key-check-answer-{lesson.key}-{number} button"), by)


def choose_by_keyboard(page, box, wanted):
    tab_to(page, box)
    chosen = "box => [...box.querySelectorAll('input')].findIndex((one) => one.checked)"
    if box.evaluate(chosen) < 0:
        page.keyboard.press("Space")
    way = wanted - box.evaluate(chosen)
    for _ in range(abs(way)):
        page.keyboard.press("ArrowDown" if way > 0 else "ArrowUp")
    assert box.evaluate(chosen) == wanted


def clear(page, lesson, number, by="mouse"):
    if lesson.steps[number - 1].question.kind == "vertices":
        box = page.locator(f".st-key-answer-{lesson.key}-{number}")
        tab_to(page, box) if by == "keyboard" else box.locator("input").focus()
        page.keyboard.press("Backspace")
        page.keyboard.press("Escape")


def wrong(question, answer):
    if question.kind == "number":
        return float(answer) + question.tolerance + 1
    if question.kind == "choice":
        return next(option.text for option in question.options if option.text != answer)
    return sorted(answer)[:1]


def check_formulas(page, text, where):
    """See that every formula of a text is drawn, and none as an error."""
    n_formulas = len(re.findall(r"(?<!\\)\$", text.replace("$$", "$"))) // 2
    expect(page.locator(f"{where} .katex")).to_have_count(n_formulas, timeout=60_000)
    assert page.locator(".katex-error").count() == 0


def check_in_view(page):
    """See that question and reply are seen without scrolling, and cover no word of the task."""
    box = page.locator(".st-key-lesson-question").bounding_box()
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= page.viewport_size["height"]
    task = page.locator(".st-key-lesson-text").get_by_test_id("stAlert").bounding_box()
    assert task["y"] + task["height"] <= box["y"] + 1


OVERLAPS = """() => { const names = [...document.querySelectorAll(".mpgk-graph .textpoint text")];
  const boxes = names.map((text) => [text.textContent, text.getBoundingClientRect()]);
  return boxes.flatMap(([name, one], i) => boxes.slice(i + 1).filter(([_, other]) =>
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > 2 &&
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 4,
  ).map(([other]) => `${name} and ${other}`)); }"""
"""Names of vertices that are written over each other; boxes leave a little room."""


def walk(page, lesson, by):
    """Go through a lesson, answering every question wrongly, then rightly."""
    begin = page.locator(f".st-key-open-{lesson.key} button:visible")
    expect(begin).to_have_count(1, timeout=60_000)
    press(page, begin, by)
    said = page.get_by_test_id("stAlert")
    for number, step in enumerate(lesson.steps, start=1):
        expect(page.get_by_role("heading", name=step.title)).to_be_visible(timeout=60_000)
        check_formulas(page, step.text + step.todo, ".st-key-lesson-text")
        answer = answer_of(step.question, step.picture)
        give(page, lesson, number, wrong(step.question, answer), by)
        expect(said.filter(has_text="Not yet.")).to_be_visible(timeout=60_000)
        if by == "touch":
            expect(said.filter(has_text="Not yet.")).to_be_in_viewport(ratio=0.9)
        else:
            check_in_view(page)
        clear(page, lesson, number, by)
        given = sorted(answer) if isinstance(answer, frozenset) else answer
        give(page, lesson, number, given, by)
        expect(said.filter(has_text="Right")).to_be_visible(timeout=60_000)
        shown = step.question.ask + step.question.explanation
        check_formulas(page, shown, ".st-key-lesson-question")
        drawn = page.locator(".st-key-lesson-picture").locator(".mpgk[data-drawn], .js-plotly-plot")
        expect(drawn.first).to_be_visible(timeout=90_000)
        if by != "touch":
            check_in_view(page)
            assert page.evaluate(OVERLAPS) == []
        press(page, page.locator(".st-key-to-next button"), by)
    expect(page.get_by_role("heading", name="Summary")).to_be_visible(timeout=60_000)
    tries = page.get_by_text("✓ 2 tries")
    expect(tries).to_have_count(len(lesson.steps), timeout=60_000)
    press(page, page.locator(".st-key-to-list button"), by)
    card = page.locator(f".st-key-card-{lesson.key}")
    expect(card.get_by_text("all answered")).to_be_visible(timeout=60_000)


@pytest.mark.parametrize("by", ["mouse", "keyboard", "touch"])
@pytest.mark.parametrize(
    "keys",
    [["what-is-similar"], pytest.param(LESSONS, marks=pytest.mark.thorough)],
    ids=["one with every kind of question", "all"],
)
def test_lessons_are_walked_wrong_then_right(browser, app_url, keys, by):
    look = {"width": 390, "height": 844} if by == "touch" else {"width": 1280, "height": 800}
    context = browser.new_context(viewport=look, has_touch=by == "touch", is_mobile=by == "touch")
    page = context.new_page()
    faults = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(f"{app_url}/lessons")
    expect(page.locator(".st-key-open-how-far")).to_be_visible(timeout=90_000)
    for key in keys:
        walk(page, LESSONS[key], by)
    done, steps = (sum(len(LESSONS[key].steps) for key in some) for some in (keys, LESSONS))
    expect(page.get_by_text(f"{done} of {steps} questions answered")).to_be_visible()
    assert page.get_by_test_id("stException").count() == 0
    assert faults == []
    context.close()


def test_keys_turn_the_pages_and_the_link_follows(page, app_url):
    opened(page, f"{app_url}/lessons?lesson=how-far&step=2")
    steps = LESSONS["how-far"].steps
    expect(page.get_by_role("heading", name=steps[1].title)).to_be_visible()
    page.keyboard.press("n")
    expect(page.get_by_role("heading", name=steps[2].title)).to_be_visible(timeout=60_000)
    page.wait_for_url("**step=3**")
    page.keyboard.press("p")
    expect(page.get_by_role("heading", name=steps[1].title)).to_be_visible(timeout=60_000)
    page.wait_for_url("**step=2**")
    field = page.locator(".mpgk-name")
    expect(field).to_have_count(1)  # the picture of the other step has gone
    field.fill("")
    field.press_sequentially("np")
    expect(field).to_have_value("np")
    assert "step=2" in page.url, "letters that are typed turn no page"


def at_step(page, lesson, number):
    """Wait for a step; the one after the last is the summary."""
    titles = [*(step.title for step in LESSONS[lesson].steps), "Summary"]
    expect(page.get_by_role("heading", name=titles[number - 1])).to_be_visible(timeout=60_000)
    wait_until_answered(page)
    if number == len(titles):
        return
    drawn = page.locator(".st-key-lesson-picture").locator(".mpgk[data-drawn], .js-plotly-plot")
    expect(drawn.first).to_be_visible(timeout=60_000)


MOVES = """() => { window.moves = 0; document.addEventListener("input",
  (event) => { window.moves += event.target.type === "range"; }, { capture: true }); }"""
"""Counts what moves a slider or the scrubber from now on."""


def toggle(page):
    page.get_by_text("Presenter mode").click()
    expect(page.get_by_test_id("stHeader")).to_be_visible()
    page.get_by_text("Presenter mode").click()
    expect(page.get_by_test_id("stHeader")).to_be_hidden()


FIRST = LESSONS["alpha-and-beta"].steps[0]
BETA_ANSWER = answer_of(FIRST.question, FIRST.picture)


def answer_by_enter(page):
    page.locator(".st-key-answer-alpha-and-beta-1 input").fill("77")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("stAlert").filter(has_text="Not yet.")).to_be_visible()


def answer_by_mouse(page):
    give(page, LESSONS["alpha-and-beta"], 1, BETA_ANSWER)
    expect(page.get_by_test_id("stAlert").filter(has_text="Right")).to_be_visible()


def move_slider(page):
    page.locator(".st-key-alpha-and-beta-1-beta input[type=range]").press("ArrowUp")


def touch_scrubber(page):
    page.locator(".mpgk-round").click(position={"x": 5, "y": 5})


def click_in_picture(page):
    page.locator(".mpgk-graph path.point").nth(3).scroll_into_view_if_needed()
    box = page.locator(".mpgk-graph path.point").nth(3).bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator(".mpgk-chosen")).to_contain_text("Selected: 3.")


def name_vertex(page):
    page.locator(".mpgk-name").fill("4")
    page.locator(".mpgk-name").press("Enter")
    expect(page.locator(".mpgk-chosen")).to_contain_text("Selected:")


def open_share(page):
    page.locator(".st-key-share-step button:visible").first.click()
    expect(page.locator(".mpgk-qr")).to_be_visible(timeout=60_000)


def open_term(page):
    page.locator(".st-key-lesson-text a[href*='#term-']").first.click()
    expect(page.locator(".mpgk-term")).to_be_visible()


def enter_full_screen(page):
    page.locator(".mpgk-full").click()
    page.wait_for_function("() => document.fullscreenElement !== null")
    page.keyboard.press("f")
    page.wait_for_function("() => document.fullscreenElement === null")


def choose_pair(page):
    page.locator("[class*='Second-vertex']").get_by_role("radio", name="d").click()


def choose_colouring(page):
    page.locator(".st-key-change-colour").get_by_role("radio", name="Movement under R").click()


def choose_edge(page):
    page.get_by_role("combobox", name="Edge to remove").click()
    page.get_by_role("option", name="3 – 4").click()


def choose_kernels(page):
    page.locator(".st-key-molecules-3-methods input").click()
    page.get_by_role("option", name="WL", exact=True).click()


def choose_kernel_and_answer(page):
    page.locator(".st-key-the-hub-3-kernel").get_by_role("radio", name="A: best matching").click()
    page.locator(".st-key-answer-the-hub-3").get_by_text("With itself", exact=True).click()


def choose_vertices(page):
    page.locator(".st-key-answer-what-is-similar-1 input").click()
    page.get_by_role("option", name="9", exact=True).click()


def move_cost(page):
    page.locator(".st-key-what-an-accuracy-means-3-C input[type=range]").press("ArrowDown")


INTERACTIONS = {
    ("alpha-and-beta", 1): (
        answer_by_enter,
        touch_scrubber,
        answer_by_mouse,
        click_in_picture,
        move_slider,
        name_vertex,
        toggle,
        open_share,
        open_term,
        enter_full_screen,
    ),
    ("one-round-by-hand", 2): (choose_pair,),
    ("the-hub", 3): (choose_kernel_and_answer,),
    ("brittle", 2): (choose_colouring, choose_edge),
    ("molecules", 3): (choose_kernels,),
    ("what-is-similar", 1): (choose_vertices,),
    ("what-an-accuracy-means", 3): (move_cost,),
}
"""What is done in turn on a step and on the one after it, before a key turns the page."""

PAIRS = (("PageDown", "PageUp"), ("ArrowRight", "ArrowLeft"), ("n", "p"))


RARE = {"one-round-by-hand", "what-an-accuracy-means"}  # their controls are those of others


@pytest.mark.parametrize(
    "place",
    [
        pytest.param(place, marks=[pytest.mark.thorough] if place[0] in RARE else [], id=place[0])
        for place in INTERACTIONS
    ],
)
def test_a_remote_control_turns_pages_after_every_kind_of_interaction(page, app_url, place):
    page.set_viewport_size({"width": 1920, "height": 1080})
    lesson, first = place
    opened(page, f"{app_url}/lessons?lesson={lesson}&step={first}&present=true")
    at_step(page, lesson, first)
    for number, interact in enumerate(INTERACTIONS[place]):
        interact(page)
        wait_until_answered(page)
        page.evaluate(MOVES)
        page.keyboard.press("b")
        expect(page.locator(".mpgk-blank")).to_be_visible()
        page.keyboard.press("b")
        expect(page.locator(".mpgk-blank")).to_have_count(0)
        is_back = number % 2 == 1
        page.keyboard.press(PAIRS[number // 2 % len(PAIRS)][is_back])
        at_step(page, lesson, first if is_back else first + 1)
        assert page.evaluate("window.moves") == 0, interact.__name__
    assert page.faults == []


def test_a_blank_screen_ends_with_the_next_page_and_fast_keys_are_kept(page, app_url):
    page.set_viewport_size({"width": 1920, "height": 1080})
    opened(page, f"{app_url}/lessons?lesson=alpha-and-beta&present=true")
    at_step(page, "alpha-and-beta", 1)
    page.keyboard.press("PageUp")
    at_step(page, "alpha-and-beta", 1)
    page.keyboard.press("b")
    page.keyboard.press("PageDown")
    at_step(page, "alpha-and-beta", 2)
    expect(page.locator(".mpgk-blank")).to_have_count(0)
    for key in ("PageDown", "PageDown"):  # faster than the page
        page.keyboard.press(key)
    expect(page.get_by_role("heading", name="Summary")).to_be_visible(timeout=60_000)
    assert page.faults == []


def test_full_screen_is_entered_and_left(page, app_url):
    opened(page, f"{app_url}/lessons?lesson=how-far&present=true")
    at_step(page, "how-far", 1)
    is_full = "() => document.fullscreenElement !== null"
    button = page.locator(".mpgk-full")
    button.click()
    page.wait_for_function(is_full)
    expect(button).to_have_text("Leave full screen")
    page.keyboard.press("F5")
    page.wait_for_function(f"() => !({is_full})()")
    page.keyboard.press("f")
    page.wait_for_function(is_full)
    page.keyboard.press("f")
    expect(button).to_have_text("Full screen")
    assert page.faults == []


def test_a_question_is_answered_with_the_keyboard_alone(page, app_url):
    opened(page, f"{app_url}/lessons?lesson=how-far&step=2")
    expect(page.locator(".mpgk[data-drawn]")).to_be_visible(timeout=90_000)
    where = page.locator(".mpgk-where")
    expect(where).to_have_text("t = 0 of 6")
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('.mpgk-round')"):
            break
    for t in range(1, 4):
        page.keyboard.press("ArrowRight")
        expect(where).to_have_text(f"t = {t} of 6")
    field = page.locator(".st-key-answer-how-far-2 input")
    for _ in range(60):
        page.keyboard.press("Shift+Tab")
        if field.evaluate("field => field === document.activeElement"):
            break
    page.keyboard.type("3")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("stAlert").filter(has_text="Right")).to_be_visible(timeout=60_000)
    expect(where).to_contain_text("5 points, 5 of 5 orbits recovered")
    page.keyboard.press("Escape")


def test_a_finger_opens_a_term_and_answers_a_question(browser, app_url):
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    page = context.new_page()
    opened(page, f"{app_url}/lessons?lesson=what-is-similar&step=3")
    page.locator(".st-key-lesson-text").get_by_role("link", name="kernel", exact=True).tap()
    explained = page.locator(".mpgk-term")
    expect(explained).to_contain_text("A measure of similarity", timeout=60_000)
    box = explained.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    page.keyboard.press("Escape")
    expect(explained).to_have_count(0)
    page.locator(".mpgk-round").tap()
    question = page.locator(".st-key-answer-what-is-similar-3")
    question.get_by_text("vertex 13, in the other clique", exact=True).tap()
    page.locator(".st-key-check-answer-what-is-similar-3 button").tap()
    expect(page.get_by_test_id("stAlert").filter(has_text="Right")).to_be_visible(timeout=60_000)
    context.close()


def test_a_term_is_explained_with_the_keyboard_and_no_page_is_turned(page, app_url):
    opened(page, f"{app_url}/lessons?lesson=what-is-similar&step=3")
    address = page.url
    page.emulate_media(color_scheme="dark")
    term = page.locator(".st-key-lesson-text").get_by_role("link", name="cosine", exact=True)
    explained = page.locator(".mpgk-term")
    term.focus()
    page.keyboard.press("Enter")
    expect(explained).to_contain_text("divided by the lengths", timeout=60_000)
    expect(explained).to_be_focused()
    expect(explained.locator(".katex").first).to_be_visible()
    look = "box => [getComputedStyle(box).backgroundColor, getComputedStyle(box).color]"
    assert explained.evaluate(look) == page.get_by_test_id("stApp").evaluate(look)
    is_whole = "box => box.scrollHeight <= box.clientHeight"
    assert explained.evaluate(is_whole), "no line is cut off"
    page.keyboard.press("Escape")
    expect(explained).to_have_count(0)
    expect(term).to_be_focused()
    term.click()
    expect(explained).to_be_visible()
    page.locator(".st-key-lesson-text").get_by_text("Task.").click()
    expect(explained).to_have_count(0)
    assert page.url == address


def test_every_press_of_back_undoes_one_click(page, app_url):
    begin = page.locator(".st-key-open-how-far button:visible")
    titles = [page.get_by_role("heading", name=step.title) for step in LESSONS["how-far"].steps]
    page.goto(f"{app_url}/lessons?glossary=orbit")
    page.locator(".st-key-lessons-view").get_by_text("Lessons", exact=True).click(timeout=90_000)
    begin.click(timeout=60_000)
    expect(titles[0]).to_be_visible(timeout=60_000)
    page.locator(".st-key-to-next button").click()
    expect(titles[1]).to_be_visible(timeout=60_000)
    page.locator(".st-key-to-list button").click()
    for shown in (begin, titles[1], titles[0], begin, page.locator(".st-key-wanted-term")):
        expect(shown).to_be_visible(timeout=60_000)
        page.go_back()


def test_a_visit_to_another_page_keeps_the_lesson_in_the_link(page, app_url):
    opened(page, f"{app_url}/lessons?lesson=how-far&step=2&done=how-far.1")
    links = page.get_by_test_id("stTopNav")
    links.get_by_role("link", name="Tuning").click()
    expect(page.get_by_role("button", name="Run", exact=True)).to_be_visible(timeout=60_000)
    page.wait_for_url(re.compile("/tuning"))
    links.get_by_role("link", name="Lessons").click()
    page.wait_for_url(re.compile("/lessons.lesson=how-far&step=2&done=how-far.1"))
    page.reload()
    title = LESSONS["how-far"].steps[1].title
    expect(page.get_by_role("heading", name=title)).to_be_visible(timeout=90_000)
    page.locator(".st-key-to-list button").click()
    expect(page.get_by_text(re.compile(r"^1 of \d+ questions answered"))).to_be_visible(
        timeout=60_000
    )


def test_a_projector_shows_the_lesson_alone_in_large_type(page, app_url):
    page.set_viewport_size({"width": 1920, "height": 1080})
    opened(page, f"{app_url}/lessons?lesson=how-far&present=true")
    expect(page.get_by_test_id("stHeader")).to_be_hidden()
    text = page.locator(".st-key-lesson-text p").first
    size = text.evaluate("p => parseFloat(getComputedStyle(p).fontSize)")
    assert size >= 20
    for letters in (".mpgk-embedding .xtitle", ".mpgk-graph .textpoint text"):
        expect(page.locator(letters).first).to_be_visible(timeout=60_000)
        size = page.locator(letters).first.evaluate("t => parseFloat(getComputedStyle(t).fontSize)")
        assert size >= 20
    assert page.locator(".mpgk-selection").bounding_box()["y"] < 1080, "all is seen at once"
    page.keyboard.press("PageDown")
    title = LESSONS["how-far"].steps[1].title
    expect(page.get_by_role("heading", name=title)).to_be_visible(timeout=60_000)
    assert "present=true" in page.url


MIDDLE = """() => { const box = (query) => document.querySelector(query).getBoundingClientRect();
  const points = [...document.querySelectorAll(".mpgk-graph path.point")].map((point) => {
    const { left, right } = point.getBoundingClientRect(); return (left + right) / 2; });
  const card = box(".mpgk-graph"); const ends = [Math.min(...points), Math.max(...points)];
  return [(ends[0] + ends[1] - card.left - card.right) / 2 / card.width,
    (ends[1] - ends[0]) / card.width]; }"""
"""How far a drawing lies beside the middle of its place, and how wide it is, in parts of it."""


def test_a_graph_fills_its_place_whatever_size_that_gets(page, app_url):
    page.set_viewport_size({"width": 1920, "height": 1080})
    opened(page, f"{app_url}/lessons?lesson=orbits")
    at_step(page, "orbits", 1)
    is_large = f"() => (({MIDDLE})()[1]) > 0.8 && Math.abs(({MIDDLE})()[0]) < 0.02"
    page.get_by_text("Presenter mode").click()
    expect(page.get_by_test_id("stHeader")).to_be_hidden()
    page.wait_for_function(is_large)
    page.set_viewport_size({"width": 1500, "height": 800})
    page.wait_for_function(f"() => Math.abs(({MIDDLE})()[0]) < 0.02 && innerWidth === 1500")
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.wait_for_function(is_large)


def test_a_phone_shows_the_picture_before_the_question(page, app_url):
    page.set_viewport_size({"width": 390, "height": 844})
    opened(page, f"{app_url}/lessons?lesson=how-far")
    expect(page.locator(".mpgk[data-drawn]")).to_be_visible(timeout=90_000)
    tops = [
        page.locator(f".st-key-lesson-{part}").bounding_box()["y"]
        for part in ("text", "picture", "question")
    ]
    assert tops == sorted(tops)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_link_opens_a_term(page, app_url):
    page.goto(f"{app_url}/lessons?glossary=orbit")
    wanted = page.locator(".st-key-wanted-term")
    expect(wanted).to_contain_text("Orbit", timeout=90_000)
    expect(page.locator(".katex").nth(10)).to_be_visible(timeout=30_000)
    assert page.locator(".katex-error").count() == 0


def code_on(page):
    """Read the QR code on the screen with another implementation than that which made it."""
    import zxingcpp  # a package of the extra "dev" that only this needs

    image = Image.open(BytesIO(page.locator(".mpgk-qr").screenshot())).convert("L")
    (found,) = zxingcpp.read_barcodes(np.asarray(image))
    return found.text


def test_a_step_is_shared_and_progress_outlasts_the_window(page, app_url, context):
    page.emulate_media(color_scheme="dark")
    opened(page, f"{app_url}/lessons?lesson=how-far")
    give(page, LESSONS["how-far"], 1, answer_of(*question_of("how-far", 1)))
    expect(page.get_by_test_id("stAlert").filter(has_text="Right")).to_be_visible(timeout=60_000)
    page.wait_for_function("localStorage.getItem('mpgk-progress') !== null")
    name_vertex(page)
    for _ in range(3):
        page.locator(".mpgk-round").press("ArrowRight")
    expect(page.locator(".mpgk-where")).to_contain_text("t = 3 of 5")
    wait_until_answered(page)
    page.locator(".st-key-share-step button:visible").first.click()
    expect(page.locator(".mpgk-qr")).to_be_visible(timeout=60_000)
    link = page.locator(".mpgk-copy-plain").get_attribute("title")
    assert link == f"{app_url}/lessons?lesson=how-far&step=1"
    assert code_on(page) == link
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator(".mpgk-copy-full").click()
    expect(page.locator(".mpgk-copy-full")).to_have_text("Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == page.locator(".mpgk-copy-full").get_attribute("title")
    assert "done=how-far.1" in copied
    page.goto(copied)
    expect(page.locator(".mpgk-where")).to_contain_text("t = 3 of 5", timeout=90_000)
    expect(page.locator(".mpgk-chosen")).to_contain_text("Selected: 4.")
    page.goto(f"{app_url}/lessons")
    card = page.locator(".st-key-card-how-far")
    expect(card.get_by_text("1 of 3 answered")).to_be_visible(timeout=90_000)
    page.locator(".st-key-reset-progress button").click()
    expect(card.get_by_text("0 of 3 answered")).to_be_visible(timeout=60_000)
    page.wait_for_function("localStorage.getItem('mpgk-progress') === null")
    page.locator(".st-key-undo-reset button").click()
    expect(card.get_by_text("1 of 3 answered")).to_be_visible(timeout=60_000)
    outside = [url for url in page.requested if not url.startswith((app_url, "data:", "blob:"))]
    assert outside == []
    assert page.faults == []


def test_paper_has_lines_to_write_on_and_nothing_that_is_cut_off(page, app_url):
    page.goto(f"{app_url}/lessons?lesson=how-far&print=questions")
    expect(page.locator(".mpgk-answer-line")).to_have_count(6, timeout=90_000)
    page.emulate_media(media="print")
    for number in (1, 2, 3):
        step = page.locator(f".st-key-handout-step-{number}").bounding_box()
        asked = page.locator(f".st-key-handout-question-{number} p").first.bounding_box()
        lines = page.locator(f".st-key-handout-question-{number} .mpgk-answer-line").all()
        ends = [box["y"] + box["height"] for box in (line.bounding_box() for line in lines)]
        assert asked["y"] + asked["height"] < ends[0] < ends[1] <= step["y"] + step["height"] + 1
        assert ends[1] - ends[0] > 20, "room to write"
    expect(page.locator(".st-key-print-bar")).to_be_hidden()
    assert page.pdf(format="A4").startswith(b"%PDF")
    page.emulate_media(media="screen")
    page.goto(f"{app_url}/lessons?lesson=how-far&print=answers")
    expect(page.get_by_text("Answer: 4")).to_be_visible(timeout=60_000)
    assert page.locator(".mpgk-answer-line").count() == 0


def question_of(lesson, number):
    step = LESSONS[lesson].steps[number - 1]
    return step.question, step.picture
