import { many, run, sql, type Tx } from "#platform/database";
import { Refusal } from "#platform/refusal";
import { muteConversation } from "#community/conversations";
import { setFollowLevel } from "#community/discussions";
import { signedIn } from "#community/friends";
import { setGroupNotices } from "#community/groups";
import { followResource } from "#community/resources";
import type { SignedIn, Viewer } from "#community/rules";
import { clear, tellOwners } from "./catch-up.ts";
import { type NotificationLine, notificationFor } from "./list.ts";
import { current } from "./sight.ts";

type Wanted = { id: string };
const own = (me: SignedIn) => sql`n.person_id = ${me.id}`;

/** Opens what it is about: everything that tells of that is read, in every tab. Throws `not-signed-in`, `not-found`. */
export async function openNotification(tx: Tx, viewer: Viewer, { id }: Wanted): Promise<NotificationLine> {
  const me = signedIn(viewer);
  const line = await notificationFor(tx, me, id);
  await clear(tx, sql`${own(me)} and n.object_id = ${line.object.id}::uuid`);
  return line;
}

/** The viewer has a discussion before their eyes: what tells of it without telling of a certain post is read. */
export async function sawDiscussion(tx: Tx, viewer: Viewer, { discussionId }: { discussionId: string }): Promise<void> {
  const me = signedIn(viewer);
  await clear(tx, sql`${own(me)} and n.object_id = ${discussionId}::uuid and n.kind in ('reaction', 'bookmark')`);
}

/** The same for a resource: what tells of it is read. */
export async function sawResource(tx: Tx, viewer: Viewer, { resourceId }: { resourceId: string }): Promise<void> {
  const me = signedIn(viewer);
  await clear(tx, sql`${own(me)} and n.object_kind = 'resource' and n.object_id = ${resourceId}::uuid`);
}

/** Marks one as read. Throws `not-found`. */
export async function readNotification(tx: Tx, viewer: Viewer, { id }: Wanted): Promise<void> {
  const me = signedIn(viewer);
  const line = await notificationFor(tx, me, id);
  await clear(tx, sql`${own(me)} and n.id = ${line.id}::uuid`);
}

/** What holds one row back that is unread, of a kind about a thing, from another. */
const ONE_UNREAD = "notifications_open";
const isUnreadBeside = (error: unknown) =>
  typeof error === "object" && error !== null && "constraint" in error && error.constraint === ONE_UNREAD;

/**
 * Does what makes rows unread. Where another of the same becomes unread at that very moment, only the index knows of it: it is done
 * once more, and sees it then.
 */
async function besideOthers(tx: Tx, work: () => Promise<unknown>): Promise<void> {
  for (let more = 3; ; more--) {
    await run(tx, sql`savepoint beside`);
    try {
      await work();
      return void (await run(tx, sql`release savepoint beside`));
    } catch (error) {
      if (more === 0 || !isUnreadBeside(error)) throw error;
      await run(tx, sql`rollback to savepoint beside`);
    }
  }
}

/** Marks one as unread again; it is not mailed a second time. Where the same is unread already, that one stays. Throws `not-found`. */
export async function unreadNotification(tx: Tx, viewer: Viewer, { id }: Wanted): Promise<void> {
  const me = signedIn(viewer);
  const line = await notificationFor(tx, me, id);
  await besideOthers(tx, () =>
    run(
      tx,
      sql`update notifications n set read_at = null, mail_at = null, push_at = null
          where n.id = ${line.id}::uuid and not exists (
            select from notifications o where o.person_id = n.person_id and o.object_id = n.object_id and o.kind = n.kind and o.filtered = n.filtered
              and o.read_at is null and o.withdrawn_at is null)`,
    ),
  );
  await tellOwners(tx, [{ personId: me.id, id: line.id }]);
}

/** Marks all as read, those in the folder aside. */
export async function readAllNotifications(tx: Tx, viewer: Viewer): Promise<void> {
  await clear(tx, sql`${own(signedIn(viewer))} and ${current}`);
}

/** The viewer looks at the list: what is in it has been shown, and the bell is silent. */
export async function seeNotifications(tx: Tx, viewer: Viewer): Promise<void> {
  const me = signedIn(viewer);
  const seen = await many(
    tx,
    sql<{ id: string; personId: string }>`
      update notifications n set seen_at = ${tx.now}
      where ${own(me)} and n.seen_at is null and n.read_at is null and ${current} returning n.id, n.person_id as "personId"`,
  );
  await tellOwners(tx, seen);
}

/** Wants to hear no more of what this is about. Throws `not-found`, and `not-allowed` for what cannot be muted. */
export async function muteNotified(tx: Tx, viewer: Viewer, { id }: Wanted): Promise<void> {
  const me = signedIn(viewer);
  const { object } = await notificationFor(tx, me, id);
  if (object.kind === "discussion") await setFollowLevel(tx, me, { discussionId: object.id, level: "muted" });
  else if (object.kind === "conversation") await muteConversation(tx, me, { conversationId: object.id, until: FOREVER });
  else if (object.kind === "group") await setGroupNotices(tx, me, { groupId: object.id, level: "mute" });
  else if (object.kind === "resource") await followResource(tx, me, { resourceId: object.id, level: "muted" });
  else if (object.kind === "search")
    await run(tx, sql`update saved_searches set told_up_to = null, looks_at = null where id = ${object.id}::uuid and person_id = ${me.id}`);
  else throw new Refusal("not-allowed", "This cannot be muted. You can choose what you are told of in your settings.");
  await clear(tx, sql`${own(me)} and n.object_id = ${object.id}::uuid`);
}
const FOREVER = new Date("9999-01-01T00:00:00Z");

/** Lets the people of one that stands apart out of the folder, for good, with all that they alone have done. Throws `not-found`. */
export async function letSendersOut(tx: Tx, viewer: Viewer, { id }: Wanted): Promise<void> {
  const me = signedIn(viewer);
  const { actors } = await notificationFor(tx, me, id);
  const people = actors.map((actor) => actor.id).filter((id) => id !== me.id);
  await run(
    tx,
    sql`insert into notification_senders (person_id, sender_id, accepted_at)
        select ${me.id}, sender_id, ${tx.now} from unnest(${people}::uuid[]) sender_id on conflict do nothing`,
  );
  await besideOthers(tx, () =>
    run(
      tx,
      sql`update notifications n set filtered = false, seen_at = null
          where ${own(me)} and n.filtered and n.withdrawn_at is null and n.actors <@ ${people}::uuid[] and not exists (
            select from notifications o where o.person_id = n.person_id and o.object_id = n.object_id and o.kind = n.kind and not o.filtered
              and o.read_at is null and o.withdrawn_at is null)`,
    ),
  );
  await tellOwners(tx, [{ personId: me.id }]);
}
