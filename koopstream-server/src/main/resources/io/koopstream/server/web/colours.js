// Colour maps of fields and sets. Light page: the map of the printed pictures, white in the middle; dark page: the same hues with
// a dark middle, so that depth again means size. Sets have the colours of Okabe and Ito, told apart by all readers.

const DIVERGING_LIGHT = ["#0b3c6f", "#2f79b5", "#8cc0dd", "#f7f7f7", "#fdc382", "#e0741b", "#7f3608"];
const DIVERGING_DARK = ["#79bdf0", "#3f86bf", "#245579", "#1d232b", "#7a4317", "#c2721f", "#f5a650"];
const SEQUENTIAL = ["#440154", "#414487", "#2a788e", "#22a884", "#7ad151", "#fde725"];
const CYCLIC = ["#2f79b5", "#8a5aa5", "#c8543c", "#d8a23a", "#7fa85a", "#2f79b5"];
const DISTINCT = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#666666"];

export const isDark = () =>
  document.documentElement.dataset.theme
    ? document.documentElement.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;

/** A colour of the style sheet. */
export const themed = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const rgb = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));

/** A table of 256 colours through the stops. */
function table(stops) {
  const colours = stops.map(rgb);
  const bytes = new Uint8ClampedArray(256 * 3);
  for (let i = 0; i < 256; i++) {
    const at = (i / 255) * (colours.length - 1);
    const k = Math.min(colours.length - 2, Math.floor(at));
    for (let c = 0; c < 3; c++) {
      bytes[3 * i + c] = colours[k][c] + (at - k) * (colours[k + 1][c] - colours[k][c]);
    }
  }
  return bytes;
}

const TABLES = {
  light: table(DIVERGING_LIGHT),
  dark: table(DIVERGING_DARK),
  sequential: table(SEQUENTIAL),
  cyclic: table(CYCLIC),
};

/** The scale of a field: colours, ends, and the ticks of its colour bar. */
export function scaleOf(part) {
  switch (part) {
    case "modulus":
      return { colours: TABLES.sequential, low: 0, high: 1, ticks: [0, 0.5, 1], labels: ["0", "0.5", "1"] };
    case "phase":
      return { colours: TABLES.cyclic, low: -Math.PI, high: Math.PI, ticks: [-Math.PI, 0, Math.PI], labels: ["−π", "0", "π"] };
    default:
      return { colours: isDark() ? TABLES.dark : TABLES.light, low: -1, high: 1, ticks: [-1, -0.5, 0, 0.5, 1], labels: ["−1", "−0.5", "0", "0.5", "1"] };
  }
}

/** The three bytes of a value on a scale. */
export function colourAt(scale, value) {
  const i = 3 * Math.round(255 * Math.min(1, Math.max(0, (value - scale.low) / (scale.high - scale.low))));
  return [scale.colours[i], scale.colours[i + 1], scale.colours[i + 2]];
}

/** The three bytes of a set. */
export const colourOfSet = (k) => rgb(DISTINCT[k % DISTINCT.length]);
