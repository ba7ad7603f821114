import { z } from "zod";
import { type Db, limit, many, run, sql, type Tx } from "#platform/database";
import { announce } from "#platform/outbox";
import { invalid, Refusal } from "#platform/refusal";
import { id, personCard, type PersonCard } from "#community/common";
import { LIMITS, type Viewer } from "#community/rules";
import { signedIn } from "./signed-in.ts";
import { tieTo } from "./ties.ts";

type Sql = ReturnType<typeof sql>;

export const NewMute = z.object({ personId: id, until: z.date("That is not a time.").nullable() });

// A mute holds until its end, by the database's own clock: lists are asked when nobody hands in a time.

/** Whether somebody does not want to hear from another just now; `muter` and `muted` are ids in the statement. */
export const mutes = (muter: Sql, muted: Sql) =>
  sql<boolean>`exists (select from mutes where muter_id = ${muter} and muted_id = ${muted} and coalesce(until > now(), true))`;

/** Ids of those whom the viewer mutes, computed once per statement. */
export const mutedOf = (viewer: Viewer) =>
  sql<string[]>`array(select muted_id from mutes where muter_id = ${viewer.id}::uuid and coalesce(until > now(), true))`;

/**
 * Puts somebody aside until then, or for good (null): their posts stand folded, nothing of theirs is told or suggested. They never
 * learn of it. For who is muted already, the end is set anew. Throws `not-signed-in`, `not-found`, `invalid` for oneself and
 * on `until` for a time that is over, `too-many` above 1,000.
 */
export async function mutePerson(tx: Tx, viewer: Viewer, input: z.output<typeof NewMute>): Promise<void> {
  const me = signedIn(viewer);
  const tie = await tieTo(tx, me, input.personId);
  if (tie.id === me.id) throw new Refusal("invalid", "You cannot mute yourself.");
  if (input.until && input.until <= tx.now) throw invalid("until", "That time is over already.");
  // One after the other for one person, so that two at once are counted as two.
  await run(tx, sql`select from people where id = ${me.id} for no key update`);
  const muted = await run(
    tx,
    sql`insert into mutes (muter_id, muted_id, until, created_at)
        select ${me.id}, ${tie.id}, ${input.until}::timestamptz, ${tx.now}
        where (select count(*) from (select from mutes where muter_id = ${me.id} and muted_id <> ${tie.id} ${limit(LIMITS.mutes)}) few) < ${LIMITS.mutes}
        on conflict (muter_id, muted_id) do update set until = excluded.until`,
  );
  if (muted === 0) throw new Refusal("too-many", "You have muted 1,000 people. Take some of these back first.");
  await announce(tx, { type: "person.muted", by: me.id, personId: tie.id });
}

/** Hears from them again. Who is not muted is heard already. */
export async function unmutePerson(tx: Tx, viewer: Viewer, input: { personId: string }): Promise<void> {
  const me = signedIn(viewer);
  const tie = await tieTo(tx, me, input.personId);
  const ended = await run(tx, sql`delete from mutes where muter_id = ${me.id} and muted_id = ${tie.id}`);
  if (ended > 0) await announce(tx, { type: "person.unmuted", by: me.id, personId: tie.id });
}

export type MutedPerson = PersonCard & { since: Date; /** Null: until it is taken back. */ until: Date | null };

/** Whom the viewer mutes just now, the latest first; nobody for guests. */
export const mutedBy = async (db: Db, viewer: Viewer): Promise<MutedPerson[]> =>
  (
    await many(
      db,
      sql<{ person: PersonCard; since: Date; until: Date | null }>`
      select ${personCard("p")} as person, u.created_at as since, u.until from mutes u join people p on p.id = u.muted_id
      where u.muter_id = ${viewer.id}::uuid and coalesce(u.until > now(), true) order by u.created_at desc, p.id ${limit(LIMITS.mutes)}`,
    )
  ).map(({ person, ...row }) => ({ ...person, ...row }));
