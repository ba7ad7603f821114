export {
  assertNoWatchedWords,
  checkWatchedWords,
  type CheckedText,
  type WatchedWordNotice,
} from "./watched-words/check-text.ts";
export { compilePhrases } from "./watched-words/matcher.ts";
export {
  listWatchedWords,
  removeWatchedWord,
  saveWatchedWord,
  type WatchedWord,
  type WatchedWordAction,
  WatchedWordForm,
} from "./watched-words/watched-words.ts";
