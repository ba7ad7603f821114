import { DAY, HOUR, later } from "#platform/clock";
import { many, maybeOne, one, run, sql, type Tx } from "#platform/database";
import { isStopped } from "#platform/mail";
import type { SignedIn } from "#community/rules";

/** Whoever has not been here for so long gets no more mail that can wait: nobody reads it. */
const ABSENT_AFTER = 180 * DAY;
/** Mails that can wait, to one person in a day. */
const MOST_IN_A_DAY = 100;

/** Somebody who is told of something, and reads what it is about as themselves. */
export type Reader = { id: string; viewer: SignedIn; name: string; locale: string; timeZone: string };
export type Recipient = Reader & { email: string; stops: string[] };
type Row = Omit<Reader, "viewer"> & Pick<SignedIn, "role" | "trust" | "limited"> & { email: string | null };

/** Null for who is not here any more, or has not been for long. */
export const readerFor = (tx: Tx, personId: string): Promise<Known | null> =>
  knownFor(tx, personId, sql`coalesce(seen_at, created_at) > ${later(tx.now, -ABSENT_AFTER)}`);

/** Whoever writes, however long they have not been on a page; null as above. */
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

/** Who answers by mail is about, if not here at this moment: a mail can take its time. */
export const noteHeard = (tx: Tx, personId: string): Promise<number> =>
  run(
    tx,
    sql`update people set seen_at = ${later(tx.now, -HOUR)} where id = ${personId} and (seen_at is null or seen_at < ${later(tx.now, -HOUR)})`,
  );

/** Somebody as one who gets mail that can wait; null as above, and for whose mail comes back. */
export async function recipientFor(tx: Tx, personId: string): Promise<Recipient | null> {
  const reader = await readerFor(tx, personId);
  if (!reader?.email || (await isStopped(tx, reader.email, tx.now))) return null;
  const stops = await many(tx, sql<{ scope: string }>`select scope from mail_stops where person_id = ${personId}`);
  return { ...reader, email: reader.email, stops: stops.map(({ scope }) => scope) };
}

/** Whether they have had as much of it today as one can bear. */
export async function hasHadEnough(tx: Tx, personId: string): Promise<boolean> {
  const { n } = await one(
    tx,
    sql<{ n: number }>`
      select count(*)::int as n from mails where person_id = ${personId} and kind in ('notice', 'digest') and created_at > ${later(tx.now, -DAY)}`,
  );
  return n >= MOST_IN_A_DAY;
}
