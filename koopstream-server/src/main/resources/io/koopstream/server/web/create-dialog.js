// The dialog that makes a model. What is right or wrong is the server's to say; its words are shown beside the form.

import { api } from "./api.js";
import { byId, setText, show } from "./dom.js";

export class CreateDialog {
  #dialog = byId("create");
  #problem = byId("create-problem");
  #onCreated;

  /** onCreated(info) after the server made the model. */
  constructor(onCreated) {
    this.#onCreated = onCreated;
    byId("create-cancel").addEventListener("click", () => this.#dialog.close());
    byId("create-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#create();
    });
    for (const radio of this.#dialog.querySelectorAll("input[name=choice]")) {
      radio.addEventListener("change", () => show(byId("create-own"), this.#own()));
    }
  }

  open() {
    this.#say(null);
    this.#dialog.showModal();
    byId("create-name").focus();
  }

  #own() {
    return this.#dialog.querySelector("input[name=choice]:checked").value === "own";
  }

  async #create() {
    const name = byId("create-name").value.trim();
    const names = byId("create-names").value.split(",").map((part) => part.trim()).filter(Boolean);
    if (!name || !names.length) {
      this.#say(name ? "Name at least one coordinate." : "Give the model a name.");
      byId(name ? "create-names" : "create-name").focus();
      return;
    }
    const settings = { dimension: names.length, names };
    const fields = [["dt", "create-dt"], ...(this.#own() ? [["lambda", "create-lambda"], ["epsilon", "create-epsilon"]] : [])];
    for (const [key, id] of fields) {
      const text = byId(id).value.trim();
      if (text !== "") {
        const value = Number(text);
        if (!Number.isFinite(value)) {
          this.#say(`${text}: not a number.`);
          byId(id).focus();
          return;
        }
        settings[key] = value;
      }
    }
    if (this.#own()) {
      const kernel = byId("create-kernel").value.trim();
      if (!kernel) {
        this.#say("Write a kernel, for example gaussian(0.5), or let one be chosen.");
        byId("create-kernel").focus();
        return;
      }
      settings.kernel = kernel;
      settings.method = byId("create-method").value;
    }
    if (byId("create-deterministic").checked) {
      settings.deterministic = true;
    }
    byId("create-submit").disabled = true;
    try {
      const info = await api.create(name, settings);
      this.#dialog.close();
      this.#onCreated(info);
    } catch (error) {
      this.#say(error.message);
    } finally {
      byId("create-submit").disabled = false;
    }
  }

  #say(message) {
    setText(this.#problem, message ?? "");
    show(this.#problem, Boolean(message));
  }
}
