// Libraries, each loaded once for all pictures: as modules, since a browser compiles those ahead, and
// keeps what it has compiled only after the picture. They leave their names on the window. An address
// names the version of its library.
const loaded = (window.mpgkLibraries ??= {});
const loadLibrary = (address, name) =>
  (loaded[address] ??= import(new URL(address, document.baseURI)).then(() => window[name]));

export const loadPlotly = (address) => loadLibrary(address, "Plotly");
export const loadCytoscape = (address) => loadLibrary(address, "cytoscape");

// Load the libraries, and the script that needs them, before there is anything to draw.
export default function ({ data }) {
  loadPlotly(data.library);
  loadCytoscape(data.drawing);
  import("./pictures.js");
}
