import type { Line } from "./quote-introductions.ts";
import { PHONE_LINES } from "./vocabulary.ts";

/** Maximum number of lines of a signature. Longer text below the dashes is not a signature. */
const MOST_LINES = 8;
const LONGEST = 120;

/** Removes the signature at the end: lines after `-- `, and lines that phones add. Doubtful lines stay. */
export function removeSignature(lines: Line[]): Line[] {
  const trimmed = withoutBlanks(lines);
  const cut = withoutBlanks(trimmed.slice(0, strokeIn(trimmed)));
  return withoutPhone(cut);
}

function withoutBlanks(lines: Line[]): Line[] {
  let end = lines.length;
  while (end > 0 && lines[end - 1]!.text === "") end--;
  return lines.slice(0, end);
}

/** Index of the line with the dashes above the signature; the number of lines if there is no signature. */
function strokeIn(lines: Line[]): number {
  const at = lines.findLastIndex(({ raw }) => raw === "-- " || /^(?:--|\\--|\\-\\-)\s*$/.test(raw));
  if (at < 0) return lines.length;
  const after = lines.slice(at + 1).filter(({ text }) => text !== "");
  if (after.length > MOST_LINES || after.some(({ text }) => text.length > LONGEST)) return lines.length;
  if (lines[at]!.raw === "-- ") return at;
  // Mail programs may strip the space after the dashes. Dashes without the space mark a signature only if
  // they occur once in the mail, after an empty line, and with no sentence below.
  const once = lines.filter(({ text }) => text === "--").length === 1;
  const apart = at === 0 || lines[at - 1]!.text === "";
  return once &&
    apart &&
    after.length > 0 &&
    after.length <= 5 &&
    !after.some(({ text }) => /[.!?…。؟]$/.test(text))
    ? at
    : lines.length;
}

/** Removes last lines that name only the phone or mail app. */
function withoutPhone(lines: Line[]): Line[] {
  let left = lines;
  for (let n = 0; n < 3 && left.length > 0; n++) {
    const [above, last] = [left.at(-2)?.text ?? "", left.at(-1)!.text];
    const broken = above !== "" && !/[.!?]$/.test(last) && isPhoneLine(`${above} ${last}`);
    if (!isPhoneLine(last) && !broken) return left;
    left = withoutBlanks(left.slice(0, isPhoneLine(last) ? -1 : -2));
  }
  return left;
}

/** The text without web addresses, and without brackets and dashes around it. */
const bareText = (text: string) =>
  text
    .replace(/\]?\(?<?https?:\/\/[^\s<>]{0,300}>?\)?/g, " ")
    .replace(/^[\s\-–—[(*_|<]+|[\s\-–—\])*_|.>]+$/g, "")
    .replace(/[[\]]/g, "")
    .replace(/\s+/g, " ")
    .trim();

function isPhoneLine(line: string): boolean {
  if (line.length > 300) return false;
  const text = bareText(line);
  return text.length <= 120 && PHONE_LINES.some((phone) => phone.test(text));
}
