import { DAY, HOUR, addMilliseconds, MINUTE } from "#platform/clock";
import { type Db, maybeOne, run, sql, type Tx } from "#platform/database";
import { hashSecret, createSecret } from "#platform/ids";

export type LinkPurpose = "confirm" | "change_email" | "reset_password" | "sign_in";
export type MailLink = { personId: string; email: string; browserHash: Buffer | null };

const LINK_LIFETIMES: Record<LinkPurpose, number> = {
  confirm: 48 * HOUR,
  change_email: 48 * HOUR,
  reset_password: HOUR,
  sign_in: 15 * MINUTE,
};
/**
 * Lifetime of the first admin's link, which is printed, not mailed. A new account has no password and no
 * other way to sign in.
 */
export const SETUP_LINK_LIFETIME = 7 * DAY;

type NewLink = {
  personId: string;
  email: string;
  purpose: LinkPurpose;
  browserHash?: Buffer;
  lasts?: number;
};

/**
 * Creates a link for a purpose; earlier links for it stop working. Returns the token; only its hash is
 * stored.
 */
export async function issueLink(
  tx: Tx,
  { personId, email, purpose, browserHash, lasts }: NewLink,
): Promise<string> {
  const token = createSecret();
  await cancelLinks(tx, personId, [purpose]);
  await run(
    tx,
    sql`
    insert into mail_links (token_hash, person_id, purpose, email, browser_hash, created_at, expires_at)
    values (${hashSecret(token)}, ${personId}, ${purpose}, ${email}, ${browserHash ?? null}, ${tx.now},
            ${addMilliseconds(tx.now, lasts ?? LINK_LIFETIMES[purpose])})`,
  );
  return token;
}

const validLinkCondition = (token: string, purpose: LinkPurpose, now: Date) =>
  sql`token_hash = ${hashSecret(token)} and purpose = ${purpose} and used_at is null and expires_at > ${now}`;
const linkColumns = sql`person_id as "personId", email, browser_hash as "browserHash"`;

/** Reads a link without using it. */
export const findValidLink = (
  db: Db,
  token: string,
  purpose: LinkPurpose,
  now: Date,
): Promise<MailLink | undefined> =>
  maybeOne(
    db,
    sql<MailLink>`select ${linkColumns} from mail_links where ${validLinkCondition(token, purpose, now)}`,
  );

/** Uses a link once. Of two concurrent requests, only one gets the link. */
export const consumeLink = (tx: Tx, token: string, purpose: LinkPurpose): Promise<MailLink | undefined> =>
  maybeOne(
    tx,
    sql<MailLink>`update mail_links set used_at = ${tx.now}
      where ${validLinkCondition(token, purpose, tx.now)} returning ${linkColumns}`,
  );

export const cancelLinks = (tx: Tx, personId: string, purposes: LinkPurpose[]): Promise<number> =>
  run(
    tx,
    sql`delete from mail_links where person_id = ${personId} and purpose = any(${purposes})
      and used_at is null`,
  );
