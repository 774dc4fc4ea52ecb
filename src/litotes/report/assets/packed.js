/* The packed columns of the data, unpacked on first use. */

function bytesOf(text) {
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let place = 0; place < raw.length; place += 1) bytes[place] = raw.charCodeAt(place);
  return bytes;
}

function placesOf(text) {
  const places = new Int16Array(bytesOf(text));
  for (let place = 0; place < places.length; place += 1) places[place] -= 1;
  return places;
}

function lazily(target, name, compute) {
  Object.defineProperty(target, name, {
    configurable: true,
    get() {
      const value = compute();
      Object.defineProperty(target, name, { value });
      return value;
    },
  });
}

/* The lowest number represents a missing one. */
const wholeNumber = (view, wide, offset) => {
  const value = wide ? view.getInt32(offset, true) : view.getInt16(offset, true);
  return value === (wide ? -(2 ** 31) : -(2 ** 15)) ? NaN : value;
};

function columnOf(model, column, items) {
  const size = model.wide ? 4 : 2;
  /* Unpack only this column: four characters are three bytes, so a column may begin within a group. */
  const begin = column * items * size;
  const from = Math.floor(begin / 3);
  const bytes = bytesOf(model.numbers.slice(from * 4, Math.ceil((begin + items * size) / 3) * 4));
  const view = new DataView(bytes.buffer);
  const values = new Float64Array(items);
  for (let item = 0; item < items; item += 1) values[item] = wholeNumber(view, model.wide, begin - from * 3 + item * size);
  return values;
}

/* Unpack a single number, which is cheap even with a hundred models. */
function numberAt(suite, model, column, item) {
  const size = model.wide ? 4 : 2;
  const begin = (column * suite.ids.length + item) * size;
  const from = Math.floor(begin / 3);
  const bytes = bytesOf(model.numbers.slice(from * 4, from * 4 + 8));
  return wholeNumber(new DataView(bytes.buffer), model.wide, begin - from * 3);
}

/* The right option: the same for all items, or the label of the item. */
const hasLabels = (suite) => Array.isArray(suite.right);
const rightAt = (suite, item) => (hasLabels(suite) ? suite.right[item] : suite.right);

function missedOf(suite, { choice }) {
  return Uint8Array.from(choice, (option, item) => (option === rightAt(suite, item) ? 0 : 1));
}

function timesMissed(suite, models) {
  const times = new Uint16Array(suite.ids.length);
  for (const { missed } of models) for (let item = 0; item < times.length; item += 1) times[item] += missed[item];
  return times;
}

function creditAt(suite, model, item) {
  if (!model.missed[item]) return 1;
  return model.choice[item] === TIE ? (model.credit[item] ?? 0) : 0;
}

function groupChoices(suite) {
  const sizes = suite.groups.map(() => 0);
  for (const group of suite.group) sizes[group] += 1;
  const choices = suite.groups.map((name, number) => [String(number), `${name} (${count(sizes[number])})`]);
  const order = new Intl.Collator("en");
  return choices.sort((one, other) => order.compare(one[1], other[1]));
}

/* The comparisons by pair of models, in both orders. */
function comparisonsOf({ of, numbers }) {
  const values = new Float32Array(bytesOf(numbers).buffer);
  const found = new Map();
  for (let place = 0; place * 2 < of.length; place += 1) {
    const [difference, low, high, p] = values.subarray(place * 4, place * 4 + 4);
    const [a, b] = of.slice(place * 2, place * 2 + 2);
    found.set(`${a} ${b}`, { difference, low, high, p });
    found.set(`${b} ${a}`, { difference: -difference, low: -high, high: -low, p });
  }
  return found;
}

for (const suite of data.suites) {
  const { overlap, comparisons } = suite;
  const items = suite.ids.length;
  lazily(suite, "overlap", () => placesOf(overlap));
  lazily(suite, "comparisons", () => comparisonsOf(comparisons));
  lazily(suite, "folded", () => suite.texts.map(folded));
  lazily(suite, "missedByAll", () => timesMissed(suite, suite.models));
  lazily(suite, "groupChoices", () => groupChoices(suite));
  for (const bin of suite.bins) {
    const { of } = bin;
    lazily(bin, "of", () => placesOf(of));
  }
  for (const model of suite.models) {
    const { choice } = model;
    lazily(model, "choice", () => placesOf(choice));
    lazily(model, "margin", () => columnOf(model, 0, items));
    lazily(model, "missed", () => missedOf(suite, model));
    model.similarities = [];
    suite.pairs.forEach((_, pair) => lazily(model.similarities, pair, () => columnOf(model, 1 + pair, items)));
  }
}

/* Whether a sentence of an item contains a text, ignoring case and kinds of apostrophes. */
function textFilter(suite, text) {
  const wanted = folded(text.trim());
  if (!wanted) return () => true;
  const hit = suite.folded.map((one) => one.includes(wanted));
  return (item) => suite.sentences.some((column) => hit[column[item]]);
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const firstSentence = (suite, item) => suite.texts[suite.sentences[suite.anchor ?? 0][item]];
const optionName = (suite, option) => (option === TIE ? "a tie" : display(suite.options[option] ?? "unknown"));
