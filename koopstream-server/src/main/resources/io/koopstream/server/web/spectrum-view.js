// Eigenvalues in the complex plane with short trails, and the same as a table.

import { byId, html, setText, svg } from "./dom.js";
import { complex, complexWithError, isNumber, period, significant, tickLabels, ticks, timescale, timesOf } from "./format.js";
import { judge } from "./trust.js";

const SIZE = 360;
const TRAIL = 20_000; // milliseconds

export class SpectrumView {
  #plane = byId("plane");
  #tip = byId("tip");
  #rows = byId("eigenvalues").tBodies[0];
  #frame = svg("g", { class: "frame" });
  #trails = svg("g", { class: "trails" });
  #bars = svg("g", { class: "bars" });
  #markers = svg("g", { class: "markers" });
  #values = [];
  #tracks = [];
  #times = timesOf({});
  #near = false;
  #window = null;
  #selected = 1;
  #onSelect;

  /** onSelect(index) when the reader asks for an eigenfunction. */
  constructor(onSelect) {
    this.#onSelect = onSelect;
    this.#plane.setAttribute("viewBox", `0 0 ${SIZE} ${SIZE}`);
    this.#plane.append(this.#frame, this.#trails, this.#bars, this.#markers);
    byId("view-circle").addEventListener("click", () => this.look(false));
    byId("view-slow").addEventListener("click", () => this.look(true));
    this.#markers.addEventListener("keydown", (event) => this.#key(event));
    document.addEventListener("keydown", (event) => event.key === "Escape" && (this.#tip.hidden = true));
  }

  /** Forgets the model shown before. */
  clear() {
    this.#values = [];
    this.#tracks = [];
    this.#draw();
  }

  /** Shows these eigenvalues; times tells how long things take. */
  update(values, times) {
    this.#values = values;
    this.#times = times;
    this.#follow();
    this.#draw();
  }

  select(index) {
    this.#selected = index;
    this.#draw();
  }

  /** The whole circle, or what is near 1. */
  look(near) {
    this.#near = near;
    byId("view-circle").setAttribute("aria-pressed", String(!near));
    byId("view-slow").setAttribute("aria-pressed", String(near));
    this.#window = null;
    this.#draw();
  }

  /** Continues every trail with the nearest new eigenvalue, closest pairs first: their order by modulus may change. */
  #follow() {
    const pairs = [];
    this.#tracks.forEach((track, t) => {
      const [re, im] = track.at(-1);
      this.#values.forEach((value, v) => pairs.push([Math.hypot(value.re - re, value.im - im), t, v]));
    });
    pairs.sort((a, b) => a[0] - b[0]);
    const next = new Array(this.#values.length).fill(null);
    const used = new Set();
    for (const [, t, v] of pairs) {
      if (!used.has(t) && next[v] === null) {
        used.add(t);
        next[v] = this.#tracks[t];
      }
    }
    this.#tracks = next.map((track, v) => {
      const now = performance.now();
      const point = [this.#values[v].re, this.#values[v].im, now];
      return [...(track ?? []).filter(([, , then]) => now - then < TRAIL), point];
    });
  }

  /** The part of the plane shown: the circle, or the slow cluster up to the largest gap in the distance from 1. */
  #fit() {
    if (!this.#near || this.#values.length < 2) {
      return { re: 0, im: 0, half: 1.2 };
    }
    const distances = this.#values.map(({ re, im }) => Math.hypot(re - 1, im)).sort((a, b) => a - b);
    let cluster = distances.length - 1;
    let largest = 0;
    for (let i = 1; i + 1 < distances.length; i++) {
      const gap = distances[i + 1] / Math.max(distances[i], 1e-4);
      if (gap > largest) {
        largest = gap;
        cluster = i;
      }
    }
    const reach = Math.max(1e-3, distances[cluster]) * 1.7;
    const kept = this.#window;
    if (kept && reach > kept.half * 0.5 && reach < kept.half * 1.05) {
      return kept; // no restless zooming
    }
    const half = reach * 1.25;
    return { re: 1 - 0.35 * half, im: 0, half };
  }

  #draw() {
    this.#window = this.#fit();
    const { re, im, half } = this.#window;
    const scale = SIZE / (2 * half);
    const x = (a) => SIZE / 2 + (a - re) * scale;
    const y = (b) => SIZE / 2 - (b - im) * scale;
    this.#drawFrame(x, y, scale);
    this.#trails.replaceChildren(
      ...this.#tracks.map((track) =>
        svg("polyline", { points: track.map(([a, b]) => `${x(a).toFixed(1)},${y(b).toFixed(1)}`).join(" ") }),
      ),
    );
    const verdicts = this.#values.map(judge);
    this.#bars.replaceChildren(
      ...this.#values
        .filter(({ standardError }) => isNumber(standardError) && standardError * scale > 3)
        .map(({ re: a, im: b, standardError: e }) => svg("path", { d: `M${x(a - e)} ${y(b)}H${x(a + e)}M${x(a)} ${y(b - e)}V${y(b + e)}` })),
    );
    this.#drawMarkers(x, y, verdicts);
    this.#drawTable(verdicts);
  }

  #drawFrame(x, y, scale) {
    const { re, im, half } = this.#window;
    const reTicks = ticks(re - half, re + half, 5).filter((t) => Math.abs(t - re) < 0.93 * half);
    const imTicks = ticks(im - half, im + half, 5).filter((t) => Math.abs(t - im) < 0.93 * half);
    const reLabels = tickLabels(reTicks);
    const imLabels = tickLabels(imTicks);
    this.#frame.replaceChildren(
      ...reTicks.map((t) => svg("path", { class: "grid", d: `M${x(t)} 0V${SIZE}` })),
      ...imTicks.map((t) => svg("path", { class: "grid", d: `M0 ${y(t)}H${SIZE}` })),
      svg("circle", { class: "unit", cx: x(0), cy: y(0), r: scale }),
      ...reTicks.map((t, i) => svg("text", { x: x(t), y: SIZE - 5, "text-anchor": "middle" }, reLabels[i])),
      ...imTicks.filter((t) => t !== 0 && y(t) > 28).map((t) => svg("text", { x: 4, y: y(t) - 4 }, `${imLabels[imTicks.indexOf(t)]}i`)),
      svg("text", { x: SIZE - 4, y: SIZE - 20, "text-anchor": "end", class: "axis" }, "Re λ"),
      svg("text", { x: 4, y: 13, class: "axis" }, "Im λ"),
    );
  }

  #drawMarkers(x, y, verdicts) {
    while (this.#markers.childElementCount > this.#values.length) {
      this.#markers.lastElementChild.remove();
    }
    while (this.#markers.childElementCount < this.#values.length) {
      this.#markers.append(this.#newMarker(this.#markers.childElementCount));
    }
    const focused = [...this.#markers.children].indexOf(document.activeElement);
    this.#values.forEach((value, k) => {
      const marker = this.#markers.children[k];
      const { level } = verdicts[k];
      const chosen = k === this.#selected;
      marker.setAttribute("class", `marker ${level}${chosen ? " chosen" : ""}`);
      marker.style.transform = `translate(${x(value.re).toFixed(2)}px, ${y(value.im).toFixed(2)}px)`;
      marker.setAttribute("tabindex", k === (focused >= 0 ? focused : Math.max(0, Math.min(this.#selected, this.#values.length - 1))) ? "0" : "-1");
      marker.setAttribute("aria-pressed", String(chosen));
      marker.setAttribute("aria-label", this.#say(k, verdicts[k]));
      marker.querySelector("use").setAttribute("href", `#sign-${level}`);
    });
    if (!this.#tip.hidden) {
      this.#fillTip(Number(this.#tip.dataset.index));
    }
  }

  #newMarker(k) {
    const marker = svg("g", { role: "button" }, svg("circle", { class: "halo", r: 11 }), svg("use"));
    marker.addEventListener("click", () => this.#onSelect(k));
    marker.addEventListener("pointerenter", () => this.#fillTip(k));
    marker.addEventListener("focus", () => this.#fillTip(k));
    marker.addEventListener("pointerleave", () => (this.#tip.hidden = true));
    marker.addEventListener("blur", () => (this.#tip.hidden = true));
    return marker;
  }

  #say(k, { level, why }) {
    const value = this.#values[k];
    return `Eigenvalue ${k + 1}: ${complexWithError(value)}, time scale ${timescale(value, this.#times)} (${this.#times.note}), residual ${significant(value.residual, 2)}, ${level}: ${why}`;
  }

  #fillTip(k) {
    const value = this.#values[k];
    if (!value) {
      this.#tip.hidden = true;
      return;
    }
    const { level, why } = judge(value);
    const line = (name, text) => html("div", {}, html("span", {}, name), html("b", {}, text));
    const lines = [
      line(`λ${"₀₁₂₃₄₅₆₇₈₉"[k + 1] ?? ""}`, complexWithError(value)),
      line("modulus", significant(value.modulus, 4)),
      line("time scale", timescale(value, this.#times)),
      line("residual", significant(value.residual, 2)),
    ];
    if (period(value, this.#times) !== "–") {
      lines.splice(3, 0, line("period", period(value, this.#times)));
    }
    this.#tip.replaceChildren(...lines, html("p", { class: "times" }, `Times: ${this.#times.note}`), html("p", { class: level }, `${level}: ${why}`));
    this.#tip.dataset.index = String(k);
    this.#tip.hidden = false;
    const box = this.#plane.parentElement.getBoundingClientRect();
    const at = this.#markers.children[k].getBoundingClientRect();
    const left = at.left + at.width / 2 - box.left;
    this.#tip.style.left = `${Math.max(0, Math.min(box.width - this.#tip.offsetWidth, left - this.#tip.offsetWidth / 2))}px`;
    this.#tip.style.top = `${at.bottom - box.top + 6}px`;
  }

  #key(event) {
    const from = [...this.#markers.children].indexOf(document.activeElement);
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (from >= 0 && step) {
      const to = (from + step + this.#values.length) % this.#values.length;
      this.#markers.children[from].setAttribute("tabindex", "-1");
      this.#markers.children[to].setAttribute("tabindex", "0");
      this.#markers.children[to].focus();
      event.preventDefault();
    } else if (from >= 0 && (event.key === "Enter" || event.key === " ")) {
      this.#onSelect(from);
      event.preventDefault();
    }
  }

  #drawTable(verdicts) {
    byId("eigenvalues").classList.toggle("real", this.#values.every(({ im }) => im === 0));
    while (this.#rows.rows.length > this.#values.length) {
      this.#rows.deleteRow(-1);
    }
    while (this.#rows.rows.length < this.#values.length) {
      const k = this.#rows.rows.length;
      const sign = svg("svg", { viewBox: "-8 -8 16 16", class: "mark", "aria-hidden": true }, svg("use"));
      const row = html("tr", {}, html("th", { scope: "row" }, sign, String(k + 1), html("span", { class: "visually-hidden" })), ...Array.from({ length: 4 }, () => html("td")));
      row.addEventListener("click", () => this.#onSelect(k));
      this.#rows.append(row);
    }
    this.#values.forEach((value, k) => {
      const row = this.#rows.rows[k];
      const { level, why } = verdicts[k];
      row.className = `${level}${k === this.#selected ? " chosen" : ""}`;
      row.title = why;
      row.querySelector("use").setAttribute("href", `#sign-${level}`);
      setText(row.querySelector(".visually-hidden"), `, ${level}`);
      const texts = [complex(value), timescale(value, this.#times), period(value, this.#times), significant(value.residual, 2)];
      texts.forEach((text, c) => setText(row.cells[c + 1].querySelector(".main") ?? row.cells[c + 1], text));
      this.#errorBar(row.cells[1], value);
    });
  }

  #errorBar(cell, value) {
    const text = isNumber(value.standardError) ? ` ± ${significant(value.standardError, 2)}` : "";
    if (!cell.querySelector(".main")) {
      cell.replaceChildren(html("span", { class: "main" }, complex(value)), html("small", {}));
    }
    setText(cell.lastElementChild, text);
  }
}
