// Numbers as a scientist reads them.

const COUNT = new Intl.NumberFormat("en");

/** Is it a number one can draw? JSON has no infinities, so null stands for "none". */
export const isNumber = (x) => typeof x === "number" && Number.isFinite(x);

/** A whole number with separators. */
export const count = (n) => (isNumber(n) ? COUNT.format(Math.round(n)) : "–");

/** A number with the given significant digits. */
export function significant(x, digits = 3) {
  if (!isNumber(x)) {
    return "–";
  }
  if (x === 0) {
    return "0";
  }
  const size = Math.abs(x);
  if (size >= 1e6 || size < 1e-4) {
    return minus(x.toExponential(digits - 1).replace("e+", "e"));
  }
  return minus(size >= 10 ** digits ? COUNT.format(Math.round(x)) : String(Number(x.toPrecision(digits))));
}

/** A number with fixed decimals. */
export const fixed = (x, decimals) => (isNumber(x) ? minus(x.toFixed(decimals)) : "–");

/** A rate: whole numbers when large, two digits when small. */
export const rate = (x) => (isNumber(x) ? (x >= 100 ? count(x) : significant(x, 2)) : "–");

const minus = (text) => text.replace(/^-/, "−").replace("e-", "e−");

/** How many decimals an error bar leaves meaningful. */
function decimals(error) {
  return isNumber(error) && error > 0 ? Math.min(6, Math.max(2, Math.ceil(-Math.log10(error)) + 1)) : 4;
}

/** An eigenvalue without its error bar, with as many decimals as that allows. */
export function complex({ re, im, standardError }) {
  const d = decimals(standardError);
  const imaginary = Math.abs(im) < 0.5 * 10 ** -d ? "" : ` ${im < 0 ? "−" : "+"} ${Math.abs(im).toFixed(d)}i`;
  return fixed(re, d) + imaginary;
}

/** An eigenvalue with its error bar. */
export function complexWithError(value) {
  const { standardError } = value;
  return isNumber(standardError) ? `${complex(value)} ± ${significant(standardError, 2)}` : complex(value);
}

const UNITS = [["d", 86_400], ["h", 3_600], ["min", 60], ["s", 1], ["ms", 1e-3]];

/**
 * How times are told, in tables (text) and in sentences (said), and how long a step is on an axis: in hours and so on where rows are dated, else in the
 * unit of dt, else in steps.
 */
export function timesOf({ dt, timeStyle }) {
  if (timeStyle && !/^number/.test(timeStyle) && isNumber(dt)) {
    const [name, size] = unitOf(dt);
    return { note: `a step takes ${lasting(dt)}`, text: lasting, said: lasting, axis: `time (${name})`, step: dt / size, dt };
  }
  const text = (time) => significant(time, 3);
  const unit = isNumber(dt) ? "units of time" : "steps";
  const said = (time) => `${text(time)} ${unit}`;
  return { note: isNumber(dt) ? `a step takes ${text(dt)}` : "in steps", unit, text, said, axis: isNumber(dt) ? "time" : "steps", step: dt ?? 1, dt };
}

const unitOf = (seconds) => UNITS.find(([, length]) => seconds >= length) ?? UNITS.at(-1);

/** Seconds as 3.5 h. */
function lasting(seconds) {
  const [name, size] = unitOf(seconds);
  return `${significant(seconds / size, 3)} ${name}`;
}

/** A time scale; an eigenvalue on or outside the circle does not decay. */
export function timescale({ timescale: time, modulus }, times) {
  return isNumber(time) && time > 0 ? (modulus >= 0.99999 ? "∞" : times.text(time)) : modulus >= 0.999 ? "∞" : "–";
}

/** Whether an eigenvalue turns: two that cannot be told apart may come out as a pair whose angle is only an error. */
export const turns = ({ im, standardError }) => Math.abs(im) > (isNumber(standardError) ? 2 * standardError : 1e-9);

/** The period of an eigenvalue that turns, or a dash. */
export const period = (value, times) => (isNumber(value.frequency) && turns(value) ? times.text(1 / Math.abs(value.frequency)) : "–");

const SUBSCRIPTS = "₀₁₂₃₄₅₆₇₈₉";

/** 12 as ₁₂. */
export const subscript = (n) => [...String(n)].map((digit) => SUBSCRIPTS[Number(digit)]).join("");

/** Round numbers that divide [low, high] into about so many parts. */
export function ticks(low, high, about = 5) {
  const span = high - low;
  if (!(span > 0)) {
    return [low];
  }
  const rough = span / about;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough * 0.999);
  const first = Math.ceil(low / step - 1e-9);
  const result = [];
  for (let i = first; i * step <= high + 1e-9 * span; i++) {
    result.push(i * step);
  }
  return result;
}

/** Labels of ticks: no more decimals than their distance needs. */
export function tickLabels(values) {
  const step = values.length > 1 ? Math.abs(values[1] - values[0]) : Math.abs(values[0]) || 1;
  const largest = Math.max(...values.map(Math.abs));
  if (largest >= 1e4) {
    return values.map(compact);
  }
  const d = Math.min(6, Math.max(0, Math.ceil(-Math.log10(step) - 1e-9)));
  return values.map((v) => minus(v.toFixed(d).replace(/^-(0(?:\.0+)?)$/, "$1")));
}

/** 40000 as 40k. */
export function compact(x) {
  const size = Math.abs(x);
  const [unit, letter] = size >= 1e9 ? [1e9, "G"] : size >= 1e6 ? [1e6, "M"] : size >= 1e3 ? [1e3, "k"] : [1, ""];
  return minus(`${Number((x / unit).toPrecision(3))}${letter}`);
}
