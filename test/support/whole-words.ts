/**
 * Returns the words that occur in the text as whole words: a short name such as `ada` can also be part of
 * random hexadecimal ids.
 */
export const findWholeWords = (text: string, words: string[]): string[] =>
  words.filter((word) =>
    new RegExp(
      `(?<![\\p{L}\\p{N}])${word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\p{L}\\p{N}])`,
      "u",
    ).test(text),
  );
