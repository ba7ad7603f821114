/** Header of a request whose answer may be used once more by the same browser, for a moment. */
export const PREFETCH_HEADER = "kith-prefetch";
/** Seconds. Short, so that no page shows what was true before the reader's own change. */
export const PREFETCH_LIFETIME = 3;
