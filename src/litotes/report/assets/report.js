"use strict";

/* Functions that all scripts use, and tables that can be sorted and filtered.
   Text from the data reaches the page through textContent only: a sentence is shown, never executed. */
const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);

function make(tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

/* The choice of a model on an item in which no single option is the most similar. */
const TIE = -1;

function fill(select, options, selected) {
  select.replaceChildren(
    ...options.map(([value, text]) => {
      const option = make("option", "", text);
      option.value = value;
      return option;
    }),
  );
  select.value = selected;
  if (select.selectedIndex < 0) select.selectedIndex = 0;
}

/* A value without an option leaves the field unchanged. */
function setTo(select, value) {
  if ([...select.options].some((option) => option.value === value)) select.value = value;
}

/* Call `then` after a pause in typing, not at every letter. */
function whenTyped(input, then) {
  let waiting = 0;
  input.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(then, 120);
  });
}

const percent = (share) => (share === null || Number.isNaN(share) ? "–" : `${(share * 100).toFixed(1)}\u00a0%`);
const count = (number) => number.toLocaleString("en-US");
const plural = (number, noun) => `${count(number)} ${noun}${number === 1 ? "" : "s"}`;
const display = (name) => name.replaceAll("~", " ~ ").replaceAll("_", " ");
/* Searches treat curly and straight apostrophes as equal. */
const folded = (text) => text.normalize("NFKC").toLowerCase().replace(/[‘’]/g, "'");

function decimal(scaled, signed) {
  if (Number.isNaN(scaled)) return "–";
  const size = (Math.abs(scaled) / data.scale).toFixed(4);
  if (scaled < 0) return `−${size}`;
  return signed && scaled > 0 ? `+${size}` : size;
}

/* Tables: sorting and filtering ------------------------------------------------------------- */

function sortValue(cell) {
  const text = cell.dataset.sort ?? cell.textContent.trim();
  const number = Number.parseFloat(text.replaceAll(",", "").replace("−", "-"));
  return { text, number };
}

function sortRows(table, column, downwards, byNumber) {
  const body = table.tBodies[0];
  const rows = [...body.rows].map((row) => ({ row, ...sortValue(row.cells[column]) }));
  rows.sort((one, other) => {
    if (!byNumber) return (downwards ? -1 : 1) * one.text.localeCompare(other.text, "en");
    const missing = Number.isNaN(one.number) - Number.isNaN(other.number);
    if (missing || Number.isNaN(one.number)) return missing;
    return (downwards ? -1 : 1) * (one.number - other.number);
  });
  body.append(...rows.map(({ row }) => row));
}

function makeSortable(table) {
  const heads = [...table.querySelectorAll("th[data-column]")];
  for (const head of heads) {
    const byNumber = !head.classList.contains("name");
    const button = make("button", "sort");
    button.type = "button";
    button.append(...head.childNodes);
    button.insertBefore(make("span", "arrow"), button.querySelector(".unit, .right-word"));
    head.append(button);
    button.addEventListener("click", () => {
      const now = head.getAttribute("aria-sort");
      const downwards = now ? now === "ascending" : byNumber;
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", downwards ? "descending" : "ascending");
      sortRows(table, Number(head.dataset.column), downwards, byNumber);
    });
  }
}

function makeFilterable(filter) {
  const rows = [...filter.nextElementSibling.querySelectorAll("tbody tr")];
  const input = filter.querySelector("input");
  const status = filter.querySelector("[role=status]");
  const names = rows.map((row) => folded(row.cells[0].textContent));
  input.addEventListener("input", () => {
    const query = folded(input.value.trim());
    let shown = 0;
    rows.forEach((row, place) => {
      row.hidden = !names[place].includes(query);
      shown += row.hidden ? 0 : 1;
    });
    status.textContent = query ? `${count(shown)} of ${plural(rows.length, status.dataset.noun)}` : "";
  });
  filter.hidden = false;
}

function makeBoardFilterable(filter) {
  const rows = [...filter.nextElementSibling.querySelectorAll("tbody tr:not(.guessing)")];
  const input = filter.querySelector("input[type=search]");
  const boxes = [...filter.querySelectorAll("input[type=checkbox]")];
  const status = filter.querySelector("[role=status]");
  const names = rows.map((row) => folded(row.cells[0].textContent));
  const show = () => {
    const query = folded(input.value.trim());
    const off = new Set(boxes.filter((box) => !box.checked).map((box) => box.value));
    let shown = 0;
    rows.forEach((row, place) => {
      row.hidden = !names[place].includes(query) || off.has(row.dataset.kind);
      shown += row.hidden ? 0 : 1;
    });
    status.textContent = shown < rows.length ? `${count(shown)} of ${plural(rows.length, "model")}` : "";
  };
  input.addEventListener("input", show);
  for (const box of boxes) box.addEventListener("change", show);
  filter.hidden = false;
}

document.querySelectorAll("table.sortable").forEach(makeSortable);
document.querySelectorAll(".group-filter").forEach(makeFilterable);
document.querySelectorAll(".board-filter").forEach(makeBoardFilterable);
