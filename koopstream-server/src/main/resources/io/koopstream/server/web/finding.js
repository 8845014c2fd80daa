// What was found, in one sentence, from the leading eigenvalues and the sets.

import { isNumber, significant, turns } from "./format.js";
import { judge } from "./trust.js";

/** Rates below this share of the fastest one count as this: eigenvalues so near to 1 cannot be told apart (SpectralGap in the library). */
const SLOWEST_SHARE = 2e-4;
/** From this factor on a drop between neighbouring time scales is called a gap. */
const GAP = 5;

const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven"];

/** Where the time scales drop most: {sets, ratio}; sets is 1 where no gap is worth the name. */
export function gapOf(values) {
  const rates = values.map(({ modulus }) => -Math.log(Math.max(modulus, 1e-300)));
  const slowest = SLOWEST_SHARE * Math.max(1e-300, ...rates);
  let found = { sets: 1, ratio: 0 };
  for (let k = 2; k < values.length; k++) {
    const ratio = Math.max(slowest, rates[k]) / Math.max(slowest, rates[k - 1]);
    if (!(values[k - 1].im > 0) && ratio > found.ratio) {
      found = { sets: k, ratio };
    }
  }
  const slow = values.slice(0, found.sets);
  return found.ratio >= GAP && slow.every((value) => judge(value).level !== "spurious" && !turns(value)) ? found : { sets: 1, ratio: found.ratio };
}

/** Numbers from 1 of the eigenvalues that cannot be told from eigenvalue k (from 0), k's own among them; empty where it stands alone. */
export function twinsOf(values, k) {
  const bar = ({ standardError }) => (isNumber(standardError) ? standardError : 0);
  const self = values[k];
  if (!self || turns(self) || k === 0) {
    return [];
  }
  const alike = values.map((value, i) => [value, i]).filter(([value, i]) => i > 0 && !turns(value) && Math.abs(value.re - self.re) <= Math.max(2e-4, bar(value) + bar(self)));
  return alike.length > 1 ? alike.map(([, i]) => i + 1) : [];
}

/** The answer about sets with their numbers kept from the answer before, by the nearest centres; the first time in the order of the coordinates. */
export function steady(grid, before) {
  const places = grid.sets.map(({ centre }) => centre ?? grid.at);
  const order = places.map((_, i) => i);
  if (before?.length === places.length) {
    const far = (a, b) => Math.hypot(...a.map((x, i) => x - b[i]));
    const free = new Set(order);
    const found = before.map((old) => {
      const best = [...free].sort((i, j) => far(places[i], old) - far(places[j], old))[0];
      free.delete(best);
      return best;
    });
    order.splice(0, order.length, ...found);
  } else {
    order.sort((i, j) => Math.sign(places[i][0]) - Math.sign(places[j][0]) || (places[i][1] ?? 0) - (places[j][1] ?? 0));
  }
  const number = new Map(order.map((old, now) => [old, now]));
  return {
    ...grid,
    labels: grid.labels.map((row) => row.map((label) => number.get(label) ?? label)),
    sizes: order.map((i) => grid.sizes[i]),
    sets: order.map((i) => grid.sets[i]),
    places: order.map((i) => places[i]),
  };
}

/** Whether an eigenvalue is an oscillation worth telling: it comes round before it has decayed. */
function oscillates(value) {
  return value.im > 0 && turns(value) && judge(value).level === "trusted" && isNumber(value.frequency) && 1 / Math.abs(value.frequency) < 3 * value.timescale;
}

/** The sentence. */
export function finding(state, times, sets) {
  const values = state.spectrum?.eigenvalues ?? [];
  if (values.length < 2) {
    return "The first eigenvalues are being computed.";
  }
  if (!values.some(({ trusted }) => trusted !== undefined && trusted !== null)) {
    return "Too early to say: no pairs are held out yet to validate the eigenvalues.";
  }
  const gap = gapOf(values);
  const turning = values.find(oscillates);
  const swing = turning ? `an oscillation of period ${times.said(1 / Math.abs(turning.frequency))} that decays within ${times.said(turning.timescale)}` : "";
  if (gap.sets > 1) {
    const exits = (sets ?? []).map(({ meanExitTime }) => meanExitTime).filter(isNumber);
    const slowest = exits.length === gap.sets ? `each is left after ${times.text(Math.min(...exits))} to ${times.said(Math.max(...exits))} on average` : `the slowest exchange between them takes ${times.said(values[1].timescale)}`;
    return `${gap.sets} metastable sets; ${slowest}; ${NUMBERS[gap.sets - 1] ?? gap.sets - 1} slow mode${gap.sets > 2 ? "s" : ""}, then a gap of ×${significant(gap.ratio, 2)}${swing ? `; ${swing}` : ""}.`;
  }
  if (swing) {
    return `${swing[0].toUpperCase()}${swing.slice(1)}.`;
  }
  const slow = values.slice(1).find((value) => judge(value).level === "trusted" && isNumber(value.timescale));
  return slow ? `No metastable sets so far; the slowest mode decays within ${times.said(slow.timescale)}.` : "Nothing slow that can be trusted yet: more samples will tell.";
}
