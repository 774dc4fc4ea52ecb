/* The state and the keys of the review. The next unit appears only after the server has stored the verdict. */

import { ask, newRequest, send, startName, Refused, Unreachable } from "./api.js";
import { byId, drawAbout, drawEditor, drawList, drawProgress, drawStatus, drawUnit, make } from "./view.js";

const ROWS = 50;
const state = {
  about: null,
  annotator: "",
  answer: { unit: null, place: null, total: 0 },
  mode: "judge", // or "reasons", or "edit"
  draft: {},
  busy: false,
  unsaved: null, // a verdict that was sent but not confirmed, with the id of its request
  listStart: 0,
};

const filters = () => {
  const [tag, value] = byId("filter-tag").value ? JSON.parse(byId("filter-tag").value) : ["", ""];
  return {
    text: byId("filter-text").value.trim(),
    state: byId("filter-state").value || "all",
    group: byId("filter-group").value,
    tag,
    value,
  };
};
const current = () => state.answer.unit?.key ?? "";

/* Every tab has its own annotator, so that two people can use two tabs; a new tab starts with the latest name. */
const nameKept = "litotes-annotator";

function keptName() {
  return startName || sessionStorage.getItem(nameKept) || localStorage.getItem(nameKept) || "";
}

function keepName(name) {
  sessionStorage.setItem(nameKept, name);
  localStorage.setItem(nameKept, name);
}

/* Messages ------------------------------------------------------------------------------------------- */

let fading = 0;

function say(text) {
  clearTimeout(fading);
  byId("said").textContent = text;
  fading = setTimeout(() => byId("said").replaceChildren(), 2500);
}

function trouble(text) {
  byId("trouble").hidden = !text;
  byId("trouble").textContent = text;
}

/* One request at a time, so that a key held down does not judge units that were never seen. */
async function doing(work, before = "") {
  if (state.busy) return;
  state.busy = true;
  document.body.setAttribute("aria-busy", "true");
  try {
    await work();
    trouble("");
  } catch (error) {
    if (error instanceof Unreachable) {
      trouble(`${before}The server does not answer. Start litotes review again, then open the URL it prints; everything confirmed so far is saved.`);
    } else if (error instanceof Refused) {
      trouble(`${before}${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}.`);
    } else {
      throw error;
    }
  } finally {
    state.busy = false;
    document.body.removeAttribute("aria-busy");
  }
}

/* Navigation ---------------------------------------------------------------------------------------------- */

function show(answer) {
  state.answer = answer;
  state.mode = "judge";
  state.draft = {};
  byId("note").value = answer.unit?.mine?.note ?? "";
  byId("said").replaceChildren();
  draw();
  remember();
}

function draw() {
  drawProgress(state.answer.progress, state.about.perItem);
  if (state.mode === "edit") drawEditor(state);
  else drawUnit(state);
  byId("reasons").hidden = state.mode !== "reasons";
  byId("reject").setAttribute("aria-expanded", String(state.mode === "reasons"));
  byId("verdict-buttons").hidden = state.mode === "edit";
  byId("edit-buttons").hidden = state.mode !== "edit";
}

/* The unit is part of the URL, so that a reload returns to it. */
function remember() {
  const place = current() ? `#${encodeURIComponent(current())}` : "";
  history.replaceState(null, "", location.pathname + place);
}

function placeInAddress() {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return "";
  }
}

function move(how, from = current()) {
  return doing(async () => {
    const answer = await ask("unit", { annotator: state.annotator, unit: from, move: how, ...filters() });
    const stayed = answer.unit?.key === from;
    show(answer);
    if (how === "unreviewed" && !answer.arrived) say("Nothing here waits for your verdict.");
    else if (stayed && how === "next") say("This is the last one.");
    else if (stayed && how === "previous") say("This is the first one.");
    await refreshList(true);
  });
}

async function refreshList(follow) {
  if (!byId("finder").open || !state.annotator) return;
  const { place } = state.answer;
  if (follow && place !== null && !(state.listStart <= place && place < state.listStart + ROWS)) {
    state.listStart = Math.floor(place / ROWS) * ROWS;
  }
  const wanted = { annotator: state.annotator, count: ROWS, ...filters() };
  let rows = await ask("rows", { ...wanted, start: state.listStart });
  if (!rows.rows.length && rows.total) {
    state.listStart = Math.floor((rows.total - 1) / ROWS) * ROWS;
    rows = await ask("rows", { ...wanted, start: state.listStart });
  }
  drawList(rows, current(), (unit) => move("here", unit));
}

function filterChanged() {
  if (state.busy) return void setTimeout(filterChanged, 50);
  state.listStart = 0;
  return doing(async () => {
    const wanted = filters();
    const rows = await ask("rows", { annotator: state.annotator, count: 1, start: 0, ...wanted });
    const answer = await ask("unit", { annotator: state.annotator, unit: rows.rows[0]?.unit ?? "", ...wanted });
    show(answer);
    await refreshList(true);
  });
}

/* Verdicts ---------------------------------------------------------------------------------------------- */

const DONE = { accept: "Accepted.", reject: "Rejected.", edit: "Edit saved." };

function judge(verdict, more = {}) {
  const unit = current();
  if (!unit) return null;
  const body = { annotator: state.annotator, unit, verdict, note: byId("note").value.trim(), ...more, ...filters() };
  const asText = JSON.stringify(body);
  // The same verdict after a lost response is the same request: the server stores it once.
  if (state.unsaved?.asText !== asText) state.unsaved = { asText, request: newRequest() };
  return doing(async () => {
    const answer = await send("verdict", { ...body, request: state.unsaved.request });
    state.unsaved = null;
    forgetDraft(unit);
    show(answer);
    byId("unit").scrollIntoView({ block: "nearest" });
    say(answer.arrived ? DONE[verdict] : `${DONE[verdict]} Nothing else here waits for you.`);
    if (document.activeElement instanceof HTMLElement && document.activeElement.closest("main")) document.activeElement.blur();
    await refreshList(true);
  }, "Not saved. ");
}

function undo() {
  const asText = `undo ${state.annotator}`;
  if (state.unsaved?.asText !== asText) state.unsaved = { asText, request: newRequest() };
  return doing(async () => {
    const body = { annotator: state.annotator, unit: current(), request: state.unsaved.request, ...filters() };
    const answer = await send("undo", body);
    state.unsaved = null;
    show(answer);
    say(answer.undone === null ? "There is nothing to undo." : "Taken back.");
    await refreshList(true);
  }, "Not undone. ");
}

function setMode(mode) {
  if (!current() || state.busy) return;
  state.mode = mode;
  draw();
  if (mode === "reasons") byId("reasons").scrollIntoView({ block: "nearest" });
}

/* Drafts of edits survive a reload. */
const draftKey = (unit) => `litotes-draft ${state.about.sha256.slice(0, 12)} ${state.annotator} ${unit}`;

function forgetDraft(unit) {
  localStorage.removeItem(draftKey(unit));
}

function startEdit() {
  if (!current() || state.busy) return;
  try {
    state.draft = JSON.parse(localStorage.getItem(draftKey(current()))) ?? {};
  } catch {
    state.draft = {};
  }
  const restored = Object.keys(state.draft).length > 0;
  setMode("edit");
  const fields = [...document.querySelectorAll("#sentences textarea")];
  const target = fields[1] ?? fields[0];
  target.focus();
  target.setSelectionRange(target.value.length, target.value.length);
  if (restored) say("Your unsaved edit is back.");
}

function written() {
  const fields = [...document.querySelectorAll("#sentences textarea")];
  return Object.fromEntries(fields.map((field) => [field.dataset.role, field.value.replace(/\s*\n\s*/gu, " ").trim()]));
}

function saveEdit() {
  const { sentences } = state.answer.unit;
  const changed = Object.entries(written()).filter(([role, text]) => text !== sentences[role]);
  if (!changed.length) {
    say("Nothing was changed.");
    return null;
  }
  return judge("edit", { edited: Object.fromEntries(changed) });
}

function leaveEdit() {
  forgetDraft(current());
  state.draft = {};
  setMode("judge");
  byId("unit").focus();
}

/* Keys -------------------------------------------------------------------------------------------------- */

const KEYS = {
  a: () => judge("accept"),
  r: () => setMode(state.mode === "reasons" ? "judge" : "reasons"),
  e: startEdit,
  u: undo,
  n: () => move("unreviewed"),
  j: () => move("next"),
  k: () => move("previous"),
  m: () => byId("note").focus(),
  d: () => byId("sentences").classList.toggle("plain"),
  s: showStatus,
  "/": () => {
    byId("finder").open = true;
    byId("filter-text").focus();
    byId("filter-text").select();
  },
  "?": () => byId("help-dialog").showModal(),
};

function reject(place) {
  const reason = state.about.reasons[place]?.reason;
  return reason ? judge("reject", { reason }) : null;
}

function pressed(event) {
  if (!state.answer.progress || document.querySelector("dialog[open]") || event.isComposing) return;
  if (state.mode === "edit") {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) take(event, saveEdit);
    else if (event.key === "Escape") take(event, leaveEdit);
    return;
  }
  if (event.key === "Escape") {
    if (state.mode === "reasons") take(event, () => setMode("judge"));
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    return;
  }
  const inField = event.target instanceof Element && event.target.closest("input, select, textarea");
  if (inField || event.ctrlKey || event.metaKey || event.altKey || event.repeat) {
    if (inField?.id === "note" && event.key === "Enter") take(event, () => byId("note").blur());
    return;
  }
  if (state.mode === "reasons" && /^[1-8]$/u.test(event.key)) take(event, () => reject(Number(event.key) - 1));
  else if (Object.hasOwn(KEYS, event.key)) take(event, KEYS[event.key]);
}

function take(event, act) {
  event.preventDefault();
  act();
}

/* Dialogs ------------------------------------------------------------------------------------------------- */

function showStatus() {
  return doing(async () => {
    drawStatus(await ask("status", { annotator: state.annotator }), state.annotator);
    byId("status-dialog").showModal();
  });
}

function askName(wrong = "") {
  byId("name").value = state.annotator || keptName();
  byId("name-wrong").textContent = wrong;
  byId("name-dialog").showModal();
  byId("name").select();
}

async function beginAs(name) {
  try {
    const answer = await ask("unit", { annotator: name, unit: placeInAddress(), move: placeInAddress() ? "here" : "unreviewed", ...filters() });
    state.annotator = name;
    byId("annotator").textContent = name;
    keepName(name);
    trouble("");
    show(answer);
    await refreshList(true);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    askName(`${error.message}.`);
  }
}

function nameGiven(event) {
  event.preventDefault();
  byId("name-dialog").close();
  doing(() => beginAs(byId("name").value.trim().replace(/\s+/gu, " ")));
}

/* Start -------------------------------------------------------------------------------------------- */

function connect() {
  const clicks = {
    accept: KEYS.a,
    reject: KEYS.r,
    edit: startEdit,
    undo,
    previous: KEYS.k,
    next: KEYS.j,
    unreviewed: KEYS.n,
    save: saveEdit,
    cancel: leaveEdit,
    "show-status": showStatus,
    "show-help": KEYS["?"],
    annotator: () => askName(),
  };
  for (const [id, act] of Object.entries(clicks)) byId(id).addEventListener("click", () => act());
  byId("reason-list").replaceChildren(
    ...state.about.reasons.map(({ label }, place) => {
      const button = make("button");
      button.type = "button";
      button.append(make("kbd", "", String(place + 1)), ` ${label}`);
      button.addEventListener("click", () => reject(place));
      return button;
    }),
  );
  document.addEventListener("keydown", pressed);
  byId("name-form").addEventListener("submit", nameGiven);
  byId("name-dialog").addEventListener("cancel", (event) => {
    if (!state.annotator) event.preventDefault();
  });
  byId("sentences").addEventListener("input", () => {
    state.draft = written();
    localStorage.setItem(draftKey(current()), JSON.stringify(state.draft));
  });
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  let waiting = 0;
  byId("filter-text").addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(filterChanged, 200);
  });
  for (const id of ["filter-state", "filter-group", "filter-tag"]) byId(id).addEventListener("change", filterChanged);
  byId("clear").addEventListener("click", () => {
    byId("filters").reset();
    filterChanged();
  });
  for (const [id, step] of [["earlier", -ROWS], ["later", ROWS]]) {
    byId(id).addEventListener("click", () => {
      state.listStart = Math.max(0, state.listStart + step);
      doing(() => refreshList(false));
    });
  }
  byId("finder").addEventListener("toggle", () => doing(() => refreshList(true)));
  window.addEventListener("hashchange", () => {
    if (placeInAddress() && placeInAddress() !== current()) move("here", placeInAddress());
  });
}

byId("finder").open = matchMedia("(min-width: 60.01rem)").matches;
await doing(async () => {
  state.about = await ask("about");
  drawAbout(state.about);
  connect();
  const name = keptName();
  if (name) await beginAs(name);
  else askName();
});
