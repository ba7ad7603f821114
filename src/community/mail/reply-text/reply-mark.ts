import { createHash } from "node:crypto";

/**
 * The code beside "Write above this line". It is derived from the reply address, so only our mail to this
 * person about this place contains it. It has letters and digits only, so that wrapping, quoting and
 * translation keep it intact.
 */
export const replyMarkCode = (replyToken: string): string =>
  `kith${createHash("sha256").update(`reply-mark:${replyToken}`).digest("hex").slice(0, 12)}`;

/** Indexes of the lines that contain the code, even if a mail program split it over two lines. */
export function findReplyMark(lines: string[], code: string): number[] {
  let letters = "";
  const lineOf: number[] = [];
  lines.forEach((line, at) => {
    for (const letter of line.toLowerCase().match(/[a-z0-9]/g) ?? []) {
      letters += letter;
      lineOf.push(at);
    }
  });
  const found = new Set<number>();
  for (let at = letters.indexOf(code); at >= 0; at = letters.indexOf(code, at + 1)) {
    found.add(lineOf[at]!);
    found.add(lineOf[at + code.length - 1]!);
  }
  return [...found];
}
