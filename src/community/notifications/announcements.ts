import { DAY, later } from "#platform/clock";
import { type Db, maybeOne, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { htmlOf } from "#platform/markup";
import { announce } from "#platform/outbox";
import { notFound, Refusal } from "#platform/refusal";
import { z } from "zod";
import { audit } from "#community/audit";
import { neededText, type PersonCard } from "#community/common";
import { cardFor, signedIn } from "#community/friends";
import { type Group, groupFor } from "#community/groups";
import { LIMITS, notificationRules, type Viewer } from "#community/rules";
import { clear } from "./catch-up.ts";
import { announcementReadable } from "./sight.ts";

const { title, body } = LIMITS.announcement;

export const NewAnnouncement = z.object({
  groupId: z.uuid().optional(),
  title: neededText("The title", "Give it a title.", title.max, title.min),
  body: neededText("The text", "Say what it is about.", body),
});

export type Announcement = {
  id: string;
  title: string;
  html: string;
  by: PersonCard | null;
  at: Date;
  group: { slug: string; name: string } | null;
  /** The viewer may withdraw it. */
  mine: boolean;
};

/**
 * The group to announce in, or null for everyone.
 * @throws `not-found`; `not-allowed` if the viewer may not announce there
 */
export async function assertMayAnnounce(db: Db, viewer: Viewer, place: string | undefined): Promise<Group | null> {
  const me = signedIn(viewer);
  const group = place ? await groupFor(db, me, place) : null;
  if (notificationRules.announce(me, group)) return group;
  if (group) throw new Refusal("not-allowed", "Only those who look after the group speak to all its members.");
  throw new Refusal("not-allowed", "Only admins speak to everybody.");
}

/** Whether the announcement `x` was delivered by mail or push, which cannot be withdrawn. */
const wentOut = sql<boolean>`exists (
  select from notifications n where n.object_id = x.id and (n.mailed_at is not null or n.pushed_at is not null))`;

/**
 * Announces to everyone, or to a group's members.
 * @throws as `assertCanAnnounce`; `too-many` within a day of the last one, unless that was withdrawn before
 * delivery
 */
export async function announceToAll(tx: Tx, viewer: Viewer, input: z.output<typeof NewAnnouncement>): Promise<{ id: string }> {
  const me = signedIn(viewer);
  const group = await assertMayAnnounce(tx, me, input.groupId);
  const groupId = group?.id ?? null;
  // Concurrent announcements wait for each other here, so that the second sees the first.
  await run(tx, sql`select pg_advisory_xact_lock(hashtextextended(${`announcement:${groupId}`}, 0))`);
  const last = await maybeOne(
    tx,
    sql<{ at: Date }>`
      select x.made_at as at from announcements x where x.group_id is not distinct from ${groupId}::uuid and x.made_at > ${later(tx.now, -DAY)}
        and (x.taken_back_at is null or ${wentOut}) order by x.made_at desc limit 1`,
  );
  if (last)
    throw new Refusal("too-many", "There has been an announcement today. Please wait a day, so that people go on listening.", {
      retryAfter: Math.ceil((last.at.getTime() + DAY - tx.now.getTime()) / 1000),
    });
  const id = tx.newId();
  await run(
    tx,
    sql`insert into announcements (id, group_id, title, body_md, body_html, by_id, made_at)
        values (${id}, ${groupId}::uuid, ${input.title}, ${input.body}, ${htmlOf(input.body, id)}, ${me.id}, ${tx.now})`,
  );
  await audit(tx, me, { act: "announcement.made", kind: "announcement", id, details: { group: groupId } });
  await announce(tx, { type: "announcement.made", announcementId: id, groupId, by: me.id });
  return { id };
}

/**
 * @throws `not-found` for an unknown or withdrawn one, and one in a group of which the viewer is no member
 */
export async function announcementFor(db: Db, viewer: Viewer, id: string): Promise<Announcement> {
  const me = signedIn(viewer);
  const found =
    isId(id) &&
    (await maybeOne(
      db,
      sql<Announcement>`
        select x.id, x.title, x.body_html as html, ${cardFor(me, "author")} as by, x.made_at as at, x.by_id = ${me.id} or ${me.role === "admin"}::boolean as mine,
          case when g.id is not null then json_build_object('slug', g.slug, 'name', g.name) end as "group"
        from announcements x join people author on author.id = x.by_id left join groups g on g.id = x.group_id
        left join memberships m on m.group_id = g.id and m.person_id = ${me.id}
        where x.id = ${id} and ${announcementReadable}`,
    ));
  if (!found) throw notFound();
  return found;
}

/**
 * Withdraws it for everyone.
 * @throws `not-found`; `not-allowed` for all but its author and admins
 */
export async function takeAnnouncementBack(tx: Tx, viewer: Viewer, { id }: { id: string }): Promise<void> {
  const me = signedIn(viewer);
  const { mine } = await announcementFor(tx, me, id);
  if (!mine) throw new Refusal("not-allowed", "Only who made an announcement takes it back, or an admin.");
  await run(tx, sql`update announcements set taken_back_at = ${tx.now}, taken_back_by = ${me.id} where id = ${id}`);
  await audit(tx, me, { act: "announcement.taken-back", kind: "announcement", id });
  await announce(tx, { type: "announcement.taken-back", announcementId: id, by: me.id });
}

/** The viewer reads it: its notification becomes read. */
export const sawAnnouncement = (tx: Tx, viewer: Viewer, { id }: { id: string }): Promise<void> =>
  clear(tx, sql`n.person_id = ${viewer.id}::uuid and n.object_id = ${id}::uuid`);
