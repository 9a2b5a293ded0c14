// The picture of a graph, drawn by cytoscape: places, colours, marks and the view.
// Vertices are held by their names, since their numbers shift while the graph is edited.
// Names and labels are drawn on a canvas or set as text, never as html.

const UNIT = 300; // pixels of the drawing, at zoom 1, for one unit of a layout
const MIN_SIZE = 5; // diameter of the smallest vertices, in pixels
const SIZE = 16; // of usual ones; they grow with the picture where they lie far apart
const MAX_SIZE = 26;
const RING = 10; // room for the rings of marks around a vertex
export const SLACK = 10; // how far beside a vertex, in pixels, a finger still meets it
const MAX_LETTERS = 3; // of a label that fits into a vertex; elsewhere its name is shown
const LETTER = 6; // width of a letter beside a vertex, in pixels
const LINE = 13; // height of a text beside a vertex
const MAX_REDRAWN = 60; // vertices that are drawn again and again while they are dragged
const MAX_PLAIN = 400; // vertices and edges that are drawn at once, without pictures of them
const DRAG_LAYER = 1; // cytoscape's canvas for what is dragged
const MAX_REMEMBERED = 20; // graphs whose places are remembered

// Where vertices were put, and how far the picture was zoomed, by graph and layout.
// Kept by the window, since the page may put a new picture in the place of an old one.
const remembered = (window.mpgkRemembered ??= new Map());
export function memoryOf(key) {
  const memory = remembered.get(key) ?? { places: new Map(), view: null, scale: null };
  remembered.delete(key);
  remembered.set(key, memory);
  if (remembered.size > MAX_REMEMBERED) {
    remembered.delete(remembered.keys().next().value);
  }
  return memory;
}

// Where a text may stand beside its vertex, and how far edges must be from there, in radians.
const SIDES = {
  below: { angle: Math.PI / 2, needed: 1, valign: "bottom", halign: "center", x: 0, y: 1 },
  above: { angle: -Math.PI / 2, needed: 1, valign: "top", halign: "center", x: 0, y: -1 },
  right: { angle: 0, needed: 0.4, valign: "center", halign: "right", x: 1, y: 0 },
  left: { angle: Math.PI, needed: 0.4, valign: "center", halign: "left", x: -1, y: 0 },
};

// Lengths of strokes and gaps, in pixels; nothing for a solid line.
export const DASHES = { solid: [], dash: [7, 4], dot: [2, 3], dashdot: [7, 3, 2, 3] };

// The lines of a bond: how far each lies beside the middle, and those that are not solid.
const BOND_LINES = { single: [0], double: [-1, 1], triple: [-2, 0, 2], aromatic: [0] };
const BOND_GAP = 2.4; // in pixels
export function linesOf(bond, side) {
  const lines = (BOND_LINES[bond] ?? []).map((shift) => ({ shift, bonded: 1 }));
  if (bond === "aromatic") {
    lines.push({ shift: -2 * side, bonded: 1, dash: "dot" });
  }
  return bond ? lines : [{}];
}

export const edgeKey = (one, other) => JSON.stringify([one, other].sort());

export class GraphPicture {
  constructor(place, on) {
    Object.assign(this, { box: place, on, names: [], number: new Map() });
    this.styled = new Map(); // by keys of edges
    this.nodes = new Map(); // by name, as is all that follows
    this.chosen = new Set();
    this.cursor = null; // the vertex that the keyboard is at
    this.from = null; // the vertex that the next one is joined to
    this.edge = null; // the key of the edge that is selected
    this.related = { alike: new Set(), near: new Set() };
    this.colours = { text: "#444", ground: "#fff" };
    place.classList.add("mpgk-editor");
    this.surface = element("div", "mpgk-surface", { tabindex: 0, role: "application" });
    this.canvas = element("div", "mpgk-canvas", { "aria-hidden": "true" });
    this.surface.append(this.canvas);
    place.append(this.surface);
    // Cytoscape remembers where it is on the page, and does not see when what is above it grows.
    const look = () => this.cy?.renderer().invalidateContainerClientCoordsCache();
    for (const event of ["pointerenter", "pointerdown", "wheel"]) {
      this.surface.addEventListener(event, look, { capture: true, passive: true });
    }
    this.keepPageScrolling();
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(this.surface);
  }

  start(cytoscape) {
    this.cy = cytoscape({
      container: this.canvas,
      style: [],
      boxSelectionEnabled: false,
      autounselectify: true, // what is selected is marked by classes, see mark
      minZoom: 0.02,
      maxZoom: 20,
    });
    drawPlainly(this.cy.renderer());
    this.listen();
  }

  // Vertices keep their places while the graph is edited, although its layout would be another.
  sync(isMoved) {
    const { labels, edges } = this.draft;
    const { places } = this.memory;
    this.cy.batch(() => {
      for (const [name, node] of [...this.nodes]) {
        if (!labels.has(name)) {
          node.remove();
          this.nodes.delete(name);
        }
      }
      for (const [name, label] of labels) {
        let node = this.nodes.get(name);
        if (!node || isMoved) {
          if (!places.has(name)) {
            places.set(name, this.layoutPlace(name));
          }
          const [x, y] = places.get(name);
          node ??= this.cy.add({ data: { name, colour: "#999", ink: "#000" } });
          node.position({ x, y });
          this.nodes.set(name, node);
        }
        const words = label && label.length <= MAX_LETTERS ? label : short(name);
        node.data("text", words);
      }
      const isThere = new Set();
      this.cy.edges().forEach((edge) => {
        const key = this.keyOf(edge);
        const isSame = edges.has(key) && edge.data("looks") === this.looksOf(key);
        isSame ? isThere.add(key) : edge.remove();
      });
      for (const [key, pair] of edges) {
        if (!isThere.has(key) && pair.every((name) => this.nodes.has(name))) {
          const looks = this.looksOf(key);
          for (const { ends, look } of this.styled.get(key) ?? [{ ends: pair, look: {} }]) {
            const [source, target] = ends.map((name) => this.nodes.get(name).id());
            const loop = source === target ? 1 : 0;
            this.cy.add({ data: { source, target, loop, looks, ...look } });
          }
        }
      }
    });
    this.placeTexts();
    this.chosen = new Set([...this.chosen].filter((name) => this.nodes.has(name)));
    this.cursor = this.nodes.has(this.cursor) ? this.cursor : null;
    this.edge = edges.has(this.edge) ? this.edge : null;
    this.markAll();
  }

  // A text beside its vertex stands where no edge leaves: below or above, as long as these leave
  // room for its width, else on the freer one of the other sides.
  placeTexts() {
    this.cy.batch(() => {
      for (const node of this.nodes.values()) {
        if (node.data("text").length > MAX_LETTERS) {
          const at = node.position();
          const edges = node.neighborhood("node").map((other) => {
            const { x, y } = other.position();
            return Math.atan2(y - at.y, x - at.x);
          });
          const room = (side) => Math.min(...edges.map((edge) => angleBetween(edge, SIDES[side].angle)));
          const sides = ["below", "above", room("left") > room("right") ? "left" : "right"];
          node.data("beside", sides.find((side) => room(side) > SIDES[side].needed) ?? "below");
        } else {
          node.removeData("beside");
        }
      }
    });
    this.thinTexts();
  }

  // Where texts would cover each other or a vertex, those of vertices with many neighbours stay; the
  // others are shown with the mark of their vertex.
  thinTexts() {
    const { scale } = this.memory;
    if (!scale) {
      return; // it comes with the view, see fit
    }
    const nodes = [...this.nodes.values()];
    const frames = nodes.map((node) => frameOf(node.position(), scale, this.size / 2));
    const taken = [];
    const isFree = (text, own) =>
      !taken.some((one) => meet(one, text)) && !frames.some((one, i) => i !== own && meet(one, text));
    const order = nodes.map((node, i) => [node, i, node.degree()]).sort((one, other) => other[2] - one[2]);
    this.cy.batch(() => {
      for (const [node, i] of order) {
        const text = node.data("beside") ? this.textFrame(node, scale) : null;
        const isCovered = text !== null && !isFree(text, i);
        node.toggleClass("unnamed", isCovered);
        if (text !== null && !isCovered) {
          taken.push(text);
        }
      }
    });
  }

  textFrame(node, scale) {
    const { x, y } = SIDES[node.data("beside")];
    const { left, top } = frameOf(node.position(), scale, 0);
    const width = LETTER * node.data("text").length;
    const away = this.size / 2 + 3;
    const [middle, height] = [left + x * (away + width / 2), top + y * (away + LINE / 2)];
    return { left: middle - width / 2, right: middle + width / 2, top: height - LINE / 2, bottom: height + LINE / 2 };
  }

  // Edges with labels, weights or directions, by keys; parallel ones share a key.
  style(styled) {
    this.styled = new Map();
    for (const [u, v, number, side] of styled?.edges ?? []) {
      const ends = [this.names[u], this.names[v]];
      const { words, ...look } = styled.looks[number];
      const key = edgeKey(...ends);
      const own = this.styled.get(key) ?? [];
      linesOf(look.bond, side).forEach((line, i) => {
        const drawn = { ...look, colour: look.colour ?? "", styled: 1, ...line };
        own.push({ ends, words: i ? "" : words, look: drawn }); // the lines of a bond are one edge
      });
      this.styled.set(key, own);
    }
  }

  looksOf(key) {
    return JSON.stringify(this.styled.get(key) ?? []);
  }

  layoutPlace(name) {
    const [x, y] = this.drawn.positions[this.number.get(name)] ?? [0, 0];
    return [x * UNIT, -y * UNIT];
  }

  keyOf(edge) {
    return edgeKey(edge.source().data("name"), edge.target().data("name"));
  }

  // ---- Colours and marks

  paint(colours) {
    this.cy?.batch(() =>
      this.names.slice(0, colours.length).forEach((name, v) => {
        this.nodes.get(name)?.data({ colour: colours[v], ink: inkOn(colours[v]) });
      }),
    );
  }

  // What has been removed meanwhile is marked no more.
  mark({ chosen = new Set(), alike = new Set(), near = new Set(), edge = null }) {
    const { labels, edges } = this.draft;
    const nameOf = (v) => this.names[v];
    const named = (vertices) => new Set([...vertices].map(nameOf).filter((one) => labels.has(one)));
    const key = edge && edgeKey(...edge.map(nameOf));
    this.edge = edges.has(key) ? key : null;
    this.chosen = named(chosen);
    this.related = { alike: named(alike), near: named(near) };
    this.markAll();
  }

  markAll() {
    const { alike, near } = this.related;
    const isDim = this.chosen.size > 0;
    this.cy?.batch(() => {
      for (const [name, node] of this.nodes) {
        const isChosen = this.chosen.has(name);
        const marks = { chosen: isChosen, from: name === this.from };
        marks.alike = isDim && !isChosen && alike.has(name);
        marks.near = isDim && !isChosen && near.has(name);
        marks.dim = isDim && !isChosen && !marks.alike && !marks.near;
        Object.entries(marks).forEach(([mark, is]) => node.toggleClass(mark, is));
      }
      this.cy.edges().forEach((edge) => {
        const ends = [edge.source(), edge.target()];
        edge.toggleClass("chosen", this.edge !== null && this.keyOf(edge) === this.edge);
        edge.toggleClass("dim", isDim && !ends.some((end) => end.hasClass("chosen")));
      });
    });
    this.pointCursor();
  }

  point(vertex) {
    this.pointed = this.nodes.get(this.names[vertex]);
    this.pointCursor();
  }

  get hasFocus() {
    return this.surface.getRootNode().activeElement === this.surface;
  }

  pointCursor() {
    const at = this.hasFocus ? this.nodes.get(this.cursor) : null;
    if (this.memory) {
      this.memory.cursor = this.cursor;
    }
    this.cy?.batch(() => {
      this.cy.nodes(".pointed, .cursor").removeClass("pointed cursor");
      this.pointed?.addClass("pointed");
      at?.addClass("cursor");
    });
  }

  theme(colours) {
    this.colours = colours;
    if (this.nodes.size > 0) {
      this.restyle();
    }
  }

  // Lengths are given in pixels of the screen, for the zoom at which the whole graph fits.
  // A new style takes its time, so one that is like the last one is left out.
  restyle() {
    const { text, ground } = this.colours;
    const px = (length) => length / (this.memory.scale ?? 1);
    const { size } = this;
    const styledFor = String([text, ground, size, this.memory.scale]);
    if (styledFor === this.styledFor) {
      return;
    }
    this.styledFor = styledFor;
    const ring = { "border-color": text, "border-opacity": 1 };
    this.cy.style([
      {
        selector: "node",
        style: {
          width: px(size),
          height: px(size),
          "background-color": "data(colour)",
          "border-width": px(1),
          "border-color": text,
          "border-opacity": 0.6,
          label: "data(text)",
          color: "data(ink)",
          "font-size": px(size * 0.5),
          "min-zoomed-font-size": 7,
          "text-valign": "center",
          "text-halign": "center",
          "overlay-opacity": 0,
          "underlay-color": text,
          "underlay-shape": "ellipse",
          "outline-color": text,
        },
      },
      {
        selector: "node[beside]", // a text that does not fit into its vertex
        style: {
          color: text,
          "font-size": px(11),
          "text-valign": (node) => SIDES[node.data("beside")].valign,
          "text-halign": (node) => SIDES[node.data("beside")].halign,
          "text-margin-x": (node) => px(3 * SIDES[node.data("beside")].x),
          "text-margin-y": (node) => px(2 * SIDES[node.data("beside")].y),
          "text-outline-color": ground,
          "text-outline-width": px(2),
          "text-outline-opacity": 0.7,
        },
      },
      {
        selector: "edge",
        style: {
          width: px(1.4),
          "curve-style": "haystack", // straight, and the quickest to draw
          "haystack-radius": 0,
          "line-color": text,
          "line-opacity": 0.45,
          "overlay-opacity": 0,
        },
      },
      { selector: "edge[loop = 1]", style: { "curve-style": "bezier" } },
      {
        selector: "edge[styled = 1]",
        style: {
          width: (edge) => px(edge.data("width")),
          "curve-style": "bezier", // parallel edges and opposite arcs side by side
          "line-opacity": (edge) => (edge.data("colour") ? 0.95 : 0.6),
          "line-color": (edge) => edge.data("colour") || text,
          "line-style": (edge) => (edge.data("dash") === "solid" ? "solid" : "dashed"),
          "line-dash-pattern": (edge) => {
            const dashes = DASHES[edge.data("dash")];
            return dashes.length ? dashes.map(px) : [1];
          },
          "target-arrow-shape": (edge) => (edge.data("arrow") ? "triangle" : "none"),
          "target-arrow-color": (edge) => edge.data("colour") || text,
          // Cytoscape's arrow heads are 0.3 of a size that grows with the width of the line, but
          // not below 29 units.
          "arrow-scale": (edge) => {
            const size = Math.max(29, (13.37 * px(edge.data("width"))) ** 0.9);
            return px(edge.data("arrow") || 1) / (0.3 * size);
          },
        },
      },
      {
        selector: "edge[bonded = 1]", // the lines of one bond lie side by side, whatever its length
        style: {
          "curve-style": (edge) => (edge.data("shift") ? "segments" : "straight"),
          "edge-distances": "node-position",
          "source-endpoint": "inside-to-node",
          "target-endpoint": "inside-to-node",
          "segment-weights": [0, 1],
          "segment-distances": (edge) => Array(2).fill(px(BOND_GAP * edge.data("shift"))),
        },
      },
      { selector: "node.near", style: { ...ring, "border-width": px(2.5), "border-style": "dashed" } },
      {
        selector: "node.alike",
        style: { ...ring, "outline-width": px(2), "outline-style": "dashed", "outline-offset": px(3) },
      },
      {
        selector: "node.chosen",
        style: {
          ...ring,
          "border-width": px(Math.min(4, size / 4)),
          "border-style": "solid",
          "underlay-opacity": 0.22,
          "underlay-padding": px(8),
        },
      },
      { selector: "edge.chosen", style: { width: px(5), "line-opacity": 1 } },
      { selector: "edge.hidden", style: { visibility: "hidden" } },
      { selector: "node.unnamed", style: { "text-opacity": 0 } },
      { selector: "node.chosen, node.pointed, node.cursor", style: { "text-opacity": 1, "z-index": 1 } },
      { selector: "node.dim", style: { opacity: 0.55 } },
      { selector: "edge.dim", style: { "line-opacity": 0.22 } },
      { selector: "node.pointed", style: { "underlay-opacity": 0.35, "underlay-padding": px(6) } },
      {
        selector: "node.cursor, node.from",
        style: { "outline-width": px(3), "outline-style": "solid", "outline-offset": px(5) },
      },
    ]);
  }

  // ---- The view

  fit() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (!this.cy || !width || !height) {
      return; // the picture is hidden: resize comes when it is seen
    }
    const nodes = this.cy.nodes();
    const points = nodes.map((node) => node.position());
    const range = (axis) => {
      const values = points.map((point) => point[axis]);
      return values.length ? [Math.min(...values), Math.max(...values)] : [0, 0];
    };
    const [[left, right], [top, bottom]] = [range("x"), range("y")];
    const margin = this.largest / 2 + RING;
    const beside = { left: margin, right: margin, top: margin, bottom: margin }; // room for texts, too
    const room = (length, one, other) => Math.max(length - beside[one] - beside[other], length / 4);
    const zoomNow = () => {
      const across = room(width, "left", "right") / Math.max(right - left, UNIT / 2);
      return Math.min(across, room(height, "top", "bottom") / Math.max(bottom - top, UNIT / 2));
    };
    const first = zoomNow();
    this.memory.size = this.sizeAt(first);
    const all = frameOf({ x: left, y: top }, first, 0);
    Object.assign(all, { right: right * first, bottom: bottom * first });
    nodes.forEach((node) => {
      if (node.data("beside")) {
        const text = this.textFrame(node, first);
        for (const [side, sign] of [["left", -1], ["right", 1], ["top", -1], ["bottom", 1]]) {
          beside[side] = Math.max(beside[side], sign * (text[side] - all[side]) + 4);
        }
      }
    });
    const zoom = zoomNow();
    this.memory.scale = zoom;
    this.memory.size = this.sizeAt(zoom);
    this.restyle();
    this.thinTexts();
    const pan = {
      x: (width + beside.left - beside.right) / 2 - ((left + right) / 2) * zoom,
      y: (height + beside.top - beside.bottom) / 2 - ((top + bottom) / 2) * zoom,
    };
    this.cy.viewport({ zoom, pan });
    this.memory.view = null; // a picture that fits goes on to fit when its size changes
  }

  // The diameter of vertices in pixels: they do not overlap where the layout lets them be seen.
  sizeAt(zoom) {
    const { positions } = this.drawn;
    let nearest = Infinity;
    positions.forEach(([x, y], v) => {
      for (let u = 0; u < v; u += 1) {
        nearest = Math.min(nearest, Math.hypot(positions[u][0] - x, positions[u][1] - y));
      }
    });
    const apart = nearest * UNIT * zoom;
    const large = Math.max(SIZE, Math.min(this.largest, 0.55 * apart));
    return Math.max(MIN_SIZE, Math.min(large, 0.9 * apart));
  }

  get largest() {
    return Math.max(SIZE, Math.min(this.canvas.clientHeight / 13, MAX_SIZE));
  }

  get size() {
    return this.memory.size ?? SIZE;
  }

  restoreView() {
    this.restyle();
    this.cy.viewport(this.memory.view);
  }

  zoom(factor) {
    const { clientWidth, clientHeight } = this.canvas;
    const renderedPosition = { x: clientWidth / 2, y: clientHeight / 2 };
    this.cy.zoom({ level: this.cy.zoom() * factor, renderedPosition });
    this.keepView();
  }

  keepView() {
    this.memory.view = { zoom: this.cy.zoom(), pan: { ...this.cy.pan() } };
    this.placeNaming();
  }

  arrange() {
    this.names.forEach((name) => this.memory.places.set(name, this.layoutPlace(name)));
    this.sync(true);
    this.fit();
    this.on.moved?.();
  }

  resize() {
    this.cy?.resize();
    if (this.cy && !this.memory.view) {
      this.fit();
    }
  }

  // Cytoscape draws everything again when one vertex moves. While some are dragged, only the canvas
  // of what moves is drawn; of many vertices, that canvas is moved as a picture, and edges to the
  // others are left out meanwhile.
  hold(nodes, grabbed, start) {
    const renderer = this.cy.renderer();
    const vertices = this.cy.collection(nodes);
    const isPicture = vertices.length > MAX_REDRAWN;
    const edges = isPicture ? vertices.edgesWith(vertices) : vertices.connectedEdges();
    const stretched = vertices.connectedEdges().difference(edges);
    const moving = vertices.union(edges);
    const canvas = renderer.data.canvases[DRAG_LAYER];
    const drawAll = (isMoving) => {
      moving.forEach((one) => (one._private.rscratch.inDragLayer = isMoving));
      stretched.toggleClass("hidden", isMoving);
      renderer.invalidateCachedZSortedEles();
      ["eles", "drag"].forEach((layer) => renderer.redrawHint(layer, true));
    };
    const now = { ...grabbed.position() };
    grabbed.position(start);
    drawAll(true);
    renderer.render();
    grabbed.position(now);
    const { redrawHint } = renderer;
    renderer.redrawHint = (layer, isNeeded) => {
      if (!isNeeded || (layer === "drag" && !isPicture)) {
        redrawHint.call(renderer, layer, isNeeded);
      }
    };
    return {
      isPicture,
      shift: ({ x, y }) => {
        const zoom = this.cy.zoom();
        canvas.style.transform = `translate(${x * zoom}px, ${y * zoom}px)`;
      },
      release: () => {
        delete renderer.redrawHint;
        drawAll(false);
        renderer.render();
        canvas.style.transform = "";
      },
    };
  }

  place(vertex) {
    const node = this.nodes.get(this.names[vertex]);
    if (!node) {
      return null;
    }
    const { x, y } = node.renderedPosition();
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    return x >= 0 && y >= 0 && x <= width && y <= height ? { x: left + x, y: top + y } : null;
  }

  positions() {
    return this.names.map((name) => {
      const [x, y] = this.memory.places.get(name);
      return [x / UNIT, -y / UNIT];
    });
  }

  destroy() {
    this.observer.disconnect();
    this.cy?.destroy();
    this.box.replaceChildren();
    delete this.box.editor;
  }

  // The wheel scrolls the page unless the picture has the focus or ctrl is held; a finger scrolls
  // it where it meets neither a vertex nor a picture that is zoomed in.
  keepPageScrolling() {
    const early = { capture: true, passive: false };
    this.surface.addEventListener(
      "wheel",
      (event) => {
        if (!event.ctrlKey && !this.hasFocus) {
          event.stopPropagation();
        }
      },
      early,
    );
    let isScroll = false;
    this.surface.addEventListener(
      "touchstart",
      ({ touches }) => {
        const isZoomed = this.cy?.zoom() > 1.05 * this.memory?.scale;
        const isFree = touches.length === 1 && !this.vertexAt(this.modelPoint(touches[0]));
        isScroll = isFree && !isZoomed && !this.isMany;
        this.cy?.userPanningEnabled(!isScroll);
      },
      early,
    );
    this.surface.addEventListener("touchmove", (event) => !isScroll && event.preventDefault(), early);
  }

  modelPoint({ clientX, clientY }) {
    const { left, top } = this.canvas.getBoundingClientRect();
    const { x, y } = this.cy.pan();
    return { x: (clientX - left - x) / this.cy.zoom(), y: (clientY - top - y) / this.cy.zoom() };
  }

  // The name of the vertex at a point of the drawing.
  vertexAt({ x, y }) {
    const reach = this.size / 2 / this.memory.scale + SLACK / this.cy.zoom();
    let [found, nearest] = [null, reach];
    for (const [name, node] of this.nodes) {
      const distance = Math.hypot(node.position("x") - x, node.position("y") - y);
      if (distance <= nearest) {
        [found, nearest] = [name, distance];
      }
    }
    return found;
  }
}

// Cytoscape draws every vertex into a picture, these into larger ones, and those on the screen. That
// pays where many are moved again and again; few are drawn sooner as they are, and sharper.
function drawPlainly(renderer) {
  const { drawLayeredElements } = renderer;
  renderer.drawLayeredElements = (context, drawn, ...rest) =>
    drawn.length > MAX_PLAIN
      ? drawLayeredElements.call(renderer, context, drawn, ...rest)
      : renderer.drawElements(context, drawn);
}

export function element(tag, className, attributes = {}) {
  const made = Object.assign(document.createElement(tag), { className });
  Object.entries(attributes).forEach(([name, value]) => made.setAttribute(name, value));
  return made;
}

const angleBetween = (one, other) => Math.abs(Math.atan2(Math.sin(one - other), Math.cos(one - other)));

// The square around a place of the drawing, in pixels, and whether two frames meet.
function frameOf({ x, y }, scale, reach) {
  const [across, down] = [x * scale, y * scale];
  return { left: across - reach, right: across + reach, top: down - reach, bottom: down + reach };
}

const meet = (one, other) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

const short = (text) => (text.length > 12 ? `${text.slice(0, 11)}…` : text);

// Black or white, whichever is easier to read on a colour such as #3f90da or rgb(63, 144, 218).
function inkOn(colour) {
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})/i.exec(colour);
  const parts = hex ? hex.slice(1).map((pair) => parseInt(pair, 16)) : colour.match(/[\d.]+/g);
  const [red, green, blue] = (parts ?? [255, 255, 255]).map(Number);
  return 0.299 * red + 0.587 * green + 0.114 * blue > 140 ? "#000" : "#fff";
}
