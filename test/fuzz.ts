/** Set by `npm run fuzz`. */
const wanted = Number(process.env["KITH_FUZZ"] ?? 0);

/**
 * Number of cases of a property-based test: a few in normal runs, all requested ones in `npm run fuzz`, or a
 * share of them for slow tests.
 */
export const cases = (few: number, part = 1): number => Math.max(few, Math.ceil(wanted / part));

/** Timeout of such a test in milliseconds. */
export const PATIENCE = wanted > 0 ? 3_600_000 : 60_000;
