// Curves by uPlot, and the timeline. Each has a description in words.
import { html, uPlot, useEffect, useRef } from "./vendor.js";
import { systemTheme, theme } from "./theme.js";

/** A colour of the style sheet, in the canvas's format. */
function ink(element, name) {
  const probe = document.createElement("i");
  probe.className = "ink-" + name;
  element.append(probe);
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour;
}

const thin = (colour, share) => colour.replace(/^rgba?\((\d+), (\d+), (\d+).*$/, `rgba($1, $2, $3, ${share})`);

/**
 * @param series [{label, ink}] for all but the first of data
 * @param x names of 0, 1, 2 … in the first series, if they are no times
 */
export function Plot({ label, data, series, height, x }) {
  const box = useRef();
  const plot = useRef(null);
  const latest = useRef(data);
  latest.current = data;
  useEffect(() => {
    const element = box.current;
    const grid = { stroke: ink(element, "line"), width: 1 };
    const axis = { stroke: ink(element, "muted"), grid, ticks: { ...grid, size: 4 }, font: "11px system-ui" };
    const made = new uPlot({
      width: Math.max(120, element.clientWidth),
      height,
      legend: { show: false },
      cursor: { drag: { x: false, y: false } },
      scales: { x: { time: !x }, y: { range: (u, low, high) => [0, Math.max(1, high * 1.1)] } },
      axes: [x ? { ...axis, size: 28, space: 44, incrs: [1, 2, 3, 5], values: (u, splits) => splits.map((s) => x[s] ?? "") } : { ...axis, size: 28, space: 70, values: (u, splits) => splits.map((s) => clock(s)) }, { ...axis, size: 44 }],
      series: [{}, ...series.map((each) => {
        const colour = ink(element, each.ink);
        return { label: each.label, stroke: colour, fill: thin(colour, 0.18), width: 1.5, points: { show: false } };
      })],
    }, latest.current, element);
    plot.current = made;
    const resized = new ResizeObserver(() => made.setSize({ width: Math.max(120, element.clientWidth), height }));
    resized.observe(element);
    return () => {
      resized.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [theme.value, systemTheme.value, height]);
  useEffect(() => plot.current?.setData(data), [data]);
  return html`<div class="plot" ref=${box} role="img" aria-label=${label}></div>`;
}

const clock = (seconds) => new Date(seconds * 1000).toLocaleTimeString("en-GB", { hour12: false });

const MINUTES = 10;
const SPAN = MINUTES * 60_000;
const MAX_DOTS = 250;
const KINDS = {
  completed: "first", "in-flight": "waited", replayed: "replayed", fenced: "fenced", "in-doubt": "doubt", mismatched: "doubt",
};
const WORDS = [["first", "first"], ["waited", "waited"], ["replayed", "replayed"], ["fenced", "fenced"], ["doubt", "in doubt or mismatch"]];
const ROWS = 8;

/** Each operation's last minutes, a dot an event. */
export function Timeline({ events, until }) {
  const rows = new Map();
  for (const each of events) {
    const kind = KINDS[each.kind];
    const at = Date.parse(each.at);
    if (!kind || !each.operation || until - at > SPAN) continue;
    if (!rows.has(each.operation)) rows.set(each.operation, []);
    rows.get(each.operation).push({ kind, at });
  }
  const shown = [...rows].sort((a, b) => b[1].length - a[1].length).slice(0, ROWS);
  return html`
    <ul class="legend">${WORDS.map(([kind, word]) => html`<li><span class=${"dot " + kind}></span>${word}</li>`)}</ul>
    ${shown.length === 0 && html`<p class="empty">Nothing in the last ${MINUTES} minutes.</p>`}
    <ul class="timeline">
      ${shown.map(([operation, dots]) => {
        const tally = WORDS.map(([kind, word]) => [word, dots.filter((d) => d.kind === kind).length]).filter(([, n]) => n);
        return html`<li key=${operation}><span class="mono name">${operation}</span>
          <svg viewBox="0 0 1000 16" preserveAspectRatio="none" role="img"
              aria-label=${operation + ": " + tally.map(([word, n]) => n + " " + word).join(", ")}>
            <rect class="track" x="0" y="0" width="1000" height="16"></rect>
            ${dots.slice(-MAX_DOTS).map((d) => html`<rect class=${"dot " + d.kind} x=${Math.max(0, 1000 - ((until - d.at) / SPAN) * 1000 - 5).toFixed(1)} y="3" width="7" height="10" rx="2"></rect>`)}
          </svg></li>`;
      })}
    </ul>`;
}
