import type { ExtractingBundle } from "./extracted.ts";

/**
 * One unparsed record found by an adapter, or a note on skipped content. `at` is its position, such as "line
 * 12". `lost`: the note is about an unreadable record.
 */
export type FoundRecord = { at: string; record: unknown } | { at: string; note: string; lost?: true };

export type AdapterOptions = {
  /** Address of the old site, such as `https://forum.example.org`, for links back. */
  site?: string | undefined;
  /** Time of the import. Later dates in the archive are wrong. */
  now: Date;
};

/**
 * Reads a bundle of one format into records.
 * @throws `invalid` for a bundle of another format
 */
export type Adapter = (bundle: ExtractingBundle, options: AdapterOptions) => AsyncIterable<FoundRecord>;
