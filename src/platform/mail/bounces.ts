import { DAY, later } from "#platform/clock";
import { type Db, maybeOne, run, sql } from "#platform/database";
import { hashOf } from "#platform/ids";

/**
 * An address with this score gets only necessary mail; the score expires thirty days after the last bounce.
 */
export const STOPS_AT = 4;
const FORGOTTEN_AFTER = 30 * DAY;

/** Weight of a permanent and of a temporary bounce. */
export const BOUNCE = { hard: 2, soft: 1 } as const;

const keyOf = (address: string) => hashOf(`mail:${address.trim().toLowerCase()}`);

export const countBounce = (db: Db, address: string, weight: number, now: Date): Promise<number> =>
  run(
    db,
    sql`insert into mail_bounces as b (address_hash, score, last_at) values (${keyOf(address)}, ${weight}, ${now})
        on conflict (address_hash) do update set last_at = excluded.last_at,
          score = least(1000, excluded.score + case when b.last_at < ${later(now, -FORGOTTEN_AFTER)} then 0 else b.score end)`,
  );

/** True when so much bounced that the address gets only necessary mail. */
export const isStopped = async (db: Db, address: string, now: Date): Promise<boolean> =>
  (await maybeOne(
    db,
    sql`select 1 from mail_bounces where address_hash = ${keyOf(address)} and score >= ${STOPS_AT} and last_at >= ${later(now, -FORGOTTEN_AFTER)}`,
  )) !== undefined;

/** Deletes expired scores. */
export const forgetBounces = (db: Db, now: Date): Promise<number> =>
  run(db, sql`delete from mail_bounces where last_at < ${later(now, -FORGOTTEN_AFTER)}`);
