import type { LogPart } from "#community/moderation";
import { readQueryParam } from "../../form-parsing.ts";
import { AUDIT_CATEGORIES } from "./audit-categories.ts";

/** Reads the filters in the address of the audit log; unknown areas count as not given. */
export const readAuditFilters = (url: URL): { by: string; part: LogPart | undefined } => ({
  by: readQueryParam(url, "by", 60),
  part: AUDIT_CATEGORIES.find((it) => it === readQueryParam(url, "part")),
});
