// Plotly, loaded once for all pictures. The server gives the library no lifetime, so a script
// element would fetch it at every visit. Its address names its version: whatever the browser has
// kept under it is right.
function loadPlotly(address) {
  window.mpgkPlotly ??= {};
  window.mpgkPlotly[address] ??= fetch(address, { cache: "force-cache" })
    .then((answer) => (answer.ok ? answer.text() : Promise.reject(new Error(answer.statusText))))
    .then((content) => {
      const script = document.createElement("script");
      script.textContent = content;
      document.head.appendChild(script);
      return window.Plotly;
    });
  return window.mpgkPlotly[address];
}
