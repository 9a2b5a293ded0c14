// Libraries, each loaded once for all pictures. The server gives them no lifetime, so a script
// element would fetch them at every visit. An address names the version of its library: whatever
// the browser has kept under it is right.
function loadLibrary(address, name) {
  window.mpgkLibraries ??= {};
  window.mpgkLibraries[address] ??= fetch(address, { cache: "force-cache" })
    .then((answer) => (answer.ok ? answer.text() : Promise.reject(new Error(answer.statusText))))
    .then((content) => {
      const script = document.createElement("script");
      script.textContent = content;
      document.head.appendChild(script);
      return window[name];
    });
  return window.mpgkLibraries[address];
}

const loadPlotly = (address) => loadLibrary(address, "Plotly");
const loadCytoscape = (address) => loadLibrary(address, "cytoscape");
