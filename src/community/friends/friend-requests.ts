import { DAY, addMilliseconds, MINUTE } from "#platform/clock";
import { type Db, maybeOne, run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { notFound, Refusal } from "#platform/refusal";
import { z } from "zod";
import { id, optionalText } from "#community/common";
import { friendRules, LIMITS, type SignedIn, type Viewer } from "#community/rules";
import { countFriendRequest, assertFriendRequestLimits } from "./request-limits.ts";
import { assertNoNewcomerLinks } from "./newcomer-links.ts";
import { requireSignedIn } from "./require-signed-in.ts";
import { friendshipPair } from "./block-visibility.ts";
import { type Relationship, getRelationship } from "./relationships.ts";

export type FriendState = "self" | "none" | "sent" | "received" | "friends";

/**
 * Days until a declined sender may send another request. Until then the sender sees the request as pending.
 */
const DECLINED_DAYS = 90;
/** Time in which a removal can be undone. */
const UNDO_TIME = 10 * MINUTE;

export const FriendRequest = z.object({ personId: id, note: optionalText("The note", LIMITS.friendNote) });

/**
 * State of the friendship as the viewer sees it, and whether the person accepts requests and first messages
 * from the viewer.
 */
export async function getFriendState(db: Db, viewer: Viewer, personId: string) {
  const relationship = await getRelationship(db, viewer, personId);
  const state = friendStateFrom(viewer, relationship);
  return {
    state,
    viewerBlocks: relationship.viewerBlocks,
    viewerMutes: relationship.viewerMutes,
    canAsk: state === "none" && friendRules.ask(viewer, relationship),
    canWrite: friendRules.write(viewer, relationship),
  };
}

function friendStateFrom(viewer: Viewer, relationship: Relationship): FriendState {
  if (relationship.id === viewer.id) return "self";
  if (relationship.isFriend) return "friends";
  if (relationship.friendship === "pending") return relationship.requestedByViewer ? "sent" : "received";
  const stillWaits =
    relationship.friendship === "declined" &&
    relationship.requestedByViewer &&
    !relationship.looksCancelled &&
    relationship.secondsAgo < DECLINED_DAYS * 86_400;
  return stillWaits ? "sent" : "none";
}

/**
 * Sends a friend request. If the other person has already sent one, the two become friends.
 * @throws `not-signed-in`, `not-found` for a person the viewer may not see, `not-allowed` if they accept no
 * requests, `too-many` above 30 people a day or 100 pending, `invalid` on `note` for a new member's link
 */
export async function sendFriendRequest(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof FriendRequest>,
): Promise<FriendState> {
  const me = requireSignedIn(viewer);
  const relationship = await getRelationship(tx, me, input.personId);
  const answersTheirs =
    relationship.friendship !== null &&
    relationship.friendship !== "friends" &&
    !relationship.requestedByViewer &&
    !relationship.looksCancelled;
  if (!answersTheirs && !friendRules.ask(me, relationship))
    throw new Refusal("not-allowed", "You cannot send this person a friend request.");
  if (relationship.viewerBlocks)
    throw new Refusal("not-allowed", "You have blocked this person. Unblock them first.");
  if (!answersTheirs) await assertFriendRequestLimits(tx, me, relationship.id);
  await assertNoNewcomerLinks(tx, me, "note", input.note);
  const state = await insertRequest(tx, me, input);
  if (state === null) return restoreRequest(tx, me, relationship);
  const tied = { by: me.id, personId: relationship.id };
  if (state === "friends") await emit(tx, { type: "friend.accepted", ...tied });
  else
    await emit(tx, {
      type: "friend.requested",
      ...tied,
      ...(await countFriendRequest(tx, me, relationship.id)),
    });
  return state === "friends" ? "friends" : "sent";
}

/**
 * Inserts a request or turns the other person's request into a friendship, in one statement, because two
 * people may ask each other at the same moment. A cancelled request of the other person does not count.
 */
async function insertRequest(tx: Tx, me: SignedIn, input: z.output<typeof FriendRequest>) {
  const anew = sql`friendships.requested_by = excluded.requested_by or friendships.cancelled`;
  const row = await maybeOne(
    tx,
    sql<{ state: "pending" | "friends" }>`
      insert into friendships (low_id, high_id, state, requested_by, note, requested_at, changed_at)
      values (least(${me.id}::uuid, ${input.personId}::uuid),
        greatest(${me.id}::uuid, ${input.personId}::uuid), 'pending', ${me.id}, ${input.note}, ${tx.now},
        ${tx.now})
      on conflict (low_id, high_id) do update set changed_at = excluded.changed_at, cancelled = false,
        state = case when ${anew} then 'pending' else 'friends' end, requested_by = case
          when ${anew} then excluded.requested_by else friendships.requested_by end,
        note = case when ${anew} then excluded.note else friendships.note end,
        requested_at = case when ${anew} then excluded.requested_at else friendships.requested_at end
      where friendships.state <> 'friends' and (friendships.requested_by <> excluded.requested_by
        or (friendships.state = 'declined'
          and friendships.changed_at <= ${addMilliseconds(tx.now, -DECLINED_DAYS * DAY)}))
      returning state`,
  );
  return row?.state ?? null;
}

/**
 * Handles a repeated request that is not allowed yet: the other person is not notified, and the sender sees
 * a pending request.
 */
async function restoreRequest(tx: Tx, me: SignedIn, relationship: Relationship): Promise<FriendState> {
  await run(
    tx,
    sql`update friendships set cancelled = false
      where cancelled and requested_by = ${me.id} and ${friendshipPair(me, relationship.id)}`,
  );
  return relationship.isFriend ? "friends" : "sent";
}

/**
 * Accepts a pending request.
 * @throws `not-found` without one
 */
export const acceptFriendRequest = (tx: Tx, viewer: Viewer, input: { personId: string }) =>
  updateFriendship(
    tx,
    viewer,
    input.personId,
    "friend.accepted",
    (these) =>
      sql`update friendships set state = 'friends', changed_at = ${tx.now}
        where state = 'pending' and requested_by <> ${viewer.id} and ${these}`,
  );

/** Declines silently: the sender still sees a pending request. */
export const declineFriendRequest = (tx: Tx, viewer: Viewer, input: { personId: string }) =>
  updateFriendship(
    tx,
    viewer,
    input.personId,
    "friend.declined",
    (these) =>
      sql`update friendships set state = 'declined', changed_at = ${tx.now}
        where state = 'pending' and requested_by <> ${viewer.id} and ${these}`,
  );

/**
 * Cancels the viewer's request, which still counts toward the daily limit. A declined request looks
 * cancelled to its sender and stays declined.
 */
export async function cancelFriendRequest(
  tx: Tx,
  viewer: Viewer,
  input: { personId: string },
): Promise<void> {
  const me = requireSignedIn(viewer);
  const relationship = await getRelationship(tx, me, input.personId);
  const hidden = await run(
    tx,
    sql`update friendships set cancelled = true
      where state = 'declined' and requested_by = ${me.id} and ${friendshipPair(me, relationship.id)}`,
  );
  if (hidden > 0) return;
  await updateFriendship(
    tx,
    me,
    relationship.id,
    "friend.cancelled",
    (these) => sql`delete from friendships where state = 'pending' and requested_by = ${me.id} and ${these}`,
  );
}

/** Ends a friendship without notification; can be undone for ten minutes. */
export const removeFriend = (tx: Tx, viewer: Viewer, input: { personId: string }) =>
  updateFriendship(
    tx,
    viewer,
    input.personId,
    "friend.removed",
    (these) => sql`
    with gone as (delete from friendships where state = 'friends' and ${these} returning *)
    insert into ended_friendships (low_id, high_id, ended_by, requested_by, since, ended_at)
    select low_id, high_id, ${viewer.id}, requested_by, changed_at, ${tx.now} from gone
    on conflict (low_id, high_id) do update set ended_by = excluded.ended_by, since = excluded.since,
      ended_at = excluded.ended_at`,
  );

/**
 * Undoes the removal of a friend. Neither person is notified.
 * @throws `not-found` if the viewer removed no friendship within ten minutes, or after a new request or a
 * block
 */
export async function undoFriendRemoval(tx: Tx, viewer: Viewer, input: { personId: string }): Promise<void> {
  const me = requireSignedIn(viewer);
  const relationship = await getRelationship(tx, me, input.personId);
  const again = await run(
    tx,
    sql`with ended as (delete from ended_friendships
      where ended_by = ${me.id} and ended_at > ${addMilliseconds(tx.now, -UNDO_TIME)}
        and ${friendshipPair(me, relationship.id)} returning *)
        insert into friendships (low_id, high_id, state, requested_by, requested_at, changed_at)
        select low_id, high_id, 'friends', requested_by, since, since from ended
        where not exists (select from blocks
          where (blocker_id, blocked_id) in ((low_id, high_id), (high_id, low_id)))
        on conflict do nothing`,
  );
  if (again === 0) throw notFound();
  await emit(tx, { type: "friend.removal_undone", by: me.id, personId: relationship.id });
}

type Sql = ReturnType<typeof sql>;

async function updateFriendship(
  tx: Tx,
  viewer: Viewer,
  personId: string,
  type: string,
  change: (these: Sql) => Sql,
) {
  const me = requireSignedIn(viewer);
  const relationship = await getRelationship(tx, me, personId);
  const changed = await run(tx, change(friendshipPair(me, relationship.id)));
  if (changed === 0) throw notFound();
  await emit(tx, { type, by: me.id, personId: relationship.id });
}
