"""How a report looks, and the few lines of script that draw its figures."""

from __future__ import annotations

__all__ = ["DRAW", "STYLE"]

STYLE = """
:root { color-scheme: light dark; --ground: #fff; --ink: #1c2733; --quiet: #5b6875;
  --line: #d4dae0; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #10151b; --ink: #e8edf2; --quiet: #9aa7b4; --line: #33404d; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 62rem; background: var(--ground);
  color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.25; }
h2 { font-size: 1.2rem; margin-top: 2rem; }
figure { margin: 1.5rem 0; break-inside: avoid; }
figcaption, footer { color: var(--quiet); font-size: 0.9rem; }
.plot { width: 100%; height: min(75vh, 32rem); min-height: 20rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; margin: 0.5rem 0; }
caption { text-align: left; font-weight: 600; padding: 0.3rem 0; }
th, td { text-align: left; vertical-align: top; padding: 0.25rem 0.75rem 0.25rem 0;
  border-bottom: 1px solid var(--line); }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
@media print {
  :root { --ground: #fff; --ink: #000; --quiet: #333; --line: #999; }
  body { max-width: none; padding: 0; }
  .wide { overflow: visible; }
  .plot { height: 11cm; } }
"""
"""Light or dark as the reader prefers, for a phone, a desk and paper."""

DRAW = """
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
"""
"""Every figure stands as data behind the place where it is drawn."""
