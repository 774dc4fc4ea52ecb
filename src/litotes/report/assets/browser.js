/* The item browser: filters, order and page, reflected in the URL. Needs report.js and packed.js. */

const PAGE_SIZE = 50;

const ORDERS = [
  ["worst", "margin, lowest first"],
  ["best", "margin, highest first"],
  ["file", "as in the suite file"],
];
const OUTCOMES = [
  ["", "any"],
  ["right", "right"],
  ["wrong", "wrong"],
  ["shared", "tied with the right option"],
];
/* The option with more words in common than any other. */
const BY_WORDS = "words";
const fields = {
  suite: byId("filter-suite"),
  model: byId("filter-model"),
  choice: byId("filter-choice"),
  outcome: byId("filter-outcome"),
  gold: byId("filter-gold"),
  category: byId("filter-category"),
  group: byId("filter-group"),
  sort: byId("filter-sort"),
  text: byId("filter-text"),
};
const view = { suite: null, model: null, matches: [], page: 0 };

/* The values are indexes, since a group may have any name, even an empty one. */
function numbered(names) {
  return names.map((name, place) => [String(place), display(name)]);
}

function useSuite(place) {
  const suite = data.suites[place];
  const modelName = view.model?.name;
  view.suite = suite;
  fields.suite.value = String(place);
  const models = suite.models.map((model, number) => [String(number), model.name]);
  fill(fields.model, models, String(Math.max(0, suite.models.findIndex((one) => one.name === modelName))));
  const byWords = suite.overlap.some((option) => option >= 0) ? [[BY_WORDS, "most words in common"]] : [];
  fill(fields.choice, [["", "any"], ...numbered(suite.options), [String(TIE), "tie"], ...byWords], "");
  fill(fields.gold, [["", "any"], ...numbered(suite.options)], "");
  byId("gold-choice").hidden = !hasLabels(suite);
  const members = suite.categories.map(() => 0);
  for (const category of suite.category.flat()) members[category] += 1;
  const categories = suite.categories.map((name, number) => [String(number), `${display(name)} (${count(members[number])})`]);
  fill(fields.category, [["", "all"], ...categories], "");
  byId("category-choice").hidden = !suite.categories.length;
  fill(fields.group, [["", "all"], ...suite.groupChoices], "");
  byId("group-choice").hidden = !suite.groups.length;
  byId("group-word").textContent = capital(suite.groupWord);
  useModel();
}

function useModel() {
  view.model = view.suite.models[Number(fields.model.value)];
}

const rightOption = (item) => rightAt(view.suite, item);

function outcome(item) {
  const { model } = view;
  if (model.choice[item] === rightOption(item)) return "right";
  return model.choice[item] === TIE && model.credit[item] > 0 ? "shared" : "wrong";
}

function matchingItems() {
  const { suite, model } = view;
  const holdsText = textFilter(suite, fields.text.value);
  const byWords = fields.choice.value === BY_WORDS;
  const choice = fields.choice.value === "" || byWords ? null : Number(fields.choice.value);
  const gold = fields.gold.value === "" ? null : Number(fields.gold.value);
  const category = fields.category.value === "" ? null : Number(fields.category.value);
  const group = fields.group.value === "" ? null : Number(fields.group.value);
  const result = fields.outcome.value;
  const matches = [];
  for (let item = 0; item < suite.ids.length; item += 1) {
    if (choice !== null && model.choice[item] !== choice) continue;
    if (byWords && (suite.overlap[item] < 0 || model.choice[item] !== suite.overlap[item])) continue;
    if (gold !== null && rightOption(item) !== gold) continue;
    if (category !== null && !suite.category[item].includes(category)) continue;
    if (group !== null && suite.group[item] !== group) continue;
    if (result && outcome(item) !== result) continue;
    if (!holdsText(item)) continue;
    matches.push(item);
  }
  const order = fields.sort.value;
  if (order !== "file") {
    const sign = order === "worst" ? 1 : -1;
    const margin = (item) => model.margin[item];
    matches.sort((one, other) => {
      const missing = Number.isNaN(margin(one)) - Number.isNaN(margin(other));
      if (missing || Number.isNaN(margin(one))) return missing;
      return sign * (margin(one) - margin(other));
    });
  }
  return matches;
}

/* Words of a sentence outside the longest common subsequence with another. */
function changedWords(from, to) {
  const lengths = Array.from({ length: from.length + 1 }, () => new Uint16Array(to.length + 1));
  for (let i = from.length - 1; i >= 0; i -= 1) {
    for (let j = to.length - 1; j >= 0; j -= 1) {
      const same = from[i] === to[j];
      lengths[i][j] = same ? lengths[i + 1][j + 1] + 1 : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
    }
  }
  const changed = new Set(to.keys());
  let i = 0;
  let j = 0;
  while (i < from.length && j < to.length) {
    if (from[i] === to[j]) {
      changed.delete(j);
      i += 1;
      j += 1;
    } else if (lengths[i + 1][j] >= lengths[i][j + 1]) i += 1;
    else j += 1;
  }
  return changed;
}

const PIECES = /[\p{L}\p{M}\p{N}'’-]+|[^\p{L}\p{M}\p{N}'’-]+/gu;
const isWord = (piece) => /[\p{L}\p{N}]/u.test(piece);

function sentence(text, comparedTo) {
  const element = make("span", "sentence");
  element.dir = "auto";
  const pieces = text.match(PIECES) ?? [];
  /* The table of word pairs grows quadratically: very long texts are shown without marks. */
  if (comparedTo === null || pieces.length > 800 || comparedTo.length > 4000) {
    element.textContent = text;
    return element;
  }
  const changed = changedWords((comparedTo.match(PIECES) ?? []).filter(isWord), pieces.filter(isWord));
  let place = 0;
  for (const piece of pieces) {
    if (isWord(piece) && changed.has(place)) element.append(make("mark", "", piece));
    else element.append(piece);
    if (isWord(piece)) place += 1;
  }
  return element;
}

function marks(option, item) {
  const box = make("span", "marks");
  if (option === view.model.choice[item]) box.append(make("span", "mark chosen", "chosen"), " ");
  if (option === rightOption(item)) box.append(make("span", "mark right", "✓ right"));
  return box;
}

function line(name, text, pair, item) {
  const { suite, model } = view;
  const option = pair === null ? -2 : suite.pairOfOption.indexOf(pair);
  const row = make("div", "line");
  row.classList.toggle("is-chosen", option >= 0 && option === model.choice[item]);
  row.classList.toggle("of-pair", text === null);
  row.classList.toggle("of-label", text === null && hasLabels(suite));
  row.append(make("dt", "role", display(name)));
  if (text !== null) row.append(make("dd", "text"));
  if (text !== null) row.lastChild.append(text);
  row.append(make("dd", "similarity", pair === null ? "" : decimal(model.similarities[pair][item])));
  row.append(make("dd", "note"));
  if (option >= 0) row.lastChild.append(marks(option, item));
  return row;
}

function verdict(item) {
  const { suite, model } = view;
  const right = display(suite.options[rightOption(item)] ?? "unknown");
  const result = outcome(item);
  if (result === "right") return ["Right", `chose ${right}`];
  if (result === "shared") return ["Tie", `the right option, ${right}, shares the highest ${hasLabels(suite) ? "probability" : "similarity"}`];
  if (model.choice[item] === TIE) return ["Wrong", `a tie without the right option, ${right}`];
  return ["Wrong", `chose ${display(suite.options[model.choice[item]])}, right is ${right}`];
}

function entry(item) {
  const { suite, model } = view;
  const [word, explained] = verdict(item);
  const element = make("li", `entry ${word.toLowerCase()}`);
  const head = make("h3");
  head.append(make("span", "verdict", word), " ", make("span", "explained", explained));
  const facts = make("p", "facts");
  facts.append(
    make("span", "margin", `margin ${decimal(model.margin[item], true)}`),
    ...(suite.category[item] ?? []).map((category) => make("span", "category", display(suite.categories[category]))),
    ...(suite.groups.length ? [make("span", "group", suite.groups[suite.group[item]])] : []),
    make("span", "id", suite.ids[item]),
  );
  const lines = make("dl");
  const anchor = suite.anchor ?? 0;
  const first = suite.texts[suite.sentences[anchor][item]];
  suite.roles.forEach((role, place) => {
    const text = suite.texts[suite.sentences[place][item]];
    lines.append(line(role, sentence(text, place === anchor ? null : first), suite.pairOfRole[place], item));
  });
  if (suite.anchor === null) {
    suite.pairs.forEach((pair, place) => lines.append(line(pair, null, place, item)));
  }
  element.append(head, facts, lines);
  return element;
}

const pageCount = () => Math.max(1, Math.ceil(view.matches.length / PAGE_SIZE));

function showPage() {
  const first = view.page * PAGE_SIZE;
  const items = view.matches.slice(first, first + PAGE_SIZE);
  byId("entries").start = first + 1;
  byId("entries").replaceChildren(...items.map(entry));
  const all = plural(view.suite.ids.length, "item");
  const matched = view.matches.length === 1 ? "matches" : "match";
  const shown = items.length ? `; ${count(first + 1)}–${count(first + items.length)} are shown` : "";
  byId("matches").textContent = `${count(view.matches.length)} of ${all} ${matched}${shown}.`;
  byId("page-place").textContent = `Page ${count(view.page + 1)} of ${count(pageCount())}`;
  /* aria-disabled instead of disabled: a disabled button would lose the keyboard focus. */
  byId("page-previous").setAttribute("aria-disabled", String(view.page === 0));
  byId("page-next").setAttribute("aria-disabled", String(view.page >= pageCount() - 1));
}

function turnPage(step) {
  const page = Math.min(Math.max(view.page + step, 0), pageCount() - 1);
  if (page === view.page) return;
  view.page = page;
  showPage();
  writeHash();
  byId("matches").scrollIntoView({ block: "start" });
}

function refresh(page = 0) {
  view.matches = matchingItems();
  view.page = Math.min(Math.max(page, 0), pageCount() - 1);
  showPage();
}

/* The view in the URL ---------------------------------------------------------------------- */

function writeHash() {
  const { suite, model } = view;
  const state = new URLSearchParams();
  if (data.suites.length > 1) state.set("suite", suite.name);
  state.set("model", model.name);
  if (fields.choice.value === String(TIE)) state.set("tie", "yes");
  else if (fields.choice.value === BY_WORDS) state.set("overlap", "yes");
  else if (fields.choice.value) state.set("chosen", suite.options[Number(fields.choice.value)]);
  if (fields.outcome.value) state.set("outcome", fields.outcome.value);
  if (fields.gold.value) state.set("label", suite.options[Number(fields.gold.value)]);
  if (fields.category.value) state.set("category", suite.categories[Number(fields.category.value)]);
  if (fields.group.value) state.set("group", suite.groups[Number(fields.group.value)]);
  if (fields.sort.value !== "worst") state.set("order", fields.sort.value);
  if (fields.text.value.trim()) state.set("text", fields.text.value.trim());
  if (view.page) state.set("page", String(view.page + 1));
  history.replaceState(null, "", `#${state}`);
}

function readHash() {
  if (!location.hash.includes("=")) return false;
  const state = new URLSearchParams(location.hash.slice(1));
  if (state.has("view")) return false;
  const place = (names, name) => (name === null ? -1 : names.indexOf(name));
  const option = (number) => (number < 0 ? "" : String(number));
  useSuite(Math.max(0, place(data.suites.map((suite) => suite.name), state.get("suite"))));
  const model = place(view.suite.models.map((one) => one.name), state.get("model"));
  if (model >= 0) fields.model.value = String(model);
  useModel();
  const chosen = state.has("tie") ? String(TIE) : state.has("overlap") ? BY_WORDS : option(place(view.suite.options, state.get("chosen")));
  setTo(fields.choice, chosen);
  fields.gold.value = hasLabels(view.suite) ? option(place(view.suite.options, state.get("label"))) : "";
  fields.category.value = option(place(view.suite.categories, state.get("category")));
  fields.group.value = option(place(view.suite.groups, state.get("group")));
  fill(fields.outcome, OUTCOMES, state.get("outcome") ?? "");
  fill(fields.sort, ORDERS, state.get("order") ?? "worst");
  fields.text.value = state.get("text") ?? "";
  refresh((Number.parseInt(state.get("page") ?? "1", 10) || 1) - 1);
  return true;
}

function goToBrowser() {
  byId("browser").scrollIntoView({ block: "start" });
  byId("browser-name").focus({ preventScroll: true });
}

function changed() {
  refresh();
  writeHash();
}

function startBrowser() {
  fill(fields.suite, data.suites.map((suite, place) => [String(place), suite.name]), "0");
  fill(fields.outcome, OUTCOMES, "");
  fill(fields.sort, ORDERS, "worst");
  byId("suite-choice").hidden = data.suites.length < 2;
  useSuite(0);
  fields.suite.addEventListener("change", () => {
    useSuite(Number(fields.suite.value));
    changed();
  });
  fields.model.addEventListener("change", () => {
    useModel();
    changed();
  });
  for (const name of ["choice", "outcome", "gold", "category", "group", "sort"]) fields[name].addEventListener("change", changed);
  whenTyped(fields.text, changed);
  byId("filter-reset").addEventListener("click", () => {
    for (const name of ["choice", "outcome", "gold", "category", "group", "text"]) fields[name].value = "";
    changed();
  });
  byId("page-previous").addEventListener("click", () => turnPage(-1));
  byId("page-next").addEventListener("click", () => turnPage(1));
  globalThis.addEventListener("hashchange", () => {
    if (!readHash()) return;
    goToBrowser();
    /* The URL must differ from that of the link, or following the same link again would do nothing. */
    writeHash();
  });
  byId("browser-tool").hidden = false;
  if (readHash()) goToBrowser();
  else refresh();
}
