/** Header of a request made in advance: the same browser may reuse its response once, for a few seconds. */
export const PREFETCH_HEADER = "kith-prefetch";
/**
 * Seconds for which a response may be reused. The time is short, so that no page shows data from before the
 * reader's own change.
 */
export const PREFETCH_LIFETIME = 3;
