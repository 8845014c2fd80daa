// The server's interface. Every failure becomes one ServerError in words.

/** What went wrong: status 0 means that the server could not be reached. */
export class ServerError extends Error {
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

async function call(method, path, body) {
  let answer;
  try {
    answer = await fetch(path, {
      method,
      credentials: "same-origin",
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new ServerError(0, "UNREACHABLE", "The server does not answer.");
  }
  const text = await answer.text().catch(() => "");
  let json = null;
  try {
    json = text ? JSON.parse(text) : null;
  } catch {
    // handled below: an answer that is no JSON is an error whatever its status
  }
  if (!answer.ok || (text && json === null)) {
    const error = json?.error ?? {};
    throw new ServerError(answer.status, error.code ?? `HTTP_${answer.status}`, error.message ?? `The server answered ${answer.status}.`);
  }
  return json;
}

const modelPath = (name) => `/models/${encodeURIComponent(name)}`;

function query(parameters) {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== null && value !== "");
  return given.length ? `?${new URLSearchParams(given)}` : "";
}

export const api = {
  models: () => call("GET", "/models"),
  create: (name, settings) => call("POST", "/models", { name, settings }),
  model: (name) => call("GET", modelPath(name)),
  remove: (name) => call("DELETE", modelPath(name)),
  curve: (name) => call("GET", `${modelPath(name)}/error`),
  eigenfunction: (name, parameters) => call("GET", `${modelPath(name)}/eigenfunctions${query(parameters)}`),
  sets: (name, parameters) => call("GET", `${modelPath(name)}/sets${query(parameters)}`),
  forecast: (name, { from, steps, ...parameters }) => call("POST", `${modelPath(name)}/forecast${query(parameters)}`, from ? { from, steps } : { steps }),
  eventsPath: (name) => `${modelPath(name)}/events`,
  modelFile: (name) => `${modelPath(name)}/model`,
  exportFile: (name) => `${modelPath(name)}/export`,
};
