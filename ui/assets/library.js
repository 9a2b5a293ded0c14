// Libraries, each loaded once for all pictures: by script elements, because the browser reads those
// beside its other work and keeps what it has compiled. An address names the version of its library.
function loadLibrary(address, name) {
  window.mpgkLibraries ??= {};
  window.mpgkLibraries[address] ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.onload = () => resolve(window[name]);
    script.onerror = () => reject(new Error(`${address} could not be loaded.`));
    script.src = address;
    document.head.append(script);
  });
  return window.mpgkLibraries[address];
}

export const loadPlotly = (address) => loadLibrary(address, "Plotly");
export const loadCytoscape = (address) => loadLibrary(address, "cytoscape");

// Load the libraries, and the script that needs them, before there is anything to draw.
export default function ({ data }) {
  loadPlotly(data.library);
  loadCytoscape(data.drawing);
  import("./pictures.js");
}
