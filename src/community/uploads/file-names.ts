const MAX_NAME = 150;
/**
 * Characters that are invisible or could disguise an extension: control characters, direction marks and
 * zero-width characters, except joiners of letters and emoji.
 */
const INVISIBLE_CHARACTERS = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/gu;

/**
 * Makes a file name safe: no path, no invisible characters, limited length, and an extension of its kind. An
 * empty name becomes "file".
 */
export function sanitizeFileName(fileName: string, endings: readonly string[]): string {
  const plain = fileName
    .toWellFormed()
    .normalize("NFC")
    .replace(/^.*[\\/]/su, "")
    .replace(INVISIBLE_CHARACTERS, "")
    .replace(/[<>:"|?*]/g, "_")
    .replace(/\s+/g, " ")
    .replace(/^[.\s]+|[.\s]+$/g, "");
  const ending = endings.find((it) => plain.toLowerCase().endsWith(`.${it}`));
  const stem = (ending ? plain.slice(0, -ending.length - 1) : plain).trim();
  const last = ending ?? endings[0];
  return `${truncateName(stem) || "file"}${last ? `.${last}` : ""}`;
}

/** Shortens a name without splitting a grapheme cluster. */
const truncateName = (stem: string) =>
  [...new Intl.Segmenter().segment(stem.slice(0, MAX_NAME * 4))]
    .reduce((kept, { segment }) => (kept.length + segment.length > MAX_NAME ? kept : kept + segment), "")
    .trim();
