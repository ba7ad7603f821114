import { DAY, HOUR, later, MINUTE } from "#platform/clock";
import { type Db, maybeOne, run, sql, type Tx } from "#platform/database";
import { hashOf, newSecret } from "#platform/ids";

export type Purpose = "confirm" | "change_email" | "reset_password" | "sign_in";
export type MailLink = { personId: string; email: string; browserHash: Buffer | null };

const LASTS: Record<Purpose, number> = { confirm: 48 * HOUR, change_email: 48 * HOUR, reset_password: HOUR, sign_in: 15 * MINUTE };
/** The link for the first admin is printed, not mailed: there is no other way in. */
export const SETUP_LASTS = 7 * DAY;

type Wanted = { personId: string; email: string; purpose: Purpose; browserHash?: Buffer; lasts?: number };

/**
 * Creates a link for a purpose; earlier ones stop working. Returns the token, of which only the hash is
 * stored.
 */
export async function issueLink(tx: Tx, { personId, email, purpose, browserHash, lasts }: Wanted): Promise<string> {
  const token = newSecret();
  await cancelLinks(tx, personId, [purpose]);
  await run(
    tx,
    sql`
    insert into mail_links (token_hash, person_id, purpose, email, browser_hash, created_at, expires_at)
    values (${hashOf(token)}, ${personId}, ${purpose}, ${email}, ${browserHash ?? null}, ${tx.now},
            ${later(tx.now, lasts ?? LASTS[purpose])})`,
  );
  return token;
}

const valid = (token: string, purpose: Purpose, now: Date) =>
  sql`token_hash = ${hashOf(token)} and purpose = ${purpose} and used_at is null and expires_at > ${now}`;
const columns = sql`person_id as "personId", email, browser_hash as "browserHash"`;

/** Reads a link without using it. */
export const lookAtLink = (db: Db, token: string, purpose: Purpose, now: Date): Promise<MailLink | undefined> =>
  maybeOne(db, sql<MailLink>`select ${columns} from mail_links where ${valid(token, purpose, now)}`);

/** Uses a link. Of two concurrent requests, one gets it. */
export const spendLink = (tx: Tx, token: string, purpose: Purpose): Promise<MailLink | undefined> =>
  maybeOne(tx, sql<MailLink>`update mail_links set used_at = ${tx.now} where ${valid(token, purpose, tx.now)} returning ${columns}`);

export const cancelLinks = (tx: Tx, personId: string, purposes: Purpose[]): Promise<number> =>
  run(tx, sql`delete from mail_links where person_id = ${personId} and purpose = any(${purposes}) and used_at is null`);
