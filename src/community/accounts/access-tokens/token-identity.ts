import { tokenRules } from "#community/rules";
import { maybeOne, run, sql } from "#platform/database";
import { hashSecret } from "#platform/ids";
import { maskAddress } from "#platform/client-address";
import type { SessionsContext } from "../accounts-context.ts";
import {
  hasTwoFactor,
  lacksStaffTwoFactor,
  type SessionPerson,
  rolesColumn,
  toViewer,
} from "../sessions/sessions.ts";
import type { ApiIdentity } from "../types.ts";
import { isTokenWellFormed } from "./token-format.ts";

/** The person for whom a token acts, with its scopes. `session` identifies the token. */
export type TokenIdentity = Pick<ApiIdentity, "viewer" | "roles"> & {
  session: { id: string; createdAt: Date };
};

type TokenRow = SessionPerson & {
  tokenId: string;
  scopes: string[];
  groupIds: string[] | null;
  startedAt: Date;
  usedOn: string | null;
  usedFrom: string | null;
  secured: boolean;
  roles: string[];
};

/**
 * Identity behind a personal access token, in one query; null for an unknown or expired one, and for a
 * person whose account is not active. Records the day of the use.
 */
export async function findTokenIdentity(
  app: SessionsContext,
  token: string,
  address: string,
): Promise<TokenIdentity | null> {
  if (!isTokenWellFormed(token)) return null;
  const now = app.now();
  const row = await maybeOne(
    app.database.db,
    sql<TokenRow>`
      select t.id as "tokenId", t.scopes, t.group_ids as "groupIds", t.created_at as "startedAt",
        t.used_on::text as "usedOn",
        t.used_from as "usedFrom", p.id, p.site_role as role, p.trust, p.state, p.state_until as "stateUntil",
        ${hasTwoFactor} as secured, ${rolesColumn("p")} as roles
      from access_tokens t join people p on p.id = t.person_id
      where t.token_hash = ${hashSecret(token)} and (t.expires_at is null or t.expires_at > ${now})
        and p.state in ('active', 'limited')`,
  );
  if (!row) return null;
  recordUse(app, row, now, maskAddress(address));
  const { scopes, groupIds } = row;
  const viewer = toViewer(row, now, await lacksStaffTwoFactor(app, row));
  return {
    viewer: { ...viewer, role: tokenRules.role(viewer.role, scopes), scopes, ...(groupIds && { groupIds }) },
    roles: row.roles,
    session: { id: row.tokenId, createdAt: row.startedAt },
  };
}

/** Tokens whose use is being stored at this moment. */
const usesBeingRecorded = new Set<string>();

/** Stores day and address of a use without delaying the request. A failure is harmless. */
function recordUse(
  app: Pick<SessionsContext, "database">,
  { tokenId, usedOn, usedFrom }: TokenRow,
  now: Date,
  from: string,
) {
  const day = now.toISOString().slice(0, 10);
  if ((usedOn === day && usedFrom === from) || usesBeingRecorded.has(tokenId)) return;
  usesBeingRecorded.add(tokenId);
  run(
    app.database.db,
    sql`update access_tokens set used_on = ${day}::date, used_from = ${from} where id = ${tokenId}`,
  )
    .catch(() => 0)
    .finally(() => usesBeingRecorded.delete(tokenId));
}
