// Three linked pictures and a scrubber over t. Python sends the figures with all their frames;
// from then on, playing, scrubbing and marking happen here, without asking the server.

const NAMES = ["embedding", "graph", "matrix"];
const OUTLINED = { graph: 1, embedding: 0 }; // the trace that shows vertices
const ROUND = "round"; // where the address of the page says which round is shown
const TRAVEL = 650;
const PAUSE = 350;
const REST = 300;

const views = new WeakMap();

export default function ({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector(".mpgk");
  if (!views.has(root)) {
    views.set(root, new View(root, data.isLinked));
  }
  const view = views.get(root);
  // With the time, so that a selection made once more is news to the server, too.
  view.report = (vertices) => setStateValue("selection", { vertices, at: Date.now() });
  loadPlotly(data.library).then((Plotly) => view.show(Plotly, data));
}

class View {
  constructor(root, isLinked) {
    this.root = root;
    this.round = isLinked ? roundOfAddress() : null;
    this.page = location.pathname;
    this.selection = new Set();
    this.plots = Object.fromEntries(NAMES.map((name) => [name, this.part(name)]));
    this.slider = this.part("round");
    this.button = this.part("play");
    this.slider.addEventListener("input", () => {
      this.stop();
      this.go(Number(this.slider.value), true);
    });
    this.button.addEventListener("click", () => (this.playing ? this.stop() : this.play()));
    this.part("clear").addEventListener("click", () => this.select([]));
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
  }

  part(name) {
    return this.root.querySelector(`.mpgk-${name}`);
  }

  // What one bundle of the library has drawn, another cannot go on with.
  use(Plotly) {
    if (this.Plotly !== undefined && this.Plotly !== Plotly) {
      for (const plot of Object.values(this.plots)) {
        this.Plotly.purge(plot);
        delete plot.dataset.listens;
      }
    }
    this.Plotly = Plotly;
  }

  async show(Plotly, data) {
    this.use(Plotly);
    const isNew = data.study !== this.drawn;
    const hasOtherTheme = this.theme !== this.themeNow();
    const hasOtherMarks = String(data.selection) !== String([...this.selection]);
    this.selection = new Set(data.selection);
    if (isNew || hasOtherTheme) {
      this.stop();
      this.drawn = data.study;
      this.theme = this.themeNow();
      this.study = withAllRows(JSON.parse(data.study));
      await this.draw(data.stamp);
      if (this.drawn !== data.study) {
        return;
      }
    } else if (hasOtherMarks) {
      this.mark();
    }
    this.root.dataset.drawn = data.stamp;
  }

  // One pass per picture: a figure is drawn with its marks, and in its last round. The embedding
  // comes first and is seen while the others are drawn; where newer figures arrive, they win.
  async draw(stamp) {
    const study = this.study;
    const { figures, last, words } = study;
    const isAtEnd = this.round === null || this.round === this.lastRound;
    const target = isAtEnd ? last : Math.min(this.round, last);
    this.lastRound = last;
    this.slider.max = last;
    this.arrive(target);
    this.part("graph-title").textContent = words.graphTitle;
    this.part("matrix-title").textContent = words.matrixTitle;
    this.part("names").replaceChildren(...study.links.names.map(option));
    this.describe();
    const { outlines, shapes } = this.marks();
    for (const name of NAMES) {
      const plot = this.plots[name];
      const { data, layout, frames } = figures[name];
      if (name === "matrix") {
        layout.shapes = shapes;
      } else {
        Object.assign(data[OUTLINED[name]].marker.line, outlines[name]);
      }
      const config = settings(layout.scene);
      // No frames forget those before: a list of ten to delete Plotly sorts as text, and stumbles.
      await this.Plotly.react(plot, { data, layout: this.themed(layout), config, frames: [] });
      if (this.study !== study) {
        return;
      }
      await this.Plotly.addFrames(plot, frames);
      plot.setAttribute("aria-label", words[name]);
      if (!plot.dataset.listens) {
        plot.dataset.listens = "yes";
        plot.on("plotly_click", (event) => this.clicked(name, event));
        plot.on("plotly_selected", (event) => this.boxed(name, event));
      }
      plot.dataset.shows = stamp;
      if (this.root.dataset.drawn) {
        await nextFrame(); // at first there is nothing to be seen meanwhile
      }
      if (this.study !== study) {
        return;
      }
    }
    if (target !== last) {
      await this.go(target, false);
    }
  }

  themeNow() {
    const style = getComputedStyle(this.root);
    return style.getPropertyValue("--st-text-color") + style.getPropertyValue("--st-background-color");
  }

  themed(layout) {
    const style = getComputedStyle(this.root);
    const text = style.getPropertyValue("--st-text-color").trim() || "#444";
    const ground = style.getPropertyValue("--st-background-color").trim() || "#fff";
    const size = layout.font?.size ?? 12;
    const family = style.getPropertyValue("--st-font").trim() || "sans-serif";
    return {
      ...layout,
      font: { color: text, size, family },
      hoverlabel: { bgcolor: ground, font: { color: text, size } },
      modebar: { bgcolor: "rgba(0,0,0,0)", color: text, activecolor: text },
    };
  }

  arrive(round) {
    this.round = round;
    this.slider.value = round;
    this.part("where").textContent = this.study.rounds[round];
    this.rest();
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

  // A link without a round shows the last one.
  withRound(address) {
    const url = new URL(address, location.href);
    if (this.root.isConnected && url.pathname === this.page && this.lastRound !== undefined) {
      url.searchParams.delete(ROUND);
      if (this.round !== this.lastRound) {
        url.searchParams.set(ROUND, this.round);
      }
    }
    return url.href;
  }

  async go(round, smoothly) {
    this.arrive(round);
    const duration = smoothly ? TRAVEL : 0;
    await Promise.all(
      NAMES.map((name) =>
        this.Plotly.animate(this.plots[name], [String(round)], {
          mode: "immediate",
          transition: { duration: name === "embedding" ? duration : 0, easing: "cubic-in-out" },
          frame: { duration: 0, redraw: this.study.redraw[name] },
        }).catch(() => undefined), // an animation that a newer one interrupts is no fault
      ),
    );
  }

  async play() {
    const run = {};
    this.playing = run;
    this.button.textContent = "⏸";
    if (this.round === this.lastRound) {
      await this.go(0, false);
    }
    while (this.playing === run && this.round < this.lastRound) {
      await pause(PAUSE);
      if (this.playing === run) {
        await this.go(this.round + 1, true);
        await pause(TRAVEL);
      }
    }
    if (this.playing === run) {
      this.stop();
    }
  }

  stop() {
    this.playing = null;
    this.button.textContent = "▶";
    this.rest();
  }

  // The picture as it is seen: in this round, with its marks, on the ground of the page.
  async save(name, format) {
    const plot = this.plots[name];
    if (!this.root.dataset.drawn) {
      return;
    }
    const ground = getComputedStyle(this.root).getPropertyValue("--st-background-color").trim();
    const layout = { ...plot.layout, paper_bgcolor: ground || "#fff" };
    await this.Plotly.downloadImage(
      { data: plot.data, layout },
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
    const { classOfVertex, matrixRows } = this.study.links;
    if (name === "matrix") {
      return points.flatMap((point) => [matrixRows[point.y], matrixRows[point.x]]);
    }
    const found = points.filter((point) => point.customdata !== undefined);
    if (name === "graph") {
      return found.map((point) => point.customdata);
    }
    const classes = new Set(found.map((point) => point.customdata));
    const at = this.study.links.pointOfClass[this.round];
    const places = new Set([...classes].map((c) => at[c]));
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

  select(vertices) {
    this.selection = new Set(vertices);
    this.mark();
    this.report([...this.selection].sort((a, b) => a - b));
  }

  marks() {
    const { orbit, classOfVertex, neighbours, matrixRows } = this.study.links;
    const chosen = this.selection;
    const orbits = new Set([...chosen].map((v) => orbit[v]));
    const around = new Set([...chosen].flatMap((v) => neighbours[v]));
    const ring = getComputedStyle(this.root).getPropertyValue("--st-text-color").trim() || "#444";
    const style = (isChosen, isAlike, isNear) =>
      isChosen ? [4, ring] : isAlike ? [3, "#e76300"] : isNear ? [3, "#3f90da"] : [1, "#7f7f7f"];
    const vertices = orbit.map((o, v) => style(chosen.has(v), orbits.has(o), around.has(v)));
    const holders = new Map();
    classOfVertex.forEach((c, v) => {
      const before = holders.get(c) ?? [false, false];
      holders.set(c, [before[0] || chosen.has(v), before[1] || orbits.has(orbit[v])]);
    });
    const classes = [...holders.keys()].sort((a, b) => a - b);
    const points = classes.map((c) => style(...holders.get(c), false));
    const size = matrixRows.length;
    return {
      outlines: { graph: outline(vertices), embedding: outline(points) },
      shapes: matrixRows.flatMap((v, i) => (chosen.has(v) ? bands(i, size, ring) : [])),
      orbits,
      around,
    };
  }

  mark() {
    const { outlines, shapes } = this.marks();
    for (const [name, { width, color }] of Object.entries(outlines)) {
      const change = { "marker.line.width": [width], "marker.line.color": [color] };
      this.Plotly.restyle(this.plots[name], change, [OUTLINED[name]]);
    }
    this.Plotly.relayout(this.plots.matrix, { shapes });
    this.describe();
  }

  describe() {
    const { orbit, names } = this.study.links;
    const { orbits, around } = this.marks();
    this.part("clear").hidden = this.selection.size === 0;
    this.part("chosen").textContent = describe(this.selection, orbits, orbit, around, names);
  }
}

// Vertices that no round tells apart share a row of the matrix on the way here.
function withAllRows(study) {
  const { matrixRows, sharedRows, names } = study.links;
  const { data, frames } = study.figures.matrix;
  const size = Math.max(...sharedRows) + 1;
  const spread = (packed) => {
    const bytes = Uint8Array.from(atob(packed.bdata), (letter) => letter.charCodeAt(0));
    const values = new Float32Array(bytes.buffer);
    return sharedRows.map((i) => sharedRows.map((j) => values[i * size + j]));
  };
  for (const cells of [...data, ...frames.flatMap((frame) => frame.data)]) {
    cells.z = spread(cells.z);
  }
  const shown = matrixRows.map((vertex) => escaped(names[vertex]));
  data[0].text = shown.map((one) => shown.map((other) => `${one} · ${other}`));
  data[0].hovertemplate = "%{text}: %{z:.4f}<extra></extra>";
  return study;
}

const escaped = (text) =>
  text.replace(/[&<>]/g, (letter) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[letter]);

function roundOfAddress() {
  const word = new URLSearchParams(location.search).get(ROUND) ?? "";
  return /^[0-9]{1,4}$/.test(word) ? Number(word) : null;
}

// Streamlit writes whole addresses and knows nothing of the round, so it is put into all of them.
let shownView = null;
function keepRoundInAddress(view) {
  if (shownView === null) {
    for (const name of ["pushState", "replaceState"]) {
      const write = history[name].bind(history);
      history[name] = (state, title, address) =>
        write(state, title, shownView.withRound(address ?? location.href));
    }
  }
  shownView = view;
}

const option = (name) => Object.assign(document.createElement("option"), { value: name });

const outline = (styles) => ({
  width: styles.map(([width]) => width),
  color: styles.map(([, colour]) => colour),
});

// Only these buttons: others of the library would send the figure to a service on the internet.
function settings(isSolid) {
  const views = isSolid
    ? ["zoom3d", "orbitRotation", "resetCameraDefault3d"]
    : ["zoom2d", "pan2d", "select2d", "zoomIn2d", "zoomOut2d", "resetScale2d"];
  return { responsive: true, displaylogo: false, modeBarButtons: [views] };
}

function bands(i, size, colour) {
  const line = { color: colour, width: 1.5 };
  return [
    { type: "rect", x0: -0.5, x1: size - 0.5, y0: i - 0.5, y1: i + 0.5, line },
    { type: "rect", y0: -0.5, y1: size - 0.5, x0: i - 0.5, x1: i + 0.5, line },
  ];
}

function describe(chosen, orbits, orbit, around, names) {
  if (chosen.size === 0) {
    return "Click a vertex, a point or a cell, or type a name; shift-click adds, the box tool takes many.";
  }
  const some = [...chosen].slice(0, 6).map((v) => names[v]);
  const more = chosen.size > some.length ? ` and ${chosen.size - some.length} more` : "";
  const alike = orbit.filter((o, v) => orbits.has(o) && !chosen.has(v)).length;
  const near = [...around].filter((v) => !chosen.has(v)).length;
  return (
    `Selected: ${some.join(", ")}${more}. Equivalent to them (orange): ${alike}. ` +
    `Neighbours (blue): ${near}.`
  );
}

const nextFrame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
