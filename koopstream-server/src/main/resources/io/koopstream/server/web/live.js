// The stream of events of one model, for ever: after a loss it comes back by itself, waiting longer after every failure.

import { api } from "./api.js";

const FIRST_WAIT = 500;
const MAX_WAIT = 15_000;

export class LiveStream {
  #onState;
  #onConnection;
  #name = null;
  #source = null;
  #timer = 0;
  #failures = 0;

  /** onState(state) for every event; onConnection({state: connecting | live | waiting | refused | gone, text}). */
  constructor(onState, onConnection) {
    this.#onState = onState;
    this.#onConnection = onConnection;
    const now = () => this.#timer && this.#open();
    addEventListener("online", now);
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && now());
  }

  /** Follows another model. */
  follow(name) {
    this.stop();
    this.#name = name;
    this.#failures = 0;
    this.#open();
  }

  /** Does not wait for the next try. */
  retry() {
    if (this.#timer) {
      this.#open();
    }
  }

  stop() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#source?.close();
    this.#source = null;
    this.#name = null;
  }

  #open() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#source?.close();
    if (this.#failures === 0) {
      this.#onConnection({ state: "connecting", text: "connecting" });
    }
    const source = new EventSource(api.eventsPath(this.#name));
    this.#source = source;
    source.addEventListener("state", (event) => {
      this.#failures = 0;
      this.#onConnection({ state: "live", text: "live" });
      this.#onState(JSON.parse(event.data));
    });
    source.addEventListener("deleted", () => {
      source.close();
      this.#gone(this.#name);
    });
    source.onerror = () => {
      source.close(); // its own retry knows neither back-off nor why
      if (this.#source === source) {
        this.#lost();
      }
    };
  }

  #gone(name) {
    this.#onConnection({ state: "gone", text: `the server has no model ${name} any more` });
  }

  /** Asks why: an event source does not tell a refusal from a server that is away. */
  async #lost() {
    const name = this.#name;
    const wait = Math.min(MAX_WAIT, FIRST_WAIT * 2 ** this.#failures++);
    this.#onConnection({ state: "waiting", text: "connection lost, trying again" });
    let why = null;
    try {
      await api.model(name);
    } catch (error) {
      why = error;
    }
    if (this.#name !== name) {
      return;
    }
    if (why?.status === 401 || why?.status === 403) {
      this.#onConnection({ state: "refused", text: "not allowed: open the address that the server printed at its start" });
    } else if (why?.status === 404) {
      this.#gone(name);
    } else {
      const jitter = wait * (0.75 + Math.random() / 2);
      this.#timer = setTimeout(() => this.#open(), jitter);
      this.#onConnection({ state: "waiting", text: `server away, next try in ${Math.max(1, Math.round(jitter / 1000))} s` });
    }
  }
}
