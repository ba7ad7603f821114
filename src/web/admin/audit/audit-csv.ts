import { iterateSiteLog, type SiteLogEntry } from "#community/moderation";
import { requireMember } from "../../auth-middleware.ts";
import { csvResponse } from "../../csv.ts";
import { defineLoader } from "../../request-context.ts";
import { assertAdmin } from "../admin-access.ts";
import { readAuditFilters } from "./audit-filters.ts";

export const middleware = [requireMember];

/** Entries of the audit log that match the filters of its page, as a CSV file for admins. */
export const loader = defineLoader(async ({ db, viewer, url }) => {
  // The permission is checked before the response begins: an error during streaming could no longer become an
  // error page.
  assertAdmin(viewer);
  return csvResponse("audit-log", CSV_HEADER, toCsvRows(iterateSiteLog(db, viewer, readAuditFilters(url))));
});

const CSV_HEADER = ["Date", "Actor", "Action", "Person", "Subject", "Subject ID", "Group", "Reason"];

async function* toCsvRows(entries: AsyncIterable<SiteLogEntry>): AsyncGenerator<string[]> {
  for await (const { at, by, act, whom, kind, objectId, group, reason } of entries)
    yield [
      at.toISOString(),
      by?.username ?? "",
      act,
      whom?.username ?? "",
      kind,
      objectId ?? "",
      group?.name ?? "",
      reason ?? "",
    ];
}
