// A forecast from a state: mean and spread of every coordinate.

import { byId, html, setText, show, svg } from "./dom.js";
import { Chart } from "./chart.js";
import { isNumber, significant } from "./format.js";

export class ForecastView {
  #from = byId("forecast-from");
  #steps = byId("forecast-steps");
  #fans = byId("forecast-fans");
  #problem = byId("forecast-problem");
  #charts = [];
  #names = [];
  #onAsk;

  /** onAsk(from, steps) when the reader wants a forecast. */
  constructor(onAsk) {
    this.#onAsk = onAsk;
    byId("forecast-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.ask();
    });
  }

  /** Another model: its coordinates get fields. */
  setNames(names) {
    if (names.join("\n") === this.#names.join("\n") && this.#from.childElementCount === names.length) {
      return;
    }
    this.#names = names;
    this.#from.replaceChildren(
      ...names.map((name, i) => html("label", {}, html("span", {}, name), html("input", { id: `from-${i}`, inputmode: "decimal", autocomplete: "off", required: true }))),
    );
    this.#fans.replaceChildren();
    this.#charts = [];
    this.#say(null);
  }

  /** Fills coordinates that are still empty. */
  suggest(state) {
    [...this.#from.querySelectorAll("input")].forEach((input, i) => {
      if (!input.value && isNumber(state?.[i])) {
        input.value = written(state[i]);
      }
    });
  }

  /** Sets some coordinates by number and asks. */
  pick(coordinates) {
    const inputs = [...this.#from.querySelectorAll("input")];
    for (const [i, value] of coordinates) {
      inputs[i].value = written(value);
    }
    this.ask();
  }

  /** The state in the fields, or null while it is not whole. */
  start() {
    const from = [...this.#from.querySelectorAll("input")].map(numberIn);
    return from.length && from.every(Number.isFinite) ? from : null;
  }

  ask() {
    const inputs = [...this.#from.querySelectorAll("input")];
    const from = inputs.map(numberIn);
    const bad = from.findIndex((value) => !Number.isFinite(value));
    if (bad >= 0) {
      this.fail(`${this.#names[bad]}: write a number.`);
      inputs[bad].focus();
      return;
    }
    const steps = Number(this.#steps.value);
    if (!Number.isInteger(steps) || steps < 1 || steps > 100_000) {
      this.fail("Steps: a whole number from 1 to 100,000.");
      this.#steps.focus();
      return;
    }
    this.#say(null);
    this.#onAsk(from, steps);
  }

  fail(message) {
    this.#say(message);
  }

  /** Draws; dt scales the axis when it is known. */
  show(forecast, from, dt) {
    const { names, mean, low, high } = forecast;
    const unit = isNumber(dt) ? dt : 1;
    const xs = [0, ...mean.map((_, i) => (i + 1) * unit)];
    if (this.#charts.length !== names.length) {
      this.#charts = [];
      this.#fans.replaceChildren(
        ...names.map((name) => {
          const plot = svg("svg", { role: "img" });
          const figure = html("figure", {}, html("figcaption", {}, name, html("small", {}, isNumber(dt) ? " over time" : " over steps")), plot);
          this.#charts.push(plot);
          return figure;
        }),
      );
      this.#charts = this.#charts.map((plot, i) => new Chart(plot, { name: `Forecast of ${names[i]}`, xName: isNumber(dt) ? "time" : "steps" }));
    }
    this.#charts.forEach((chart, c) => {
      const column = (rows) => rows && [from[c], ...rows.map((row) => row[c])];
      chart.update({ xs, ys: column(mean), low: column(low), high: column(high) });
    });
    const last = mean.length - 1;
    setText(
      byId("forecast-note"),
      `After ${mean.length} steps${isNumber(dt) ? ` (time ${significant(mean.length * dt, 3)})` : ""}: ` +
        names.map((name, c) => `${name} = ${significant(mean[last][c], 3)}${low && high ? ` (${significant(low[last][c], 3)} to ${significant(high[last][c], 3)})` : ""}`).join(", ") +
        ". Line: what is expected; band: 95 % of what may come.",
    );
  }

  #say(message) {
    setText(this.#problem, message ?? "");
    show(this.#problem, Boolean(message));
  }
}

const numberIn = (input) => (input.value.trim() === "" ? NaN : Number(input.value.replace("−", "-")));

const written = (value) => String(Number(value.toPrecision(4)));
