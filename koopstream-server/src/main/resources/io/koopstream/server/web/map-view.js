// A field or a partition over two coordinates of the state, the kept samples and the live trajectory over it, and a cross-hair.

import { byId, setText, show } from "./dom.js";
import { colourAt, colourOfSet, scaleOf, themed } from "./colours.js";
import { HARDLY_KNOWN } from "./forecast-view.js";
import { fixed, isNumber, significant, subscript, tickLabels, ticks } from "./format.js";

const LEFT = 50;
const TOP = 10;
const BOTTOM = 40;
const RIGHT = 66;

/** Below this share of a state inside the dictionary the server gives no forecast unless it is asked to. */
const UNKNOWN = 0.1;

export class MapView {
  #canvas = byId("map");
  #context = this.#canvas.getContext("2d");
  #readout = byId("map-readout");
  #field = document.createElement("canvas");
  #grid = null; // the server's answer, made comparable with the one before
  #part = "re";
  #recent = [];
  #path = null;
  #cross = null; // {x, y} in the coordinates of the state
  #picked = null;
  #pending = false;
  #onPick;

  /** onPick(x, y) when the reader chooses a state; y is null where states have one coordinate. */
  constructor(onPick) {
    this.#onPick = onPick;
    new ResizeObserver(() => this.redraw()).observe(this.#canvas);
    this.#canvas.addEventListener("pointermove", (event) => this.#hover(event));
    this.#canvas.addEventListener("pointerleave", () => this.#moveCross(this.#picked));
    this.#canvas.addEventListener("click", (event) => {
      const state = this.#stateAt(event);
      if (state) {
        this.#pick(state);
      }
    });
    this.#canvas.addEventListener("keydown", (event) => this.#key(event));
    this.#canvas.addEventListener("focus", () => this.#cross ?? this.#moveCross(this.#middle()));
  }

  clear(why) {
    this.#grid = null;
    this.#recent = [];
    this.#path = null;
    this.#cross = null;
    this.#picked = null;
    this.empty(why);
    this.redraw();
  }

  /** Says why there is no map, or that there is one. */
  empty(why) {
    setText(byId("map-empty"), why ?? "");
    show(byId("map-empty"), Boolean(why));
  }

  /** A new field or partition. */
  setGrid(grid, part) {
    this.#grid = grid.labels ? grid : aligned(grid, this.#grid);
    this.#part = part;
    this.empty(null);
    setText(this.#readout, this.#cross ? this.#sayState(this.#cross) : "");
    this.#paintField();
    this.redraw();
  }

  setPart(part) {
    this.#part = part;
    this.#paintField();
    this.redraw();
  }

  /** The newest states, oldest first, in the two coordinates shown; null where a trajectory ends. */
  setRecent(points) {
    this.#recent = points;
    this.redraw();
  }

  /** The mean path of a forecast: points in the two coordinates shown, each with how well it is known; or null. */
  setPath(points) {
    this.#path = points;
    this.redraw();
  }

  /** Colours changed. */
  restyle() {
    this.#paintField();
    this.redraw();
  }

  redraw() {
    if (!this.#pending) {
      this.#pending = true;
      requestAnimationFrame(() => {
        this.#pending = false;
        this.#draw();
      });
    }
  }

  /** One-dimensional states: the eigenfunction is drawn as a curve over them. */
  get #isLine() {
    return this.#grid.ys.length === 1;
  }

  get #scale() {
    return scaleOf(this.#part);
  }

  /** The value at a node of the grid, on the scale shown; null where nothing was learned. */
  #valueAt(row, column) {
    const { re, im } = this.#grid;
    const a = re[row][column];
    const b = im[row][column];
    if (a === null) {
      return null;
    }
    return this.#part === "modulus" ? Math.hypot(a, b) : this.#part === "phase" ? Math.atan2(b, a) : a;
  }

  #paintField() {
    if (!this.#grid) {
      return;
    }
    const { xs, ys, labels } = this.#grid;
    this.#field.width = xs.length;
    this.#field.height = ys.length;
    const context = this.#field.getContext("2d");
    const image = context.createImageData(xs.length, ys.length);
    const scale = this.#scale;
    for (let row = 0; row < ys.length; row++) {
      for (let column = 0; column < xs.length; column++) {
        const at = 4 * ((ys.length - 1 - row) * xs.length + column);
        const value = labels ? labels[row][column] : this.#valueAt(row, column);
        if (value === null || (labels && value < 0)) {
          continue; // transparent: nothing was learned here
        }
        const [r, g, b] = labels ? colourOfSet(value) : colourAt(scale, value);
        image.data.set([r, g, b, labels ? 190 : 255], at);
      }
    }
    context.putImageData(image, 0, 0);
  }

  #area() {
    const { clientWidth: width, clientHeight: height } = this.#canvas;
    return { left: LEFT, top: TOP, width: Math.max(10, width - LEFT - RIGHT), height: Math.max(10, height - TOP - BOTTOM) };
  }

  #bounds() {
    const { xs, ys } = this.#grid;
    if (this.#isLine) {
      const scale = this.#scale;
      const pad = 0.08 * (scale.high - scale.low);
      return { x0: xs[0], x1: xs.at(-1), y0: scale.low - pad, y1: scale.high + pad };
    }
    return { x0: xs[0], x1: xs.at(-1), y0: ys[0], y1: ys.at(-1) };
  }

  #toPixel() {
    const area = this.#area();
    const { x0, x1, y0, y1 } = this.#bounds();
    return [
      (x) => area.left + ((x - x0) / (x1 - x0)) * area.width,
      (y) => area.top + (1 - (y - y0) / (y1 - y0)) * area.height,
    ];
  }

  #draw() {
    const canvas = this.#canvas;
    const ratio = devicePixelRatio || 1;
    const width = Math.round(canvas.clientWidth * ratio);
    const height = Math.round(canvas.clientHeight * ratio);
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
    }
    const context = this.#context;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, canvas.clientWidth, canvas.clientHeight);
    if (!this.#grid) {
      return;
    }
    const area = this.#area();
    const [px, py] = this.#toPixel();
    const ink = themed("--ink");
    const casing = themed("--casing");
    const mark = themed("--now");
    context.save();
    context.beginPath();
    context.rect(area.left, area.top, area.width, area.height);
    context.clip();
    context.fillStyle = themed("--unlearned");
    context.fillRect(area.left, area.top, area.width, area.height);
    context.imageSmoothingEnabled = !this.#grid.labels;
    context.imageSmoothingQuality = "high";
    // Values belong to nodes, so the picture reaches half a cell over the first and the last.
    const dx = area.width / Math.max(1, this.#field.width - 1);
    const dy = area.height / Math.max(1, this.#field.height - 1);
    context.drawImage(this.#field, area.left - dx / 2, area.top - dy / 2, area.width + dx, area.height + dy);
    this.#drawUnknown(px, py, dx, dy);
    if (this.#isLine && !this.#grid.labels) {
      const curve = this.#grid.xs.map((x, j) => [x, this.#valueAt(0, j)]).filter(([, value]) => value !== null);
      line(context, curve, px, py, casing, 5, []);
      line(context, curve, px, py, ink, 2.2, []);
    }
    this.#drawTrajectory(px, py, ink, casing, area);
    this.#drawDictionary(px, py, ink, casing);
    this.#drawPath(px, py, mark, casing);
    this.#drawNow(px, py, mark, casing);
    this.#drawSetNames(px, py, ink, casing);
    this.#drawCross(px, py, area, ink, casing);
    context.restore();
    this.#drawAxes(area, px, py);
    if (!this.#grid.labels) {
      this.#drawBar(area);
    }
  }

  /** Hatched where so little is known that there are no forecasts from there. */
  #drawUnknown(px, py, dx, dy) {
    const { xs, ys, known } = this.#grid;
    const context = this.#context;
    context.save();
    context.beginPath();
    ys.forEach((y, row) =>
      xs.forEach((x, column) => {
        if (known[row][column] < UNKNOWN) {
          const [top, height] = this.#isLine ? [0, this.#canvas.clientHeight] : [py(y) - dy / 2, dy];
          context.rect(px(x) - dx / 2, top, dx, height);
        }
      }),
    );
    context.clip();
    context.strokeStyle = themed("--axis");
    context.globalAlpha = 0.55;
    context.lineWidth = 1;
    context.beginPath();
    const { clientWidth: width, clientHeight: height } = this.#canvas;
    for (let x = -height; x < width; x += 9) {
      context.moveTo(x, height);
      context.lineTo(x + height, 0);
    }
    context.stroke();
    context.restore();
  }

  /** What is expected, dashed; thin and dotted where the model hardly knows the states. */
  #drawPath(px, py, mark, casing) {
    const path = this.#path ?? [];
    for (let i = 1; i < path.length; i++) {
      const piece = [path[i - 1][0], path[i][0]];
      line(this.#context, piece, px, py, casing, 5, []);
    }
    let begin = 0;
    for (let i = 1; i <= path.length; i++) {
      const sure = path[begin][1] >= HARDLY_KNOWN;
      if (i === path.length || path[i][1] >= HARDLY_KNOWN !== sure) {
        const piece = path.slice(Math.max(0, begin - 1), i).map(([point]) => point);
        line(this.#context, piece, px, py, mark, sure ? 2.5 : 1.6, sure ? [6, 4] : [1.5, 3.5]);
        begin = i;
      }
    }
  }

  /** The newest states, older ones fading; joined where one follows from the other, dots where that is not so. */
  #drawTrajectory(px, py, ink, casing, area) {
    const context = this.#context;
    const points = this.#recent.map((point) => point && [px(point[0]), py(point[1])]);
    const longest = longestStep(points, Math.hypot(area.width, area.height));
    for (const [colour, width, strength] of [[casing, 3.2, 0.5], [ink, 1.3, 1]]) {
      context.strokeStyle = colour;
      context.lineWidth = width;
      points.forEach((to, i) => {
        const from = points[i - 1];
        context.globalAlpha = strength * (0.08 + 0.72 * (i / points.length) ** 2);
        if (to && from && distance(from, to) <= longest) {
          context.beginPath();
          context.moveTo(...from);
          context.lineTo(...to);
          context.stroke();
        } else if (to) {
          dot(context, ...to, width / 2 + 0.4, colour);
        }
      });
    }
    context.globalAlpha = 1;
  }

  #drawDictionary(px, py, ink, casing) {
    const context = this.#context;
    for (const [x, y] of this.#grid.dictionary ?? []) {
      dot(context, px(x), py(y), 3.1, casing);
      dot(context, px(x), py(y), 2.1, ink);
    }
  }

  #drawNow(px, py, mark, casing) {
    const last = this.#recent.findLast((point) => point !== null);
    if (last) {
      dot(this.#context, px(last[0]), py(last[1]), 7, casing);
      dot(this.#context, px(last[0]), py(last[1]), 5, mark);
    }
  }

  /** A letter in each set, at the node whose surroundings belong to it most: colour alone would not do. */
  #drawSetNames(px, py, ink, casing) {
    const { labels, xs, ys } = this.#grid;
    if (!labels) {
      return;
    }
    const context = this.#context;
    context.font = "600 15px system-ui, sans-serif";
    context.textAlign = "center";
    context.textBaseline = "middle";
    for (const [label, [row, column]] of deepest(labels)) {
      context.lineWidth = 4;
      context.strokeStyle = casing;
      context.fillStyle = ink;
      const text = String.fromCharCode(65 + label);
      context.strokeText(text, px(xs[column]), py(ys[row]));
      context.fillText(text, px(xs[column]), py(ys[row]));
    }
  }

  #drawCross(px, py, area, ink, casing) {
    if (!this.#cross) {
      return;
    }
    const context = this.#context;
    const x = px(this.#cross.x);
    const y = py(this.#cross.y);
    for (const [colour, width] of [[casing, 2.5], [ink, 1]]) {
      context.strokeStyle = colour;
      context.lineWidth = width;
      context.globalAlpha = 0.6;
      context.beginPath();
      context.moveTo(x, area.top);
      context.lineTo(x, area.top + area.height);
      context.moveTo(area.left, y);
      context.lineTo(area.left + area.width, y);
      context.stroke();
      context.globalAlpha = 1;
    }
  }

  #drawAxes(area, px, py) {
    const context = this.#context;
    const { x0, x1, y0, y1 } = this.#bounds();
    context.strokeStyle = themed("--axis");
    context.fillStyle = themed("--ink");
    context.lineWidth = 1;
    context.strokeRect(area.left + 0.5, area.top + 0.5, area.width - 1, area.height - 1);
    context.font = "12px system-ui, sans-serif";
    context.textAlign = "center";
    context.textBaseline = "top";
    const xTicks = ticks(x0, x1, Math.max(2, area.width / 80));
    tickLabels(xTicks).forEach((label, i) => {
      context.fillRect(px(xTicks[i]), area.top + area.height, 1, 5);
      context.fillText(label, px(xTicks[i]), area.top + area.height + 7);
    });
    context.textAlign = "right";
    context.textBaseline = "middle";
    const yTicks = this.#isLine && this.#grid.labels ? [] : ticks(y0, y1, Math.max(2, area.height / 60));
    tickLabels(yTicks).forEach((label, i) => {
      context.fillRect(area.left - 5, py(yTicks[i]), 5, 1);
      context.fillText(label, area.left - 8, py(yTicks[i]));
    });
    context.font = "600 12px system-ui, sans-serif";
    context.textAlign = "center";
    context.textBaseline = "bottom";
    context.fillText(this.#grid.xName, area.left + area.width / 2, area.top + area.height + BOTTOM);
    context.save();
    context.translate(12, area.top + area.height / 2);
    context.rotate(-Math.PI / 2);
    context.textBaseline = "middle";
    context.fillText(this.#grid.yName ?? (this.#grid.labels ? "" : `f${subscript(this.#grid.index + 1)}`), 0, 0);
    context.restore();
  }

  #drawBar(area) {
    const context = this.#context;
    const scale = this.#scale;
    const x = area.left + area.width + 14;
    const top = area.top + 20;
    const height = area.height - 20;
    for (let i = 0; i < height; i++) {
      const [r, g, b] = colourAt(scale, scale.low + (1 - i / (height - 1)) * (scale.high - scale.low));
      context.fillStyle = `rgb(${r} ${g} ${b})`;
      context.fillRect(x, top + i, 12, 1.5);
    }
    context.fillStyle = themed("--ink");
    context.font = "12px system-ui, sans-serif";
    context.textAlign = "left";
    context.textBaseline = "middle";
    scale.ticks.forEach((value, i) => {
      const y = top + (1 - (value - scale.low) / (scale.high - scale.low)) * height;
      context.fillText(scale.labels[i], x + 17, Math.min(top + height - 5, Math.max(top + 6, y)));
    });
    context.font = "600 12px system-ui, sans-serif";
    const f = `f${subscript(this.#grid.index + 1)}`;
    context.fillText({ modulus: `|${f}|`, phase: `arg ${f}` }[this.#part] ?? (this.#grid.complex ? `Re ${f}` : f), x - 4, area.top + 5);
  }

  #stateAt(event) {
    if (!this.#grid) {
      return null;
    }
    const area = this.#area();
    const box = this.#canvas.getBoundingClientRect();
    const u = (event.clientX - box.left - area.left) / area.width;
    const v = 1 - (event.clientY - box.top - area.top) / area.height;
    if (u < 0 || u > 1 || v < 0 || v > 1) {
      return null;
    }
    const { x0, x1, y0, y1 } = this.#bounds();
    return { x: x0 + u * (x1 - x0), y: y0 + v * (y1 - y0) };
  }

  #hover(event) {
    const state = this.#stateAt(event);
    this.#canvas.classList.toggle("aim", Boolean(state));
    if (state) {
      this.#moveCross(state);
    }
  }

  #middle() {
    if (!this.#grid) {
      return null;
    }
    const { x0, x1, y0, y1 } = this.#bounds();
    return { x: (x0 + x1) / 2, y: (y0 + y1) / 2 };
  }

  #moveCross(state) {
    this.#cross = state;
    setText(this.#readout, state ? this.#sayState(state) : "");
    this.redraw();
  }

  /** The state under the cross-hair and what the map says there. */
  #sayState({ x, y }) {
    const { xs, ys, xName, yName, labels, index, known } = this.#grid;
    const place = `${xName} = ${significant(x, 3)}${this.#isLine ? "" : `, ${yName} = ${significant(y, 3)}`}`;
    const column = nearest(xs, x);
    const row = nearest(ys, y);
    const share = `the model knows ${Math.round(100 * known[row][column])} % of this state`;
    if (labels) {
      const label = labels[row][column];
      return `${place}: ${label < 0 || label === null ? "in no set" : `in set ${String.fromCharCode(65 + label)}`}; ${share}`;
    }
    const value = this.#valueAt(row, column);
    return `${place}: ${value === null ? "" : `f${subscript(index + 1)} = ${fixed(value, 2)}; `}${share}`;
  }

  #pick(state) {
    this.#picked = state;
    this.#moveCross(state);
    this.#onPick(state.x, this.#isLine ? null : state.y);
  }

  #key(event) {
    const direction = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowDown: [0, -1], ArrowUp: [0, 1] }[event.key];
    if (!this.#grid || !(direction || event.key === "Enter" || event.key === " ")) {
      return;
    }
    event.preventDefault();
    const from = this.#cross ?? this.#middle();
    if (!direction) {
      this.#pick(from);
      return;
    }
    const { x0, x1, y0, y1 } = this.#bounds();
    const part = event.shiftKey ? 200 : 30;
    const inside = (v, low, high) => Math.min(high, Math.max(low, v));
    this.#picked = {
      x: inside(from.x + (direction[0] * (x1 - x0)) / part, x0, x1),
      y: inside(from.y + (direction[1] * (y1 - y0)) / part, y0, y1),
    };
    this.#moveCross(this.#picked);
  }
}

function nearest(values, x) {
  if (values.length === 1) {
    return 0;
  }
  const at = ((x - values[0]) / (values.at(-1) - values[0])) * (values.length - 1);
  return Math.min(values.length - 1, Math.max(0, Math.round(at)));
}

const distance = ([a, b], [c, d]) => Math.hypot(a - c, b - d);

/**
 * Up to where two states in a row count as a step of one trajectory: six times the median step. The server's list does not say where a trajectory
 * ends, and states of several streams may alternate; where even the median step crosses a fifth of the picture, nothing is joined.
 */
function longestStep(points, diagonal) {
  const steps = points.slice(1).flatMap((to, i) => (to && points[i] ? [distance(points[i], to)] : [])).sort((a, b) => a - b);
  const median = steps[Math.floor(steps.length / 2)] ?? 0;
  return median > diagonal / 5 ? -1 : 6 * median;
}

function dot(context, x, y, radius, colour) {
  context.fillStyle = colour;
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
}

function line(context, points, px, py, colour, width, dash) {
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.setLineDash(dash);
  context.beginPath();
  points.forEach(([x, y], i) => (i ? context.lineTo(px(x), py(y)) : context.moveTo(px(x), py(y))));
  context.stroke();
  context.setLineDash([]);
}

/** Whether the kept inputs span at least half of the feature vector there, the same rule by which sets are given. */
const learned = ({ re, known }, i, j) => isNumber(re[i][j]) && known[i][j] >= HARDLY_KNOWN;

/** This part of the learned map has a modulus of at most 1: the rest is the edge, where a few large values would leave no colour for what matters. */
const WITHIN_SCALE = 0.95;

/**
 * An eigenfunction is known up to a factor. Its modulus is chosen so that nearly all of the learned map lies within 1, its argument so that it is as near
 * as can be to the picture before: f → f c̄/|c| with c = Σ f conj(before). Without that, colours would flip from one update to the next.
 */
function aligned(grid, before) {
  const moduli = [];
  let norm = 0;
  let imaginary = 0;
  grid.re.forEach((row, i) =>
    row.forEach((a, j) => {
      if (learned(grid, i, j)) {
        const b = grid.im[i][j];
        moduli.push(Math.hypot(a, b));
        norm += a * a + b * b;
        imaginary += b * b;
      }
    }),
  );
  let turn = [1, 0];
  const same =
    before?.re && before.index === grid.index && before.re.length === grid.re.length && before.xName === grid.xName && before.yName === grid.yName;
  if (same) {
    let c = 0;
    let d = 0;
    grid.re.forEach((row, i) =>
      row.forEach((a, j) => {
        const p = before.re[i][j];
        if (learned(grid, i, j) && p !== null) {
          const b = grid.im[i][j];
          const q = before.im[i][j];
          c += a * p + b * q;
          d += b * p - a * q;
        }
      }),
    );
    const length = Math.hypot(c, d);
    turn = length > 0 ? [c / length, -d / length] : turn;
  }
  const complexField = imaginary > 1e-12 * norm;
  if (!complexField) {
    turn = [turn[0] < 0 ? -1 : 1, 0];
  }
  moduli.sort((a, b) => a - b);
  const large = moduli[Math.floor(WITHIN_SCALE * (moduli.length - 1))];
  const [u, v] = large > 0 ? turn.map((t) => t / large) : turn;
  const map = (f) => grid.re.map((row, i) => row.map((a, j) => (learned(grid, i, j) ? f(a, grid.im[i][j]) : null)));
  return { ...grid, complex: complexField, re: map((a, b) => a * u - b * v), im: map((a, b) => a * v + b * u) };
}

/** For every set the node that is farthest from other sets and from the edge, by peeling layers off. */
function deepest(labels) {
  const rows = labels.length;
  const columns = labels[0].length;
  let depth = labels.map((row) => row.map((label) => (label === null || label < 0 ? 0 : 1)));
  const best = new Map();
  for (let layer = 1, more = true; more && layer < rows; layer++) {
    more = false;
    const next = depth.map((row) => row.slice());
    for (let i = 0; i < rows; i++) {
      for (let j = 0; j < columns; j++) {
        if (depth[i][j] !== layer) {
          continue;
        }
        best.set(labels[i][j], [i, j]);
        const around = [[i - 1, j], [i + 1, j], [i, j - 1], [i, j + 1]];
        if (around.every(([a, b]) => a >= 0 && a < rows && b >= 0 && b < columns && labels[a][b] === labels[i][j] && depth[a][b] >= layer)) {
          next[i][j] = layer + 1;
          more = true;
        }
      }
    }
    depth = next;
  }
  return best;
}
