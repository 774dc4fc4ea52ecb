/* Two models side by side: where only one of them is right. */

const WHICH = [
  ["differ", "one is right, the other not"],
  ["a", "only the first is right"],
  ["b", "only the second is right"],
  ["both", "both are right"],
  ["neither", "neither is right"],
  ["otherwise", "both miss it, each in its own way"],
  ["all", "all"],
];

function startCompare() {
  const able = data.suites.filter((suite) => suite.models.length > 1);
  if (!able.length) return () => {};
  const [suiteField, aField, bField, whichField, textField] = ["suite", "a", "b", "which", "text"].map((name) => byId(`compare-${name}`));
  const now = { suite: able[0], a: null, b: null };
  const show = virtualList(byId("compare-list"), (item) => compareRow(now, item));

  function useSuite(place) {
    const before = [now.a?.name, now.b?.name];
    now.suite = able[place];
    suiteField.value = String(place);
    const names = now.suite.models.map((model, number) => [String(number), model.name]);
    const find = (name, otherwise) => {
      const found = now.suite.models.findIndex((model) => model.name === name);
      return String(found < 0 ? otherwise : found);
    };
    fill(aField, names, find(before[0], 0));
    fill(bField, names, find(before[1], 1));
  }

  function useModels() {
    now.a = now.suite.models[Number(aField.value)];
    now.b = now.suite.models[Number(bField.value)];
    byId("compare-summary").replaceChildren(...inWords(now));
    byId("compare-square").replaceChildren(square(now, (which) => {
      whichField.value = which;
      filter();
    }));
    filter();
  }

  function filter() {
    const holdsText = textFilter(now.suite, textField.value);
    const wanted = BY_OUTCOME[whichField.value];
    const items = [];
    for (let item = 0; item < now.suite.ids.length; item += 1) if (wanted(now, item) && holdsText(item)) items.push(item);
    for (const button of byId("compare-square").querySelectorAll("button")) {
      button.setAttribute("aria-pressed", String(button.className === `square-${whichField.value}`));
    }
    byId("compare-matches").textContent = `${plural(items.length, "item")} of ${count(now.suite.ids.length)}: ${WHICH.find(([name]) => name === whichField.value)[1]}.`;
    show(items);
  }

  function write() {
    const state = { view: "compare", suite: now.suite.name, a: now.a.name, b: now.b.name };
    history.replaceState(null, "", `#${new URLSearchParams(state)}`);
  }

  fill(suiteField, able.map((suite, place) => [String(place), suite.name]), "0");
  fill(whichField, WHICH, "differ");
  byId("compare-suite-choice").hidden = able.length < 2;
  suiteField.addEventListener("change", () => {
    useSuite(Number(suiteField.value));
    useModels();
    write();
  });
  for (const field of [aField, bField]) {
    field.addEventListener("change", () => {
      useModels();
      write();
    });
  }
  whichField.addEventListener("change", filter);
  whenTyped(textField, filter);
  byId("compare-tool").hidden = false;
  useSuite(0);
  useModels();
  return (state) => {
    useSuite(Math.max(0, able.findIndex((suite) => suite.name === state.get("suite"))));
    for (const [field, key] of [[aField, "a"], [bField, "b"]]) {
      const place = now.suite.models.findIndex((model) => model.name === state.get(key));
      if (place >= 0) field.value = String(place);
    }
    useModels();
  };
}

const BY_OUTCOME = {
  differ: ({ a, b }, item) => a.missed[item] !== b.missed[item],
  a: ({ a, b }, item) => !a.missed[item] && b.missed[item],
  b: ({ a, b }, item) => a.missed[item] && !b.missed[item],
  both: ({ a, b }, item) => !a.missed[item] && !b.missed[item],
  neither: ({ a, b }, item) => a.missed[item] && b.missed[item],
  otherwise: ({ a, b }, item) => a.missed[item] && b.missed[item] && a.choice[item] !== b.choice[item],
  all: () => true,
};

function points(value) {
  const text = (Math.abs(value) * 100).toFixed(1);
  if (text === "0.0") return text;
  return `${value < 0 ? "−" : "+"}${text}`;
}

/* Cohen's kappa of the choices; a tie is a separate choice. */
function kappaOf({ suite, a, b }) {
  const ofA = new Map();
  const ofB = new Map();
  let same = 0;
  const items = suite.ids.length;
  for (let item = 0; item < items; item += 1) {
    ofA.set(a.choice[item], (ofA.get(a.choice[item]) ?? 0) + 1);
    ofB.set(b.choice[item], (ofB.get(b.choice[item]) ?? 0) + 1);
    same += a.choice[item] === b.choice[item] ? 1 : 0;
  }
  let byChance = 0;
  for (const [choice, number] of ofA) byChance += (number * (ofB.get(choice) ?? 0)) / items ** 2;
  return byChance === 1 ? 1 : (same / items - byChance) / (1 - byChance);
}

function inWords({ suite, a, b }) {
  const strong = (text) => make("b", "", text);
  if (a === b) return ["Choose two different models."];
  const found = suite.comparisons.get(`${suite.models.indexOf(a)} ${suite.models.indexOf(b)}`);
  const parts = [strong(a.name), ` is right in ${percent(a.figures[0][0])}, `, strong(b.name), ` in ${percent(b.figures[0][0])}. `];
  if (found && !Number.isNaN(found.difference)) {
    const size = `${points(found.difference)} points (95\u00a0% interval ${points(found.low)} to ${points(found.high)}; p, corrected, ${found.p < 0.001 ? "below 0.001" : found.p.toFixed(3)})`;
    parts.push(`The difference is ${size}: `, strong(found.p < 0.05 ? "the two differ" : "no difference is shown"), ". ");
  }
  parts.push(`Agreement of their choices: kappa ${kappaOf({ suite, a, b }).toFixed(2).replace("-", "−")}.`);
  return parts;
}

function square(now, choose) {
  const counts = { both: 0, a: 0, b: 0, neither: 0 };
  for (let item = 0; item < now.suite.ids.length; item += 1) {
    const which = now.a.missed[item] ? (now.b.missed[item] ? "neither" : "b") : now.b.missed[item] ? "a" : "both";
    counts[which] += 1;
  }
  const box = make("div", "square");
  for (const [which, text] of [
    ["both", "both right"],
    ["a", `only ${now.a.name}`],
    ["b", `only ${now.b.name}`],
    ["neither", "neither right"],
  ]) {
    const button = make("button", `square-${which}`);
    button.type = "button";
    button.append(make("b", "", count(counts[which])), make("span", "", text));
    button.addEventListener("click", () => choose(which));
    box.append(button);
  }
  return box;
}

function choiceTold(suite, model, item) {
  const right = !model.missed[item];
  const choice = make("span", right ? "is-right" : "is-wrong");
  const margin = decimal(numberAt(suite, model, 0, item), true);
  choice.append(`${right ? "✓" : "✗"} ${optionName(suite, model.choice[item])} `, make("span", "margin", `${margin} · ${model.name}`));
  return choice;
}

function compareRow({ suite, a, b }, item) {
  const button = make("button", "row-open");
  button.type = "button";
  const text = make("span", "row-text", firstSentence(suite, item));
  text.dir = "auto";
  const choices = make("span", "row-choices");
  choices.append(choiceTold(suite, a, item), choiceTold(suite, b, item));
  button.append(make("span", "row-group", suite.groups.length ? suite.groups[suite.group[item]] : suite.ids[item]), text, choices);
  button.addEventListener("click", () => showItem(suite, item, a === b ? [a] : [a, b]));
  return button;
}
