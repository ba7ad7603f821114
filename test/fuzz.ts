/** Set by `npm run fuzz`. */
const wanted = Number(process.env["KITH_FUZZ"] ?? 0);

/** How many cases a test by chance tries: a few with all the tests, in `npm run fuzz` all that are wanted, or a part of them where each takes its time. */
export const cases = (few: number, part = 1): number => Math.max(few, Math.ceil(wanted / part));

/** Milliseconds that such a test may take. */
export const PATIENCE = wanted > 0 ? 3_600_000 : 60_000;
