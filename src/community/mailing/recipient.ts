import { DAY, HOUR, later } from "#platform/clock";
import { many, maybeOne, one, run, sql, type Tx } from "#platform/database";
import { isStopped } from "#platform/mail";
import type { SignedIn } from "#community/rules";

/** People absent for this long get no more deferrable mail, because they do not read it. */
const ABSENT_AFTER = 180 * DAY;
/** Deferrable mails to one person per day. */
const MOST_IN_A_DAY = 100;

/** A recipient of notifications, with the permissions by which content is read. */
export type Reader = { id: string; viewer: SignedIn; name: string; locale: string; timeZone: string };
export type Recipient = Reader & { email: string; stops: string[] };
type Row = Omit<Reader, "viewer"> & Pick<SignedIn, "role" | "trust" | "limited"> & { email: string | null };

/** Null for a closed account or a long absence. */
export const readerFor = (tx: Tx, personId: string): Promise<Known | null> =>
  knownFor(tx, personId, sql`coalesce(seen_at, created_at) > ${later(tx.now, -ABSENT_AFTER)}`);

/** An author by mail, however long absent from the site; null for a closed account. */
export const writerFor = (tx: Tx, personId: string): Promise<Known | null> => knownFor(tx, personId, sql`true`);

type Known = Reader & { email: string | null };

async function knownFor(tx: Tx, personId: string, which: ReturnType<typeof sql>): Promise<Known | null> {
  const row = await maybeOne(
    tx,
    sql<Row>`
      select id, email, display_name as name, locale, time_zone as "timeZone", site_role as role, trust, state = 'limited' as limited from people
      where id = ${personId} and state in ('active', 'limited') and ${which}`,
  );
  if (!row) return null;
  const { id, role, trust, limited, ...rest } = row;
  return { id, viewer: { id, role, trust, limited }, ...rest };
}

/** A reply by mail counts as activity, though not at this moment: mail can be delayed. */
export const noteHeard = (tx: Tx, personId: string): Promise<number> =>
  run(
    tx,
    sql`update people set seen_at = ${later(tx.now, -HOUR)} where id = ${personId} and (seen_at is null or seen_at < ${later(tx.now, -HOUR)})`,
  );

/** A recipient of deferrable mail; null as above, and for a bouncing address. */
export async function recipientFor(tx: Tx, personId: string): Promise<Recipient | null> {
  const reader = await readerFor(tx, personId);
  if (!reader?.email || (await isStopped(tx, reader.email, tx.now))) return null;
  const stops = await many(tx, sql<{ scope: string }>`select scope from mail_stops where person_id = ${personId}`);
  return { ...reader, email: reader.email, stops: stops.map(({ scope }) => scope) };
}

/** Whether the person has reached the daily limit of deferrable mail. */
export async function hasHadEnough(tx: Tx, personId: string): Promise<boolean> {
  const { n } = await one(
    tx,
    sql<{ n: number }>`
      select count(*)::int as n from mails where person_id = ${personId} and kind in ('notice', 'digest') and created_at > ${later(tx.now, -DAY)}`,
  );
  return n >= MOST_IN_A_DAY;
}
