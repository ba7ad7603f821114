import { DAY, addMilliseconds } from "#platform/clock";
import { type Db, maybeOne, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { renderMarkdown } from "#platform/markup";
import { emit } from "#platform/outbox";
import { notFound, Refusal } from "#platform/refusal";
import { z } from "zod";
import { writeAudit } from "#community/audit";
import { requiredText, type PersonCard } from "#community/common";
import { visiblePersonCard, requireSignedIn } from "#community/friends";
import { type Group, getGroup } from "#community/groups";
import { LIMITS, notificationRules, type Viewer } from "#community/rules";
import { markRowsRead } from "./mark-read.ts";
import { isAnnouncementReadable } from "./notification-visibility.ts";

const { title, body } = LIMITS.announcement;

export const NewAnnouncement = z.object({
  groupId: z.uuid().optional(),
  title: requiredText("The title", "Enter a title.", title.max, title.min),
  body: requiredText("The text", "Enter a text.", body),
});

export type Announcement = {
  id: string;
  title: string;
  html: string;
  by: PersonCard | null;
  at: Date;
  group: { slug: string; name: string } | null;
  /** The viewer may withdraw the announcement. */
  mine: boolean;
};

/**
 * The group to announce in, or null for everyone.
 * @throws `not-found`; `not-allowed` if the viewer may not announce there
 */
export async function assertCanAnnounce(
  db: Db,
  viewer: Viewer,
  place: string | undefined,
): Promise<Group | null> {
  const me = requireSignedIn(viewer);
  const group = place ? await getGroup(db, me, place) : null;
  if (notificationRules.announce(me, group)) return group;
  if (group) throw new Refusal("not-allowed", "Only moderators can send an announcement to the group.");
  throw new Refusal("not-allowed", "Only admins can send an announcement to everyone.");
}

/** Whether the announcement `x` was delivered by mail or push. Mails and pushes cannot be withdrawn. */
const wasDelivered = sql<boolean>`exists (
  select from notifications n
  where n.object_id = x.id and (n.mailed_at is not null or n.pushed_at is not null))`;

/**
 * Announces to everyone, or to a group's members.
 * @throws as `assertCanAnnounce`; `too-many` within a day of the last one, unless that was withdrawn before
 * delivery
 */
export async function createAnnouncement(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof NewAnnouncement>,
): Promise<{ id: string }> {
  const me = requireSignedIn(viewer);
  const group = await assertCanAnnounce(tx, me, input.groupId);
  const groupId = group?.id ?? null;
  // Serializes concurrent announcements, so that the second one sees the first.
  await run(tx, sql`select pg_advisory_xact_lock(hashtextextended(${`announcement:${groupId}`}, 0))`);
  const last = await maybeOne(
    tx,
    sql<{ at: Date }>`
      select x.created_at as at from announcements x
      where x.group_id is not distinct from ${groupId}::uuid
        and x.created_at > ${addMilliseconds(tx.now, -DAY)}
        and (x.withdrawn_at is null or ${wasDelivered}) order by x.created_at desc limit 1`,
  );
  if (last)
    throw new Refusal("too-many", "Only one announcement a day is possible. Come back tomorrow.", {
      retryAfter: Math.ceil((last.at.getTime() + DAY - tx.now.getTime()) / 1000),
    });
  const id = tx.newId();
  await run(
    tx,
    sql`insert into announcements (id, group_id, title, body_md, body_html, by_id, created_at)
        values (${id}, ${groupId}::uuid, ${input.title}, ${input.body}, ${renderMarkdown(input.body, id)},
          ${me.id}, ${tx.now})`,
  );
  await writeAudit(tx, me, {
    act: "announcement.created",
    kind: "announcement",
    id,
    details: { group: groupId },
  });
  await emit(tx, { type: "announcement.created", announcementId: id, groupId, by: me.id });
  return { id };
}

/**
 * Returns an announcement.
 * @throws `not-found` if it is unknown or withdrawn, or in a group of which the viewer is not a member
 */
export async function getAnnouncement(db: Db, viewer: Viewer, id: string): Promise<Announcement> {
  const me = requireSignedIn(viewer);
  const found =
    isId(id) &&
    (await maybeOne(
      db,
      sql<Announcement>`
        select x.id, x.title, x.body_html as html, ${visiblePersonCard(me, "author")} as by,
          x.created_at as at, x.by_id = ${me.id} or ${me.role === "admin"}::boolean as mine,
          case when g.id is not null then json_build_object('slug', g.slug, 'name', g.name) end as "group"
        from announcements x join people author on author.id = x.by_id left join groups g on g.id = x.group_id
        left join memberships m on m.group_id = g.id and m.person_id = ${me.id}
        where x.id = ${id} and ${isAnnouncementReadable("x", "g", "m")}`,
    ));
  if (!found) throw notFound();
  return found;
}

/**
 * Withdraws an announcement for everyone.
 * @throws `not-found`; `not-allowed` for everyone but its author and admins
 */
export async function withdrawAnnouncement(tx: Tx, viewer: Viewer, { id }: { id: string }): Promise<void> {
  const me = requireSignedIn(viewer);
  const { mine } = await getAnnouncement(tx, me, id);
  if (!mine) throw new Refusal("not-allowed", "Only the author or an admin can withdraw an announcement.");
  await run(
    tx,
    sql`update announcements set withdrawn_at = ${tx.now}, withdrawn_by = ${me.id} where id = ${id}`,
  );
  await writeAudit(tx, me, { act: "announcement.withdrawn", kind: "announcement", id });
  await emit(tx, { type: "announcement.withdrawn", announcementId: id, by: me.id });
}

/** Marks the viewer's notification of this announcement as read. */
export const markAnnouncementSeen = (tx: Tx, viewer: Viewer, { id }: { id: string }): Promise<void> =>
  markRowsRead(tx, sql`n.person_id = ${viewer.id}::uuid and n.object_id = ${id}::uuid`);
