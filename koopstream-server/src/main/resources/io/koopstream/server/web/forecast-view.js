// A forecast from a state: mean and quantiles of every coordinate, both places where futures separate, and how well the states are known.

import { byId, html, setText, show, svg } from "./dom.js";
import { Chart } from "./chart.js";
import { isNumber, significant } from "./format.js";

/** Of the quantiles that are asked for: the ends of bands that hold 95, 80 and 50 %. */
export const LEVELS = [0.025, 0.1, 0.25, 0.75, 0.9, 0.975];

/** Below this share of a state inside the dictionary its forecast deserves no trust. */
export const HARDLY_KNOWN = 0.5;

export class ForecastView {
  #from = byId("forecast-from");
  #steps = byId("forecast-steps");
  #fans = byId("forecast-fans");
  #problem = byId("forecast-problem");
  #charts = [];
  #names = [];
  #onAsk;

  /** onAsk({from, steps, anyway}) when the reader wants a forecast; from is null for one that begins at the newest row. */
  constructor(onAsk) {
    this.#onAsk = onAsk;
    byId("forecast-now").addEventListener("click", () => {
      this.#from.querySelectorAll("input").forEach((input) => (input.value = ""));
      this.ask();
    });
    byId("forecast-anyway").addEventListener("click", () => this.ask(true));
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
      ...names.map((name, i) => html("label", {}, html("span", {}, name), html("input", { id: `from-${i}`, inputmode: "decimal", autocomplete: "off" }))),
    );
    this.#fans.replaceChildren(html("p", { class: "hint" }, "The first forecast, from the newest row, appears once enough is learned."));
    this.#charts = [];
    this.#say(null);
  }

  /** The state that a forecast began at stands in empty fields, faint, and completes what is typed. */
  suggest(state) {
    [...this.#from.querySelectorAll("input")].forEach((input, i) => (input.placeholder = isNumber(state?.[i]) ? written(state[i]) : ""));
  }

  /** Sets some coordinates by number and asks. */
  pick(coordinates) {
    const inputs = [...this.#from.querySelectorAll("input")];
    for (const [i, value] of coordinates) {
      inputs[i].value = written(value);
    }
    this.ask();
  }

  ask(anyway) {
    const inputs = [...this.#from.querySelectorAll("input")];
    const now = inputs.every((input) => input.value.trim() === "");
    const from = inputs.map(numberIn);
    const bad = now ? -1 : from.findIndex((value) => !Number.isFinite(value));
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
    this.#onAsk({ from: now ? null : from, steps, anyway: anyway === true ? true : undefined });
  }

  /** A sentence, and where the start is hardly known a button to ask all the same. */
  fail(message, code) {
    this.#say(message);
    show(byId("forecast-anyway"), code === "UNKNOWN_STATE");
  }

  /** Draws; times says how long a step is. */
  show(forecast, times) {
    const { names, mean, quantiles, start, band } = forecast;
    const unit = times.step;
    const xs = [0, ...mean.map((_, i) => (i + 1) * unit)];
    if (this.#charts.length !== names.length) {
      this.#charts = [];
      this.#fans.replaceChildren(
        ...names.map((name) => {
          const plot = svg("svg", { role: "img" });
          const figure = html("figure", {}, html("figcaption", {}, name, html("small", {}, ` over ${times.axis}`)), plot);
          this.#charts.push(plot);
          return figure;
        }),
      );
      this.#charts = this.#charts.map((plot, i) => new Chart(plot, { name: `Forecast of ${names[i]}`, xName: times.axis }));
    }
    const banded = band !== "UNKNOWN";
    const hatched = runs(forecast.knownOnTheWay.map((known) => known < HARDLY_KNOWN)).map(([a, b]) => [a * unit, (b + 1) * unit]);
    this.#charts.forEach((chart, c) => {
      const column = (rows) => [start[c], ...rows.map((row) => row[c])];
      const bands = banded ? [0, 1, 2].map((i) => ({ low: column(quantiles[i]), high: column(quantiles[LEVELS.length - 1 - i]) })) : [];
      const dots = forecast.modes
        .filter(({ coordinate }) => coordinate === c)
        .flatMap(({ step, values, masses }) => values.map((y, i) => ({ x: step * unit, y, r: 1.5 + 4 * masses[i], text: `${share(masses[i])} of the futures near ${significant(y, 3)}` })));
      chart.update({ xs, ys: column(mean), bands, dots, hatched });
    });
    this.#say(null);
    setText(byId("forecast-note"), note(forecast, times, banded, hatched.length > 0));
    setText(byId("forecast-warning"), forecast.warning ? `Careful: ${forecast.warning}.` : "");
    show(byId("forecast-warning"), Boolean(forecast.warning));
  }

  #say(message) {
    setText(this.#problem, message ?? "");
    show(this.#problem, Boolean(message));
    show(byId("forecast-anyway"), false);
  }
}

const share = (part) => `${Math.round(100 * part)} %`;

/** Beginnings and ends of the runs of true. */
function runs(flags) {
  const found = [];
  flags.forEach((flag, i) => {
    if (flag && flags[i - 1]) {
      found.at(-1)[1] = i;
    } else if (flag) {
      found.push([i, i]);
    }
  });
  return found;
}

/** What the picture says, in words. */
function note({ names, inputs, mean, quantiles, modes, known, madeOf }, times, banded, hatched) {
  const last = mean.length - 1;
  const driving = Object.keys(inputs);
  const end = names.map((name, c) => {
    const range = banded && isNumber(quantiles[0][last][c]) ? ` (${significant(quantiles[0][last][c], 3)} to ${significant(quantiles.at(-1)[last][c], 3)})` : "";
    return `${name} = ${significant(mean[last][c], 3)}${range}`;
  });
  const places = names.flatMap((name, c) => {
    const mode = modes.filter(({ coordinate }) => coordinate === c).at(-1);
    return mode
      ? [`After ${mode.step} steps ${name} has ${mode.values.length} likely values, and the mean may lie between them: ${mode.values.map((value, i) => `${significant(value, 3)} (${share(mode.masses[i])})`).join(", ")}.`]
      : [];
  });
  return [
    `After ${mean.length} steps${isNumber(times.dt) ? ` (${times.said(mean.length * times.dt)})` : ""}: ${end.join(", ")}.`,
    banded ? "Line: expected value; bands: 50, 80 and 95 % of possible futures." : "Line: expected value. Its error is not known.",
    ...places,
    ...(driving.length > 0 ? [`Inputs (${driving.join(", ")}) are forecast from their own past.`] : []),
    ...members(madeOf, last),
    `The model knows ${share(known)} of the start${hatched ? "; hatched: states it hardly knows" : ""}.`,
  ].join(" ");
}

/** Of what the last step is made. */
function members(madeOf, last) {
  const shares = Object.entries(madeOf)
    .map(([member, steps]) => [member, steps[last]])
    .filter(([, part]) => part >= 0.005)
    .sort(([, a], [, b]) => b - a);
  return shares.length === 0 ? [] : [`The last step is made of ${shares.map(([member, part]) => `${share(part)} ${member}`).join(", ")}, as earlier forecasts were good.`];
}

const numberIn = (input) => {
  const text = input.value.trim() || input.placeholder;
  return text === "" ? NaN : Number(text.replace("−", "-"));
};

const written = (value) => String(Number(value.toPrecision(4)));
