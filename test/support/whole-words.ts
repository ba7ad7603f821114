/**
 * Which of the words occur in the text as whole words. A short name such as `ada` is also a run of hexadecimal digits:
 * searched as a part, it is found in a random id or hash now and then.
 */
export const findWholeWords = (text: string, words: string[]): string[] =>
  words.filter((word) => new RegExp(`(?<![\\p{L}\\p{N}])${word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\p{L}\\p{N}])`, "u").test(text));
