import { DAY, HOUR, addMilliseconds } from "#platform/clock";
import { many, maybeOne, one, run, sql, type Tx } from "#platform/database";
import { isBounceLimited, listBounceLimited } from "#platform/mail";
import type { SignedIn } from "#community/rules";

/** People who have not visited for this long receive no more deferrable mail, because they do not read it. */
const ABSENT_AFTER = 180 * DAY;
/** Maximum number of deferrable mails to one person per day. */
const MAX_PER_DAY = 100;

/** A recipient of notifications, with their permissions to read content. */
export type NotificationRecipient = {
  id: string;
  viewer: SignedIn;
  name: string;
  locale: string;
  timeZone: string;
};
export type MailRecipient = NotificationRecipient & { email: string; stops: string[] };
type RecipientRow = Omit<NotificationRecipient, "viewer"> &
  Pick<SignedIn, "role" | "trust" | "limited"> & { email: string | null };

/** The reader with this id; null for a closed account or a long absence. */
export const getNotificationRecipient = (tx: Tx, personId: string): Promise<KnownReader | null> =>
  findReader(tx, personId, sql`coalesce(seen_at, created_at) > ${addMilliseconds(tx.now, -ABSENT_AFTER)}`);

/** The author of an inbound mail, even after a long absence; null for a closed account. */
export const getMailAuthor = (tx: Tx, personId: string): Promise<KnownReader | null> =>
  findReader(tx, personId, sql`true`);

type KnownReader = NotificationRecipient & { email: string | null };

async function findReader(
  tx: Tx,
  personId: string,
  which: ReturnType<typeof sql>,
): Promise<KnownReader | null> {
  const row = await maybeOne(
    tx,
    sql<RecipientRow>`
      select id, email, display_name as name, locale, time_zone as "timeZone", site_role as role, trust,
        state = 'limited' as limited from people
      where id = ${personId} and state in ('active', 'limited') and ${which}`,
  );
  if (!row) return null;
  const { id, role, trust, limited, ...rest } = row;
  return { id, viewer: { id, role, trust, limited }, ...rest };
}

/** Counts a reply by mail as activity an hour ago, because mail can be delayed. */
export const touchLastSeen = (tx: Tx, personId: string): Promise<number> =>
  run(
    tx,
    sql`update people set seen_at = ${addMilliseconds(tx.now, -HOUR)}
      where id = ${personId} and (seen_at is null or seen_at < ${addMilliseconds(tx.now, -HOUR)})`,
  );

/** The recipient of a deferrable mail; null for a closed account, a long absence, or a bouncing address. */
export async function getMailRecipient(tx: Tx, personId: string): Promise<MailRecipient | null> {
  const reader = await getNotificationRecipient(tx, personId);
  if (!reader?.email || (await isBounceLimited(tx, reader.email, tx.now))) return null;
  const stops = await many(
    tx,
    sql<{ scope: string }>`select scope from mail_suppressions where person_id = ${personId}`,
  );
  return { ...reader, email: reader.email, stops: stops.map(({ scope }) => scope) };
}

/** A recipient of a reminder, which needs no further query if they filter nothing and got little mail today. */
export type BulkRecipient = MailRecipient & { isPlain: boolean };

/** Like `getMailRecipient` for many people, by their ids. */
export async function getMailRecipients(tx: Tx, ids: string[]): Promise<Map<string, BulkRecipient>> {
  const rows = await many(
    tx,
    sql<RecipientRow & { stops: string[]; isPlain: boolean }>`
      select p.id, p.email, p.display_name as name, p.locale, p.time_zone as "timeZone", p.site_role as role,
        p.trust, p.state = 'limited' as limited,
        array(select x.scope from mail_suppressions x where x.person_id = p.id) as stops,
        not exists (select from filters f where f.person_id = p.id)
          and (select count(*) from mails x where x.person_id = p.id and x.kind in ('notice', 'digest')
            and x.created_at > ${addMilliseconds(tx.now, -DAY)}) < ${MAX_PER_DAY}::int as "isPlain"
      from people p
      where p.id = any(${ids}::uuid[]) and p.state in ('active', 'limited')
        and coalesce(p.seen_at, p.created_at) > ${addMilliseconds(tx.now, -ABSENT_AFTER)}`,
  );
  const emails = rows.flatMap(({ email }) => email ?? []);
  const bouncing = await listBounceLimited(tx, emails, tx.now);
  return new Map(
    rows.flatMap(({ id, role, trust, limited, email, ...rest }) =>
      email === null || bouncing.has(email)
        ? []
        : [[id, { id, viewer: { id, role, trust, limited }, email, ...rest }] as const],
    ),
  );
}

/** Whether the person has reached the daily limit of deferrable mail. */
export async function hasReachedDailyLimit(tx: Tx, personId: string): Promise<boolean> {
  const { n } = await one(
    tx,
    sql<{ n: number }>`
      select count(*)::int as n from mails where person_id = ${personId} and kind in ('notice', 'digest')
        and created_at > ${addMilliseconds(tx.now, -DAY)}`,
  );
  return n >= MAX_PER_DAY;
}
