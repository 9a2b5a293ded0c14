// The graph as a drawing that can be changed: by mouse, by touch, and by keyboard alone.
//
// Python owns the graph and its history. The picture makes an edit at once, sends it, and keeps it
// as pending until Python has answered; then it shows what Python sent, with the edits that are
// still on their way. So a click feels instant, and an edit that is refused goes away by itself.
// Messages may overtake or replace one another: each holds all pending edits, with rising serials.

import { GraphPicture, SLACK, edgeKey, element, memoryOf } from "./graph_picture.js";

const DOUBLE = 350; // milliseconds within which a second tap makes a double one
const MAX_TEXT = 60; // characters of a name or a label, as in Python
const MAX_PENDING = 100; // edits that Python has not answered
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const STEP = 10; // pixels that a key moves a vertex
const KEYS =
  "Arrow keys: next vertex. Space: select. N: new vertex, Shift+N: joined to the selected ones. " +
  "J: add or remove the edge between two vertices. F2 or Enter: name. L: label. Delete: remove. " +
  "Ctrl+arrow keys: move. Ctrl+Z, Ctrl+Y: undo, redo. Plus, minus, 0: zoom. Escape: clear.";
const IS_TOUCHED = window.matchMedia("(pointer: coarse)").matches;
const HINTS = {
  select: IS_TOUCHED
    ? "Tap selects, drag moves, double-tap renames."
    : "Click selects, shift-click adds, drag moves, double-click renames.",
  draw: `${IS_TOUCHED ? "Tap" : "Click"} adds a vertex; drag from one vertex to another adds an edge.`,
  delete: `${IS_TOUCHED ? "Tap" : "Click"} a vertex or an edge to remove it.`,
};
const ICONS = {
  select: "M6 3l13 9-6 1.500-3 6z",
  draw: "M6.500 17.500l11-11M3 18a3 3 0 1 0 6 0a3 3 0 1 0-6 0M15 6a3 3 0 1 0 6 0a3 3 0 1 0-6 0",
  delete: "M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13",
  many: "M4 8V4h4M11 4h3M17 4h3v4M20 11v3M20 17v3h-3M13 20h-3M7 20H4v-3M4 14v-3",
  name: "M4 20l1-4.500L16 4.500l3.500 3.500L8.500 19z",
  undo: "M9 5L4 10l5 5M4 10h10a5 5 0 0 1 0 10h-3",
  redo: "M15 5l5 5-5 5M20 10H10a5 5 0 0 0 0 10h3",
  reset: "M5 4v5h5M5.500 9a8 8 0 1 1-1 5",
  larger: "M12 5v14M5 12h14",
  smaller: "M5 12h14",
  fit: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
  arrange: "M4 4h5v5H4zM15 4h5v5h-5zM4 15h5v5H4zM15 15h5v5h-5z",
};
const BUTTONS = [
  { select: "Select and move", draw: "Draw", delete: "Delete" },
  { many: "Select many", name: "Name and label" },
  { undo: "Undo", redo: "Redo", reset: "Reset" },
  { larger: "Zoom in", smaller: "Zoom out", fit: "Fit", arrange: "Arrange again" },
];
const EDITING = ["draw", "delete", "name", "undo", "redo", "reset"]; // only for graphs to be edited

// A graph while it is edited: labels by names, in the order of the vertices, and edges by keys.
function draftOf({ names, labels, edges }) {
  const pairs = edges.map(([u, v]) => [names[u], names[v]]);
  return {
    labels: new Map(names.map((name, v) => [name, labels ? labels[v] : null])),
    edges: new Map(pairs.map((pair) => [edgeKey(...pair), pair])),
  };
}

// Undo, redo and reset have no effect here: Python knows where they lead.
const CHANGES = {
  "add-vertex"(draft, { name, joined }) {
    draft.labels.set(name, null);
    joined.forEach((other) => draft.edges.set(edgeKey(name, other), [other, name]));
  },
  "add-edge"(draft, { vertices }) {
    draft.edges.set(edgeKey(...vertices), vertices);
  },
  "remove-edge"(draft, { vertices }) {
    draft.edges.delete(edgeKey(...vertices));
  },
  "remove-vertices"(draft, { vertices }) {
    vertices.forEach((name) => draft.labels.delete(name));
  },
  rename(draft, { vertex, name }) {
    const renamed = (one) => (one === vertex ? name : one);
    draft.labels = new Map([...draft.labels].map(([one, label]) => [renamed(one), label]));
    const pairs = [...draft.edges.values()].map((pair) => pair.map(renamed));
    draft.edges = new Map(pairs.map((pair) => [edgeKey(...pair), pair]));
  },
  "set-label"(draft, { vertex, label }) {
    draft.labels.set(vertex, label);
  },
};

export class GraphEditor extends GraphPicture {
  // on: {select(vertices), selectEdge(endsOrNull), hover(vertexOrNull), edit({key, edits}), moved()},
  // and as `bar` and `words` the elements that take the buttons and what is said. moved: places or
  // the view have changed.
  constructor(place, on) {
    super(place, on);
    Object.assign(this, { mode: "select", isMany: false, pending: [] });
    this.serial = Date.now(); // rises beyond a reload, which Python's session survives
    this.surface.setAttribute("aria-label", `Drawing of the graph. ${KEYS}`);
    this.surface.addEventListener("keydown", (event) => this.pressed(event));
    this.surface.addEventListener("focus", () => this.focused(true));
    this.surface.addEventListener("blur", () => setTimeout(() => this.focused(false)));
    this.sketch = element("div", "mpgk-sketch"); // the edge or the box that is being drawn
    this.note = element("span", "mpgk-note", { role: "status" });
    this.surface.append(this.sketch);
    this.buildButtons();
    on.bar.append(this.bar);
    on.words.append(this.note);
    place.editor = this;
  }

  buildButtons() {
    this.bar = element("div", "mpgk-tools", { role: "group", "aria-label": "Draw the graph" });
    this.buttons = {};
    for (const group of BUTTONS) {
      const part = element("span", "mpgk-tool-group");
      for (const [what, words] of Object.entries(group)) {
        const button = element("button", "", { type: "button", "aria-label": words, title: words });
        button.dataset.tool = what;
        button.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${ICONS[what]}"/></svg>`;
        button.addEventListener("click", () => this.use(what));
        this.buttons[what] = button;
        part.append(button);
      }
      this.bar.append(part);
    }
    this.showButtons();
  }

  use(what) {
    const actions = {
      many: () => (this.isMany = !this.isMany),
      name: () => this.openNaming("name", this.chosen.size ? this.onlyChosen : this.cursor),
      larger: () => this.zoom(1.25),
      smaller: () => this.zoom(0.8),
      fit: () => this.fit(),
      arrange: () => this.arrange(),
      undo: () => this.edit({ kind: "undo" }, "Undo."),
      redo: () => this.edit({ kind: "redo" }, "Redo."),
      reset: () => this.edit({ kind: "reset" }, "Reset."),
    };
    if (what === "delete" && (this.edge !== null || this.chosen.size)) {
      this.removeChosen();
    } else if (actions[what]) {
      actions[what]();
    } else {
      this.setMode(what);
    }
    this.showButtons();
  }

  setMode(mode) {
    this.mode = mode;
    this.from = null;
    this.cy?.autoungrabify(mode !== "select");
    this.hint();
    this.markAll();
    this.showButtons();
  }

  showButtons() {
    const { isEditable = false, steps = {} } = this.drawn ?? {};
    for (const [what, button] of Object.entries(this.buttons)) {
      button.hidden = !isEditable && EDITING.includes(what);
      if (what in HINTS || what === "many") {
        button.setAttribute("aria-pressed", what === "many" ? this.isMany : this.mode === what);
      }
    }
    for (const step of ["undo", "redo", "reset"]) {
      this.buttons[step].disabled = !(steps[step] || (step !== "redo" && this.pending.length));
    }
    this.box.dataset.mode = this.mode;
  }

  hint() {
    this.say(HINTS[this.mode]);
  }

  say(words, isProblem = false) {
    this.note.textContent = words;
    this.note.classList.toggle("is-problem", isProblem);
    this.note.classList.toggle("is-hint", Object.values(HINTS).includes(words));
  }

  // layout: which places positions are; where it changes, vertices go there. fresh: a name for a
  // new vertex. steps: {undo, redo, reset}, whether possible. answered: serial of the last edit
  // that Python has seen; problem: why it was refused.
  async show(drawn) {
    const key = JSON.stringify([drawn.key, drawn.layout ?? ""]);
    const isOther = key !== this.key;
    const isOtherGraph = drawn.key !== this.drawn?.key;
    const isAnswer = drawn.answered !== this.drawn?.answered;
    Object.assign(this, { drawn, key, names: drawn.names, memory: memoryOf(key) });
    this.number = new Map(drawn.names.map((name, v) => [name, v]));
    this.style(drawn.styled);
    const answered = drawn.answered ?? 0;
    this.pending = isOtherGraph ? [] : this.pending.filter(({ serial }) => serial > answered);
    this.cy ?? this.start(drawn.cytoscape);
    this.theme(drawn.theme);
    if (isOtherGraph) {
      this.closeNaming();
      this.setMode("select");
    }
    if (drawn.problem && isAnswer) {
      this.say(drawn.problem, true);
    }
    this.draft = draftOf(drawn);
    this.pending.forEach((edit) => CHANGES[edit.kind]?.(this.draft, edit));
    this.sync(isOther);
    if (isOther) {
      this.box.style.setProperty("--mpgk-shape", shapeOf(drawn.positions));
      this.memory.view ? this.restoreView() : this.fit();
      this.takeFocus();
    }
    this.showButtons();
  }

  destroy() {
    super.destroy();
    this.bar.remove();
    this.note.remove();
    delete this.box.editor;
  }

  // A picture that the page replaces hands its focus and its cursor to the next one.
  focused(hasFocus) {
    if (this.memory && this.surface.isConnected) {
      this.memory.hasFocus = hasFocus && this.hasFocus;
      this.pointCursor();
    }
  }

  takeFocus() {
    if (this.memory.hasFocus && document.activeElement === document.body) {
      this.cursor = this.nodes.has(this.memory.cursor) ? this.memory.cursor : null;
      this.surface.focus({ preventScroll: true });
    }
  }

  // ---- Edits

  edit(operation, words) {
    if (!this.drawn?.isEditable || this.pending.length >= MAX_PENDING) {
      this.say("The graph cannot be edited now.", true);
      return;
    }
    const edit = { serial: ++this.serial, ...operation };
    this.pending.push(edit);
    if (edit.kind === "rename") {
      this.renameNode(edit.vertex, edit.name);
    }
    CHANGES[edit.kind]?.(this.draft, edit);
    this.sync(false);
    this.say(words);
    this.showButtons();
    this.on.edit({ key: this.drawn.key, edits: [...this.pending] });
  }

  renameNode(before, after) {
    const renamed = (name) => (name === before ? after : name);
    const node = this.nodes.get(before);
    node.data("name", after);
    this.nodes.delete(before);
    this.nodes.set(after, node);
    this.memory.places.set(after, this.memory.places.get(before));
    this.names = this.names.map(renamed);
    this.number = new Map(this.names.map((name, v) => [name, v]));
    this.chosen = new Set([...this.chosen].map(renamed));
    this.cursor = renamed(this.cursor);
  }

  addVertex({ x, y }, joined = []) {
    const { labels } = this.draft;
    let name = this.drawn.fresh ?? String(this.names.length);
    while (labels.has(name) || this.memory.places.has(name)) {
      name = name.replace(/\d*$/, (digits) => String(BigInt(digits || 0) + 1n));
    }
    this.memory.places.set(name, [x, y]);
    this.cursor = name;
    const to = joined.length ? `, joined to ${listed(joined)}` : "";
    this.edit({ kind: "add-vertex", name, joined }, `Added vertex ${name}${to}.`);
  }

  join(one, other) {
    this.from = null;
    if (this.draft.edges.has(edgeKey(one, other))) {
      this.say(`${one} and ${other} are joined already.`);
      this.markAll();
    } else {
      this.edit({ kind: "add-edge", vertices: [one, other] }, `Added edge ${one} – ${other}.`);
    }
  }

  removeEdge(key) {
    const vertices = this.draft.edges.get(key);
    this.edit({ kind: "remove-edge", vertices }, `Removed edge ${vertices.join(" – ")}.`);
  }

  // The edge between the two selected vertices, or between the selected one and the cursor.
  toggleEdge() {
    const ends = [...new Set([...this.chosen, ...(this.chosen.size === 1 ? [this.cursor] : [])])];
    if (ends.length !== 2 || ends.includes(null)) {
      this.say("Select two vertices first.");
      return;
    }
    const key = edgeKey(...ends);
    this.draft.edges.has(key) ? this.removeEdge(key) : this.join(...ends);
  }

  removeChosen() {
    const atCursor = this.cursor === null ? [] : [this.cursor];
    const chosen = [...this.draft.labels.keys()].filter((name) => this.chosen.has(name));
    const vertices = chosen.length ? chosen : atCursor;
    if (this.edge !== null) {
      this.removeEdge(this.edge);
    } else if (vertices.length) {
      this.removeVertices(vertices);
    } else {
      this.say("Select vertices or an edge first.");
    }
  }

  removeVertices(vertices) {
    const what = vertices.length === 1 ? "vertex" : "vertices";
    this.edit({ kind: "remove-vertices", vertices }, `Removed ${what} ${listed(vertices)}.`);
  }

  // ---- Selection

  select(names) {
    this.chosen = new Set(names);
    this.edge = null;
    this.markAll();
    names.length || this.hint();
    const known = names.filter((name) => this.number.has(name));
    this.on.select(known.map((name) => this.number.get(name)).sort((a, b) => a - b));
  }

  get onlyChosen() {
    return this.chosen.size === 1 ? [...this.chosen][0] : null;
  }

  toggle(name, isAdded) {
    const others = [...this.chosen].filter((one) => one !== name);
    const isChosen = this.chosen.has(name);
    this.cursor = name;
    if (isAdded) {
      this.select(isChosen ? others : [...others, name]);
    } else {
      this.select(isChosen && !others.length ? [] : [name]);
    }
    this.say(`${this.wordsOf(name)}.`);
  }

  wordsOf(name) {
    const label = this.draft.labels.get(name);
    const n = this.nodes.get(name).connectedEdges().length;
    const parts = [`Vertex ${name}`, ...(label === null ? [] : [`label ${label}`])];
    return [...parts, `${n} ${n === 1 ? "edge" : "edges"}`].join(", ");
  }

  // ---- Mouse and touch

  listen() {
    const { cy } = this;
    const nameOf = (event) => event.target.data("name");
    cy.on("tapstart", (event) => this.begin(event));
    cy.on("tapdrag", (event) => this.gesture && this.draw(event));
    cy.on("tapend", (event) => this.gesture && this.end(event));
    cy.on("tap", (event) => this.tapped(event));
    cy.on("mouseover", "node", (event) => this.on.hover?.(this.number.get(nameOf(event)) ?? null));
    cy.on("mouseout", "node", () => this.on.hover?.(null));
    this.surface.addEventListener("pointerleave", () => this.on.hover?.(null)); // cytoscape misses it
    cy.on("grab", "node", (event) => this.lift(nameOf(event)));
    cy.on("drag", "node", (event) => this.carry(event.target));
    cy.on("dragfree", "node", (event) => this.drop(nameOf(event)));
    cy.on("dragpan pinchzoom scrollzoom", () => this.keepView());
    cy.on("viewport", () => this.on.moved?.());
  }

  // Dragging an edge from vertex to vertex, and a box around vertices, are gestures of our own:
  // so they work alike by mouse and by touch.
  begin({ target, position, originalEvent }) {
    this.surface.focus({ preventScroll: true });
    const isVertex = target !== this.cy && target.isNode();
    const isWide = this.isMany || originalEvent.shiftKey;
    this.gesture = null;
    if (this.mode === "draw" && isVertex) {
      this.gesture = { from: target.data("name"), start: { ...target.position() } };
    } else if (this.mode === "select" && target === this.cy && isWide) {
      this.gesture = { from: null, start: { ...position } };
    }
    if (this.gesture) {
      this.cy.userPanningEnabled(false);
    }
  }

  draw({ position }) {
    const { from, start } = this.gesture;
    const zoom = this.cy.zoom();
    const [x, y] = [position.x - start.x, position.y - start.y].map((length) => length * zoom);
    const { x: panX, y: panY } = this.cy.pan();
    this.gesture.isMoved ||= Math.hypot(x, y) > SLACK;
    const left = start.x * zoom + panX + (from === null ? Math.min(x, 0) : 0);
    const top = start.y * zoom + panY + (from === null ? Math.min(y, 0) : 0);
    const isEdge = from !== null;
    Object.assign(this.sketch.style, {
      display: this.gesture.isMoved ? "block" : "none",
      left: `${left}px`,
      top: `${top}px`,
      width: `${isEdge ? Math.hypot(x, y) : Math.abs(x)}px`,
      height: `${isEdge ? 0 : Math.abs(y)}px`,
      transform: isEdge ? `rotate(${Math.atan2(y, x)}rad)` : "none",
    });
  }

  end({ position }) {
    const { from, start, isMoved } = this.gesture;
    this.gesture = null;
    this.sketch.style.display = "none";
    this.cy.userPanningEnabled(true);
    if (!isMoved) {
      return; // a tap
    }
    if (from === null) {
      const isWithin = (value, one, other) => (value - one) * (value - other) <= 0;
      const found = [...this.nodes].filter(([, node]) =>
        ["x", "y"].every((axis) => isWithin(node.position(axis), start[axis], position[axis])),
      );
      this.select([...new Set([...this.chosen, ...found.map(([name]) => name)])]);
      this.say(`${this.chosen.size} selected.`);
      return;
    }
    const to = this.vertexAt(position);
    if (to === null) {
      this.addVertex(position, [from]);
    } else if (to !== from) {
      this.join(from, to);
    }
  }

  tapped({ target, position, originalEvent }) {
    const name = target !== this.cy && target.isNode() ? target.data("name") : null;
    const key = target !== this.cy && target.isEdge() ? this.keyOf(target) : null;
    const isDouble = name !== null && this.last?.name === name && Date.now() - this.last.at < DOUBLE;
    this.last = { name, at: Date.now() };
    if (isDouble && this.mode !== "delete" && this.drawn.isEditable) {
      this.from = null;
      this.select([name]);
      this.openNaming("name", name);
    } else if (this.mode === "draw") {
      this.tappedToDraw(name, key, position);
    } else if (this.mode === "delete") {
      name !== null ? this.removeVertices([name]) : key !== null && this.removeEdge(key);
    } else if (name !== null) {
      this.toggle(name, this.isMany || originalEvent.shiftKey);
    } else if (key !== null) {
      this.edge = key === this.edge ? null : key;
      this.say(this.edge === null ? "" : `Edge ${this.edgeWords(key)} selected.`);
      this.markAll();
      const ends = this.draft.edges.get(key).map((one) => this.number.get(one));
      if (!ends.includes(undefined)) {
        this.on.selectEdge(this.edge && ends.sort((v, u) => v - u)); // known to the server
      }
    } else if (!this.isMany && !originalEvent.shiftKey) {
      this.select([]);
    }
  }

  edgeWords(key) {
    const own = this.styled.get(key) ?? [];
    const labels = own.map(({ words }) => words).filter(Boolean);
    const isArc = own.length === 1 && own[0].look.arrow > 0;
    const ends = isArc ? own[0].ends.join(" → ") : this.draft.edges.get(key).join(" – ");
    return labels.length ? `${ends} (${labels.join(", ")})` : ends;
  }

  tappedToDraw(name, key, position) {
    if (name === null) {
      this.from = null;
      key === null && this.addVertex(position);
    } else if (this.from !== null && this.from !== name) {
      this.join(this.from, name);
    } else {
      this.from = this.from === name ? null : name;
      this.cursor = name;
      this.say(this.from === null ? "" : `Click the vertex to join ${name} to.`);
      this.markAll();
    }
  }

  // A vertex that is selected takes the other selected ones along.
  lift(name) {
    const names = this.chosen.has(name) ? [...this.chosen] : [name];
    this.carried = names.map((one) => [this.nodes.get(one), { ...this.nodes.get(one).position() }]);
    this.lifted = { ...this.nodes.get(name).position() };
  }

  carry(grabbed) {
    if (!this.held) {
      this.held = this.hold(this.carried.map(([node]) => node), grabbed, this.lifted);
      this.on.moved?.();
    }
    const { x, y } = grabbed.position();
    const by = { x: x - this.lifted.x, y: y - this.lifted.y };
    this.held.isPicture ? this.held.shift(by) : this.moveCarried(by);
  }

  moveCarried(by) {
    this.cy.batch(() => {
      for (const [node, { x, y }] of this.carried) {
        node.position({ x: x + by.x, y: y + by.y });
      }
    });
  }

  drop(name) {
    const { x, y } = this.nodes.get(name).position();
    this.moveCarried({ x: x - this.lifted.x, y: y - this.lifted.y });
    this.held?.release();
    this.held = null;
    this.cursor = name;
    this.keepPlaces(this.carried.map(([node]) => node));
  }

  keepPlaces(nodes) {
    for (const node of nodes) {
      const { x, y } = node.position();
      this.memory.places.set(node.data("name"), [x, y]);
    }
    this.placeTexts();
    this.placeNaming();
    this.on.moved?.();
  }

  // ---- Keyboard

  pressed(event) {
    if (event.target !== this.surface || event.altKey) {
      return;
    }
    const isCommand = event.ctrlKey || event.metaKey;
    const arrow = ARROWS[event.key];
    const key = event.key.toLowerCase();
    const commands = {
      z: () => this.use(event.shiftKey ? "redo" : "undo"),
      y: () => this.use("redo"),
      a: () => this.select([...this.nodes.keys()]),
    };
    const keys = {
      " ": () => this.cursor !== null && this.toggle(this.cursor, true),
      n: () => this.addVertex(this.freePlace(), event.shiftKey ? [...this.chosen] : []),
      j: () => this.toggleEdge(),
      enter: () => this.openNaming("name"),
      f2: () => this.openNaming("name"),
      l: () => this.openNaming("label"),
      delete: () => this.removeChosen(),
      backspace: () => this.removeChosen(),
      "+": () => this.zoom(1.25),
      "-": () => this.zoom(0.8),
      0: () => this.fit(),
      escape: () => {
        this.setMode("select");
        this.select([]);
      },
    };
    const towards = () => (isCommand ? this.moveBy(arrow) : this.goTowards(arrow));
    const action = arrow ? towards : (isCommand ? commands : keys)[key];
    if (action) {
      event.preventDefault();
      event.stopPropagation(); // a key meant for the drawing is no shortcut of the page
      action();
    }
  }

  // The nearest vertex in a direction; what lies aside counts as farther.
  goTowards([right, down]) {
    const at = this.nodes.get(this.cursor)?.position();
    let [next, least] = [null, Infinity];
    for (const [name, node] of this.nodes) {
      const [x, y] = at ? [node.position("x") - at.x, node.position("y") - at.y] : [0, 0];
      const along = x * right + y * down;
      const aside = Math.abs(x * down) + Math.abs(y * right);
      const cost = at ? along + 2 * aside : this.chosen.has(name) ? -1 : 0;
      if ((!at || (along > 0 && aside <= 2 * along)) && cost < least) {
        [next, least] = [name, cost];
      }
    }
    if (next !== null) {
      this.cursor = next;
      this.pointCursor();
      this.say(`${this.wordsOf(next)}${this.chosen.has(next) ? ", selected" : ""}.`);
      this.on.hover?.(this.number.get(next) ?? null);
    }
  }

  moveBy([right, down]) {
    if (this.cursor === null) {
      return;
    }
    const names = this.chosen.has(this.cursor) ? this.chosen : [this.cursor];
    const nodes = [...names].map((name) => this.nodes.get(name));
    const step = STEP / this.cy.zoom();
    nodes.forEach((node) => node.shift({ x: right * step, y: down * step }));
    this.keepPlaces(nodes);
    this.say(`Moved ${listed([...names])}.`);
  }

  // The nearest place to the cursor, or to the middle, that is in view and has room for a vertex.
  freePlace() {
    const { x1, x2, y1, y2 } = this.cy.extent();
    const start = this.nodes.get(this.cursor)?.position() ?? { x: (x1 + x2) / 2, y: (y1 + y2) / 2 };
    const gap = (2.5 * this.size) / this.memory.scale;
    const taken = [...this.nodes.values()].map((node) => node.position());
    const isSeen = ({ x, y }) =>
      x > x1 + gap / 2 && x < x2 - gap / 2 && y > y1 + gap / 2 && y < y2 - gap / 2;
    let at = start;
    for (let turn = 0; turn < 4000; turn += 1) {
      const [angle, radius] = [turn * 2.4, gap * 0.4 * Math.sqrt(turn)]; // evenly in a spiral
      at = { x: start.x + radius * Math.cos(angle), y: start.y + radius * Math.sin(angle) };
      if (isSeen(at) && taken.every(({ x, y }) => Math.hypot(x - at.x, y - at.y) >= gap)) {
        break;
      }
    }
    return at;
  }

  // ---- Names and labels, typed in place

  openNaming(field, name = this.cursor ?? this.onlyChosen) {
    this.closeNaming();
    if (name === null || !this.drawn.isEditable) {
      this.say("Select one vertex first.");
      return;
    }
    const form = element("div", "mpgk-naming", { role: "group", "aria-label": "Name and label" });
    const inputs = {};
    for (const [what, value] of [["name", name], ["label", this.draft.labels.get(name) ?? ""]]) {
      const label = element("label", "");
      const attributes = { type: "text", maxlength: MAX_TEXT, autocomplete: "off" };
      inputs[what] = Object.assign(element("input", `mpgk-new-${what}`, attributes), { value });
      label.append(what === "name" ? "Name" : "Label", inputs[what]);
      form.append(label);
    }
    form.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Enter" || event.key === "Escape") {
        event.key === "Enter" ? this.commitNaming() : this.closeNaming();
        this.surface.focus({ preventScroll: true });
      }
    });
    form.addEventListener("focusout", ({ relatedTarget }) => {
      form.contains(relatedTarget) || this.commitNaming();
    });
    this.naming = { form, name, inputs };
    this.surface.append(form);
    this.placeNaming();
    inputs[field].focus({ preventScroll: true });
    inputs[field].select();
  }

  placeNaming() {
    const node = this.naming && this.nodes.get(this.naming.name);
    if (node) {
      const { form } = this.naming;
      const { x, y } = node.renderedPosition();
      const { clientWidth, clientHeight } = this.surface;
      const within = (value, most) => `${Math.max(0, Math.min(value, most))}px`;
      form.style.left = within(x - form.offsetWidth / 2, clientWidth - form.offsetWidth);
      form.style.top = within(y + this.size, clientHeight - form.offsetHeight);
    }
  }

  commitNaming() {
    if (!this.naming) {
      return;
    }
    const { name: before, inputs } = this.naming;
    const [name, label] = [inputs.name.value.trim(), inputs.label.value.trim()];
    this.closeNaming();
    if (!this.nodes.has(before)) {
      return;
    }
    let vertex = before;
    if (name && name !== before && this.draft.labels.has(name)) {
      this.say(`There is a vertex ${name} already.`, true);
    } else if (name && name !== before) {
      this.edit({ kind: "rename", vertex, name }, `Renamed ${before} to ${name}.`);
      vertex = name;
    }
    if (label && label !== this.draft.labels.get(vertex)) {
      this.edit({ kind: "set-label", vertex, label }, `Vertex ${vertex} has the label ${label}.`);
    }
  }

  closeNaming() {
    const form = this.naming?.form;
    this.naming = null; // first, since removing a focused input is a loss of focus
    form?.remove();
  }
}

// The height of a layout by its width: a picture on a phone is no higher than needed.
function shapeOf(positions) {
  const [width, height] = [0, 1].map((axis) => {
    const values = positions.map((place) => place[axis]);
    return Math.max(...values) - Math.min(...values);
  });
  return width > height ? height / width : 1;
}

const listed = (names) =>
  names.slice(0, 3).join(", ") + (names.length > 3 ? ` and ${names.length - 3} more` : "");
