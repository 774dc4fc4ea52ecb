/* A dialog with one item: its sentences, and the choices of some models. */

function sentencesOf(suite, item) {
  const list = make("dl", "item-sentences");
  const anchor = suite.anchor ?? 0;
  suite.roles.forEach((role, place) => {
    const text = suite.texts[suite.sentences[place][item]];
    const line = make("div");
    line.append(make("dt", "role", display(role)), make("dd"));
    line.lastChild.append(sentence(text, place === anchor ? null : firstSentence(suite, item)));
    list.append(line);
  });
  return list;
}

/* The properties of an item that do not depend on models. */
function knownOf(suite, item) {
  const facts = suite.bins.filter(({ of }) => of[item] >= 0).map(({ name, values, of }) => `${name}: ${values[of[item]]}`);
  if (suite.overlap[item] >= 0) facts.push(`most words in common: ${optionName(suite, suite.overlap[item])}`);
  return facts.length ? [make("p", "about", `${capital(facts.join(" · "))}.`)] : [];
}

function modelRow(suite, model, item) {
  const row = make("tr");
  const name = make("th", "name", model.name);
  name.scope = "row";
  const choice = model.choice[item];
  const right = choice === rightAt(suite, item);
  const chose = make("td", right ? "is-right" : "is-wrong", `${right ? "✓" : choice === TIE ? "=" : "✗"} ${optionName(suite, choice)}`);
  row.append(name, chose);
  suite.pairOfOption.forEach((pair) => {
    row.append(make("td", "number", pair === null ? "–" : decimal(numberAt(suite, model, 1 + pair, item))));
  });
  row.append(make("td", "number", decimal(numberAt(suite, model, 0, item), true)));
  return row;
}

function modelsOnItem(suite, models, item) {
  const table = make("table");
  const head = make("tr");
  for (const [text, kind] of [
    ["Model", "name"],
    ["Chose", ""],
    ...suite.options.map((option, place) => [`${display(option)}${place === rightAt(suite, item) ? " ✓" : ""}`, "number"]),
    ["Margin", "number"],
  ]) {
    const cell = make("th", kind, text);
    cell.scope = "col";
    head.append(cell);
  }
  const top = make("thead");
  top.append(head);
  const body = make("tbody");
  body.append(...models.map((model) => modelRow(suite, model, item)));
  table.append(make("caption", "", "What the models make of the item"), top, body);
  const box = make("div", "scroll tall");
  box.tabIndex = 0;
  box.setAttribute("role", "region");
  box.setAttribute("aria-label", "What the models make of the item");
  box.append(table);
  return box;
}

function showItem(suite, item, models) {
  const title = make("h3", "", `${suite.groups.length ? `${suite.groups[suite.group[item]]} · ` : ""}${suite.ids[item]}`);
  title.id = "item-name";
  const missed = models.reduce((sum, model) => sum + model.missed[item], 0);
  const right = optionName(suite, rightAt(suite, item));
  const result = make("p", "", `Right is ${right}. ${count(missed)} of ${plural(models.length, "model")} ${missed === 1 ? "misses" : "miss"} it.`);
  byId("item-content").replaceChildren(title, sentencesOf(suite, item), ...knownOf(suite, item), result, modelsOnItem(suite, models, item));
  openWindow(byId("item"));
}

/* Not showModal: it makes everything else inert, which is slow on a large page. */
function openWindow(dialog) {
  const before = document.activeElement;
  const closing = new AbortController();
  const outside = (node) => node instanceof Node && !dialog.contains(node);
  const on = (target, kind, then) => target.addEventListener(kind, then, { signal: closing.signal });
  if (dialog.open) dialog.close();
  dialog.show();
  dialog.scrollTop = 0;
  dialog.querySelector("button").focus();
  on(dialog, "close", () => {
    closing.abort();
    if (before?.isConnected) before.focus({ preventScroll: true });
  });
  on(document, "keydown", (event) => event.key === "Escape" && dialog.close());
  on(document, "pointerdown", (event) => outside(event.target) && dialog.close());
  on(dialog, "focusout", (event) => outside(event.relatedTarget) && dialog.close());
}
