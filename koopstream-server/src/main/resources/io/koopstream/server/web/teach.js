// What to do when there is nothing to see yet: in words, with commands to copy.

import { byId, html, setText, show } from "./dom.js";
import { count } from "./format.js";

/** No model at all. */
export function teachFirstModel() {
  teach(
    "No model yet",
    "A model learns how a system moves from its states as they arrive. Create one with “New model…”, or start the server with a built-in system to see one being learned.",
    [
      ["watch one being learned", "koop serve --demo fourwell"],
      ["follow a file that grows", "koop serve --tail sensor.csv --model plant"],
      ["send from Python (KOOPSTREAM_TOKEN holds the token that the server printed)", python("plant", 2, ["x1", "x2"])],
    ],
  );
}

/** A model that has seen too little to show. */
export function teachFirstSamples({ name, dimension, names, phase, warmUp }) {
  const d = dimension ?? names?.length ?? 2;
  const state = (t) => `[${Array.from({ length: d }, (_, i) => (0.1 * (t + 1) * (i % 2 ? -1 : 1)).toFixed(1)).join(",")}]`;
  const body = JSON.stringify({ stream: "s1", first: 0, newTrajectory: true, states: "STATES" }).replace('"STATES"', `[${[0, 1, 2].map(state).join(",")}]`);
  const { waiting = 0, awaited = 0 } = warmUp ?? {};
  const warming = phase === "WARMING" && waiting > 0;
  teach(
    warming ? "Looking at the first samples" : `${name} is waiting for samples`,
    warming
      ? `${count(waiting)} of ${count(awaited)} observations have arrived from which kernel, delays and learner are chosen; the pictures follow.`
      : `Post the states of a trajectory in order: ${d} number${d > 1 ? "s" : ""} each${names?.length ? ` (${names.join(", ")})` : ""}. With a stream name and numbers, sending twice does no harm. KOOPSTREAM_TOKEN stands for the token that the server printed at its start.`,
    [
      [
        "send states",
        `curl -H "Authorization: Bearer $KOOPSTREAM_TOKEN" -H "Content-Type: application/json" ${location.origin}/models/${encodeURIComponent(name)}/samples -d '${body}'`,
      ],
      ["send from Python (KOOPSTREAM_TOKEN holds the token)", python(name, d, names)],
    ],
    warming ? waiting / awaited : null,
  );
}

/** Lines that send an array of states. */
function python(name, d, names) {
  const columns = names?.length ? ` # columns: ${names.join(", ").replace(/[\r\n]/g, " ")}` : "";
  return [
    "from koopstream import Koopstream",
    `model = Koopstream(${JSON.stringify(location.origin)}, model=${JSON.stringify(name)})`,
    `model.partial_fit(states)  # an array of shape (n, ${d}), rows in order${columns}`,
  ].join("\n");
}

/** Enough was seen: the pictures speak. */
export function teachNothing() {
  show(byId("teach"), false);
}

function teach(title, text, commands, progress = null) {
  setText(byId("teach-title"), title);
  setText(byId("teach-text"), text);
  show(byId("teach-progress"), progress !== null);
  byId("teach-progress").value = progress ?? 0;
  const box = byId("teach-commands");
  const key = JSON.stringify(commands);
  if (box.dataset.key !== key) {
    box.dataset.key = key;
    box.replaceChildren(...commands.map(command));
  }
  show(byId("teach"), true);
}

function command([what, line]) {
  const button = html("button", { type: "button", class: "quiet", "aria-label": `Copy the command: ${what}` }, "Copy");
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(line);
      setText(button, "Copied");
    } catch {
      setText(button, "Select it and copy by hand"); // clipboards are forbidden on some pages without TLS
    }
    setTimeout(() => setText(button, "Copy"), 2000);
  });
  return html("div", { class: "command" }, html("p", { class: "hint" }, what), html("pre", { tabindex: 0, role: "region", "aria-label": `Command: ${what}` }, html("code", {}, line)), button);
}
