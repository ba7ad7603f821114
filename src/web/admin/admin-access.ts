import { writeAudit } from "#community/audit";
import { accountRules, type Viewer } from "#community/rules";
import { notFound } from "#platform/refusal";
import type { WebContext } from "../web-context.ts";

/** @throws `not-found` for everyone but admins */
export function assertAdmin(viewer: Viewer): void {
  if (!accountRules.run(viewer)) throw notFound();
}

/** @throws `not-found` for everyone but moderators and admins */
export function assertStaff(viewer: Viewer): void {
  if (!accountRules.moderate(viewer)) throw notFound();
}

/**
 * Writes an audit entry for an admin's action on API data. The modules for API data cannot do this, because
 * they have no access to people. Refused actions are not recorded.
 */
export const auditAdminAction = (
  app: Pick<WebContext, "database">,
  viewer: Viewer,
  act: string,
  id: string,
): Promise<unknown> =>
  app.database.inTransaction((tx) => writeAudit(tx, viewer, { act, kind: "backend", id }));
