// Linked pictures and a scrubber over t. Python sends the figures with all their frames; from then
// on, playing, scrubbing and marking happen here, without asking the server.

import {
  circle,
  describe,
  edgesOf,
  isSame,
  joinedWords,
  line,
  membersOf,
  merged,
  middleOf,
  nameRows,
  nextFrame,
  option,
  pause,
  placeAt,
  placeOfPoint,
  plain,
  pointsOf,
  REDUCED,
  TRAVEL,
  settings,
  shape,
  sharedWord,
  sorted,
  themeOf,
  travel,
  untilAtRest,
  withAllRows,
} from "./chart_parts.js";
import { GraphEditor } from "./graph_editor.js";
import { DASHES, element, linesOf } from "./graph_picture.js";
import { loadCytoscape, loadPlotly } from "./library.js";
import {
  ROUND,
  VISITED,
  isRemembered,
  keepRoundInAddress,
  roundOfAddress,
  shownView,
} from "./page_address.js";

const VERTEX_TRACE = { graph: 1, embedding: 0, other: 0 }; // the trace that shows vertices
const BELOW = {
  planes: ["embedding", "other"],
  matrix: ["matrix"],
  both: ["embedding", "matrix"],
  graph: [],
};
const PAUSE = 350;
const REST = 300;
const PATIENCE = 3000; // milliseconds in which the server may still answer to an older selection
const MAX_LEGEND = 12;
const MAX_LINES = 24;
const PLAY_ICONS = { Play: "M3 1 L14 8 L3 15 Z", Pause: "M3 1 H6.5 V15 H3 Z M9.500 1 H13 V15 H9.500 Z" };

const views = new WeakMap();

export default function ({ data, parentElement, setStateValue, setTriggerValue }) {
  const root = parentElement.querySelector(".mpgk");
  if (!views.has(root)) {
    views.set(root, new View(root, data.isLinked));
  }
  const view = views.get(root);
  // With the time, so that a selection made once more is news to the server, too.
  view.mail = {
    selection: (selected) => setStateValue("selection", { ...selected, at: Date.now() }),
    edit: (drawn) => setTriggerValue("edit", drawn),
  };
  view.show(data);
}

// The ranges of the graph as they came: plotly changes those of a layout that it has drawn.
function withRanges(study) {
  const { xaxis, yaxis } = structuredClone(study.figures.graph.layout);
  study.ranges = { "xaxis.range": xaxis.range, "yaxis.range": yaxis.range };
  return study;
}

class View {
  constructor(root, isLinked) {
    this.root = root;
    this.isLinked = isLinked;
    this.round = isLinked ? roundOfAddress() : null;
    this.page = location.pathname;
    this.selection = new Set();
    this.edge = null; // the ends of the edge that is selected
    this.outbox = {};
    this.delivery = null; // until an edit is answered, what delivers the next messages at the latest
    const names = ["graph", "embedding", "other", "matrix"];
    this.plots = Object.fromEntries(names.map((name) => [name, this.part(name)]));
    const sizes = new ResizeObserver((changed) => changed.forEach(({ target }) => this.fill(target)));
    Object.values(this.plots).forEach((plot) => sizes.observe(plot));
    this.slider = this.part("round");
    this.slider.addEventListener("input", () => {
      this.isGreeting = false;
      this.stop();
      this.go(Number(this.slider.value), true);
    });
    this.part("play").addEventListener("click", () => {
      this.isGreeting = false;
      this.playing ? this.stop() : this.play();
    });
    this.part("clear").addEventListener("click", () => {
      this.select([]);
      this.editor?.hint();
    });
    this.field = this.part("name");
    this.field.addEventListener("input", () => this.field.setCustomValidity(""));
    this.field.addEventListener("keydown", (event) => {
      event.stopPropagation(); // a letter typed here is no shortcut of the page
      if (event.key === "Enter") {
        this.typed(this.field.value.trim());
      }
    });
    if (isLinked) {
      keepRoundInAddress(this);
    }
    for (const button of this.root.querySelectorAll("[data-save]")) {
      button.addEventListener("click", () => this.save(button.dataset.save, button.dataset.format));
    }
    this.stop();
  }

  part(name) {
    return this.root.querySelector(`.mpgk-${name}`);
  }

  async show(data) {
    const call = {};
    this.call = call; // where newer figures arrive meanwhile, they win
    const isOther = data.study !== this.drawn;
    const study = isOther ? withRanges(JSON.parse(data.study)) : this.study;
    const libraries = [loadPlotly(data.library), data.drawing && loadCytoscape(data.drawingLibrary)];
    const [Plotly, cytoscape] = await Promise.all(libraries);
    if (this.call !== call) {
      return;
    }
    this.use(Plotly);
    this.cytoscape = cytoscape;
    const theme = themeOf(this.root);
    const isDrawnAnew = data.drawing !== this.data?.drawing;
    if (isDrawnAnew && this.delivery !== null) {
      this.deliverAtRest();
    }
    this.data = data;
    const isNew = isOther || data.view !== this.view || theme.name !== this.theme?.name;
    const { vertices, edge } = this.newest({ vertices: data.selection, edge: data.edge });
    const hasOtherMarks = !isSame({ vertices, edge }, this.selected);
    this.selection = new Set(vertices);
    this.edge = edge;
    Object.assign(this, { study, drawn: data.study, view: data.view, theme });
    if (isNew) {
      this.stop();
      await this.draw(call);
    } else {
      if (isDrawnAnew) {
        this.drawGraph();
      }
      if (hasOtherMarks) {
        this.mark();
      }
    }
    if (this.call === call) {
      this.root.dataset.drawn = data.stamp;
      this.welcome();
    }
  }

  // What one bundle of the library has drawn, another cannot go on with.
  use(Plotly) {
    if (this.Plotly !== undefined && this.Plotly !== Plotly) {
      for (const plot of Object.values(this.plots)) {
        this.forget(plot);
      }
    }
    this.Plotly = Plotly;
  }

  forget(plot) {
    if (plot.dataset.listens) {
      this.Plotly.purge(plot);
      delete plot.dataset.listens;
    }
  }

  get isDrawing() {
    return Boolean(this.data.drawing);
  }

  // The pictures that Plotly draws now, first what a slider moves.
  get charts() {
    const below = BELOW[this.view].filter((name) => this.study.figures[name]);
    return this.isDrawing ? below : [...below, "graph"];
  }

  // Each picture is drawn once, with its marks, in the round that is shown.
  async draw(call) {
    const { last, words } = this.study;
    const isAtEnd = this.round === null || this.round === this.lastRound;
    const first = Math.min(this.study.start ?? last, last);
    const round = this.round === null ? first : isAtEnd ? last : Math.min(this.round, last);
    this.lastRound = last;
    this.slider.max = last;
    this.arrive(round);
    this.part("graph-title").textContent = words.graphTitle;
    this.part("matrix-title").textContent = words.matrixTitle;
    this.part("other-title").textContent = words.otherTitle;
    this.part("names").replaceChildren(...this.study.links.names.map(option));
    const shown = new Set(["graph", ...this.charts]);
    for (const name of Object.keys(this.plots)) {
      this.part(`${name}-card`).hidden = !shown.has(name);
    }
    this.part("embedding-card").classList.toggle("mpgk-alone", !shown.has("other"));
    this.root.classList.toggle("mpgk-solid", "scene" in this.study.figures.embedding.layout);
    this.describe();
    this.drawGraph();
    for (const name of this.charts) {
      await this.paint(name);
      if (this.call !== call) {
        return;
      }
      if (this.root.dataset.drawn) {
        await nextFrame(); // at first there is nothing to be seen meanwhile
      }
    }
  }

  // A graph that is not too large is a drawing; others are charts like the rest.
  drawGraph() {
    const place = this.plots.graph;
    if (!this.isDrawing) {
      this.editor?.destroy();
      this.editor = null;
      return;
    }
    this.forget(place);
    this.editor ??= new GraphEditor(place, {
      select: (vertices) => this.select(vertices),
      selectEdge: (ends) => this.select([...this.selection], ends),
      hover: (vertex) => this.hover(vertex === null ? [] : [vertex]),
      edit: (drawn) => {
        this.awaited = null; // what was selected had other numbers
        this.post("edit", drawn);
      },
      moved: () => this.hover([]),
      bar: this.part("tools-place"),
      words: this.part("note-place"),
    });
    const { positions, layout } = this.study.places;
    const drawing = JSON.parse(this.data.drawing);
    const { edges: styled } = this.study;
    this.editor.show({ ...drawing, styled, positions, layout, cytoscape: this.cytoscape, theme: this.theme });
    this.editor.theme(this.theme);
    this.editor.paint(this.colours());
    this.editor.mark(this.marks());
    place.setAttribute("aria-label", this.study.words.graph);
    place.dataset.shows = this.data.stamp;
  }

  colours() {
    return this.study.figures.graph.frames[this.round].data[0].marker.color;
  }

  // A chart in the round that is shown; zoom, pan and camera stay as they are.
  async paint(name) {
    const plot = this.plots[name];
    const { data, layout } = this.figure(name);
    await this.Plotly.react(plot, { data, layout, config: settings(layout.scene) });
    plot.setAttribute("aria-label", this.words(name));
    if (!plot.dataset.listens) {
      plot.dataset.listens = "yes";
      // Later: a solid picture that is changed while it tells of a click tells of it for ever. And
      // once: it tells of a click as often as it is drawn while the button is down.
      let isNews = true;
      plot.addEventListener("pointerdown", () => (isNews = true), { capture: true });
      plot.on("plotly_click", (event) => {
        if (isNews) {
          isNews = false;
          setTimeout(() => this.clicked(name, event));
        }
      });
      plot.on("plotly_selected", (event) => this.boxed(name, event));
      plot.on("plotly_hover", (event) => this.hover(this.verticesOf(name, event.points)));
      plot.on("plotly_unhover", () => this.hover([]));
      if (name === "graph") {
        plot.on("plotly_relayout", (change) => {
          this.isZoomed = "xaxis.range[0]" in change || (this.isZoomed && !("xaxis.autorange" in change));
        });
      }
    }
    plot.dataset.shows = this.data.stamp;
  }

  // A chart fills its place, also where styles come later than the chart: plotly looks at the size
  // of the window only. Where both axes have one scale, as in the graph, it widens the ranges with
  // the picture and never narrows them again, so that they begin anew unless the reader has zoomed.
  fill(plot) {
    const { width, height } = plot._fullLayout ?? {};
    const isFilled = Math.abs(plot.offsetWidth - width) < 1 && Math.abs(plot.offsetHeight - height) < 1;
    if (plot.dataset.listens && plot.offsetWidth > 0 && !isFilled) {
      const isWhole = plot === this.plots.graph && !this.isZoomed;
      const ranges = isWhole ? structuredClone(this.study.ranges) : {};
      this.Plotly.relayout(plot, { ...ranges, autosize: true });
    }
  }

  // A description may be that of the last round, or one for every round.
  words(name) {
    const words = this.study.words[name];
    return Array.isArray(words) ? words[this.round] : words;
  }

  // Traces and layout of a chart in the round that is shown, with the marks.
  figure(name) {
    if (name === "matrix") {
      withAllRows(this.study);
    }
    const { data, layout, frames } = this.study.figures[name];
    const frame = frames[this.round];
    const traces = data.map((trace, i) => {
      const changed = frame.data[frame.traces.indexOf(i)];
      return changed ? { ...trace, ...changed, marker: { ...trace.marker, ...changed.marker } } : trace;
    });
    const titled = this.themed(layout, frame.layout);
    if (name === "matrix") {
      titled.shapes = this.bands();
      nameRows(titled, this.study.links, this.plots.matrix.clientHeight);
    } else {
      const at = VERTEX_TRACE[name];
      const { line, opacity } = this.rings(name);
      const marker = traces[at].marker;
      traces[at] = { ...traces[at], marker: { ...marker, line: { ...marker.line, ...line }, opacity } };
    }
    return { data: traces, layout: titled };
  }

  themed(layout, ofRound) {
    const { text, ground, family } = this.theme;
    const size = layout.font?.size ?? 12;
    const joined = { ...layout };
    for (const [part, change] of Object.entries(ofRound ?? {})) {
      joined[part] = merged(layout[part], change);
    }
    return {
      ...joined,
      uirevision: this.study.places.key,
      font: { color: text, size, family },
      hoverlabel: { bgcolor: ground, font: { color: text, size } },
      modebar: { bgcolor: "rgba(0,0,0,0)", color: text, activecolor: text },
    };
  }

  arrive(round) {
    this.round = round;
    this.slider.value = round;
    this.part("where").textContent = this.study.rounds[round];
    for (const [name, words] of Object.entries(this.study.under)) {
      this.part(`${name}-under`).textContent = words[round];
    }
    this.legend();
    this.rest();
  }

  // One button for every colour, as long as there are few.
  legend() {
    const words = this.study.colourWords[Math.min(this.round, this.study.colourWords.length - 1)];
    const classes = new Map();
    this.colours().forEach((colour, v) => {
      const one = classes.get(colour) ?? { words: new Set(), vertices: [] };
      one.words.add(words[v]);
      one.vertices.push(v);
      classes.set(colour, one);
    });
    const kind = sharedWord(words);
    const chips = [...classes].map(([colour, { words, vertices }]) => {
      const dot = element("span", "mpgk-dot");
      dot.style.background = colour;
      const chip = element("button", "", { type: "button" });
      const count = this.study.isVeiled ? "" : ` ×${vertices.length}`;
      chip.append(dot, joinedWords([...words].map((one) => plain(one.slice(kind.length)))) + count);
      chip.setAttribute("aria-label", kind + chip.textContent);
      chip.addEventListener("click", () => this.select(vertices));
      return chip;
    });
    const text = this.study.isVeiled ? "" : `${classes.size} colours`;
    const hasWords = words.some(Boolean);
    const heading = element("span", "mpgk-legend-heading");
    heading.append(kind);
    const shown = chips.length > MAX_LEGEND || !hasWords ? [text] : [heading, ...chips];
    this.part("legend").replaceChildren(...shown, ...this.edgeLegend());
  }

  // A short line for every label of edges, where the graph is a drawing: charts have a legend.
  edgeLegend() {
    if (!this.isDrawing || !this.study.edges) {
      return [];
    }
    const { legend, words } = this.study.edges;
    const said = element("span", "mpgk-edge-label");
    said.append(words);
    const chips = legend.slice(0, MAX_LEGEND).map(({ words, colour, dash, bond }) => {
      const chip = element("span", "mpgk-edge-label");
      const sample = shape("svg", { viewBox: bond ? "0 -4 24 12" : "0 0 24 4", "aria-hidden": "true" });
      sample.style.height = bond ? "0.75rem" : "";
      const stroke = { stroke: colour ?? "currentColor", "stroke-width": bond ? 1.4 : 2.5 };
      for (const line of linesOf(bond, 1)) {
        const dashes = { "stroke-dasharray": DASHES[line.dash ?? dash].join(" ") };
        const y = 2 + 1.7 * (line.shift ?? 0);
        sample.append(shape("line", { x1: 0, y1: y, x2: 24, y2: y, ...stroke, ...dashes }));
      }
      chip.append(sample, words);
      return chip;
    });
    return [said, ...chips];
  }

  // The script of the page writes the address, once the scrubber rests: the server is not asked.
  rest() {
    clearTimeout(this.resting);
    if (shownView === this && !this.playing) {
      this.resting = setTimeout(() => {
        if (this.withRound(location.href) !== location.href) {
          history.replaceState(history.state, "", location.href);
        }
      }, REST);
    }
  }

  // A link without a round shows the last one. The round in which the first visit leaves the
  // pictures is nobody's choice.
  withRound(address) {
    const url = new URL(address, location.href);
    if (this.root.isConnected && url.pathname === this.page && this.lastRound !== undefined) {
      url.searchParams.delete(ROUND);
      if (this.round !== this.lastRound && !this.isGreeting) {
        url.searchParams.set(ROUND, this.round);
      }
    }
    return url.href;
  }

  // Everything is drawn as it is in the new round at once, and only seems to come from elsewhere: a
  // journey that is interrupted leaves nothing behind.
  async go(round, smoothly) {
    this.arrive(round);
    this.hover([]);
    this.editor?.paint(this.colours());
    const travelling = smoothly && !REDUCED.matches ? this.charts.filter((name) => this.canTravel(name)) : [];
    const starts = travelling.map((name) => [this.plots[name], pointsOf(this.plots[name]).map(middleOf)]);
    for (const name of this.charts) {
      if (this.round === round) {
        await this.paint(name);
      }
    }
    if (this.round === round && starts.length) {
      starts.forEach(([plot, places]) => travel(plot, places));
      await pause(TRAVEL);
    }
  }

  canTravel(name) {
    return name in this.study.links.planes && this.study.figures[name].data[0].type === "scatter";
  }

  async play() {
    const run = {};
    this.playing = run;
    this.button("Pause");
    if (this.round === this.lastRound) {
      await this.go(0, false);
    }
    while (this.playing === run && this.round < this.lastRound) {
      await pause(PAUSE);
      if (this.playing === run) {
        await this.go(this.round + 1, true);
      }
    }
    const isWhole = this.playing === run;
    if (isWhole) {
      this.stop();
    }
    return isWhole;
  }

  stop() {
    this.playing = null;
    this.button("Play");
    if (this.study) {
      this.rest();
    }
  }

  button(word) {
    this.part("icon").setAttribute("d", PLAY_ICONS[word]);
    this.part("play-word").textContent = word;
  }

  // On the first visit the rounds are played once, and the pictures rest where everything begins.
  async welcome() {
    if (!this.isLinked || this.welcomed || isRemembered(VISITED)) {
      return;
    }
    this.welcomed = true;
    if (new URLSearchParams(location.search).has(ROUND)) {
      return;
    }
    this.isGreeting = true;
    await this.go(0, false);
    if (!REDUCED.matches && (await this.play())) {
      await pause(4 * PAUSE);
      if (!this.playing && this.round === this.lastRound) {
        await this.go(0, false);
      }
    }
  }

  // The picture as it is seen: in this round, with its marks, on the ground of the page.
  async save(name, format) {
    if (!this.root.dataset.drawn) {
      return;
    }
    const plot = this.plots[name];
    const { data, layout } = this.figure(name);
    if (name === "graph" && this.editor) {
      placeAt(data, this.editor.positions(), edgesOf(this.study.links.neighbours));
      delete layout.xaxis.range;
      delete layout.yaxis.range;
    } else if (layout.xaxis) {
      layout.xaxis = { ...layout.xaxis, range: plot.layout.xaxis.range };
      layout.yaxis = { ...layout.yaxis, range: plot.layout.yaxis.range };
    }
    await this.Plotly.downloadImage(
      { data, layout: { ...layout, paper_bgcolor: this.theme.ground } },
      {
        format,
        filename: `${this.study.files[name]}_t${this.round}`,
        width: plot.clientWidth,
        height: plot.clientHeight,
        scale: format === "png" ? 3 : 1,
      },
    );
  }

  verticesOf(name, points) {
    const { planes, matrixRows } = this.study.links;
    if (name === "matrix") {
      return points.flatMap((point) => [matrixRows[point.y], matrixRows[point.x]]);
    }
    const found = points.filter((point) => point.customdata !== undefined);
    if (name === "graph") {
      return found.map((point) => point.customdata);
    }
    const { classOfVertex, pointOfClass } = planes[name];
    const at = pointOfClass[this.round];
    const places = new Set(found.map((point) => at[point.customdata]));
    return classOfVertex.flatMap((c, vertex) => (places.has(at[c]) ? [vertex] : []));
  }

  clicked(name, event) {
    const vertices = this.verticesOf(name, event.points);
    if (vertices.length === 0) {
      return;
    }
    const isSame = vertices.every((v) => this.selection.has(v));
    if (event.event?.shiftKey) {
      const next = new Set(this.selection);
      vertices.forEach((v) => (isSame ? next.delete(v) : next.add(v)));
      this.select([...next]);
    } else {
      const isAll = isSame && this.selection.size === new Set(vertices).size;
      this.select(isAll ? [] : vertices);
    }
  }

  // By keyboard, a vertex is added to the selection or taken away, as shift and click would do.
  typed(name) {
    const vertex = this.study.links.names.indexOf(name);
    if (vertex < 0) {
      this.field.setCustomValidity(`There is no vertex ${name || "without a name"}.`);
      this.field.reportValidity();
      return;
    }
    const next = new Set(this.selection);
    if (!next.delete(vertex)) {
      next.add(vertex);
    }
    this.field.value = "";
    this.select([...next]);
  }

  boxed(name, event) {
    if (event?.points?.length) {
      this.select(this.verticesOf(name, event.points));
      this.Plotly.update(this.plots[name], { selectedpoints: null }, { selections: [] });
    }
  }

  select(vertices, edge = null) {
    this.selection = new Set(vertices);
    this.edge = edge;
    this.mark();
    this.awaited = { ...this.selected, until: Date.now() + PATIENCE };
    this.post("selection", this.selected);
  }

  get selected() {
    return { vertices: sorted(this.selection), edge: this.edge };
  }

  // An edit draws the whole page. A message that comes as soon as that is done can make Streamlit
  // take the pictures off the page and put new ones there, so messages wait until it rests. Each
  // edit holds all that have no answer yet, so only the last one counts.
  post(kind, content) {
    this.outbox[kind] = content;
    if (this.delivery === null) {
      this.deliver();
    }
  }

  deliver() {
    clearTimeout(this.delivery);
    this.delivery = null;
    const { edit, selection } = this.outbox;
    this.outbox = {};
    if (selection !== undefined) {
      this.mail.selection(selection);
    }
    if (edit !== undefined) {
      this.mail.edit(edit);
      this.delivery = setTimeout(() => this.deliver(), PATIENCE);
    }
  }

  async deliverAtRest() {
    const { delivery } = this;
    await untilAtRest();
    if (this.delivery === delivery && delivery !== null) {
      this.deliver();
    }
  }

  // An answer of the server may be older than the last click; then the click counts.
  newest(answer) {
    const { awaited } = this;
    const isOld = awaited && Date.now() < awaited.until && !isSame(answer, awaited);
    if (!isOld) {
      this.awaited = null;
    }
    return isOld ? awaited : answer;
  }

  // The selected vertices, those equivalent to them, and their neighbours.
  marks() {
    const { orbit, neighbours } = this.study.links;
    const chosen = this.selection;
    const orbits = new Set([...chosen].map((v) => orbit[v]));
    return {
      chosen,
      edge: this.edge,
      alike: new Set(orbit.flatMap((o, v) => (orbits.has(o) && !chosen.has(v) ? [v] : []))),
      near: new Set([...chosen].flatMap((v) => neighbours[v]).filter((v) => !chosen.has(v))),
    };
  }

  // Rings of markers: thick for selected vertices, thinner for equivalent ones; the rest is dimmed.
  rings(name) {
    const { chosen, alike, near } = this.marks();
    const { text } = this.theme;
    const style = (vertices) => {
      if (vertices.some((v) => chosen.has(v))) {
        return [4, text, 1];
      }
      if (vertices.some((v) => alike.has(v))) {
        return [2.5, text, 1];
      }
      const isNear = name === "graph" && near.has(vertices[0]);
      return [1, "#7f7f7f", chosen.size === 0 || isNear ? 0.95 : 0.4];
    };
    const { orbit, planes } = this.study.links;
    const members = name === "graph" ? orbit.map((_, v) => [v]) : membersOf(planes[name].classOfVertex);
    const styles = members.map(style);
    const solid = this.study.figures[name].data[0].type === "scatter3d";
    return {
      line: {
        width: solid ? 1 : styles.map(([width]) => width),
        color: styles.map(([, colour]) => colour),
      },
      opacity: solid ? 0.95 : styles.map(([, , opacity]) => opacity),
    };
  }

  bands() {
    const { matrixRows } = this.study.links;
    const line = { color: this.theme.text, width: 1.5 };
    const [low, high] = [-0.5, matrixRows.length - 0.5];
    return matrixRows.flatMap((v, i) =>
      this.selection.has(v)
        ? [
            { type: "rect", x0: low, x1: high, y0: i - 0.5, y1: i + 0.5, line },
            { type: "rect", y0: low, y1: high, x0: i - 0.5, x1: i + 0.5, line },
          ]
        : [],
    );
  }

  mark() {
    this.editor?.mark(this.marks());
    this.charts.forEach((name) => this.paint(name));
    this.describe();
  }

  describe() {
    this.part("clear").hidden = this.selection.size === 0;
    this.part("chosen").textContent = describe(this.marks(), this.study, this.isDrawing);
  }

  // Vertices are shown in all pictures, with a line from each to its points.
  hover(vertices) {
    const stage = this.part("lines").getBoundingClientRect();
    const marks = [];
    if (vertices.length <= MAX_LINES) {
      for (const vertex of vertices) {
        const start = this.placeInGraph(vertex);
        for (const name of this.charts.filter((one) => one in this.study.links.planes)) {
          const end = this.placeInPlane(name, this.study.links.planes[name].classOfVertex[vertex]);
          if (start && end) {
            marks.push(line(start, end, stage));
          }
          if (end) {
            marks.push(circle(end, stage));
          }
        }
        if (start) {
          marks.push(circle(start, stage));
        }
      }
    }
    this.part("lines").replaceChildren(...marks);
    this.editor?.point(vertices.length === 1 ? vertices[0] : null);
  }

  placeInGraph(vertex) {
    return this.editor ? this.editor.place(vertex) : placeOfPoint(this.plots.graph, 1, vertex);
  }

  placeInPlane(name, number) {
    return placeOfPoint(this.plots[name], 0, number);
  }
}
