import type { Problem } from "./import-batch.ts";

/** So many remarks that say the same are written out, each with its place. */
const WRITTEN_OUT = 20;
/** So many different remarks are counted; later ones are always written out. */
const MOST_COUNTED = 10_000;

type Repeated = { first: Problem; last: Problem; more: number };

/**
 * Folds remarks that say the same of thousands of records: the first ones are written out, the rest is one remark with
 * their number. A class, because it counts through a whole run.
 */
export class RemarkFolder {
  #seen = new Map<string, { count: number; repeated: Repeated | null }>();

  /** Whether this one is to be written out. */
  take(it: Problem): boolean {
    const key = `${it.kind} ${it.what.replace(/\d+/g, "0")}`;
    const seen = this.#seen.get(key);
    if (!seen) {
      if (this.#seen.size < MOST_COUNTED) this.#seen.set(key, { count: 1, repeated: null });
      return true;
    }
    seen.count += 1;
    if (seen.count <= WRITTEN_OUT) return true;
    seen.repeated = { first: seen.repeated?.first ?? it, last: it, more: seen.count - WRITTEN_OUT };
    return false;
  }

  /** What stands for those that were not written out. One alone is written out itself. */
  rest(): Problem[] {
    return Array.from(this.#seen.values()).flatMap(({ repeated }) => {
      if (!repeated) return [];
      const { first, last, more } = repeated;
      if (more === 1) return [first];
      return [
        { place: `${first.place} to ${last.place}`, kind: first.kind, sourceId: "", what: `${more} more such remarks: ${first.what}` },
      ];
    });
  }
}
