import type { Adapter } from "../archive/adapter.ts";

/** Names and headings, which other programs break into lines, and fill with the spaces that their pages do not show. */
const HEADINGS = ["name", "title", "purpose", "topic", "pronouns", "location", "siteName", "licence"];

/** An adapter whose records have their headings on one line each. Our own format tells them as they are. */
export const onOneLine = (adapter: Adapter): Adapter =>
  async function* (bundle, options) {
    for await (const found of adapter(bundle, options)) {
      const record = "record" in found ? found.record : null;
      if (typeof record === "object" && record !== null) for (const field of HEADINGS) straighten(record as Record<string, unknown>, field);
      yield found;
    }
  };

function straighten(record: Record<string, unknown>, field: string): void {
  const said = record[field];
  if (typeof said === "string") record[field] = said.replace(/\s+/g, " ");
}
