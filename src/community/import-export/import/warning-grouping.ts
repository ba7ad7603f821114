import type { ImportProblem } from "./import-batch.ts";

/** Maximum number of equal warnings that are listed with their positions. */
const WRITTEN_OUT = 20;
/** Maximum number of distinct warnings that are counted. Warnings beyond it are always listed. */
const MOST_COUNTED = 10_000;

type Repeated = { first: ImportProblem; last: ImportProblem; more: number };

/**
 * Groups equal warnings: the first ones are listed, and one warning with a count replaces the others. A
 * class, because it counts during a whole run.
 */
export class WarningGrouper {
  #seen = new Map<string, { count: number; repeated: Repeated | null }>();

  /** Whether to list this warning. */
  take(problem: ImportProblem): boolean {
    const key = `${problem.kind} ${problem.what.replace(/\d+/g, "0")}`;
    const seen = this.#seen.get(key);
    if (!seen) {
      if (this.#seen.size < MOST_COUNTED) this.#seen.set(key, { count: 1, repeated: null });
      return true;
    }
    seen.count += 1;
    if (seen.count <= WRITTEN_OUT) return true;
    seen.repeated = { first: seen.repeated?.first ?? problem, last: problem, more: seen.count - WRITTEN_OUT };
    return false;
  }

  /** One warning for each group of unlisted warnings; a group of one warning is returned unchanged. */
  rest(): ImportProblem[] {
    return Array.from(this.#seen.values()).flatMap(({ repeated }) => {
      if (!repeated) return [];
      const { first, last, more } = repeated;
      if (more === 1) return [first];
      return [
        {
          place: `${first.place} to ${last.place}`,
          kind: first.kind,
          sourceId: "",
          what: `${more} more such warnings: ${first.what}`,
        },
      ];
    });
  }
}
