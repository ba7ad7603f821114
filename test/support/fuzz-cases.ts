/** Number of cases that `npm run fuzz` requests; 0 in normal runs. */
export const requestedCases = Number(process.env["KITH_FUZZ"] ?? 0);

/**
 * Returns the number of cases of a property-based test: `few` in normal runs, all requested cases in `npm
 * run fuzz`, or for a slow test the share `part` of them.
 */
export const countCases = (few: number, part = 1): number => Math.max(few, Math.ceil(requestedCases / part));

/** Timeout of a property-based test in milliseconds. */
export const FUZZ_TIMEOUT = requestedCases > 0 ? 3_600_000 : 60_000;
