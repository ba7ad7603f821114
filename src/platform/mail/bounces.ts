import { DAY, later } from "#platform/clock";
import { type Db, maybeOne, run, sql } from "#platform/database";
import { hashOf } from "#platform/ids";

/** From this score on, an address gets no mail that can wait; thirty days without another bounce, and it is forgotten. */
export const STOPS_AT = 4;
const FORGOTTEN_AFTER = 30 * DAY;

/** How much it counts that a mail came back: for good, or for this time. */
export const BOUNCE = { hard: 2, soft: 1 } as const;

const keyOf = (address: string) => hashOf(`mail:${address.trim().toLowerCase()}`);

/** Counts a mail that came back from this address. */
export const countBounce = (db: Db, address: string, weight: number, now: Date): Promise<number> =>
  run(
    db,
    sql`insert into mail_bounces as b (address_hash, score, last_at) values (${keyOf(address)}, ${weight}, ${now})
        on conflict (address_hash) do update set last_at = excluded.last_at,
          score = least(1000, excluded.score + case when b.last_at < ${later(now, -FORGOTTEN_AFTER)} then 0 else b.score end)`,
  );

/** Whether so much came back from there that we write only what must be written. */
export const isStopped = async (db: Db, address: string, now: Date): Promise<boolean> =>
  (await maybeOne(
    db,
    sql`select 1 from mail_bounces where address_hash = ${keyOf(address)} and score >= ${STOPS_AT} and last_at >= ${later(now, -FORGOTTEN_AFTER)}`,
  )) !== undefined;

/** Scores that have had their day. */
export const forgetBounces = (db: Db, now: Date): Promise<number> =>
  run(db, sql`delete from mail_bounces where last_at < ${later(now, -FORGOTTEN_AFTER)}`);
