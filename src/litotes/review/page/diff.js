/* The difference between two sentences, word by word (longest common subsequence). */

const TOKEN = /\s+|[\p{L}\p{N}]+(?:[’'-][\p{L}\p{N}]+)*|[^\s\p{L}\p{N}]/gu;
const MOST_CELLS = 1_000_000;

/* A sentence as pieces [kind, text]: "same", "new", or "gone" for words of the first sentence that were removed
   without replacement. The pieces that are not "gone" add up to the exact sentence. */
export function difference(first, sentence) {
  const left = words(first);
  const right = sentence.match(TOKEN) ?? [];
  const places = right.flatMap((token, place) => (/^\s/u.test(token) ? [] : [place]));
  if (left.length * places.length > MOST_CELLS) return [["same", sentence]];
  const table = lengths(left, places.map((place) => right[place]));
  const pieces = [];
  let i = 0;
  let done = 0;
  let gone = [];
  let fresh = false;
  const close = (space) => {
    // Replaced words are not shown: the new ones are marked, and the sentence stays readable.
    const text = gone.join(" ");
    if (gone.length && !fresh) pieces.push(["gone", space || !pieces.length ? `${text} ` : ` ${text}`]);
    gone = [];
    fresh = false;
  };
  for (let j = 0; j < places.length; ) {
    const word = right[places[j]];
    if (i < left.length && left[i] === word) {
      const space = right.slice(done, places[j]).join("");
      if (space) pieces.push(["same", space]);
      close(space);
      pieces.push(["same", word]);
      i += 1;
    } else if (i < left.length && table[i + 1][j] >= table[i][j + 1]) {
      gone.push(left[i]);
      i += 1;
      continue;
    } else {
      const space = right.slice(done, places[j]).join("");
      if (space) pieces.push([fresh ? "new" : "same", space]);
      pieces.push(["new", word]);
      fresh = true;
    }
    done = places[j] + 1;
    j += 1;
  }
  const rest = right.slice(done).join("");
  if (rest) pieces.push(["same", rest]);
  gone.push(...left.slice(i));
  if (gone.length && !fresh) pieces.push(["gone", ` ${gone.join(" ")}`]);
  return joined(pieces);
}

function words(text) {
  return (text.match(TOKEN) ?? []).filter((token) => !/^\s/u.test(token));
}

/* table[i][j]: the number of words that left[i:] and right[j:] have in common. */
function lengths(left, right) {
  const table = Array.from({ length: left.length + 1 }, () => new Uint16Array(right.length + 1));
  for (let i = left.length - 1; i >= 0; i -= 1) {
    for (let j = right.length - 1; j >= 0; j -= 1) {
      table[i][j] = left[i] === right[j] ? table[i + 1][j + 1] + 1 : Math.max(table[i + 1][j], table[i][j + 1]);
    }
  }
  return table;
}

function joined(pieces) {
  const result = [];
  for (const [kind, text] of pieces) {
    if (result.length && result.at(-1)[0] === kind) result.at(-1)[1] += text;
    else result.push([kind, text]);
  }
  return result;
}
