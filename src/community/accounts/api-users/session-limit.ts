import { one, sql } from "#platform/database";
import { Refusal } from "#platform/refusal";
import type { AccountTx } from "../accounts-context.ts";
import { endSessionsWhere } from "../sessions/sessions.ts";

/**
 * Enforces the limit on API sessions before a new one starts: ends earlier sessions or refuses the new one
 * (`already-signed-in`, `too-many-logins`), as the settings say. The person's row must be locked, so that
 * concurrent sign-ins are counted.
 */
export async function enforceSessionLimit(tx: AccountTx, personId: string): Promise<void> {
  const { severalLogins, newLoginWins, mostLogins } = tx.site;
  if (!severalLogins && newLoginWins) return endSessionsWhere(tx, personId, sql`kind = 'api'`);
  const most = severalLogins ? mostLogins : 1;
  if (most === 0) return;
  const { count } = await one(
    tx,
    sql<{ count: number }>`
    select count(*)::int as count from sessions
    where person_id = ${personId} and kind = 'api' and expires_at > ${tx.now}`,
  );
  if (count < most) return;
  throw severalLogins
    ? new Refusal("conflict", "This account has reached its limit of simultaneous sign-ins.", {
        kind: "too-many-logins",
      })
    : new Refusal("conflict", "This account is already signed in elsewhere.", { kind: "already-signed-in" });
}
