const MOST = 150;
/** What stands in a name to hide how it ends, or is nothing to be read: controls, marks of direction, signs without width, but those that join letters and pictures. */
const HIDDEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/gu;

/**
 * A name for saving under, whatever was given: no path, nothing hidden, not too long, and one of the endings that its kind
 * has. Without any name it is "file".
 */
export function safeName(given: string, endings: readonly string[]): string {
  const plain = given
    .toWellFormed()
    .normalize("NFC")
    .replace(/^.*[\\/]/su, "")
    .replace(HIDDEN, "")
    .replace(/[<>:"|?*]/g, "_")
    .replace(/\s+/g, " ")
    .replace(/^[.\s]+|[.\s]+$/g, "");
  const ending = endings.find((it) => plain.toLowerCase().endsWith(`.${it}`));
  const stem = (ending ? plain.slice(0, -ending.length - 1) : plain).trim();
  const last = ending ?? endings[0];
  return `${cut(stem) || "file"}${last ? `.${last}` : ""}`;
}

/** Whole signs only: half of one is none. */
const cut = (stem: string) =>
  [...new Intl.Segmenter().segment(stem.slice(0, MOST * 4))]
    .reduce((kept, { segment }) => (kept.length + segment.length > MOST ? kept : kept + segment), "")
    .trim();
