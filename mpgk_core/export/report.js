// Every figure stands as data behind the place where it is drawn.
(() => {
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const plots = [...document.querySelectorAll(".plot")];
  const ink = () => (dark.matches ? "#e8edf2" : "#1c2733");
  const recolour = (colour) =>
    plots.forEach((plot) => Plotly.relayout(plot, { "font.color": colour }));
  const config = { responsive: true, displaylogo: false };
  const drawn = plots.map((plot) => {
    const { data, layout, frames } = JSON.parse(plot.nextElementSibling.textContent);
    layout.font = { ...layout.font, color: ink() };
    layout.autosize = true;
    layout.updatemenus = (layout.updatemenus || []).map((menu) => (
      { ...menu, bgcolor: "rgba(127,127,127,0.2)", showactive: false }));
    delete layout.width;
    delete layout.height;
    return Plotly.newPlot(plot, { data, layout, frames: frames || [], config });
  });
  Promise.all(drawn).then(() => document.body.setAttribute("data-drawn", plots.length));
  dark.addEventListener("change", () => recolour(ink()));
  window.addEventListener("beforeprint", () => recolour("#000"));
  window.addEventListener("afterprint", () => recolour(ink()));
})();
