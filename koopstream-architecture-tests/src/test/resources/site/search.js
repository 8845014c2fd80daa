// Search over all sections of the documents and all types of the API. Works from a folder: the index is a script, nothing is fetched.
const SHOWN = 20;
const up = document.currentScript.dataset.up;
const query = document.getElementById("query");
const found = document.getElementById("found");
const results = document.getElementById("results");
let loading;

// What the types' index of javadoc calls and sets.
var typeSearchIndex;
function updateSearchResults() {}

function load(file) {
  return new Promise((done) => {
    const script = document.createElement("script");
    script.src = up + file;
    script.onload = script.onerror = done;
    document.head.append(script);
  });
}

function rank([title, heading, , text], words) {
  let sum = 0;
  for (const word of words) {
    const here = (heading.toLowerCase().includes(word) ? 8 : 0) + (title.toLowerCase().includes(word) ? 4 : 0)
      + Math.min(3, text.toLowerCase().split(word).length - 1);
    if (here === 0) return 0;
    sum += here;
  }
  return sum;
}

function types(words) {
  return (typeSearchIndex ?? []).filter((type) => type.p).map((type) => {
    const name = type.l.toLowerCase();
    const all = words.every((word) => (type.p + "." + name).toLowerCase().includes(word));
    const score = !all ? 0 : words.includes(name) ? 30 : words.some((word) => name.includes(word)) ? 6 : 1;
    return [score, [type.p, type.l, `api/${type.p.replaceAll(".", "/")}/${type.l}.html`, ""]];
  });
}

function snippet(text, words) {
  const at = Math.max(0, ...words.map((word) => text.toLowerCase().indexOf(word)));
  const from = Math.max(0, at - 50);
  return (from > 0 ? "…" : "") + text.slice(from, at + 110).replace(/\s+/g, " ");
}

async function search() {
  const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
  document.getElementById("menu").hidden = words.length > 0;
  await (loading ??= Promise.all([load("search-index.js"), load("api/type-search-index.js")]));
  const hits = [...SECTIONS.map((section) => [rank(section, words), section]), ...types(words)]
    .filter(([score]) => words.length > 0 && score > 0).sort((a, b) => b[0] - a[0]);
  found.textContent = words.length === 0 ? "" : hits.length === 0 ? "nothing found"
    : hits.length > SHOWN ? `the first ${SHOWN} of ${hits.length}` : `${hits.length} found`;
  results.replaceChildren(...hits.slice(0, SHOWN).map(([, [title, heading, address, text]]) => {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = up + address;
    link.textContent = heading;
    const where = document.createElement("small");
    where.textContent = title === heading ? "" : ` ${title}`;
    const part = document.createElement("p");
    part.textContent = snippet(text, words);
    item.append(link, where, part);
    return item;
  }));
}

query.addEventListener("input", search);
query.addEventListener("keydown", (event) => {
  if (event.key === "Enter") results.querySelector("a")?.click();
  if (event.key === "Escape") { query.value = ""; search(); }
});
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && document.activeElement !== query) { event.preventDefault(); query.focus(); }
});
