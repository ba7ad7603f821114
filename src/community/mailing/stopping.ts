import { type Db, maybeOne, one, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { notFound } from "#platform/refusal";
import type { Signer } from "#platform/signing";
import { signedIn } from "#community/friends";
import type { Viewer } from "#community/rules";

/** What mail can be ended: all that can wait, the digest or one group's part in it, or what is about one place or of one kind. */
export type Scope = string & { readonly __of: "Scope" };
const SCOPE = /^(all|digest|kind:[a-z_]{1,40}|(digest|discussion|conversation|group|resource):[0-9a-f-]{36})$/;
const PURPOSE = "stop-mail";

export const scopeOf = (kind: string, id?: string): Scope => (id === undefined ? kind : `${kind}:${id}`) as Scope;

/** The token of the link that ends mail. It holds for good: whoever finds an old mail can still end it. */
export const stopToken = (signer: Signer, personId: string, scope: Scope): string => signer.sign(PURPOSE, `${personId} ${scope}`);

type Asked = { personId: string; scope: Scope };

function asked(signer: Signer, token: string): Asked {
  const [personId = "", scope = ""] = signer.read(PURPOSE, token)?.split(" ") ?? [];
  if (!isId(personId) || !SCOPE.test(scope)) throw notFound();
  return { personId, scope: scope as Scope };
}

/** `all`: the link, or a choice in the settings, ends all mail that can wait. */
export type MailStop = { scope: Scope; stopped: boolean; all: boolean };

/** What a link in a mail would end, for whoever holds it. `not-found` for a token that is none of ours. */
export async function stopFor(db: Db, signer: Signer, token: string): Promise<MailStop> {
  const { personId, scope } = asked(signer, token);
  const row = await maybeOne(
    db,
    sql<Omit<MailStop, "scope">>`
      select p.mail_level = 'nothing' as all,
        p.mail_level = 'nothing' or exists (select from mail_stops s where s.person_id = p.id and s.scope = ${scope}) as stopped
      from people p where p.id = ${personId} and p.state <> 'erased'`,
  );
  if (!row) throw notFound();
  return { scope, ...row };
}

/** Ends mail of the token's kind; `all` ends whatever can wait. Done twice it is done once. `not-found` as above. */
export async function stopMail(tx: Tx, signer: Signer, token: string, all = false): Promise<void> {
  const { personId, scope } = asked(signer, token);
  if (all || scope === "all") await stopAll(tx, personId);
  else
    await run(
      tx,
      sql`insert into mail_stops (person_id, scope, at) select id, ${scope}, ${tx.now} from people where id = ${personId} and state <> 'erased'
          on conflict do nothing`,
    );
}

/** Also where single kinds were chosen to be mailed, and what waits to be. */
async function stopAll(tx: Tx, personId: string): Promise<void> {
  await run(tx, sql`update people set mail_level = 'nothing' where id = ${personId} and state <> 'erased'`);
  await run(tx, sql`update notification_choices set mailed = false where person_id = ${personId} and mailed`);
  await run(tx, sql`update notifications set mail_at = null where person_id = ${personId} and mail_at is not null and mailed_at is null`);
}

/** Takes that back, whichever way it was ended: of all mail, what is important comes again. `not-found` as above. */
export async function resumeMail(tx: Tx, signer: Signer, token: string): Promise<void> {
  const { personId, scope } = asked(signer, token);
  await run(tx, sql`update people set mail_level = 'important' where id = ${personId} and mail_level = 'nothing'`);
  await run(tx, sql`delete from mail_stops where person_id = ${personId} and scope = ${scope}`);
}

/** How many places and kinds the viewer has ended mail about. */
export async function countStops(db: Db, viewer: Viewer): Promise<number> {
  const me = signedIn(viewer);
  return (await one(db, sql<{ n: number }>`select count(*)::int as n from mail_stops where person_id = ${me.id}`)).n;
}

/** Mail comes again from everywhere the viewer had ended it. */
export async function resumeAll(tx: Tx, viewer: Viewer): Promise<void> {
  await run(tx, sql`delete from mail_stops where person_id = ${signedIn(viewer).id}`);
}
