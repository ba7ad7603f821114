/** A text and its selection. */
export type SelectedText = { text: string; from: number; to: number };
/**
 * An edit: replaces the characters `from` to `to` by `put`, then selects `select`. All positions are counted
 * from the start of the text.
 */
export type TextEdit = { from: number; to: number; put: string; select: [number, number] };

/** Adds a mark such as `**` around the selection, line by line, or removes it if it is there already. */
export function toggleMark({ text, from, to }: SelectedText, mark: string): TextEdit {
  const { length } = mark;
  if (isMarked(text, from, to, mark))
    return {
      from: from - length,
      to: to + length,
      put: text.slice(from, to),
      select: [from - length, to - length],
    };
  const chosen = text.slice(from, to);
  if (chosen.trim() === "")
    return { from, to: from, put: mark + mark, select: [from + length, from + length] };
  const put = chosen.replace(/[^\n]*\S[^\n]*/g, (line) =>
    line.replace(/\S(?:.*\S)?/, (words) => toggleMarkOnLine(words, mark)),
  );
  const [before, after] = [
    chosen.length - chosen.trimStart().length,
    chosen.length - chosen.trimEnd().length,
  ];
  const inside = put.includes("\n") ? 0 : Math.max(0, (put.length - chosen.length) / 2);
  return { from, to, put, select: [from + before + inside, from + put.length - after - inside] };
}

/**
 * Whether the selection has this mark: a `*` beside a word may be half of `**`, while `***` is both marks.
 */
function isMarked(text: string, from: number, to: number, mark: string): boolean {
  const { length } = mark;
  if (text.slice(from - length, from) !== mark || text.slice(to, to + length) !== mark || from < length)
    return false;
  const stars = /\**$/.exec(text.slice(0, from))![0].length;
  return mark !== "*" || stars % 2 === 1;
}

const toggleMarkOnLine = (words: string, mark: string) =>
  words.length > 2 * mark.length && isMarked(words, mark.length, words.length - mark.length, mark)
    ? words.slice(mark.length, -mark.length)
    : mark + words + mark;

/** Adds a prefix to each selected line, or removes it if all of them have it. */
export function togglePrefix({ text, from, to }: SelectedText, sign: string): TextEdit {
  const start = text.lastIndexOf("\n", from - 1) + 1;
  const end = (text.indexOf("\n", to) + 1 || text.length + 1) - 1;
  const lines = text.slice(start, end).split("\n");
  const all = lines.every((line) => line.startsWith(sign) || (line === "" && lines.length > 1));
  const put = lines
    .map((line) => (all ? line.replace(sign, "") : line.startsWith(sign) ? line : sign + line))
    .join("\n");
  return {
    from: start,
    to: end,
    put,
    select: lines.length > 1 ? [start, start + put.length] : [start + put.length, start + put.length],
  };
}

const LINK_ADDRESS = /^(?:https?:\/\/|mailto:)\S+$/i;
/**
 * Makes a link. A selected address becomes the link's address, other selected text becomes its text; the
 * missing part is selected to be typed.
 */
export function insertLink({ text, from, to }: SelectedText): TextEdit {
  const chosen = text.slice(from, to).trim();
  if (LINK_ADDRESS.test(chosen)) return { from, to, put: `[](${chosen})`, select: [from + 1, from + 1] };
  const words = chosen.replaceAll("\n", " ");
  const at = from + words.length + 3;
  return {
    from,
    to,
    put: `[${words}](https://)`,
    select: words ? [at, at + "https://".length] : [from + 1, from + 1],
  };
}

/** Marks a selection within one line, or puts a block around several lines. */
export const toggleMarkOrBlock =
  (mark: string, opening: string, closing: string) => (marked: SelectedText) => {
    const chosen = marked.text.slice(marked.from, marked.to);
    return chosen.trim().includes("\n") ? insertBlock(marked, opening, closing) : toggleMark(marked, mark);
  };

function insertBlock({ text, from, to }: SelectedText, opening: string, closing: string): TextEdit {
  const chosen = text.slice(from, to).replace(/^\n+|\n+$/g, "");
  const before = text.slice(0, from).replace(/\n+$/, "").length;
  const after = to + /^\n*/.exec(text.slice(to))![0].length;
  const lead = before === 0 ? `${opening}\n` : `\n\n${opening}\n`;
  const start = before + lead.length;
  return {
    from: before,
    to: after,
    put: `${lead}${chosen}\n${closing}\n\n`,
    select: [start, start + chosen.length],
  };
}
