/** Set by `npm run fuzz`. */
const requestedCases = Number(process.env["KITH_FUZZ"] ?? 0);

/**
 * Number of cases of a property-based test: a few in normal runs, all requested ones in `npm run fuzz`, or a
 * share of them for slow tests.
 */
export const countCases = (few: number, part = 1): number => Math.max(few, Math.ceil(requestedCases / part));

/** Timeout of such a test in milliseconds. */
export const FUZZ_TIMEOUT = requestedCases > 0 ? 3_600_000 : 60_000;
