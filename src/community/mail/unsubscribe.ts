import { type Db, maybeOne, one, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { Refusal } from "#platform/refusal";
import type { Signer } from "#platform/signing";
import { requireSignedIn } from "#community/friends";
import type { Viewer } from "#community/rules";

/**
 * Scope of an unsubscription: all deferrable mail, the digest or one of its groups, a place, or a kind of
 * mail.
 */
export type UnsubscribeScope = string;
const SCOPE_PATTERN =
  /^(all|digest|kind:[a-z_]{1,40}|(digest|discussion|conversation|group|resource):[0-9a-f-]{36})$/;
const PURPOSE = "stop-mail";

export const mailScope = (kind: string, id?: string): UnsubscribeScope =>
  id === undefined ? kind : `${kind}:${id}`;

/** The token of an unsubscribe link. It never expires, so links in old mails still work. */
export const signUnsubscribeToken = (signer: Signer, personId: string, scope: UnsubscribeScope): string =>
  signer.sign(PURPOSE, `${personId} ${scope}`);

const brokenLink = () =>
  new Refusal(
    "not-found",
    "This link is incomplete. Open it again from the email, or choose your emails in your settings.",
  );

type UnsubscribeRequest = { personId: string; scope: UnsubscribeScope };

function readUnsubscribeToken(signer: Signer, token: string): UnsubscribeRequest {
  const [personId = "", scope = ""] = signer.read(PURPOSE, token)?.split(" ") ?? [];
  if (!isId(personId) || !SCOPE_PATTERN.test(scope)) throw brokenLink();
  return { personId, scope };
}

/** State of an unsubscribe link. `all`: all deferrable mail is stopped, by a link or a setting. */
export type UnsubscribeState = { scope: UnsubscribeScope; stopped: boolean; all: boolean };

/**
 * The scope of an unsubscribe token and whether it is stopped.
 * @throws `not-found` for a forged token
 */
export async function getUnsubscribeState(db: Db, signer: Signer, token: string): Promise<UnsubscribeState> {
  const { personId, scope } = readUnsubscribeToken(signer, token);
  const row = await maybeOne(
    db,
    sql<Omit<UnsubscribeState, "scope">>`
      select p.mail_level = 'nothing' as all,
        p.mail_level = 'nothing' or exists (select from mail_suppressions s
          where s.person_id = p.id and s.scope = ${scope}) as stopped
      from people p where p.id = ${personId} and p.state <> 'erased'`,
  );
  if (!row) throw brokenLink();
  return { scope, ...row };
}

/**
 * Unsubscribes from the token's scope; `all` stops all deferrable mail. Idempotent.
 * @throws `not-found` for a forged token
 */
export async function unsubscribeFromMail(tx: Tx, signer: Signer, token: string, all = false): Promise<void> {
  const { personId, scope } = readUnsubscribeToken(signer, token);
  if (all || scope === "all") await unsubscribeFromAllMail(tx, personId);
  else
    await run(
      tx,
      sql`insert into mail_suppressions (person_id, scope, at) select id, ${scope}, ${tx.now} from people
        where id = ${personId} and state <> 'erased'
          on conflict do nothing`,
    );
}

/** Stops all deferrable mail, including kinds that were chosen for mail and mail that is already waiting. */
async function unsubscribeFromAllMail(tx: Tx, personId: string): Promise<void> {
  await run(tx, sql`update people set mail_level = 'nothing' where id = ${personId} and state <> 'erased'`);
  await run(tx, sql`update notification_choices set mailed = false where person_id = ${personId} and mailed`);
  await run(
    tx,
    sql`update notifications set mail_at = null
      where person_id = ${personId} and mail_at is not null and mailed_at is null`,
  );
}

/**
 * Undoes an unsubscription, whether by link or setting. After a stop of all mail, important mail is sent
 * again.
 * @throws `not-found` for a forged token
 */
export async function resubscribeToMail(tx: Tx, signer: Signer, token: string): Promise<void> {
  const { personId, scope } = readUnsubscribeToken(signer, token);
  await run(
    tx,
    sql`update people set mail_level = 'important' where id = ${personId} and mail_level = 'nothing'`,
  );
  await run(tx, sql`delete from mail_suppressions where person_id = ${personId} and scope = ${scope}`);
}

/** Number of places and kinds the viewer has unsubscribed from. */
export async function countUnsubscriptions(db: Db, viewer: Viewer): Promise<number> {
  const me = requireSignedIn(viewer);
  return (
    await one(
      db,
      sql<{ n: number }>`select count(*)::int as n from mail_suppressions where person_id = ${me.id}`,
    )
  ).n;
}

/** Removes all of the viewer's unsubscriptions. */
export async function resubscribeToAllMail(tx: Tx, viewer: Viewer): Promise<void> {
  await run(tx, sql`delete from mail_suppressions where person_id = ${requireSignedIn(viewer).id}`);
}
