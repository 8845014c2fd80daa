// How far to trust an eigenvalue, in three steps. The server flags the spurious ones (docs/trust.md says when); what is left is
// doubtful as long as it was not judged yet or its error bar is a fifth of the one that would flag it.

import { isNumber } from "./format.js";

const WIDE_ERROR_BAR = 0.02;

/** {level: trusted | doubtful | spurious, why}. */
export function judge({ trusted, reasons, standardError }) {
  if (trusted === false) {
    return { level: "spurious", why: reasons.join("; ") };
  }
  if (trusted !== true) {
    return { level: "doubtful", why: reasons.join("; ") };
  }
  if (isNumber(standardError) && standardError > WIDE_ERROR_BAR) {
    return { level: "doubtful", why: `its error bar is above ${WIDE_ERROR_BAR}` };
  }
  return { level: "trusted", why: "passes the checks on held-out pairs" };
}
