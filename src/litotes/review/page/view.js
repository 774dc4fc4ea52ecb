/* The view. Text reaches the page as text, never as markup. */

import { difference } from "./diff.js";

export const byId = (id) => document.getElementById(id);
const SIGNS = { accept: "✓", reject: "✕", edit: "✎" };
const DONE = { accept: "accepted", reject: "rejected", edit: "edited" };
const STATES = {
  all: "all units",
  unreviewed: "not yet reviewed",
  accepted: "accepted by me",
  rejected: "rejected by me",
  edited: "edited by me",
  disputed: "disputed",
};
const INTENTS = { closest: "should be the closest in meaning", further: "should be further away" };

export function make(tag, className = "", text = "") {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text) element.textContent = text;
  return element;
}

export function count(number) {
  return number.toLocaleString("en");
}

export function drawAbout(about) {
  document.title = `Review: ${about.suite}`;
  byId("suite").textContent = about.suite;
  byId("filter-state").replaceChildren(...about.states.map((state) => option(state, STATES[state])));
  byId("groups").replaceChildren(...about.groups.map((group) => option(group, "")));
  byId("group-label").hidden = about.groups.length < 2;
  byId("group-label").firstChild.textContent = `${upper(about.groupWord)} `;
  const tags = Object.entries(about.tags).flatMap(([tag, values]) =>
    values.length < 2 ? [] : values.map((value) => option(JSON.stringify([tag, value]), `${tag}: ${value}`)),
  );
  byId("filter-tag").replaceChildren(option("", "any"), ...tags);
  byId("tag-label").hidden = !tags.length;
}

function option(value, text) {
  const element = make("option", "", text);
  element.value = value;
  return element;
}

function upper(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function drawProgress(progress, perItem) {
  const bar = byId("bar");
  bar.max = progress.wanted;
  bar.value = progress.done;
  const parts = [`${count(progress.done)} of ${count(progress.wanted)} ${perItem > 1 ? "verdicts" : "units"}`];
  parts.push(`you: ${count(progress.accepted)} ✓ ${count(progress.rejected)} ✕ ${count(progress.edited)} ✎`);
  parts.push(`${count(progress.left)} left for you`);
  if (progress.gold) parts.push(`gold: ${progress.gold[0]} of ${progress.gold[1]} right`);
  byId("counts").textContent = parts.join(" · ");
}

export function drawUnit(state) {
  const { unit, place, total } = state.answer;
  byId("judging").hidden = !unit;
  byId("nothing").hidden = Boolean(unit);
  byId("place").textContent = unit && place !== null ? `${count(place + 1)} of ${count(total)}` : "";
  byId("about-unit").replaceChildren();
  if (!unit) {
    byId("nothing").textContent = "No unit matches. Clear the filter to see them all.";
    return;
  }
  const about = [make("span", "", unit.key)];
  if (unit.group) about.push(tag(state.about.groupWord, unit.group));
  for (const [name, value] of Object.entries(unit.tags)) about.push(tag(name, value));
  if (unit.items > 1) about.push(tag("represents", `${unit.items} items`));
  byId("about-unit").replaceChildren(...about);
  const edited = unit.mine?.edited ?? {};
  const first = state.about.roles[0].role;
  const firstText = edited[first] ?? unit.sentences[first];
  byId("sentences").replaceChildren(...state.about.roles.map((role) => sentence(role, unit, edited, firstText)));
  drawVerdicts(unit, state.about);
}

function tag(name, value) {
  const element = make("span", "tag");
  element.append(make("b", "", `${name}: `), value);
  return element;
}

function sentence({ role, label, intent }, unit, edited, firstText) {
  const row = make("div");
  const term = make("dt");
  term.append(make("span", "role", label));
  if (intent) term.append(make("span", "intent", INTENTS[intent]));
  const text = edited[role] ?? unit.sentences[role];
  const shown = make("dd");
  const line = make("span", "sentence");
  line.dataset.role = role;
  for (const [kind, piece] of difference(firstText, text)) {
    line.append(kind === "same" ? piece : make(kind === "new" ? "ins" : "del", "", piece));
  }
  shown.append(line);
  if (role in edited) shown.append(make("span", "was", `was: ${unit.sentences[role]}`));
  row.append(term, shown);
  return row;
}

function drawVerdicts(unit, about) {
  const reasons = new Map(about.reasons.map(({ reason, label }) => [reason, label]));
  const describe = (verdict) => {
    const reason = verdict.reason ? `: ${reasons.get(verdict.reason)}` : "";
    const changes = Object.values(verdict.edited).map((text) => ` → ${text}`);
    return `${DONE[verdict.verdict]} this${reason}${changes.join("")}${verdict.note ? ` (${verdict.note})` : ""}`;
  };
  byId("mine").hidden = !unit.mine;
  if (unit.mine) {
    byId("mine").textContent = `You ${describe({ ...unit.mine, edited: {} })}.`;
    byId("mine").dataset.verdict = unit.mine.verdict;
  }
  byId("others").hidden = !unit.others.length;
  byId("others").replaceChildren(
    ...unit.others.map((verdict) => {
      const line = make("li", "", `${verdict.annotator} ${describe(verdict)}`);
      line.dataset.verdict = verdict.verdict;
      return line;
    }),
  );
}

export function drawEditor(state) {
  const { unit } = state.answer;
  const fields = state.about.roles.map(({ role, label }) => {
    const row = make("div");
    const name = make("dt");
    const caption = make("label", "role", label);
    caption.htmlFor = `edit-${role}`;
    name.append(caption);
    const text = make("textarea", "sentence");
    text.id = `edit-${role}`;
    text.dataset.role = role;
    text.rows = 2;
    text.maxLength = 2000;
    text.value = state.draft[role] ?? unit.mine?.edited[role] ?? unit.sentences[role];
    const field = make("dd");
    field.append(text);
    row.append(name, field);
    return row;
  });
  byId("sentences").replaceChildren(...fields);
}

export function drawList(rows, current, choose) {
  const shown = rows.rows.length;
  byId("matches").textContent = rows.total
    ? `${count(rows.start + 1)}–${count(rows.start + shown)} of ${count(rows.total)}`
    : "no unit matches";
  byId("earlier").disabled = rows.start === 0;
  byId("later").disabled = rows.start + shown >= rows.total;
  byId("list").replaceChildren(
    ...rows.rows.map((row) => {
      const entry = make("li");
      const button = make("button");
      button.type = "button";
      button.dataset.unit = row.unit;
      const sign = make("span", `sign ${row.mine}`, SIGNS[row.mine] ?? "·");
      sign.title = DONE[row.mine] ?? "not reviewed by you";
      button.append(sign, make("span", "text", row.text));
      if (row.unit === current) button.setAttribute("aria-current", "true");
      button.addEventListener("click", () => choose(row.unit));
      entry.append(button);
      return entry;
    }),
  );
  const here = byId("list").querySelector("[aria-current]");
  if (here) {
    const list = byId("list");
    const top = here.offsetTop - list.offsetTop;
    if (top < list.scrollTop || top + here.offsetHeight > list.scrollTop + list.clientHeight) {
      list.scrollTop = top - list.clientHeight / 2;
    }
  }
}

export function drawStatus(status, annotator) {
  const { progress, annotators, agreement } = status;
  const parts = [
    make("p", "", `${count(progress.done)} of ${count(progress.wanted)} verdicts are given; ${count(progress.left)} units wait for you.`),
  ];
  if (annotators.length) {
    const rows = annotators.map((one) => [
      one.name === annotator ? `${one.name} (you)` : one.name,
      count(one.verdicts),
      ...["accepted", "rejected", "edited"].map((name) => (name in one ? count(one[name]) : "–")),
      one.gold ? `${one.gold[0]} of ${one.gold[1]}` : "–",
    ]);
    parts.push(make("h3", "", "Annotators"), table(["", "verdicts", "accepted", "rejected", "edited", "gold"], rows));
  }
  parts.push(make("h3", "", "Agreement"));
  if (!agreement) {
    parts.push(make("p", "soft", "Shown when nothing is left for you, so that every verdict is your own."));
  } else if (!agreement.units) {
    parts.push(make("p", "soft", "No unit has two verdicts yet. --per-item 2 asks two people for each."));
  } else {
    const alpha = `Krippendorff’s alpha ${coefficient(agreement.alpha)} on ${count(agreement.units)} units that two or more people judged.`;
    const rows = agreement.pairs.map((pair) => [
      `${pair.one}, ${pair.other}`,
      count(pair.units),
      count(pair.agreed),
      coefficient(pair.kappa),
    ]);
    parts.push(make("p", "", alpha), table(["", "units", "equal", "Cohen’s kappa"], rows));
    parts.push(make("p", "soft", "Counted is whether a unit was accepted as it is: an edit counts as not. A dash: nobody ever differed, or too few verdicts."));
  }
  byId("status").replaceChildren(...parts);
}

function coefficient(value) {
  return value === null ? "–" : value.toFixed(3).replace("-", "−");
}

function table(heads, rows) {
  const element = make("table");
  const head = make("thead");
  head.append(tableRow(heads, "col"));
  const body = make("tbody");
  body.append(...rows.map((cells) => tableRow(cells, "row")));
  element.append(head, body);
  const scroll = make("div", "scroll");
  scroll.append(element);
  return scroll;
}

function tableRow(cells, scope) {
  const row = make("tr");
  cells.forEach((text, place) => {
    const isHead = scope === "col" || place === 0;
    const cell = make(isHead ? "th" : "td", "", text);
    if (isHead) cell.scope = scope;
    row.append(cell);
  });
  return row;
}
