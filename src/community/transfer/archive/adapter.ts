import type { ExtractingBundle } from "./extracted.ts";

/**
 * One record as an adapter found it, yet to be parsed; or a note on what it left out. `at` names its place: "line 12".
 * `lost`: there is a record, and it cannot be read.
 */
export type Found = { at: string; record: unknown } | { at: string; note: string; lost?: true };

export type AdapterOptions = {
  /** The address of the place that it came from, such as `https://forum.example.org`, for links back. */
  site?: string | undefined;
  /** When it is brought in: what says that it is later than that is wrong. */
  now: Date;
};

/** Reads a bundle of one format into records. Throws the refusal `invalid` for a bundle that is not of it. */
export type Adapter = (bundle: ExtractingBundle, options: AdapterOptions) => AsyncIterable<Found>;
