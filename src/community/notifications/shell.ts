import { type Db, limit, one, sql } from "#platform/database";
import { type ConversationRow, type InboxRow, inboxRowOf, latestConversations } from "#community/conversations";
import { cardColumns, ownOrder, viewersTie } from "#community/groups";
import type { SignedIn } from "#community/rules";
import { badgeColumns, type Badges, listOf } from "./badges.ts";

const GROUPS = 12;
const CONVERSATIONS = 8;

export type Shell = {
  badges: Badges;
  groups: { id: string; slug: string; name: string; unread: number }[];
  conversations: ConversationRow[];
};

/** What stands beside every page of a member: the figures, their groups, the latest conversations. One query. */
export async function shellFor(db: Db, viewer: SignedIn): Promise<Shell> {
  const { groups, conversations, ...badges } = await one(
    db,
    sql<Badges & { groups: Shell["groups"]; conversations: InboxRow[] }>`
      select ${badgeColumns(viewer)},
        ${listOf(sql`select json_build_object('id', c.id, 'slug', c.slug, 'name', c.name, 'unread', c.unread) as it
          from (select ${cardColumns(viewer)} from groups g ${viewersTie(viewer)} where g.state <> 'deleted' and m.state = 'member'
            order by ${ownOrder} ${limit(GROUPS)}) c`)} as groups,
        ${listOf(sql`select row_to_json(c) as it from (${latestConversations(viewer, CONVERSATIONS)}) c`)} as conversations`,
  );
  return { badges, groups, conversations: conversations.map((row) => inboxRowOf(dated(row))) };
}

/** Within a JSON value a time arrives as text. */
const dated = (row: InboxRow): InboxRow => ({
  ...row,
  lastMessageAt: new Date(row.lastMessageAt),
  lastAt: row.lastAt && new Date(row.lastAt),
});
