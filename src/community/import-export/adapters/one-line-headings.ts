import { isObject } from "#platform/objects";
import type { Adapter } from "../archive/adapter.ts";

/** Fields shown as a single line. Other platforms may store them with line breaks and repeated spaces. */
const HEADING_FIELDS = ["name", "title", "purpose", "topic", "pronouns", "location", "siteName", "licence"];

/**
 * Wraps an adapter so that headings of its records are single lines. The project's own format is not wrapped.
 */
export const withOneLineHeadings = (adapter: Adapter): Adapter =>
  async function* (bundle, options) {
    for await (const found of adapter(bundle, options)) {
      const record = "record" in found ? found.record : null;
      if (isObject(record)) for (const field of HEADING_FIELDS) collapseLines(record, field);
      yield found;
    }
  };

function collapseLines(record: Record<string, unknown>, field: string): void {
  const value = record[field];
  if (typeof value === "string") record[field] = value.replace(/\s+/g, " ");
}
