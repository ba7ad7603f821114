import { createHash } from "node:crypto";

/**
 * The code that stands in our mails beside "Write above this line". It is made of the reply address, so that only a mail of
 * ours for this person and place bears it; it has no spaces or signs, so that wrapping, quoting and translating leave it whole.
 */
export const markCodeFor = (replyToken: string): string =>
  `kith${createHash("sha256").update(`reply-mark:${replyToken}`).digest("hex").slice(0, 12)}`;

/** Lines in which the code stands, also where a program broke it in two. */
export function findMark(lines: string[], code: string): number[] {
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
