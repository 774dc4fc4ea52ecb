/* Items that many of the best models miss, in a virtual list, with counts by group. */

const ERROR_ORDERS = [
  ["most", "most missed first"],
  ["least", "least missed first"],
  ["file", "as in the suite file"],
];
/* How many models choose the option with more words in common than any other. */
const BY_OVERLAP = [
  ["", "any"],
  ["all", "all of these models"],
  ["some", "at least one of them"],
  ["none", "none of them"],
];
const SIZES = [1, 3, 5, 10, 12, 20, 50];
/* The number of models in the paper on SemAntoNeg. */
const USUAL_SIZE = 12;
const MOST_GROUPS = 100;
const MOST_MARKS = 40;

function startErrors() {
  const field = Object.fromEntries(
    ["suite", "kind", "best", "least", "group", "order", "text", "overlap"].map((name) => [name, byId(`errors-${name}`)]),
  );
  const now = { suite: data.suites[0], models: [], missed: null, properties: [] };
  const show = virtualList(byId("errors-list"), (item) => errorRow(now, item));

  function useSuite(place) {
    now.suite = data.suites[place];
    field.suite.value = String(place);
    const kinds = [...new Set(now.suite.models.map((model) => model.kind))].filter((kind) => kind >= 0).sort((a, b) => a - b);
    fill(field.kind, [["", "all"], ...kinds.map((kind) => [String(kind), data.kinds[kind]])], "");
    byId("errors-kind-choice").hidden = kinds.length < 2;
    fill(field.group, [["", "all"], ...now.suite.groupChoices], "");
    byId("errors-group-choice").hidden = !isGrouped(now.suite);
    byId("errors-group-word").textContent = capital(now.suite.groupWord);
    now.properties = now.suite.bins.map((bin) => ({ bin, select: propertyChoice(bin) }));
    for (const { select } of now.properties) select.addEventListener("change", changed);
    byId("errors-properties").replaceChildren(...now.properties.map(({ bin, select }) => labelled(bin.name, select)));
    fill(field.overlap, BY_OVERLAP, "");
    byId("errors-overlap-choice").hidden = !now.suite.overlap.some((option) => option >= 0);
    useKind();
  }

  /* The models are sorted, so the best of a kind are its first. */
  function ofKind() {
    return field.kind.value === "" ? now.suite.models : now.suite.models.filter((model) => model.kind === Number(field.kind.value));
  }

  function useKind() {
    const able = ofKind().length;
    const sizes = [...new Set([...SIZES, able].filter((size) => size <= able))].sort((a, b) => a - b);
    const wanted = String(Math.min(USUAL_SIZE, able));
    fill(field.best, sizes.map((size) => [String(size), size === able ? `all ${plural(size, "model")}` : plural(size, "model")]), wanted);
    useBest();
  }

  function useBest() {
    const size = Number(field.best.value);
    now.models = ofKind().slice(0, size);
    const numbers = Array.from({ length: size }, (_, place) => size - place);
    fill(field.least, [...numbers.map((number) => [String(number), number === size ? `all ${size}` : String(number)]), ["0", "none: every item"]], String(size));
    now.missed = timesMissed(now.suite, now.models);
  }

  function filter() {
    const holds = [textFilter(now.suite, field.text.value), overlapFilter(now, field.overlap.value), ...now.properties.map(propertyFilter)];
    const least = Number(field.least.value);
    const group = field.group.value === "" ? null : Number(field.group.value);
    const missed = [];
    for (let item = 0; item < now.suite.ids.length; item += 1) if (now.missed[item] >= least && holds.every((one) => one(item))) missed.push(item);
    const items = group === null ? missed : missed.filter((item) => now.suite.group[item] === group);
    if (field.order.value !== "file") {
      const sign = field.order.value === "most" ? -1 : 1;
      items.sort((one, other) => sign * (now.missed[one] - now.missed[other]) || one - other);
    }
    const whom = now.models.length === 1 ? now.models[0].name : `the ${count(now.models.length)} best models`;
    const how = least === 0 ? "are shown" : now.models.length === 1 ? `are missed by ${whom}` : `are missed by ${least === now.models.length ? "all" : `at least ${count(least)}`} of ${whom}`;
    byId("errors-matches").textContent = `${count(items.length)} of ${plural(now.suite.ids.length, "item")} ${how}.`;
    byId("errors-groups").replaceChildren(...byGroup(now, missed, (place) => {
      field.group.value = String(place);
      changed();
    }));
    show(items);
  }

  function changed() {
    filter();
    history.replaceState(null, "", `#${written()}`);
  }

  /* Only settings that differ from the initial ones. */
  function written() {
    const state = new URLSearchParams({ view: "errors", suite: now.suite.name });
    if (field.kind.value) state.set("kind", data.kinds[Number(field.kind.value)]);
    if (Number(field.best.value) !== Math.min(USUAL_SIZE, ofKind().length)) state.set("best", field.best.value);
    if (field.least.value !== field.best.value) state.set("least", field.least.value);
    if (field.group.value) state.set("group", now.suite.groups[Number(field.group.value)]);
    if (field.order.value !== "most") state.set("order", field.order.value);
    if (field.overlap.value) state.set("overlap", field.overlap.value);
    for (const { bin, select } of now.properties) if (select.value) state.set(`with ${bin.name}`, bin.values[Number(select.value)]);
    if (field.text.value.trim()) state.set("text", field.text.value.trim());
    return state;
  }

  function read(state) {
    useSuite(Math.max(0, data.suites.findIndex((suite) => suite.name === state.get("suite"))));
    setTo(field.kind, String(data.kinds.indexOf(state.get("kind"))));
    useKind();
    setTo(field.best, state.get("best"));
    useBest();
    setTo(field.least, state.get("least"));
    setTo(field.group, String(now.suite.groups.indexOf(state.get("group"))));
    fill(field.order, ERROR_ORDERS, state.get("order") ?? "most");
    setTo(field.overlap, state.get("overlap"));
    for (const { bin, select } of now.properties) setTo(select, String(bin.values.indexOf(state.get(`with ${bin.name}`))));
    field.text.value = state.get("text") ?? "";
    if (field.overlap.value || now.properties.some(({ select }) => select.value)) byId("errors-more").open = true;
    filter();
  }

  fill(field.suite, data.suites.map((suite, place) => [String(place), suite.name]), "0");
  fill(field.order, ERROR_ORDERS, "most");
  byId("errors-suite-choice").hidden = data.suites.length < 2;
  const when = (name, then) => field[name].addEventListener("change", () => {
    then();
    changed();
  });
  when("suite", () => useSuite(Number(field.suite.value)));
  when("kind", useKind);
  when("best", useBest);
  for (const name of ["least", "group", "order", "overlap"]) field[name].addEventListener("change", changed);
  whenTyped(field.text, changed);
  byId("errors-reset").addEventListener("click", () => {
    for (const { select } of now.properties) select.value = "";
    for (const name of ["group", "overlap", "text"]) field[name].value = "";
    useBest();
    changed();
  });
  byId("errors-tool").hidden = false;
  /* On a narrow page the list comes first, and rarely used filters are collapsed. */
  byId("errors-more").open = matchMedia("(min-width: 40rem)").matches;
  useSuite(0);
  filter();
  return read;
}

function labelled(text, select) {
  const label = make("label", "", `${capital(text)} `);
  label.append(select);
  return label;
}

function propertyChoice({ name, values, of }) {
  const sizes = values.map(() => 0);
  for (const value of of) if (value >= 0) sizes[value] += 1;
  const select = make("select");
  select.dataset.property = name;
  const choices = values.map((value, place) => [String(place), `${value} (${count(sizes[place])})`]);
  fill(select, [["", "any"], ...choices.filter((_, place) => sizes[place])], "");
  return select;
}

function propertyFilter({ bin, select }) {
  if (select.value === "") return () => true;
  const wanted = Number(select.value);
  return (item) => bin.of[item] === wanted;
}

/* Only items in which one option has more words in common than all others. */
function overlapFilter({ suite, models }, wanted) {
  if (!wanted) return () => true;
  const { overlap } = suite;
  const times = (item) => models.reduce((sum, model) => sum + (model.choice[item] === overlap[item] ? 1 : 0), 0);
  const fits = { all: (found) => found === models.length, some: (found) => found > 0, none: (found) => found === 0 }[wanted];
  return (item) => overlap[item] >= 0 && fits(times(item));
}

const isGrouped = (suite) => suite.groups.length > 0 && suite.groups.length < suite.ids.length;

function byGroup({ suite }, items, choose) {
  if (!isGrouped(suite)) return [];
  const sizes = new Uint32Array(suite.groups.length);
  for (const group of suite.group) sizes[group] += 1;
  const missed = new Uint32Array(suite.groups.length);
  for (const item of items) missed[suite.group[item]] += 1;
  const found = [...suite.groups.keys()].filter((group) => missed[group]);
  found.sort((one, other) => missed[other] - missed[one] || (suite.groups[one] < suite.groups[other] ? -1 : 1));
  const list = make("ol", "missed-groups");
  for (const group of found.slice(0, MOST_GROUPS)) {
    const button = make("button", "", suite.groups[group]);
    button.type = "button";
    button.addEventListener("click", () => choose(group));
    const entry = make("li");
    entry.append(button, make("span", "number", `${count(missed[group])} of ${count(sizes[group])}`));
    list.append(entry);
  }
  const more = found.length - MOST_GROUPS;
  const rest = more > 0 ? [make("p", "about", `and ${plural(more, suite.groupWord)} more`)] : [];
  return [make("h3", "", `By ${suite.groupWord}`), list, ...rest];
}

/* One mark per model, the best at the left; filled if it misses the item. */
function strip(suite, item) {
  const wide = suite.models.length;
  const gap = wide > MOST_MARKS ? 0 : 0.06;
  let path = "";
  for (let place = 0; place < wide; place += 1) {
    if (!suite.models[place].missed[item]) continue;
    const start = place;
    /* Adjacent marks are drawn as one. */
    while (!gap && place + 1 < wide && suite.models[place + 1].missed[item]) place += 1;
    path += `M${start + gap} 0H${place + 1 - gap}V1H${start + gap}Z`;
  }
  const box = { class: "strip", viewBox: `0 0 ${wide} 1`, preserveAspectRatio: "none", "aria-hidden": "true", focusable: "false" };
  return drawnAs("svg", box, drawnAs("rect", { class: "right", width: wide, height: 1 }), drawnAs("path", { class: "wrong", d: path }));
}

function errorRow(now, item) {
  const { suite } = now;
  const all = suite.missedByAll[item];
  const button = make("button", "row-open");
  button.type = "button";
  const text = make("span", "row-text", firstSentence(suite, item));
  text.dir = "auto";
  const summary = make("span", "row-strip");
  const share = now.models.length < suite.models.length ? `${count(now.missed[item])} of ${count(now.models.length)} best, ` : "";
  summary.append(make("span", "row-count", `missed by ${share}${count(all)} of all ${count(suite.models.length)}`), strip(suite, item));
  button.append(make("span", "row-group", suite.groups.length ? suite.groups[suite.group[item]] : suite.ids[item]), text, summary);
  button.addEventListener("click", () => showItem(suite, item, suite.models));
  return button;
}
