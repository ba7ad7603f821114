import { type Db, many, run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { Refusal } from "#platform/refusal";
import { personCard, type PersonCard } from "#community/common";
import type { SignedIn, Viewer } from "#community/rules";
import { requireSignedIn } from "./require-signed-in.ts";
import { friendshipPair } from "./block-visibility.ts";
import { getRelationship } from "./relationships.ts";

/**
 * Blocks a person without notifying them: ends a friendship, request and invitation between the two, and
 * archives their conversation.
 * @throws `not-signed-in`, `not-found`, `invalid` for oneself
 */
export async function blockPerson(tx: Tx, viewer: Viewer, input: { personId: string }): Promise<void> {
  const me = requireSignedIn(viewer);
  const relationship = await getRelationship(tx, me, input.personId);
  if (relationship.id === me.id) throw new Refusal("invalid", "You cannot block yourself.");
  await run(
    tx,
    sql`insert into blocks (blocker_id, blocked_id, created_at)
      values (${me.id}, ${relationship.id}, ${tx.now}) on conflict do nothing`,
  );
  const ended = await run(
    tx,
    sql`delete from friendships where state <> 'declined' and ${friendshipPair(me, relationship.id)}`,
  );
  // A declined request is kept: otherwise blocking and unblocking would allow a new request at once. The
  // sender sees the request as ended, like any other.
  await run(
    tx,
    sql`update friendships set cancelled = true
      where state = 'declined' and ${friendshipPair(me, relationship.id)}`,
  );
  await run(tx, sql`delete from ended_friendships where ${friendshipPair(me, relationship.id)}`);
  await run(tx, archiveConversationWith(tx, me, relationship.id));
  await run(tx, withdrawInvitations(tx, me, relationship.id));
  await emit(tx, { type: "person.blocked", by: me.id, personId: relationship.id, wereFriends: ended > 0 });
}

/**
 * Archives the conversation of the two people. Both keep the messages; a pending request can no longer be
 * answered.
 */
const archiveConversationWith = (tx: Tx, me: SignedIn, other: string) => sql`
  update participants set archived_at = ${tx.now}, state = case
    when participants.state = 'request' then 'deleted' else participants.state end
  from conversations c
  where c.id = participants.conversation_id and participants.person_id = ${me.id}
    and c.pair = least(${me.id}::uuid, ${other}::uuid)::text || ':' || greatest(${me.id}::uuid,
      ${other}::uuid)::text`;

const withdrawInvitations = (tx: Tx, me: SignedIn, other: string) => sql`
  with revoked as (
    update group_invitations set revoked_at = ${tx.now}, revoked_by = created_by
    where kind = 'person' and revoked_at is null
      and (created_by, person_id) in ((${me.id}::uuid, ${other}::uuid), (${other}::uuid, ${me.id}::uuid)))
  update memberships set state = 'expired', changed_at = ${tx.now}
  where state = 'invited' and (invited_by, person_id) in ((${me.id}::uuid, ${other}::uuid),
    (${other}::uuid, ${me.id}::uuid))`;

/** Removes the viewer's block. A friendship, request or invitation that the block ended is not restored. */
export async function unblockPerson(tx: Tx, viewer: Viewer, input: { personId: string }): Promise<void> {
  const me = requireSignedIn(viewer);
  const relationship = await getRelationship(tx, me, input.personId);
  const ended = await run(
    tx,
    sql`delete from blocks where blocker_id = ${me.id} and blocked_id = ${relationship.id}`,
  );
  if (ended > 0) await emit(tx, { type: "person.unblocked", by: me.id, personId: relationship.id });
}

/** People the viewer blocks, latest first. */
export const listBlocked = async (db: Db, viewer: Viewer) =>
  (
    await many(
      db,
      sql<{ person: PersonCard; since: Date }>`
      select ${personCard("p")} as person, b.created_at as since from blocks b
      join people p on p.id = b.blocked_id
      where b.blocker_id = ${viewer.id}::uuid order by b.created_at desc limit 1000`,
    )
  ).map(({ person, since }) => ({ ...person, since }));
