// Making and finding elements. Text from outside only ever becomes text, never markup.

const SVG = "http://www.w3.org/2000/svg";

/** The element with this id; a missing one is a mistake of this page and is said so. */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) {
    throw new Error(`the page has no element #${id}`);
  }
  return element;
}

/** An HTML element with attributes and children; strings become text nodes. */
export function html(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** An SVG element with attributes and children. */
export function svg(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  element.append(...children.map((child) => (child instanceof Node ? child : String(child))));
  return element;
}

/** Sets text only where it changed, so that screen readers and selections are left alone. */
export function setText(element, text) {
  if (element.textContent !== text) {
    element.textContent = text;
  }
}

/** Shows or hides. */
export function show(element, visible) {
  if (element.hidden === visible) {
    element.hidden = !visible;
  }
}

/** Fills a select with [value, label] pairs, keeping the choice where it still exists; gives the value chosen. */
export function fillSelect(select, options, wanted = select.value) {
  const same =
    select.options.length === options.length &&
    options.every(([value, label], i) => select.options[i].value === value && select.options[i].textContent === label);
  if (!same) {
    select.replaceChildren(...options.map(([value, label]) => html("option", { value }, label)));
  }
  const known = options.some(([value]) => value === wanted);
  const chosen = known ? wanted : (options[0]?.[0] ?? "");
  if (select.value !== chosen) {
    select.value = chosen;
  }
  return chosen;
}
