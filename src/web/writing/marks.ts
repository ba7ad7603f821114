/** A text with what is selected in it. */
export type Marked = { text: string; from: number; to: number };
/** What is to be put in the place of `from` to `to`, and what of it is selected afterwards, counted from the text's beginning. */
export type Change = { from: number; to: number; put: string; select: [number, number] };

/** Puts a mark as `**` around what is selected, each line by itself, or takes it away where it stands around it already. */
export function around({ text, from, to }: Marked, mark: string): Change {
  const { length } = mark;
  if (isAround(text, from, to, mark))
    return { from: from - length, to: to + length, put: text.slice(from, to), select: [from - length, to - length] };
  const chosen = text.slice(from, to);
  if (chosen.trim() === "") return { from, to: from, put: mark + mark, select: [from + length, from + length] };
  const put = chosen.replace(/[^\n]*\S[^\n]*/g, (line) => line.replace(/\S(?:.*\S)?/, (words) => withOrWithout(words, mark)));
  const [before, after] = [chosen.length - chosen.trimStart().length, chosen.length - chosen.trimEnd().length];
  const inside = put.includes("\n") ? 0 : Math.max(0, (put.length - chosen.length) / 2);
  return { from, to, put, select: [from + before + inside, from + put.length - after - inside] };
}

/** `*` around a word is not the half of `**` around it; both are `***`. */
function isAround(text: string, from: number, to: number, mark: string): boolean {
  const { length } = mark;
  if (text.slice(from - length, from) !== mark || text.slice(to, to + length) !== mark || from < length) return false;
  const stars = /\**$/.exec(text.slice(0, from))![0].length;
  return mark !== "*" || stars % 2 === 1;
}

const withOrWithout = (words: string, mark: string) =>
  words.length > 2 * mark.length && isAround(words, mark.length, words.length - mark.length, mark)
    ? words.slice(mark.length, -mark.length)
    : mark + words + mark;

/** Begins each line that is touched with `sign`, or takes it from all of them where all have it. */
export function atLines({ text, from, to }: Marked, sign: string): Change {
  const start = text.lastIndexOf("\n", from - 1) + 1;
  const end = (text.indexOf("\n", to) + 1 || text.length + 1) - 1;
  const lines = text.slice(start, end).split("\n");
  const all = lines.every((line) => line.startsWith(sign) || (line === "" && lines.length > 1));
  const put = lines.map((line) => (all ? line.replace(sign, "") : line.startsWith(sign) ? line : sign + line)).join("\n");
  return { from: start, to: end, put, select: lines.length > 1 ? [start, start + put.length] : [start + put.length, start + put.length] };
}

const ADDRESS = /^(?:https?:\/\/|mailto:)\S+$/i;
/** A link: what is selected is its words, or its address where it is one; what is missing is selected, to be written. */
export function asLink({ text, from, to }: Marked): Change {
  const chosen = text.slice(from, to).trim();
  if (ADDRESS.test(chosen)) return { from, to, put: `[](${chosen})`, select: [from + 1, from + 1] };
  const words = chosen.replaceAll("\n", " ");
  const at = from + words.length + 3;
  return { from, to, put: `[${words}](https://)`, select: words ? [at, at + "https://".length] : [from + 1, from + 1] };
}

/** Around one line the one mark, around several the lines that open and close a block. */
export const asBlockOr = (mark: string, opening: string, closing: string) => (marked: Marked) => {
  const chosen = marked.text.slice(marked.from, marked.to);
  return chosen.trim().includes("\n") ? asBlock(marked, opening, closing) : around(marked, mark);
};

function asBlock({ text, from, to }: Marked, opening: string, closing: string): Change {
  const chosen = text.slice(from, to).replace(/^\n+|\n+$/g, "");
  const before = text.slice(0, from).replace(/\n+$/, "").length;
  const after = to + /^\n*/.exec(text.slice(to))![0].length;
  const lead = before === 0 ? `${opening}\n` : `\n\n${opening}\n`;
  const start = before + lead.length;
  return { from: before, to: after, put: `${lead}${chosen}\n${closing}\n\n`, select: [start, start + chosen.length] };
}
