/** A part of a pattern: any run of characters, any one character, or a text. */
export type PatternPiece = { is: "run" } | { is: "one" } | { is: "text"; text: string };

/** Parses a pattern: `%` is any run of characters, `_` any one; `\` escapes them. */
export function parsePattern(pattern: string): PatternPiece[] {
  const pieces: PatternPiece[] = [];
  const characters = Array.from(pattern);
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at]!;
    if (character === "%") pieces.push({ is: "run" });
    else if (character === "_") pieces.push({ is: "one" });
    else
      pieces.push({
        is: "text",
        text: character === "\\" && at + 1 < characters.length ? characters[++at]! : character,
      });
  }
  return pieces;
}

/** Whether a text matches a pattern. Takes at most as many steps as the product of their lengths. */
export function matchesPattern(text: string, pieces: PatternPiece[]): boolean {
  const characters = Array.from(text);
  let [at, piece] = [0, 0];
  let [run, runFrom] = [-1, 0];
  while (at < characters.length) {
    const it = pieces[piece];
    if (it?.is === "run") {
      [run, runFrom] = [piece++, at];
    } else if (it && (it.is === "one" || it.text === characters[at])) {
      at++;
      piece++;
    } else if (run >= 0) {
      // On a mismatch the last `%` matches one more character. Earlier ones need not be tried again.
      at = ++runFrom;
      piece = run + 1;
    } else return false;
  }
  return pieces.slice(piece).every((it) => it.is === "run");
}

/** Writes the pattern for PostgreSQL, which rejects a single backslash at the end. */
export const toPostgresPattern = (pattern: string): string => {
  const trailing = /\\*$/.exec(pattern)![0].length;
  return trailing % 2 === 1 ? `${pattern}\\` : pattern;
};
