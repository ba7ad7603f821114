import { type Db, limit, one, sql } from "#platform/database";
import {
  type ConversationRow,
  type InboxRow,
  toConversationRow,
  latestConversationRows,
} from "#community/conversations";
import { unreadDiscussionRows } from "#community/discussions";
import { ownGroupsOrder, unreadDiscussionsCount, viewerMembership } from "#community/groups";
import type { SignedIn } from "#community/rules";
import { type Badges, countRows, jsonList, relationshipCounts } from "./badges.ts";
import {
  hasUnseenOfOtherKinds,
  unseenRowsOfOtherKinds,
  unseenRowsOfCommonKinds,
} from "./notification-visibility.ts";

const MAX_GROUPS = 12;
const MAX_CONVERSATIONS = 8;
const MAX_COUNT = 100;

export type PageSidebar = {
  badges: Badges;
  groups: { id: string; slug: string; name: string; unread: number }[];
  /** Null if not requested. */
  conversations: ConversationRow[] | null;
};
type SidebarRow = Badges & {
  groups: PageSidebar["groups"];
  conversations: InboxRow[] | null;
  hasOthers: boolean;
};

/**
 * Sidebar data of a member's page: badges, own groups, and latest conversations if requested. The query runs
 * on every page and must be cheap to plan, so people with unseen notifications of uncommon kinds need a
 * second query.
 */
export async function getPageSidebar(
  db: Db,
  viewer: SignedIn,
  shows = { conversations: true },
): Promise<PageSidebar> {
  const { groups, conversations, hasOthers, ...badges } = await one(
    db,
    sql<SidebarRow>`
      with own as materialized (${ownGroupRows(viewer)})
      select ${relationshipCounts(viewer)}, ${unreadDiscussionCount(viewer)} as "unreadDiscussions",
        ${countRows(unseenRowsOfCommonKinds(viewer.id))} as notifications,
        ${hasUnseenOfOtherKinds(viewer.id)} as "hasOthers",
        ${jsonList(sql`select json_build_object('id', id, 'slug', slug, 'name', name, 'unread', unread) as it
          from own order by pinned_at is null, lower(name), id`)} as groups,
        ${
          shows.conversations
            ? jsonList(sql`
          select row_to_json(c) as it
          from (${latestConversationRows(viewer, MAX_CONVERSATIONS)}) c`)
            : sql`null`
        } as conversations`,
  );
  if (hasOthers)
    badges.notifications = Math.min(MAX_COUNT, badges.notifications + (await countUnusual(db, viewer)));
  return {
    badges,
    groups,
    conversations: conversations && conversations.map((row) => toConversationRow(parseRowDates(row))),
  };
}

/** Pinned and latest active groups. The sidebar sorts them by name, so that none moves while it is read. */
const ownGroupRows = (viewer: SignedIn) => sql`
  select g.id, g.slug, g.name, m.pinned_at, m.notify_level <> 'mute' as heard,
    ${unreadDiscussionsCount(viewer, "g", "m")} as unread
  from groups g ${viewerMembership(viewer, "g", "m")} where g.state <> 'deleted' and m.state = 'member'
  order by ${ownGroupsOrder} ${limit(MAX_GROUPS)}`;

/**
 * Number of unread discussions: the counts of the groups in the sidebar, plus further groups and followed
 * discussions elsewhere.
 */
const unreadDiscussionCount = (viewer: SignedIn) => sql`
  least(${MAX_COUNT}::int, coalesce((select sum(unread) from own where heard), 0)
    + ${countRows(sql`select d.id ${unreadDiscussionRows(viewer, sql`array(select id from own)`)}
      ${limit(MAX_COUNT)}`)})::int`;

async function countUnusual(db: Db, viewer: SignedIn): Promise<number> {
  return (await one(db, sql<{ n: number }>`select ${countRows(unseenRowsOfOtherKinds(viewer.id))} as n`)).n;
}

/** Converts times, which are text in JSON, to dates. */
const parseRowDates = (row: InboxRow): InboxRow => ({
  ...row,
  lastMessageAt: new Date(row.lastMessageAt),
  lastAt: row.lastAt && new Date(row.lastAt),
});
