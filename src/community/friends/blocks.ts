import { type Db, many, run, sql, type Tx } from "#platform/database";
import { announce } from "#platform/outbox";
import { Refusal } from "#platform/refusal";
import { personCard, type PersonCard } from "#community/common";
import type { Viewer } from "#community/rules";
import { signedIn } from "./signed-in.ts";
import { between } from "./sight.ts";
import { tieTo } from "./ties.ts";

/** Parts the two at once, both ways and silently; a friendship or a request between them ends. */
export async function block(tx: Tx, viewer: Viewer, input: { personId: string }): Promise<void> {
  const me = signedIn(viewer);
  const tie = await tieTo(tx, me, input.personId);
  if (tie.id === me.id) throw new Refusal("invalid", "You cannot block yourself.");
  await run(
    tx,
    sql`insert into blocks (blocker_id, blocked_id, created_at) values (${me.id}, ${tie.id}, ${tx.now}) on conflict do nothing`,
  );
  await run(tx, sql`delete from friendships where ${between(me, tie.id)}`);
  await run(
    tx,
    sql`update participants set archived_at = ${tx.now} from conversations c
        where c.id = participants.conversation_id and participants.person_id = ${me.id}
          and c.pair = least(${me.id}::uuid, ${tie.id}::uuid)::text || ':' || greatest(${me.id}::uuid, ${tie.id}::uuid)::text`,
  );
  await announce(tx, { type: "person.blocked", by: me.id, personId: tie.id });
}

export async function unblock(tx: Tx, viewer: Viewer, input: { personId: string }): Promise<void> {
  const me = signedIn(viewer);
  const tie = await tieTo(tx, me, input.personId);
  const ended = await run(tx, sql`delete from blocks where blocker_id = ${me.id} and blocked_id = ${tie.id}`);
  if (ended > 0) await announce(tx, { type: "person.unblocked", by: me.id, personId: tie.id });
}

/** Whom the viewer blocks, the latest first. */
export const blockedBy = async (db: Db, viewer: Viewer) =>
  (
    await many(
      db,
      sql<{ person: PersonCard; since: Date }>`
      select ${personCard("p")} as person, b.created_at as since from blocks b join people p on p.id = b.blocked_id
      where b.blocker_id = ${viewer.id}::uuid order by b.created_at desc limit 1000`,
    )
  ).map(({ person, since }) => ({ ...person, since }));
