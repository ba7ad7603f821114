import { z } from "zod";
import { type Db, limit, many, run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { invalid, Refusal } from "#platform/refusal";
import { id, personCard, type PersonCard } from "#community/common";
import { type Viewer, SERVER_LIMITS } from "#community/rules";
import { requireSignedIn } from "./require-signed-in.ts";
import { getRelationship } from "./relationships.ts";

export const NewMute = z.object({ personId: id, until: z.date("This is not a valid time.").nullable() });

/**
 * Mutes a person until a time or permanently (null): their posts are collapsed, they cause no notifications
 * and are not suggested. They never learn of the mute. Muting again changes the end.
 * @throws `not-signed-in`, `not-found`, `invalid` for oneself and on `until` for a past time, `too-many`
 * above 1,000
 */
export async function mutePerson(tx: Tx, viewer: Viewer, input: z.output<typeof NewMute>): Promise<void> {
  const me = requireSignedIn(viewer);
  const relationship = await getRelationship(tx, me, input.personId);
  if (relationship.id === me.id) throw new Refusal("invalid", "You cannot mute yourself.");
  if (input.until && input.until <= tx.now) throw invalid("until", "That time is in the past.");
  // The lock serializes a person's mutes, so that two concurrent mutes are both counted.
  await run(tx, sql`select from people where id = ${me.id} for no key update`);
  const muted = await run(
    tx,
    sql`insert into mutes (muter_id, muted_id, until, created_at)
        select ${me.id}, ${relationship.id}, ${input.until}::timestamptz, ${tx.now}
        where (select count(*) from (select from mutes
          where muter_id = ${me.id}
            and muted_id <> ${relationship.id} ${limit(SERVER_LIMITS.mutes)}) few) < ${SERVER_LIMITS.mutes}
        on conflict (muter_id, muted_id) do update set until = excluded.until`,
  );
  if (muted === 0) throw new Refusal("too-many", "You have muted 1,000 people. Unmute some first.");
  await emit(tx, { type: "person.muted", by: me.id, personId: relationship.id });
}

/** Unmutes a person; does nothing if they are not muted. */
export async function unmutePerson(tx: Tx, viewer: Viewer, input: { personId: string }): Promise<void> {
  const me = requireSignedIn(viewer);
  const relationship = await getRelationship(tx, me, input.personId);
  const ended = await run(
    tx,
    sql`delete from mutes where muter_id = ${me.id} and muted_id = ${relationship.id}`,
  );
  if (ended > 0) await emit(tx, { type: "person.unmuted", by: me.id, personId: relationship.id });
}

export type MutedPerson = PersonCard & { since: Date; /** Null: until unmuted. */ until: Date | null };

/** People the viewer mutes at present, latest first; empty for guests. */
export const listMuted = async (db: Db, viewer: Viewer): Promise<MutedPerson[]> =>
  (
    await many(
      db,
      sql<{ person: PersonCard; since: Date; until: Date | null }>`
      select ${personCard("p")} as person, u.created_at as since, u.until from mutes u
      join people p on p.id = u.muted_id
      where u.muter_id = ${viewer.id}::uuid and coalesce(u.until > now(), true)
      order by u.created_at desc, p.id ${limit(SERVER_LIMITS.mutes)}`,
    )
  ).map(({ person, ...row }) => ({ ...person, ...row }));
