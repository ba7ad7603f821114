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
  type LinkDomain,
  type LinkDomainAction,
  LinkDomainForm,
  listLinkDomains,
  removeLinkDomain,
  saveLinkDomain,
} from "./link-domains/link-domains.ts";
export { countNewAddresses, countNewLinks } from "./link-domains/linked-hosts.ts";
export {
  type ApprovalReason,
  assertNoListedLinks,
  assertNoWatchedWords,
  checkWatchedWords,
  type CheckedText,
  findFlaggedWords,
} from "./watched-words/check-text.ts";
export { type FlaggedText, reportFlaggedText } from "./watched-words/flagged-text.ts";
export {
  type CheckedProof,
  checkProof,
  createProofChallenge,
  type ProofChallenge,
  type ProofContext,
  type ProofPurpose,
  purgeUsedProofs,
  useProof,
} from "./proof-of-work/proof-of-work.ts";
export { isRepeatedText, purgeNewcomerTexts } from "./repeated-texts/repeated-texts.ts";
export { compilePhrases } from "./watched-words/matcher.ts";
export {
  listWatchedWords,
  removeWatchedWord,
  saveWatchedWord,
  type WatchedWord,
  type WatchedWordAction,
  WatchedWordForm,
} from "./watched-words/watched-words.ts";
