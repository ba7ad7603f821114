import { DAY, addMilliseconds } from "#platform/clock";
import { type Db, many, maybeOne, one, run, sql, type Tx } from "#platform/database";
import { hashSecret, isId, createSecret } from "#platform/ids";
import { emit } from "#platform/outbox";
import { notFound, Refusal } from "#platform/refusal";
import { personCard, type PersonCard } from "#community/common";
import { friendRules, LIMITS, type Viewer } from "#community/rules";
import { requireSignedIn } from "./require-signed-in.ts";
import { friendshipPair, blockedEitherWayIds } from "./block-visibility.ts";
import { getRelationship } from "./relationships.ts";

const { invitation } = LIMITS;

export type FriendLink = { id: string; madeAt: Date; expiresAt: Date; uses: number; mostUses: number };

/**
 * Creates a friend link: up to ten people who open it within thirty days become friends. The token is
 * returned only here.
 * @throws `not-signed-in`, `not-allowed` for limited accounts, `too-many` above ten a day
 */
export async function createFriendLink(tx: Tx, viewer: Viewer): Promise<{ token: string }> {
  const me = requireSignedIn(viewer);
  if (me.limited) throw new Refusal("not-allowed", "Your account cannot invite people at the moment.");
  // The lock serializes a person's links, so that two concurrent links are both counted.
  await run(tx, sql`select from people where id = ${me.id} for no key update`);
  const { made } = await one(
    tx,
    sql<{
      made: number;
    }>`select count(*)::int as made from friend_links
      where created_by = ${me.id} and created_at > ${addMilliseconds(tx.now, -DAY)}`,
  );
  if (made >= invitation.perDay)
    throw new Refusal(
      "too-many",
      "You have reached the limit of ten invitations a day. Come back tomorrow.",
      { retryAfter: DAY / 1000 },
    );
  const token = createSecret();
  await run(
    tx,
    sql`insert into friend_links (id, created_by, token_hash, created_at, expires_at, most_uses)
        values (${tx.newId()}, ${me.id}, ${hashSecret(token)}, ${tx.now},
          ${addMilliseconds(tx.now, invitation.days * DAY)}, ${invitation.uses})`,
  );
  await emit(tx, { type: "friend.link_created", by: me.id });
  return { token };
}

/**
 * Revokes a friend link.
 * @throws `not-found` for another person's or an expired one
 */
export async function revokeFriendLink(tx: Tx, viewer: Viewer, input: { linkId: string }): Promise<void> {
  const me = requireSignedIn(viewer);
  const gone = isId(input.linkId)
    ? await run(
        tx,
        sql`update friend_links set revoked_at = ${tx.now}
          where id = ${input.linkId} and created_by = ${me.id} and revoked_at is null
            and expires_at > ${tx.now}`,
      )
    : 0;
  if (gone === 0) throw notFound();
  await emit(tx, { type: "friend.link_revoked", by: me.id });
}

/** The viewer's links that can still be used, newest first; empty for guests. */
export const listFriendLinks = (db: Db, viewer: Viewer, now: Date): Promise<FriendLink[]> =>
  many(
    db,
    sql<FriendLink>`
      select id, created_at as "madeAt", expires_at as "expiresAt", uses, most_uses as "mostUses"
      from friend_links
      where created_by = ${viewer.id}::uuid and revoked_at is null and expires_at > ${now}
        and uses < most_uses order by created_at desc, id desc limit 300`,
  );

/** A friend link as shown to its visitor. The person who made it is shown only while it is valid. */
export type FriendLinkView =
  | { state: "open" | "own" | "friends"; by: PersonCard }
  | { state: "used" | "expired" | "revoked" };
type LinkRow = {
  id: string;
  by: PersonCard;
  over: "used" | "expired" | "revoked" | null;
  isOwn: boolean;
  isFriend: boolean;
};

const selectLink = (viewer: Viewer, token: string, now: Date) => sql<LinkRow>`
  select l.id, ${personCard("maker")} as by, coalesce(l.created_by = ${viewer.id}::uuid, false) as "isOwn",
    exists (select from friendships f where f.state = 'friends'
      and f.low_id = least(l.created_by, ${viewer.id}::uuid)
        and f.high_id = greatest(l.created_by, ${viewer.id}::uuid)) as "isFriend",
    case when l.revoked_at is not null or maker.state not in ('active', 'limited')
      or l.created_by = any(${blockedEitherWayIds(viewer)}) then 'revoked'
      when l.expires_at <= ${now} then 'expired' when l.uses >= l.most_uses then 'used' end as over
  from friend_links l join people maker on maker.id = l.created_by where l.token_hash = ${hashSecret(token)}`;

/**
 * Loads a link without using it.
 * @throws `not-found` for an unknown token
 */
export async function getFriendLink(
  db: Db,
  viewer: Viewer,
  token: string,
  now: Date,
): Promise<FriendLinkView> {
  const row = await maybeOne(db, selectLink(viewer, token, now));
  if (!row) throw notFound();
  if (row.over && (row.over === "revoked" || !row.isFriend)) return { state: row.over };
  return { state: row.isOwn ? "own" : row.isFriend ? "friends" : "open", by: row.by };
}

/**
 * Makes the viewer and the person who made the link friends. Earlier requests and declines do not matter.
 * @throws `not-signed-in`, `not-found`, `gone` for an expired link, `not-allowed` for limited accounts and
 * for oneself
 */
export async function acceptFriendLink(
  tx: Tx,
  viewer: Viewer,
  input: { token: string },
): Promise<{ personId: string }> {
  const me = requireSignedIn(viewer);
  const row = await maybeOne(tx, sql<LinkRow>`${selectLink(me, input.token, tx.now)} for no key update of l`);
  if (!row) throw notFound();
  // The relationship is loaded after the lock on the link: a concurrent request may have made them friends.
  const relationship = row.over === "revoked" ? null : await getRelationship(tx, me, row.by.id);
  if (relationship?.isFriend) return { personId: relationship.id };
  if (relationship === null || row.over)
    throw new Refusal("gone", "This invitation has expired. Ask the sender for a new one.");
  if (!friendRules.befriend(me, relationship))
    throw new Refusal("not-allowed", "You cannot become friends through this link.");
  await run(
    tx,
    sql`insert into friendships (low_id, high_id, state, requested_by, requested_at, changed_at)
        values (least(${me.id}::uuid, ${relationship.id}::uuid), greatest(${me.id}::uuid, ${relationship.id}::uuid),
          'friends',
          ${relationship.id}, ${tx.now}, ${tx.now})
        on conflict (low_id, high_id) do update set state = 'friends', cancelled = false,
          changed_at = excluded.changed_at`,
  );
  await run(tx, sql`delete from ended_friendships where ${friendshipPair(me, relationship.id)}`);
  await run(tx, sql`update friend_links set uses = uses + 1 where id = ${row.id}`);
  await emit(tx, { type: "friend.accepted", by: me.id, personId: relationship.id });
  return { personId: relationship.id };
}
