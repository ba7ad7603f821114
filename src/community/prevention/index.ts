export type { BlockedAddressKind } from "./blocked-addresses/address-value.ts";
export {
  assertAddressAllowed,
  blockAddress,
  type BlockedAddress,
  BlockedAddressForm,
  listBlockedAddresses,
  unblockAddress,
} from "./blocked-addresses/blocked-addresses.ts";
export {
  assertNoWatchedWords,
  checkWatchedWords,
  type CheckedText,
  findFlaggedWords,
  type WatchedWordNotice,
} from "./watched-words/check-text.ts";
export { reportFlaggedText } from "./watched-words/flagged-text.ts";
export { compilePhrases } from "./watched-words/matcher.ts";
export {
  listWatchedWords,
  removeWatchedWord,
  saveWatchedWord,
  type WatchedWord,
  type WatchedWordAction,
  WatchedWordForm,
} from "./watched-words/watched-words.ts";
