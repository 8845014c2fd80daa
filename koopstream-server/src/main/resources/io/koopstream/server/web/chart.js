// A line chart in SVG: one line, perhaps bands around it, dots, marks and hatched parts, and a cursor that reads values.

import { setText, svg } from "./dom.js";
import { compact, isNumber, significant, tickLabels, ticks } from "./format.js";

const LEFT = 46;
const RIGHT = 12;
const TOP = 8;
const BOTTOM = 24;

export class Chart {
  #svg;
  #options;
  #data = { xs: [], ys: [] };
  #inner = svg("g");
  #cursor = svg("g", { class: "cursor", visibility: "hidden" }, svg("path"), svg("circle", { r: 3.5 }), svg("text", { y: TOP + 10 }));
  #place = null;

  /** options: {name, xName, log: logarithmic, zero: the axis begins at zero} */
  constructor(element, options) {
    this.#svg = element;
    this.#options = options;
    element.classList.add("chart");
    element.append(this.#inner, this.#cursor);
    element.addEventListener("pointermove", (event) => this.#point(event));
    element.addEventListener("pointerleave", () => this.#cursor.setAttribute("visibility", "hidden"));
    new ResizeObserver(() => this.#draw()).observe(element);
  }

  /** data: {xs, ys, bands?: [{low, high}] widest first, dots?: [{x, y, r, text, kind?}], hatched?: [[from, to]], marks?: [{x, text, word?}], xRange?} */
  update(data) {
    this.#data = data;
    this.#draw();
  }

  #draw() {
    const { clientWidth: width, clientHeight: height } = this.#svg;
    if (!width || !height) {
      return;
    }
    this.#svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const { xs, ys, bands = [], dots = [], hatched = [], marks = [], xRange } = this.#data;
    const { log, zero, name, xName } = this.#options;
    const usable = (y) => isNumber(y) && (!log || y > 0);
    const all = [...ys, ...bands.flatMap(({ low, high }) => [...low, ...high]), ...dots.map(({ y }) => y)].filter(usable);
    if (!all.length) {
      this.#inner.replaceChildren(svg("text", { x: width / 2, y: height / 2, "text-anchor": "middle" }, "no values yet"));
      this.#svg.setAttribute("aria-label", `${name}: no values yet`);
      this.#place = null;
      return;
    }
    const [x0, x1] = widened(xRange ?? [xs[0], xs.at(-1)], 1);
    const [y0, y1] = log ? logRange(all) : padded(all, zero);
    const value = log ? Math.log10 : (y) => y;
    const px = (x) => LEFT + ((x - x0) / (x1 - x0)) * (width - LEFT - RIGHT);
    const py = (y) => TOP + (1 - (value(y) - value(y0)) / (value(y1) - value(y0))) * (height - TOP - BOTTOM);
    const parts = [];
    const yTicks = log && y1 / y0 > 5 ? logTicks(y0, y1) : ticks(y0, y1, Math.max(2, (height - TOP - BOTTOM) / 34));
    const yLabels = log && y1 / y0 > 5 ? yTicks.map((t) => significant(t, 1)) : tickLabels(yTicks);
    yTicks.forEach((t, i) => {
      parts.push(svg("path", { class: "grid", d: `M${LEFT} ${py(t)}H${width - RIGHT}` }));
      parts.push(svg("text", { x: LEFT - 6, y: py(t) + 4, "text-anchor": "end" }, yLabels[i]));
    });
    const xTicks = ticks(x0, x1, Math.max(2, (width - LEFT - RIGHT) / 90));
    const xLabels = tickLabels(xTicks);
    xTicks.forEach((t, i) => {
      const anchor = px(t) > width - RIGHT - 14 ? "end" : "middle";
      parts.push(svg("path", { class: "tick", d: `M${px(t)} ${height - BOTTOM}v4` }));
      parts.push(svg("text", { x: px(t), y: height - 6, "text-anchor": anchor }, xLabels[i]));
    });
    parts.push(svg("path", { class: "base", d: `M${LEFT} ${TOP}V${height - BOTTOM}H${width - RIGHT}` }));
    for (const [from, to] of hatched) {
      parts.push(svg("rect", { class: "hatched", x: px(from), y: TOP, width: Math.max(2, px(to) - px(from)), height: height - TOP - BOTTOM }));
    }
    for (const { low, high } of bands) {
      const band = [...xs.map((x, i) => [x, high[i]]), ...xs.map((x, i) => [x, low[i]]).reverse()].filter(([, y]) => usable(y));
      parts.push(svg("path", { class: "band", d: `M${band.map(([x, y]) => `${px(x).toFixed(1)} ${py(y).toFixed(1)}`).join("L")}Z` }));
    }
    for (const { x, text, word = "drift" } of marks) {
      if (x >= x0 && x <= x1) {
        parts.push(svg("path", { class: "drift", d: `M${px(x)} ${TOP}V${height - BOTTOM}` }, svg("title", {}, text)));
        parts.push(svg("text", { class: "drift", x: px(x) + 3, y: TOP + 10 }, word));
      }
    }
    let d = "";
    let pen = "M";
    xs.forEach((x, i) => {
      if (usable(ys[i])) {
        d += `${pen}${px(x).toFixed(1)} ${py(ys[i]).toFixed(1)}`;
        pen = "L";
      } else {
        pen = "M";
      }
    });
    parts.push(svg("path", { class: "line", d }));
    parts.push(...dots.map(({ x, y, r, text, kind }) => svg("circle", { class: kind ?? "likely", cx: px(x), cy: py(y), r }, svg("title", {}, text))));
    const last = ys.findLastIndex(usable);
    if (last >= 0 && !bands.length) {
      parts.push(svg("circle", { class: "last", cx: px(xs[last]), cy: py(ys[last]), r: 3.2 }));
    }
    this.#inner.replaceChildren(...parts);
    this.#place = { px, py, usable };
    this.#svg.setAttribute("aria-label", `${name} over ${xName}: from ${significant(ys.find(usable), 3)} to ${significant(ys[last], 3)} at ${compact(xs[last])}${marks.length ? `, ${marks.length} ${marks[0].word ?? "drift"} marks` : ""}`);
  }

  #point(event) {
    const { xs, ys, bands } = this.#data;
    if (!this.#place || !xs.length) {
      return;
    }
    const { px, py, usable } = this.#place;
    const box = this.#svg.getBoundingClientRect();
    const at = event.clientX - box.left;
    let best = -1;
    xs.forEach((x, i) => {
      if (usable(ys[i]) && (best < 0 || Math.abs(px(x) - at) < Math.abs(px(xs[best]) - at))) {
        best = i;
      }
    });
    if (best < 0) {
      return;
    }
    const [line, circle, text] = this.#cursor.children;
    const x = px(xs[best]);
    line.setAttribute("d", `M${x} ${TOP}V${box.height - BOTTOM}`);
    circle.setAttribute("cx", x);
    circle.setAttribute("cy", py(ys[best]));
    const right = x > box.width / 2;
    text.setAttribute("x", x + (right ? -7 : 7));
    text.setAttribute("text-anchor", right ? "end" : "start");
    const widest = bands?.[0];
    const range = isNumber(widest?.low[best]) ? ` (${significant(widest.low[best], 3)} to ${significant(widest.high[best], 3)})` : "";
    setText(text, `${significant(ys[best], 3)}${range} at ${compact(xs[best])}`);
    this.#cursor.setAttribute("visibility", "visible");
  }
}

const widened = ([a, b], least) => (b > a ? [a, b] : [a - least / 2, a + least / 2]);

function padded(values, zero) {
  let low = Math.min(...values);
  let high = Math.max(...values);
  if (zero) {
    low = Math.min(0, low);
  }
  const pad = high > low ? 0.06 * (high - low) : Math.abs(high) * 0.1 || 1;
  return [zero && low === 0 ? 0 : low - pad, high + pad];
}

function logRange(values) {
  const low = Math.min(...values);
  const high = Math.max(...values);
  const pad = high > low ? (high / low) ** 0.08 : 1.2;
  return [low / pad, high * pad];
}

/** 1, 2, 5 times powers of ten; only the powers when they are many. */
function logTicks(low, high) {
  const result = [];
  for (let e = Math.floor(Math.log10(low)); e <= Math.ceil(Math.log10(high)); e++) {
    for (const m of high / low > 300 ? [1] : [1, 2, 5]) {
      const t = m * 10 ** e;
      if (t >= low && t <= high) {
        result.push(t);
      }
    }
  }
  return result.length >= 2 ? result : [low * 1.0001, high * 0.9999];
}
