// What the linked pictures are made of: themes, places on the screen, shapes, tables and words.

export const TRAVEL = 650; // milliseconds of a journey
const MIN_ROW = 12; // pixels of a row of a matrix that is named
const MAX_TICK = 12; // letters of a name beside it
export const REDUCED = window.matchMedia("(prefers-reduced-motion: reduce)");

export function themeOf(root) {
  const style = getComputedStyle(root);
  const text = style.getPropertyValue("--st-text-color").trim() || "#444";
  const ground = style.getPropertyValue("--st-background-color").trim() || "#fff";
  const family = style.getPropertyValue("--st-font").trim() || "sans-serif";
  return { text, ground, family, name: text + ground };
}

// Where a chart shows a marker, on the screen; nothing where it is out of sight.
export function placeOfPoint(plot, trace, number) {
  const { xaxis, yaxis } = plot._fullLayout ?? {};
  const point = plot.calcdata?.[trace]?.[number];
  if (!xaxis || point?.x === undefined) {
    return null;
  }
  const [x, y] = [xaxis.c2p(point.x), yaxis.c2p(point.y)];
  const frame = plot.getBoundingClientRect();
  const isSeen = x >= 0 && x <= xaxis._length && y >= 0 && y <= yaxis._length;
  return isSeen ? { x: frame.left + xaxis._offset + x, y: frame.top + yaxis._offset + y } : null;
}

export const pointsOf = (plot) => [...plot.querySelectorAll("path.point")];

export function middleOf(mark) {
  const { left, right, top, bottom } = mark.getBoundingClientRect();
  return { x: (left + right) / 2, y: (top + bottom) / 2 };
}

// Let the points of a plane come from where they were seen, and their counts appear.
export function travel(plot, places) {
  const how = { duration: TRAVEL, easing: "ease-in-out" };
  const points = pointsOf(plot);
  points.forEach((mark) => mark.getAnimations().forEach((animation) => animation.cancel()));
  points.slice(0, places.length).forEach((mark, i) => {
    const { e: right = 0, f: down = 0 } = mark.transform.baseVal[0]?.matrix ?? {};
    const { x, y } = middleOf(mark);
    const at = (dx, dy) => ({ transform: `translate(${right + dx}px, ${down + dy}px)` });
    mark.animate([at(places[i].x - x, places[i].y - y), at(0, 0)], how);
  });
  for (const count of plot.querySelectorAll(".textpoint")) {
    count.animate([{ opacity: 0 }, { opacity: 0, offset: 0.6 }, { opacity: 1 }], how);
  }
}

export function line(start, end, stage) {
  return shape("line", {
    x1: start.x - stage.left,
    y1: start.y - stage.top,
    x2: end.x - stage.left,
    y2: end.y - stage.top,
  });
}

export const circle = ({ x, y }, stage) => shape("circle", { cx: x - stage.left, cy: y - stage.top, r: 11 });

export function shape(kind, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", kind);
  Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
  return made;
}

// Axes of a plane stand in the layout, those of a solid picture one level deeper.
export function merged(before, change) {
  const isPlain = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
  if (!isPlain(before) || !isPlain(change)) {
    return change;
  }
  const both = { ...before };
  Object.entries(change).forEach(([key, value]) => (both[key] = merged(before[key], value)));
  return both;
}

export function membersOf(classOfVertex) {
  const members = [];
  classOfVertex.forEach((c, v) => (members[c] ??= []).push(v));
  return members;
}

export const edgesOf = (neighbours) =>
  neighbours.flatMap((others, u) => others.filter((v) => u <= v).map((v) => [u, v]));

// A drawing may have been arranged by hand: the chart that is saved shows it as it is.
// Edges with labels, weights or directions are traces of their own, with their ends under meta;
// lines of bonds also say how far they lie to the left.
export function placeAt([edges, vertices, ...styled], positions, pairs) {
  const ends = styled.length ? [] : pairs.filter(([u, v]) => u !== v);
  for (const [trace, own] of [[edges, ends], ...styled.map((one) => [one, one.meta])]) {
    const beside = own.map(([u, v, shift]) => {
      const [x, y] = [0, 1].map((axis) => positions[v][axis] - positions[u][axis]);
      const unit = (shift ?? 0) / (Math.hypot(x, y) || 1);
      return [-y * unit, x * unit];
    });
    const [xs, ys] = [0, 1].map((axis) =>
      own.flatMap(([u, v], i) => [...[u, v].map((w) => positions[w][axis] + beside[i][axis]), null]),
    );
    Object.assign(trace, { x: xs, y: ys });
  }
  vertices.x = positions.map(([x]) => x);
  vertices.y = positions.map(([, y]) => y);
}

// Vertices that no round tells apart share a row of the matrix on the way here.
export function withAllRows(study) {
  if (study.hasAllRows) {
    return;
  }
  study.hasAllRows = true;
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
}

// The names of vertices beside the rows of a matrix, where each row has room for one.
export function nameRows(layout, { matrixRows, names }, height) {
  if (height / matrixRows.length < MIN_ROW) {
    return;
  }
  const ticktext = matrixRows.map((vertex) => escaped(names[vertex].slice(0, MAX_TICK)));
  const named = { tickvals: [...ticktext.keys()], ticktext, tickfont: { size: 10 } };
  for (const axis of ["xaxis", "yaxis"]) {
    layout[axis] = { ...named, ...layout[axis], showticklabels: true };
  }
}

const escaped = (text) =>
  text.replace(/[&<>]/g, (letter) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[letter]);

// Words for charts are escaped; here they become text. The parser runs and loads nothing.
export const plain = (words) => new DOMParser().parseFromString(words, "text/html").body.textContent;

// The word that all classes begin with, such as "orbit ": it is said once for all.
export function sharedWord(words) {
  const found = new Set(words.map((one) => /^\p{L}+ (?=\S)/u.exec(one)?.[0] ?? ""));
  return found.size === 1 ? [...found][0] : "";
}

export function joinedWords(words) {
  const some = words.slice(0, 3).join(", ");
  return words.length > 3 ? `${some}, …` : some;
}

export const option = (name) => Object.assign(document.createElement("option"), { value: name });

// Only these buttons: others of the library would send the figure to a service on the internet.
export function settings(isSolid) {
  const views = isSolid
    ? ["zoom3d", "orbitRotation", "resetCameraDefault3d"]
    : ["zoom2d", "pan2d", "select2d", "zoomIn2d", "zoomOut2d", "resetScale2d"];
  return { displaylogo: false, modeBarButtons: [views] };
}

export function describe({ chosen, alike, near }, { links, isVeiled }, isDrawing) {
  if (chosen.size === 0) {
    return isDrawing ? "" : "Click a vertex, a point or a class; shift-click adds."; // a drawing says it
  }
  const some = [...chosen].slice(0, 6).map((v) => links.names[v]);
  const more = chosen.size > some.length ? ` and ${chosen.size - some.length} more` : "";
  const equivalent = isVeiled ? "" : ` Equivalent (ring): ${alike.size}.`;
  const neighbours = isVeiled ? "" : ` Neighbours (dashed): ${near.size}.`;
  return `Selected: ${some.join(", ")}${more}.${equivalent}${neighbours}`;
}

export const sorted = (numbers) => [...numbers].sort((a, b) => a - b);

export const nextFrame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));

// Streamlit tells no component when a run has ended, but its page has the state of the run. Between
// two runs that belong together it rests for a frame or two.
const RUNS = '[data-test-script-state="running"], [data-test-script-state="rerunRequested"]';
export async function untilAtRest() {
  for (let calm = 0; calm < 4; ) {
    await nextFrame();
    calm = document.querySelector(RUNS) === null ? calm + 1 : 0;
  }
}

export const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export const isSame = (one, other) => ["vertices", "edge"].every((part) => String(one[part]) === String(other[part]));
