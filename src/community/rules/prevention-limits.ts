/** Limits of prevention. Not part of `LIMITS`, which every page loads. */
export const PREVENTION_LIMITS = {
  /** Maximum number of blocked addresses, and maximum characters of the reason. */
  blockedAddresses: { count: 5_000, reason: 300 },
  /** For how long (in ms) texts of new accounts are compared, and from how many characters on. */
  repeatedTexts: { time: 24 * 60 * 60 * 1_000, characters: 30 },
  /** Maximum number of link domains, and maximum characters of the explanation. */
  linkDomains: { count: 5_000, explanation: 300 },
  watchedWords: {
    /** Maximum number of watched words. */
    count: 500,
    /** Maximum characters of a phrase. */
    phrase: 100,
    /** Maximum characters of the replacement. */
    replacement: 100,
    /** Maximum characters of the explanation. */
    explanation: 300,
    /** Maximum words of a phrase. */
    words: 40,
    /** Maximum flagged words that an automatic report names. */
    reported: 10,
    /** Number of recent posts on which a phrase is tried. */
    triedPosts: 1_000,
    /** Maximum matching posts that are shown after the trial. */
    shown: 20,
  },
};
