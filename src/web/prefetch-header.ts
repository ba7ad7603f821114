/** Header of a prefetch request. The same browser may reuse the response once, within a few seconds. */
export const PREFETCH_HEADER = "kith-prefetch";
/**
 * Seconds for which a response may be reused. The time is short, so that no page shows data from before the
 * reader's own change.
 */
export const PREFETCH_LIFETIME = 3;
