import { type Db, limit, one, sql } from "#platform/database";
import { type ConversationRow, type InboxRow, inboxRowOf, latestConversations } from "#community/conversations";
import { unreadOf } from "#community/discussions";
import { ownOrder, unreadIn, viewersTie } from "#community/groups";
import type { SignedIn } from "#community/rules";
import { type Badges, countOf, listOf, ofTies } from "./badges.ts";
import { hasUnseenOthers, unseenOthers, unseenUsual } from "./sight.ts";

const GROUPS = 12;
const CONVERSATIONS = 8;
const MOST = 100;

export type Shell = {
  badges: Badges;
  groups: { id: string; slug: string; name: string; unread: number }[];
  /** Null if not requested. */
  conversations: ConversationRow[] | null;
};
type Found = Badges & { groups: Shell["groups"]; conversations: InboxRow[] | null; hasOthers: boolean };

/**
 * Sidebar data of a member's page: badges, own groups, and latest conversations if shown. One query, and one
 * more for people with unseen notifications of uncommon kinds. It runs on every page, so it is kept cheap to
 * plan.
 */
export async function shellFor(db: Db, viewer: SignedIn, shows = { conversations: true }): Promise<Shell> {
  const { groups, conversations, hasOthers, ...badges } = await one(
    db,
    sql<Found>`
      with own as materialized (${ownGroups(viewer)})
      select ${ofTies(viewer)}, ${unreadDiscussions(viewer)} as "unreadDiscussions", ${countOf(unseenUsual(viewer.id))} as notifications,
        ${hasUnseenOthers(viewer.id)} as "hasOthers",
        ${listOf(sql`select json_build_object('id', id, 'slug', slug, 'name', name, 'unread', unread) as it from own`)} as groups,
        ${shows.conversations ? listOf(sql`select row_to_json(c) as it from (${latestConversations(viewer, CONVERSATIONS)}) c`) : sql`null`} as conversations`,
  );
  if (hasOthers) badges.notifications = Math.min(MOST, badges.notifications + (await countOthers(db, viewer)));
  return { badges, groups, conversations: conversations && conversations.map((row) => inboxRowOf(dated(row))) };
}

const ownGroups = (viewer: SignedIn) => sql`
  select g.id, g.slug, g.name, m.notify_level <> 'mute' as heard, ${unreadIn(viewer)} as unread
  from groups g ${viewersTie(viewer)} where g.state <> 'deleted' and m.state = 'member'
  order by ${ownOrder} ${limit(GROUPS)}`;

/**
 * Groups shown in the sidebar carry their own counts; this adds further groups and followed discussions
 * elsewhere.
 */
const unreadDiscussions = (viewer: SignedIn) => sql`
  least(${MOST}::int, coalesce((select sum(unread) from own where heard), 0)
    + ${countOf(sql`select d.id ${unreadOf(viewer, sql`array(select id from own)`)} ${limit(MOST)}`)})::int`;

async function countOthers(db: Db, viewer: SignedIn): Promise<number> {
  return (await one(db, sql<{ n: number }>`select ${countOf(unseenOthers(viewer.id))} as n`)).n;
}

/** Times in JSON are text. */
const dated = (row: InboxRow): InboxRow => ({
  ...row,
  lastMessageAt: new Date(row.lastMessageAt),
  lastAt: row.lastAt && new Date(row.lastAt),
});
