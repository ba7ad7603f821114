import { DAY, addMilliseconds } from "#platform/clock";
import { type Db, many, maybeOne, run, sql } from "#platform/database";
import { hashSecret } from "#platform/ids";

/**
 * An address with this score gets only necessary mail; the score expires thirty days after the last bounce.
 */
export const BOUNCE_LIMIT = 4;
const EXPIRES_AFTER = 30 * DAY;

/** Weight of a permanent and of a temporary bounce. */
export const BOUNCE_WEIGHT = { hard: 2, soft: 1 } as const;

const addressKey = (address: string) => hashSecret(`mail:${address.trim().toLowerCase()}`);

export const countBounce = (db: Db, address: string, weight: number, now: Date): Promise<number> =>
  run(
    db,
    sql`insert into mail_bounces as b (address_hash, score, last_at)
      values (${addressKey(address)}, ${weight}, ${now})
        on conflict (address_hash) do update set last_at = excluded.last_at,
          score = least(1000, excluded.score + case
            when b.last_at < ${addMilliseconds(now, -EXPIRES_AFTER)} then 0 else b.score end)`,
  );

/** True when so many mails bounced that the address gets only necessary mail. */
export const isBounceLimited = async (db: Db, address: string, now: Date): Promise<boolean> =>
  (await maybeOne(
    db,
    sql`select 1 from mail_bounces where address_hash = ${addressKey(address)} and score >= ${BOUNCE_LIMIT}
      and last_at >= ${addMilliseconds(now, -EXPIRES_AFTER)}`,
  )) !== undefined;

/** Those of the addresses that get only necessary mail. */
export async function listBounceLimited(db: Db, addresses: string[], now: Date): Promise<Set<string>> {
  const byKey = new Map(addresses.map((address) => [addressKey(address).toString("hex"), address]));
  const rows = await many(
    db,
    sql<{ key: string }>`
      select encode(address_hash, 'hex') as key from mail_bounces
      where address_hash = any(array(select decode(key, 'hex') from unnest(${[...byKey.keys()]}::text[]) key))
        and score >= ${BOUNCE_LIMIT} and last_at >= ${addMilliseconds(now, -EXPIRES_AFTER)}`,
  );
  return new Set(rows.map(({ key }) => byKey.get(key)!));
}

/** Deletes expired scores. */
export const deleteOldBounces = (db: Db, now: Date): Promise<number> =>
  run(db, sql`delete from mail_bounces where last_at < ${addMilliseconds(now, -EXPIRES_AFTER)}`);
