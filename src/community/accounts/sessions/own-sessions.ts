import { many, maybeOne, sql } from "#platform/database";
import { hashSecret, isId } from "#platform/ids";
import { notFound } from "#platform/refusal";
import type { SignedIn } from "#community/rules";
import { type AccountsContext, inAccountTransaction } from "../accounts-context.ts";
import type { SessionEntry, SessionKind } from "../types.ts";
import { endSessionsWhere, otherSessionsCondition } from "./sessions.ts";

export const signOut = (
  app: Pick<AccountsContext, "database" | "settings">,
  token: string,
  sessionKind: SessionKind,
): Promise<void> =>
  inAccountTransaction(app, async (tx) => {
    const session = await maybeOne(
      tx,
      sql<{ id: string; personId: string }>`
      select id, person_id as "personId" from sessions
      where token_hash = ${hashSecret(token)} and kind = ${sessionKind}`,
    );
    if (session) await endSessionsWhere(tx, session.personId, sql`id = ${session.id}`);
  });

export const listSessions = (
  app: Pick<AccountsContext, "database" | "now">,
  viewer: SignedIn,
): Promise<SessionEntry[]> =>
  many(
    app.database.db,
    sql<SessionEntry>`
    select id, kind as "sessionKind", device, stay, created_at as "createdAt", seen_at as "seenAt"
    from sessions
    where person_id = ${viewer.id} and expires_at > ${app.now()} order by seen_at desc, id desc`,
  );

/**
 * Ends one of the viewer's sessions.
 * @throws `not-found` when the session is not the viewer's
 */
export const endSession = (
  app: Pick<AccountsContext, "database" | "settings">,
  viewer: SignedIn,
  sessionId: string,
): Promise<void> =>
  inAccountTransaction(app, async (tx) => {
    const own =
      isId(sessionId) &&
      (await maybeOne(tx, sql`select 1 from sessions where id = ${sessionId} and person_id = ${viewer.id}`));
    if (!own) throw notFound();
    await endSessionsWhere(tx, viewer.id, sql`id = ${sessionId}`);
  });

export const endOtherSessions = (
  app: Pick<AccountsContext, "database" | "settings">,
  viewer: SignedIn,
  keepSessionId: string | null,
): Promise<void> =>
  inAccountTransaction(app, (tx) => endSessionsWhere(tx, viewer.id, otherSessionsCondition(keepSessionId)));
