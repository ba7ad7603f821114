/**
 * Words that occur in the text as whole words. A short name such as `ada` also occurs in random hexadecimal
 * ids now and then.
 */
export const findWholeWords = (text: string, words: string[]): string[] =>
  words.filter((word) =>
    new RegExp(
      `(?<![\\p{L}\\p{N}])${word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\p{L}\\p{N}])`,
      "u",
    ).test(text),
  );
