// What a lesson needs of the browser: the keys of a remote control, a blank and a full screen,
// explanations of terms, progress that outlasts the window, links to copy, and paper.

const PLACE = "mpgk-progress"; // where the browser keeps what was answered
const MOST = 100000; // characters that are read
const TURNS = {
  PageDown: "next",
  ArrowRight: "next",
  n: "next",
  PageUp: "previous",
  ArrowLeft: "previous",
  p: "previous",
};
const ARROWS = ["ArrowRight", "ArrowLeft"];
const POLL = 50; // milliseconds between two looks at the page
const PATIENCE = 3000; // milliseconds after which a page is turned all the same
const LONG = 1600; // milliseconds for which a button says what it did

let shown = null; // what the page sent last; nothing while another page is open
let lastPlace = null;
let lastKept = null;
let told = null; // the kept text that the server knows
let blank = null;
let explained = null; // the box with the explanation of a term
const APP = '[data-testid="stApp"]';
const REPLY = '.st-key-lesson-question [data-testid="stAlert"]';
const TERM = "#term-"; // what the address of a term begins with
const GAP = 6; // pixels between a term and its explanation
const turns = []; // pages that are still to be turned

export default function ({ data, parentElement, setTriggerValue }) {
  if (data.kind === "copy") {
    copyButtons(parentElement, data);
  } else if (data.kind === "print") {
    button(parentElement, "Print", () => window.print());
  } else {
    return lesson(parentElement, data, (text) => setTriggerValue("kept", { text, at: Date.now() }));
  }
}

// ---- keys, blank screen, full screen

function lesson(root, data, tell) {
  if (lastPlace !== null && lastPlace !== data.place) {
    document.querySelector('[data-testid="stMain"]')?.scrollTo({ top: 0 });
    unexplain();
  }
  const isFirst = shown === null;
  if (lastPlace === data.place && lastKept !== data.kept) {
    showReply(Date.now());
  }
  [lastPlace, lastKept] = [data.place, data.kept];
  shown = { ...data, tell };
  if (isFirst) {
    window.addEventListener("keydown", pressed, { capture: true });
    window.addEventListener("storage", changedElsewhere);
    window.addEventListener("click", clicked, { capture: true });
    window.addEventListener("scroll", unexplain, { capture: true });
    document.addEventListener("fullscreenchange", nameFullScreen);
  }
  const full = button(root, "Full screen", toggleFullScreen, "mpgk-full");
  full.hidden = !document.fullscreenEnabled;
  nameFullScreen();
  const dark = button(root, "Blank", toggleBlank, "mpgk-blank-button");
  dark.hidden = !data.isPresented;
  dark.title = "Key: B";
  keep();
  return () => {
    shown = null;
    unblank();
    unexplain();
    window.removeEventListener("click", clicked, { capture: true });
    window.removeEventListener("scroll", unexplain, { capture: true });
    window.removeEventListener("keydown", pressed, { capture: true });
    window.removeEventListener("storage", changedElsewhere);
    document.removeEventListener("fullscreenchange", nameFullScreen);
  };
}

// On a phone the reply to an answer may come below the screen; what is drawn late moves it again.
function showReply(since, shownSince = null) {
  const reply = document.querySelector(REPLY);
  if (reply !== null && !isBusy()) {
    reply.scrollIntoView({ block: "nearest" });
    shownSince ??= Date.now();
  }
  const now = Date.now();
  if (shownSince === null ? now - since < 10 * PATIENCE : now - shownSince < LONG) {
    setTimeout(() => showReply(since, shownSince), 4 * POLL);
  }
}

const isBusy = () => document.querySelector('[data-test-script-state="running"]') !== null;

// A remote control is a keyboard: whatever has the focus, its keys must turn the pages, and move
// no slider. Up and down still move one. Letters and arrows belong to a text that is being typed.
function pressed(event) {
  if (shown === null || event.ctrlKey || event.altKey || event.metaKey) {
    return;
  }
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const field = event.composedPath()[0];
  if (shown.isPresented && key === "Enter" && isText(field)) {
    setTimeout(() => field.blur(), 0); // the answer is given; the next key is a page
    return;
  }
  const action = actionOf(key, event.shiftKey, field);
  if (action !== null) {
    event.preventDefault();
    event.stopImmediatePropagation();
    action();
  }
}

// What is chosen from a list is given, too: letters are keys of the remote control again.
function clicked(event) {
  if (shown?.isPresented && event.target.closest?.('[role="option"]')) {
    setTimeout(() => document.activeElement?.blur(), 0);
  }
  explain(event);
}

function actionOf(key, isShifted, field) {
  const isLetter = key.length === 1;
  if (isLetter && (isText(field) || isShifted)) {
    return null;
  }
  if (shown.isPresented) {
    if (key === "b" || key === ".") {
      return toggleBlank;
    }
    if (key === "f" || key === "F5") {
      return toggleFullScreen;
    }
    if (key === "Escape" && blank !== null) {
      return unblank;
    }
  }
  const isHere = shown.place !== "" && key in TURNS && (shown.isPresented || isLetter);
  const isCaret = ARROWS.includes(key) && isText(field) && isBeingTyped(field);
  return isHere && !isCaret ? () => turn(TURNS[key]) : null;
}

// Streamlit takes two clicks that come before its answer for one, so the second waits for it.
function turn(direction) {
  unblank();
  turns.push(direction);
  if (turns.length === 1) {
    click(Date.now());
  }
}

function click(since) {
  if (isBusy() && Date.now() - since < PATIENCE) {
    setTimeout(() => click(since), POLL);
    return;
  }
  const target = document.querySelector(`.st-key-to-${turns[0]} button:not(:disabled)`);
  if (target === null) {
    goOn();
    return;
  }
  const before = shown?.place;
  target.click();
  const clicked = Date.now();
  const isTurned = () => shown?.place !== before || Date.now() - clicked > PATIENCE;
  const wait = () => (isTurned() ? goOn() : setTimeout(wait, POLL));
  wait();
}

function goOn() {
  turns.shift();
  if (turns.length > 0 && shown !== null) {
    click(Date.now());
  }
}

const UNTYPED = ["range", "radio", "checkbox", "button", "submit", "reset", "color", "file"];
function isText(field) {
  return (
    (field instanceof HTMLInputElement && !UNTYPED.includes(field.type)) ||
    field instanceof HTMLTextAreaElement ||
    field?.isContentEditable === true
  );
}

const isBeingTyped = (field) => field.value !== "" || field.getAttribute("aria-expanded") === "true";

function toggleBlank() {
  if (blank !== null) {
    unblank();
    return;
  }
  blank = document.createElement("div");
  blank.className = "mpgk-blank";
  blank.setAttribute("role", "img");
  blank.setAttribute("aria-label", "Blank screen. Press B to show the page.");
  blank.addEventListener("click", unblank);
  document.body.append(blank);
}

function unblank() {
  blank?.remove();
  blank = null;
}

// A browser may refuse; then the window stays as it is.
function toggleFullScreen() {
  const done = document.fullscreenElement
    ? document.exitFullscreen()
    : document.documentElement.requestFullscreen();
  done.catch(() => {});
}

function nameFullScreen() {
  for (const one of document.querySelectorAll(".mpgk-full")) {
    one.textContent = document.fullscreenElement ? "Leave full screen" : "Full screen";
  }
}

// ---- terms

// The page holds the explanations of all terms of the step; a copy of one stands beside its name.
function explain(event) {
  const name = event.target.closest?.(`.st-key-lesson-page a[href*="${TERM}"]`);
  const key = name?.getAttribute("href").split(TERM)[1] ?? "";
  const text = name && document.querySelector(`.st-key-term-${CSS.escape(key)}`);
  if (!text) {
    return;
  }
  event.preventDefault();
  event.stopImmediatePropagation();
  unexplain();
  const box = document.createElement("div");
  box.className = "mpgk-term";
  box.popover = "auto";
  box.tabIndex = -1;
  box.setAttribute("role", "dialog");
  box.setAttribute("aria-label", name.textContent);
  box.append(...text.cloneNode(true).childNodes);
  const { backgroundColor, color, fontFamily } = getComputedStyle(document.querySelector(APP));
  Object.assign(box.style, { backgroundColor, color, fontFamily });
  document.body.append(box);
  explained = box;
  box.addEventListener("toggle", (change) => change.newState === "closed" && box.remove());
  box.showPopover();
  place(box, name);
  box.focus({ preventScroll: true });
}

// Below the term, or above it where there is no room.
function place(box, name) {
  const at = [...name.getClientRects()].at(-1) ?? name.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = box;
  const left = Math.max(GAP, Math.min(at.left, innerWidth - width - GAP));
  const below = at.bottom + GAP;
  const isBelow = below + height <= innerHeight || at.top < height + GAP;
  box.style.left = `${left}px`;
  box.style.top = `${isBelow ? below : at.top - height - GAP}px`;
}

function unexplain(event) {
  if (explained?.isConnected && !explained.contains(event?.target ?? null)) {
    explained.hidePopover();
  }
}

// ---- progress

// What was kept before is told to the server first, which checks it; only then is it replaced.
function keep() {
  const kept = read();
  if (kept !== "" && kept !== shown.kept && kept !== told && !shown.isReset) {
    told = kept;
    shown.tell(kept);
    return;
  }
  if (kept !== shown.kept && (shown.kept !== "" || shown.isReset)) {
    write(shown.kept);
  }
  told = shown.kept;
}

function changedElsewhere(event) {
  if (event.key === PLACE && event.newValue) {
    keep();
  }
}

// A browser may forbid to keep anything; then progress ends with the window.
function read() {
  try {
    return (localStorage.getItem(PLACE) ?? "").slice(0, MOST);
  } catch {
    return "";
  }
}

function write(text) {
  try {
    text === "" ? localStorage.removeItem(PLACE) : localStorage.setItem(PLACE, text);
  } catch {
    // see above
  }
}

// ---- buttons

function button(root, words, act, name = `mpgk-${words.toLowerCase().replaceAll(" ", "-")}`) {
  let place = root.querySelector(".mpgk-class");
  if (place === null) {
    place = document.createElement("div");
    place.className = "mpgk-class";
    root.append(place);
  }
  let made = place.querySelector(`.${name}`);
  if (made === null) {
    made = document.createElement("button");
    made.type = "button";
    made.className = name;
    made.textContent = words;
    place.append(made);
  }
  made.onclick = act;
  return made;
}

function copyButtons(root, data) {
  for (const { words, name, link, hasRound } of data.links) {
    const made = button(root, words, async () => {
      made.title = hasRound ? withRound(link) : link;
      const isDone = await copied(made.title);
      made.textContent = isDone ? "Copied" : "Select the link below and copy it";
      setTimeout(() => (made.textContent = words), LONG);
    }, name);
    made.title = link;
  }
}

// The server does not know which round is shown, so the browser puts it into the link.
function withRound(link) {
  const scrubber = document.querySelector(".st-key-lesson-picture .mpgk-round");
  const address = new URL(link);
  const state = JSON.parse(address.searchParams.get("state") ?? "{}");
  if (scrubber !== null && scrubber.max !== "0") {
    address.searchParams.set("state", JSON.stringify({ ...state, t: Number(scrubber.value) }));
  }
  return address.href;
}

// Without encryption a page has no clipboard of its own; the old way still works.
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement("textarea");
    field.value = text;
    field.className = "mpgk-copying";
    document.body.append(field);
    field.select();
    const isDone = document.execCommand("copy");
    field.remove();
    return isDone;
  }
}
