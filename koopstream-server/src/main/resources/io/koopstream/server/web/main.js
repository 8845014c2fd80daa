// Puts the page together: which model, what of it is shown, and when to ask the server again.

import { api } from "./api.js";
import { Chart } from "./chart.js";
import { isDark } from "./colours.js";
import { CreateDialog } from "./create-dialog.js";
import { byId, fillSelect, html, setText, show } from "./dom.js";
import { ForecastView, LEVELS } from "./forecast-view.js";
import { finding, gapOf, steady, twinsOf } from "./finding.js";
import { count, isNumber, rate, significant, timescale, timesOf } from "./format.js";
import { LiveStream } from "./live.js";
import { MapView } from "./map-view.js";
import { SpectrumView } from "./spectrum-view.js";
import { teachFirstModel, teachFirstSamples, teachNothing } from "./teach.js";
import { judge } from "./trust.js";

const RATE_MEMORY = 10 * 60; // seconds
const GRID = 72; // nodes a side of the map
/** A model of fewer pairs soon has nothing to say about later steps; whoever asks for them is told so. */
const MIN_TO_FORECAST = 50;

/** Milliseconds after which the page believes that a gap is gone. */
const GAP_REMEMBERED = 10_000;

const NEVER = { key: "", version: -1, at: -Infinity };

let model = null; // name
let damaged = []; // names of models that are set aside
let state = null; // newest event: what is known of the model, spectrum, rate and recent states
let forecast = null; // newest forecast with its start
let question = null; // what the reader wants a forecast of
let forecastAsked = 0;
let forecastShown = 0; // an answer to another question, or older than the one shown, is dropped
let rates = { xs: [], ys: [] };
let started = 0;
let setFacts = null; // of the newest answer about sets
let setPlaces = null; // their centres, by which they keep their letters
let touched = false; // the reader has chosen what to see
let gapSeen = -Infinity; // when the spectrum last had a gap
let paused = false;

const spectrum = new SpectrumView((index) => {
  touched = true;
  chooseWhat(String(index));
});
const map = new MapView((x, y) => fans.pick([[Number(byId("map-x").value), x], ...(y === null ? [] : [[Number(byId("map-y").value), y]])]));
const fans = new ForecastView(askForecast);
const live = new LiveStream(onState, onConnection);
const dialog = new CreateDialog(async (info) => {
  await listModels(info.name);
  announce(`Model ${info.name} created`);
});
const errorStrip = new Chart(byId("strip-error"), { name: "One-step error", xName: "pairs learned", log: true });
const dictionaryStrip = new Chart(byId("strip-dictionary"), { name: "Kept samples", xName: "pairs learned", zero: true });
const rateStrip = new Chart(byId("strip-rate"), { name: "Rate in samples per second", xName: "seconds", zero: true });
const rowStrip = new Chart(byId("strip-rows"), { name: "Newest rows", xName: "rows" });
const scoreStrip = new Chart(byId("strip-score"), { name: "Score", xName: "rows", zero: true });

const announce = (text) => setText(byId("announce"), text);

// ---- which model

let listAgain = 0;

async function listModels(wanted) {
  clearTimeout(listAgain);
  let models;
  try {
    ({ models, damaged } = await api.models());
  } catch (error) {
    onConnection(error.status === 401 || error.status === 403 ? { state: "refused", text: "not allowed: open the address that the server printed at its start" } : { state: "waiting", text: "server away, trying again" });
    listAgain = setTimeout(() => listModels(wanted), 2000);
    return;
  }
  const names = models.map(({ name }) => name);
  const select = byId("model-select");
  select.disabled = !names.length;
  const chosen = fillSelect(select, names.length ? names.map((name) => [name, name]) : [["", "none"]], wanted ?? model ?? decodeURIComponent(location.hash.slice(1)));
  if (!names.length) {
    live.stop();
    model = null;
    onConnection({ state: "live", text: "connected" });
    show(byId("live"), false);
    showTools(false);
    document.title = "Koopstream";
    teachFirstModel();
    listAgain = setTimeout(() => model ?? listModels(), 3000); // one may come from elsewhere
  } else if (chosen !== model) {
    follow(chosen, models.find(({ name }) => name === chosen));
  }
}

function follow(name, info) {
  model = name;
  state = null;
  forecast = null;
  question = null;
  setFacts = null;
  setPlaces = null;
  touched = false;
  gapSeen = -Infinity;
  pause(false);
  spectrum.look(false);
  byId("map-what").value = "";
  showTools(true);
  rates = { xs: [], ys: [] };
  started = performance.now();
  history.replaceState(null, "", `#${encodeURIComponent(name)}`);
  document.title = `${name} · Koopstream`;
  spectrum.clear();
  map.clear("The map appears with the first eigenvalues.");
  mapAsked = NEVER;
  mapShown = null;
  curveAsked = NEVER;
  for (const strip of [errorStrip, dictionaryStrip, rateStrip]) {
    strip.update({ xs: [], ys: [] });
  }
  byId("link-model").href = api.modelFile(name);
  byId("download").href = api.modelFile(name);
  byId("link-export").href = api.exportFile(name);
  live.follow(name);
  if (info) {
    onState({ info, rate: null, spectrum: null, recent: [], early: true }); // what the list of models said, until the first event
  }
}

// ---- what comes in

function onConnection({ state: how, text }) {
  const chip = byId("connection");
  if (chip.dataset.state !== how && (how === "live" || how === "waiting" || how === "refused" || how === "gone")) {
    announce(how === "live" ? "Connected" : text);
  }
  chip.dataset.state = how;
  setText(byId("connection-text"), text);
  document.body.classList.toggle("stale", how !== "live");
  show(byId("retry"), how === "waiting");
  if (how === "gone") {
    model = null;
    listModels();
  }
}

function onState({ info, ...rest }) {
  if (paused) {
    return;
  }
  const next = { ...info, ...rest, rate: state && !state.early ? rest.rate : null }; // a rate is known from the second reading on
  const events = state ? next.drift.length - state.drift.length : 0;
  state = next;
  if (events > 0) {
    announce(sayDrift(next.drift.at(-1)));
  }
  showChips();
  showTrouble();
  show(byId("live"), state.samples > 0);
  if (state.samples === 0) {
    teachFirstSamples(state);
    return;
  }
  teachNothing();
  showNumbers();
  showWords();
  rememberRate();
  refreshCurve();
  showScores();
  fans.setNames(names());
  setText(byId("finding"), finding(state, times(), setFacts));
  if (!state.spectrum) {
    return; // it comes with a later event
  }
  openOnWhatMatters();
  showChoices();
  spectrum.update(state.spectrum.eigenvalues, times());
  setText(byId("times-note"), `times: ${times().note}`);
  showRecent();
  refreshMap();
}

// The coordinates of a state: those of a row, then those of the rows before it.
const names = () => Array.from({ length: state.delays + 1 }, (_, k) => state.coordinates.map((name) => (k ? `${name}_lag${k * state.stride}` : name))).flat();

const times = () => timesOf(state);

/** Where the spectrum has a gap, sets and the slow eigenvalues are what the reader came for; who has chosen something keeps it. */
function openOnWhatMatters() {
  const now = performance.now();
  gapSeen = gapOf(state.spectrum.eigenvalues).sets > 1 ? now : gapSeen;
  const metastable = now - gapSeen < GAP_REMEMBERED; // a gap that is missed once does not turn the page over
  if (!touched && metastable !== (byId("map-what").value === "sets") && names().length <= 2) {
    showChoices();
    byId("map-what").value = metastable ? "sets" : "1";
    spectrum.look(metastable);
  }
}

function showTools(some) {
  for (const id of ["pause", "download", "delete"]) {
    show(byId(id), some);
  }
}

function pause(on) {
  paused = on;
  byId("pause").setAttribute("aria-pressed", String(on));
  setText(byId("pause"), on ? "Resume" : "Pause");
}

function showChips() {
  const phase = byId("phase");
  setText(phase, { WARMING: "warming up", LEARNING: "learning" }[state.phase] ?? String(state.phase).toLowerCase());
  show(phase, true);
  const durability = byId("durability");
  const [label, means] =
    state.durability === "fsync"
      ? ["fsync", "Every acknowledged sample is on the disk: a power cut loses none"]
      : ["os", "Acknowledged samples are with the operating system: a server crash loses none, a power cut may lose the latest"];
  setText(durability, label);
  durability.title = means;
  durability.setAttribute("aria-label", `Durability ${label}: ${means}`);
  show(durability, true);
}

function showTrouble() {
  const health = state.health;
  const words = { RUNNING: "", REPLAYING: `This model is ${health.reason}.` };
  const trouble = words[health.state] ?? `This model accepts no samples: ${health.reason}`;
  setText(byId("trouble"), trouble);
  show(byId("trouble"), trouble !== "");
}

function showNumbers() {
  const values = state.spectrum?.eigenvalues ?? [];
  setText(byId("n-samples"), count(state.samples));
  setText(byId("n-rate"), rate(state.rate));
  setText(byId("n-dictionary"), count(state.dictionary));
  setText(byId("n-error"), significant(state.oneStepError, 3));
  setText(byId("n-error-scale"), /linear|polynomial/.test(state.kernel ?? "") ? "" : "0 perfect, 1 blind");
  const slowest = values.slice(1).find((value) => judge(value).level !== "spurious");
  setText(byId("n-timescale"), slowest ? timescale(slowest, times()) : "–");
  setText(byId("n-timescale-unit"), (slowest && times().unit) || "");
  setText(byId("n-trusted"), !values.length ? "–" : `${values.filter((value) => judge(value).level === "trusted").length} of ${values.length}`);
}

function showWords() {
  const aside = damaged.map((name) => `Model ${name} could not be opened and is set aside; the server log says why.`);
  const warnings = [...(state.warnings ?? []), ...aside];
  fillList(byId("warnings"), warnings.length ? warnings : ["No warnings."], warnings.length ? "warning" : "fine");
  const drift = (state.drift ?? []).map(sayDrift).reverse();
  fillList(byId("drift"), drift.length ? drift : ["No drift detected."], drift.length ? "drifted" : "fine");
  const rows = (state.settings ?? []).map(({ name, value, reason }) => [name, value, reason ?? ""]);
  const body = byId("settings").tBodies[0];
  const key = JSON.stringify(rows);
  if (body.dataset.key !== key) {
    body.dataset.key = key;
    body.replaceChildren(...rows.map(([name, value, reason]) => html("tr", {}, html("th", { scope: "row" }, name), html("td", {}, value), html("td", {}, reason))));
  }
}

function sayDrift({ kind, sentence, sample, since, errorBefore, errorAfter }) {
  if (kind) {
    return sentence[0].toUpperCase() + sentence.slice(1); // with onset and time, as the data writes it
  }
  return `Drift detected at pair ${count(sample)}: since pair ${count(since)} the one-step error is ${significant(errorAfter, 2)}, before ${significant(errorBefore, 2)}`;
}

function fillList(list, texts, kind) {
  const key = JSON.stringify([kind, texts]);
  if (list.dataset.key !== key) {
    list.dataset.key = key;
    list.replaceChildren(...texts.map((text) => html("li", { class: kind }, text)));
  }
}

// ---- the map

let mapAsked = NEVER;
let mapShown = null; // the choice that is drawn
let mapBusy = false;

function showChoices() {
  const values = state.spectrum.eigenvalues;
  const options = values.map((value, k) => [String(k), `eigenfunction ${k + 1}`]);
  const what = fillSelect(byId("map-what"), [...options, ["sets", "sets"]], byId("map-what").value || (values.length > 1 ? "1" : "0"));
  const value = values[Number(what)];
  const turning = Boolean(value && Math.abs(value.im) > 1e-9);
  show(byId("map-part-label"), what !== "sets" && turning);
  show(byId("map-sets-label"), what === "sets");
  const axes = names().map((name, i) => [String(i), name]);
  const x = fillSelect(byId("map-x"), axes);
  const kept = byId("map-y").value;
  const y = fillSelect(byId("map-y"), axes, kept === "" || kept === x ? String((Number(x) + 1) % axes.length) : kept);
  show(byId("map-axes"), axes.length > 2);
  spectrum.select(what === "sets" ? -1 : Number(what));
  return { what, part: turning ? byId("map-part").value : "re", x, y, sets: byId("map-sets").value };
}

function chooseWhat(what) {
  byId("map-what").value = what;
  choicesChanged();
}

function choicesChanged() {
  if (state?.spectrum) {
    showChoices();
    showRecent();
    showPath();
    refreshMap(true);
  }
}

/** Asks for a new map when the choice changed, or when something was learned and the last answer is old enough. */
async function refreshMap(atOnce = false) {
  if (mapBusy || !state?.spectrum || document.visibilityState === "hidden") {
    return;
  }
  const { what, part, x, y, sets } = showChoices();
  const key = [model, what, x, y, sets, state.version].join(" ");
  const wait = 1500 + Math.min(5000, 4 * (mapAsked.took ?? 0)); // most of the server's time is for learning
  if (key === mapAsked.key || (!atOnce && performance.now() - mapAsked.at < wait)) {
    map.setPart(part);
    return;
  }
  mapBusy = true;
  const asked = model;
  const start = performance.now();
  if (what !== mapShown) {
    showSets(null);
    map.empty(what === "sets" ? "Computing the sets…" : `Computing eigenfunction ${Number(what) + 1}…`);
  }
  mapAsked = { ...mapAsked, key, at: start };
  try {
    const size = names().length > 1 ? { nx: GRID, ny: GRID, x, y } : { nx: 4 * GRID };
    const grid = what === "sets" ? steady(await api.sets(model, { k: sets, ...size }), setPlaces) : await api.eigenfunction(model, { index: what, ...size });
    if (model === asked) {
      map.setGrid(grid, part);
      mapShown = what;
      setPlaces = grid.places ?? setPlaces;
      showSets(what === "sets" ? grid.sets : null);
      describeMap(what);
      renewForecast();
    }
  } catch (error) {
    if (model === asked && error.status !== 0) {
      map.empty(error.message);
    }
  } finally {
    mapBusy = false;
    mapAsked = { ...mapAsked, took: performance.now() - start };
    const now = state?.spectrum ? showChoices() : null;
    if (now && (model !== asked || now.what !== what || now.x !== x || now.y !== y || now.sets !== sets)) {
      refreshMap(true);
    }
  }
}

/** The sets as a table: where they are, how much time is spent in them, how long one stays. */
function showSets(facts) {
  show(byId("sets-box"), Boolean(facts));
  if (!facts) {
    return;
  }
  setFacts = byId("map-sets").value === "" ? facts : setFacts;
  const share = (x) => (isNumber(x) ? `${significant(100 * x, 3)} %` : "–");
  const rows = facts.map(({ centre, population, meanExitTime }, i) => [
    String.fromCharCode(65 + i),
    share(population),
    isNumber(meanExitTime) ? times().text(meanExitTime) : "–",
    (centre ?? []).slice(0, 6).map((x) => significant(x, 3)).join(", ") || "–",
  ]);
  byId("sets").tBodies[0].replaceChildren(...rows.map(([set, ...cells]) => html("tr", {}, html("th", { scope: "row" }, set), ...cells.map((cell) => html("td", {}, cell)))));
}

function describeMap(what) {
  const twins = twinsOf(state.spectrum.eigenvalues, Number(what));
  show(byId("map-twins"), twins.length > 0);
  setText(
    byId("map-twins"),
    twins.length ? `Eigenvalues ${twins.slice(0, -1).join(", ")} and ${twins.at(-1)} are equal within their error bars: any mixture of their eigenfunctions is as valid as this one. The sets do not depend on it.` : "",
  );
  const shown = what === "sets" ? "Sets that the system rarely leaves" : `Eigenfunction ${Number(what) + 1}`;
  byId("map").setAttribute("aria-label", `${shown}, over ${names()[Number(byId("map-x").value)]}${names().length > 1 ? ` and ${names()[Number(byId("map-y").value)]}` : ""}`);
}

/** A state in the two coordinates shown; a one-dimensional state lies on the line 0. */
function shownCoordinates(point) {
  const x = point?.[Number(byId("map-x").value)];
  const y = names().length > 1 ? point?.[Number(byId("map-y").value)] : 0;
  return isNumber(x) && isNumber(y) ? [x, y] : null; // earlier observations of a delay embedding are not among the recent states
}

function showRecent() {
  map.setRecent(state.recent.map(shownCoordinates));
}

// ---- the forecast

async function askForecast(asked) {
  const before = question;
  question = asked;
  try {
    const answer = await loadForecast(asked);
    announce(`Forecast of ${asked.steps} steps: ${answer.names.map((name, c) => `${name} ${significant(answer.mean.at(-1)[c], 3)}`).join(", ")}${answer.warning ? `. Careful: ${answer.warning}` : ""}`);
  } catch (error) {
    question = question === asked ? before : question;
    fans.fail(error.message, error.code);
  }
}

/** The same forecast from what was learned since; as long as nobody asked for another, one that begins at the newest row. */
async function renewForecast() {
  if (forecast || state.samples >= MIN_TO_FORECAST) {
    await loadForecast(question).catch(() => {}); // nobody asked; the next renewal may succeed
  }
}

async function loadForecast(wanted) {
  const asked = model;
  const mine = ++forecastAsked;
  const answer = await api.forecast(model, { ...(wanted ?? { from: null, steps: 50 }), quantiles: LEVELS.join(",") });
  if (model === asked && question === wanted && mine > forecastShown) {
    forecastShown = mine;
    forecast = answer;
    fans.show(answer, times());
    fans.suggest(answer.from);
    showPath();
  }
  return answer;
}

function showPath() {
  const known = forecast && [forecast.known, ...forecast.knownOnTheWay];
  const points = forecast && [forecast.from ?? forecast.start, ...forecast.mean].map((point, i) => [shownCoordinates(point), known[i]]);
  map.setPath(points ? points.filter(([point]) => point) : null);
}

// ---- how unusual

/** The first of the two coordinates of the map over the newest rows, and the score below, alarms marked in both. */
function showScores() {
  const rows = state.scores ?? [];
  show(byId("unusual"), rows.length > 0);
  if (!rows.length) {
    return;
  }
  const c = Math.min(Number(byId("map-x").value) || 0, rows.at(-1).value.length - 1);
  const xs = rows.map(({ row }) => row);
  const part = (key) => rows.map((row) => row[key]?.[c] ?? null);
  const marks = rows.filter(({ alarm }) => alarm).map(({ row, score, reason }) => ({ x: row, word: "alarm", text: `Alarm at row ${count(row)}: ${reason}, score ${significant(score, 2)}` }));
  const dots = rows.map(({ row, value, alarm }) => ({ x: row, y: value[c], r: alarm ? 4 : 1.6, kind: alarm ? "came alarm" : "came", text: `row ${count(row)}: ${significant(value[c], 3)}` }));
  setText(byId("unusual-name"), names()[c]);
  rowStrip.update({ xs, ys: part("predicted"), bands: [{ low: part("low"), high: part("high") }], dots, marks });
  scoreStrip.update({ xs, ys: rows.map(({ score }) => score), marks });
  const last = rows.at(-1).score;
  setText(byId("unusual-now"), isNumber(last) ? `Score now: ${significant(last, 2)}${marks.length ? `; last alarm at row ${count(marks.at(-1).x)}` : "; no alarm in these rows"}` : "Not enough rows to score yet.");
}

// ---- over time

let curveAsked = NEVER;
let curveBusy = false;

function rememberRate() {
  const now = (performance.now() - started) / 1000;
  if (isNumber(state.rate) && now - (rates.xs.at(-1) ?? -1) >= 0.9) {
    rates.xs.push(now);
    rates.ys.push(state.rate);
    while (rates.xs[0] < now - RATE_MEMORY) {
      rates.xs.shift();
      rates.ys.shift();
    }
    rateStrip.update({ ...rates, xRange: [rates.xs[0], Math.max(now, rates.xs[0] + 30)] });
  }
}

async function refreshCurve() {
  if (curveBusy || curveAsked.version === state.version || performance.now() - curveAsked.at < 2000 || document.visibilityState === "hidden") {
    return;
  }
  curveBusy = true;
  curveAsked = { version: state.version, at: performance.now() };
  const asked = model;
  try {
    const { curve } = await api.curve(model);
    if (model === asked) {
      const marks = (state.drift ?? []).map((event) => ({ x: event.sample, text: sayDrift(event) }));
      errorStrip.update({ xs: curve.samples, ys: curve.error, marks });
      dictionaryStrip.update({ xs: curve.samples, ys: curve.dictionary, marks });
    }
  } catch {
    // the connection chip says it; the next event tries again
  } finally {
    curveBusy = false;
  }
}

// ---- controls

function showTheme() {
  const dark = isDark();
  byId("theme-toggle").setAttribute("aria-pressed", String(dark));
  map.restyle();
}

byId("theme-toggle").addEventListener("click", () => {
  const theme = isDark() ? "light" : "dark";
  document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem("koop-theme", theme);
  } catch {
    // then it lasts until the page is closed
  }
  showTheme();
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", showTheme);
byId("model-select").addEventListener("change", (event) => event.target.value && follow(event.target.value));
byId("model-select").addEventListener("focus", () => listModels());
byId("new-model").addEventListener("click", () => dialog.open());
byId("pause").addEventListener("click", () => pause(!paused));
byId("retry").addEventListener("click", () => (model ? live.retry() : listModels()));
byId("delete").addEventListener("click", () => {
  setText(byId("remove-title"), `Delete ${model}?`);
  setText(byId("remove-text"), `The model and the ${count(state?.samples ?? 0)} pairs it has learned are removed from the server's disk. This cannot be undone; a downloaded file stays usable.`);
  byId("remove").returnValue = "";
  byId("remove").showModal();
});
byId("remove").addEventListener("close", async () => {
  if (byId("remove").returnValue === "delete" && model) {
    const name = model;
    try {
      await api.remove(name);
      announce(`Model ${name} deleted`);
    } catch (error) {
      setText(byId("trouble"), error.message);
      show(byId("trouble"), true);
    }
  }
});
byId("map-what").addEventListener("change", () => (touched = true));
for (const id of ["view-circle", "view-slow"]) {
  byId(id).addEventListener("click", () => (touched = true));
}
for (const id of ["map-what", "map-part", "map-sets", "map-x", "map-y"]) {
  byId(id).addEventListener("change", choicesChanged);
}
addEventListener("hashchange", () => listModels(decodeURIComponent(location.hash.slice(1))));
showTheme();
listModels();
