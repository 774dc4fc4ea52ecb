/* One model on all phenomena, compared with the range of all models. */

const share = (part) => `${(Math.min(Math.max(part, 0), 1) * 100).toFixed(2)}%`;
const known = (value) => value !== null && !Number.isNaN(value);

function middleOf(values) {
  const ordered = [...values].sort((one, other) => one - other);
  const half = Math.floor(ordered.length / 2);
  return ordered.length % 2 ? ordered[half] : (ordered[half - 1] + ordered[half]) / 2;
}

function dots([value, low, high], chance, all) {
  const figure = drawnAs("svg", { class: "dots", width: "100%", height: 24, "aria-hidden": "true", focusable: "false" });
  figure.append(drawnAs("line", { class: "axis", x1: "0%", x2: "100%", y1: 12, y2: 12 }));
  const others = all.filter(known);
  if (others.length > 1) {
    const [least, most] = [Math.min(...others), Math.max(...others)];
    figure.append(drawnAs("rect", { class: "range", x: share(least), width: share(most - least), y: 7, height: 10, rx: 2 }));
    const median = share(middleOf(others));
    figure.append(drawnAs("line", { class: "median", x1: median, x2: median, y1: 7, y2: 17 }));
  }
  if (known(chance)) figure.append(drawnAs("line", { class: "guess", x1: share(chance), x2: share(chance), y1: 1, y2: 23 }));
  if (known(low) && known(high)) figure.append(drawnAs("line", { class: "whisker", x1: share(low), x2: share(high), y1: 12, y2: 12 }));
  if (known(value)) figure.append(drawnAs("circle", { class: "dot", cx: share(value), cy: 12, r: 5 }));
  return figure;
}

function profileRow(name, figure, chance, all) {
  const row = make("tr");
  const head = make("th", "words", name);
  head.scope = "row";
  const plot = make("td", "plot");
  plot.append(dots(figure, chance, all));
  const [value, low, high] = figure;
  const number = make("td", "number");
  number.append(make("b", "", percent(value)));
  if (known(low) && known(high)) number.append(make("span", "interval below", `${(low * 100).toFixed(1)}–${percent(high)}`));
  const place = all.filter((other) => known(other) && other > value).length + 1;
  const rank = make("td", "number", known(value) && all.length > 1 ? `${count(place)} of ${count(all.filter(known).length)}` : "");
  row.append(head, plot, number, rank);
  return row;
}

function propertyRow(name) {
  const row = make("tr", "property");
  const head = make("th", "", capital(name));
  head.scope = "rowgroup";
  head.colSpan = 3;
  row.append(head, make("td", "number"));
  return row;
}

function profileTable(caption, rows) {
  const table = make("table", "profile");
  const head = make("tr");
  for (const [text, kind] of [["", "words"], ["0 to 100 %", "plot"], ["Accuracy", "number"], ["Rank", "number"]]) {
    head.append(make("th", kind, text));
  }
  const top = make("thead");
  top.append(head);
  const body = make("tbody");
  body.append(...rows);
  table.append(make("caption", "", caption), top, body);
  const box = make("div", "scroll profile-box");
  box.append(table);
  return box;
}

/* The share of right items in each bin, for every model; computed once. */
const shares = new Map();
function binShares(suite) {
  if (!shares.has(suite)) shares.set(suite, suite.bins.map((bin) => suite.models.map((model) => sharesInBin(bin, model))));
  return shares.get(suite);
}

function sharesInBin(bin, model) {
  const { of, values } = bin;
  const { missed } = model;
  const right = new Float64Array(values.length);
  const all = new Float64Array(values.length);
  for (let item = 0; item < of.length; item += 1) {
    const value = of[item];
    if (value < 0) continue;
    all[value] += 1;
    right[value] += missed[item] ? 0 : 1;
  }
  /* Ties are few; the right option may have a share of them. */
  for (const [item, credit] of Object.entries(model.credit)) if (of[item] >= 0) right[of[item]] += credit;
  return values.map((_, value) => (all[value] ? right[value] / all[value] : NaN));
}

function hardestGroups(suite, model) {
  const sizes = suite.groups.map(() => 0);
  const credit = suite.groups.map(() => 0);
  suite.group.forEach((group, item) => {
    sizes[group] += 1;
    credit[group] += creditAt(suite, model, item);
  });
  const places = [...suite.groups.keys()].filter((group) => sizes[group] >= 3 && credit[group] < sizes[group]);
  places.sort((one, other) => credit[one] / sizes[one] - credit[other] / sizes[other] || sizes[other] - sizes[one]);
  if (!places.length) return [];
  const hardest = make("p", "hardest", `Least often right (${suite.groupWord}s of three items or more): `);
  places.slice(0, 8).forEach((group, place) => {
    const link = make("a", "", suite.groups[group]);
    link.href = `#${new URLSearchParams({ suite: suite.name, model: model.name, group: suite.groups[group] })}`;
    hardest.append(place ? ", " : "", link, ` ${Number(credit[group].toFixed(1))} of ${sizes[group]}`);
  });
  hardest.append(".");
  return [hardest];
}

function suiteProfile(suite, model) {
  const number = suite.models.indexOf(model);
  const rows = suite.phenomena.map(([name, chance], place) =>
    profileRow(display(name), model.figures[place], chance, suite.models.map((one) => one.figures[place][0])),
  );
  suite.bins.forEach((bin, property) => {
    const found = binShares(suite)[property];
    rows.push(propertyRow(bin.name));
    bin.values.forEach((value, place) => {
      if (Number.isNaN(found[number][place])) return;
      const all = found.map((one) => one[place]);
      rows.push(profileRow(value, [found[number][place], null, null], suite.chance, all));
      rows.at(-1).className = "of-property";
    });
  });
  return [make("h3", "", suite.name), profileTable(`${model.name} on ${suite.name}`, rows), ...hardestGroups(suite, model)];
}

function overSuites(name) {
  if (data.suites.length < 2) return [];
  const rows = data.suites.map((suite) => {
    const model = suite.models.find((one) => one.name === name);
    return profileRow(suite.name, model ? model.figures[0] : [null, null, null], suite.chance, suite.models.map((one) => one.figures[0][0]));
  });
  return [make("h3", "", "All suites"), profileTable(`${name} on all suites`, rows)];
}

function showProfile() {
  const name = byId("profile-model").value;
  const parts = data.suites.flatMap((suite) => {
    const model = suite.models.find((one) => one.name === name);
    return model ? suiteProfile(suite, model) : [];
  });
  byId("profile-figures").replaceChildren(...overSuites(name), ...parts);
}

function startProfile() {
  const names = data.models;
  fill(byId("profile-model"), names.map((name) => [name, name]), names[0]);
  byId("profile-model").addEventListener("change", () => {
    showProfile();
    history.replaceState(null, "", `#${new URLSearchParams({ view: "profile", model: byId("profile-model").value })}`);
  });
  byId("profile-tool").hidden = false;
  showProfile();
  return (state) => {
    if (!names.includes(state.get("model"))) return;
    byId("profile-model").value = state.get("model");
    showProfile();
  };
}
