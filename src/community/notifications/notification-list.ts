import { type Db, limit, many, maybeOne, sql } from "#platform/database";
import { isId } from "#platform/ids";
import { notFound } from "#platform/refusal";
import {
  encodeCursor,
  andIfGiven,
  type Page,
  toPage,
  personCard,
  type PersonCard,
  readCursor,
} from "#community/common";
import { listWordFilters, requireSignedIn } from "#community/friends";
import {
  joinMembership,
  isContentReadable,
  isDiscussionReadable,
  isGroupVisible,
  contentReadableSince,
} from "#community/groups";
import {
  LIMITS,
  type NotificationKind,
  createFilterMatcher,
  type NotificationTab,
  type Viewer,
} from "#community/rules";
import { isNotificationListed, isNotificationVisible, isPersonVisibleTo } from "./notification-visibility.ts";

export type ObjectKind =
  | "discussion"
  | "conversation"
  | "group"
  | "resource"
  | "person"
  | "announcement"
  | "report"
  | "search"
  | "event"
  | "date_poll";
/** A notification as the recipient may see it now. */
export type NotificationItem = {
  id: string;
  kind: NotificationKind;
  reason: string;
  detail: string;
  /** Number of occurrences; `actors` are the stored actors, latest first. */
  count: number;
  actors: PersonCard[];
  /** `language` of the title of a discussion or resource. */
  object: { kind: ObjectKind; id: string; title: string; language: string | null };
  /** The group, or null if there is none or it is hidden. */
  group: { id: string; slug: string; name: string } | null;
  /** The reason of a decision. */
  words: string;
  /** Start or end of the effect. */
  moment: Date | null;
  /** Id of a removed post that only this notification still references. */
  takenId: string | null;
  /** Number of the post or comment to open. */
  number: number | null;
  unread: boolean;
  at: Date;
  /** Phrase of the viewer's filter that collapses the entry. */
  foldedFor?: string | undefined;
};
const TAB_CONDITIONS: Record<NotificationTab, ReturnType<typeof sql>> = {
  all: sql`${isNotificationListed("n")}`,
  unread: sql`${isNotificationListed("n")} and n.read_at is null`,
  mentions: sql`${isNotificationListed("n")} and n.kind = 'mention'`,
  requests: sql`${isNotificationListed("n")}
    and n.kind in ('friend_request', 'group_invitation', 'group_request', 'group_appeal', 'post_waits',
      'group_waits', 'account_waits', 'message_request')`,
  apart: sql`n.withdrawn_at is null and n.filtered`,
};

/**
 * The viewer's notifications, latest first.
 * @throws `not-signed-in`
 */
export async function listNotifications(
  db: Db,
  viewer: Viewer,
  query: { tab: NotificationTab; after?: string | undefined },
): Promise<Page<NotificationItem>> {
  const me = requireSignedIn(viewer);
  const cursor = readCursor(query.after, ["time", "id"]);
  const size = LIMITS.page.discussions;
  const lines = many(
    db,
    selectItems(sql`
      select n.* from notifications n
      where n.person_id = ${me.id} and ${TAB_CONDITIONS[query.tab]} and ${isNotificationVisible}
        ${andIfGiven(cursor, ([at, id]) => sql`(n.updated_at, n.id) < (${at}, ${id}::uuid)`)}
      order by n.updated_at desc, n.id desc ${limit(size + 1)}`),
  );
  const [rows, filters] = await Promise.all([lines, listWordFilters(db, me, "notifications")]);
  // Entries that match a filter are collapsed rather than hidden: the bell has counted them, so the list
  // must show them.
  const sieve = createFilterMatcher(filters);
  const folded = (line: NotificationItem) => ({
    ...line,
    foldedFor: sieve(`${line.object.title} ${line.group?.name ?? ""} ${line.words}`)?.phrase,
  });
  return toPage(rows.map(folded), size, (last) => encodeCursor(last.at, last.id));
}

/**
 * One of the viewer's own notifications.
 * @throws `not-found` if it is unknown or no longer visible
 */
export async function getNotification(db: Db, viewer: Viewer, id: string): Promise<NotificationItem> {
  const me = requireSignedIn(viewer);
  const found =
    isId(id) &&
    (await maybeOne(
      db,
      selectItems(
        sql`select n.* from notifications n
          where n.id = ${id} and n.person_id = ${me.id} and n.withdrawn_at is null
            and ${isNotificationVisible}`,
      ),
    ));
  if (!found) throw notFound();
  return found;
}

/**
 * Whether the discussion or resource of a post is visible. Only then does the entry link to a removed post.
 */
const placeVisible = sql`
  case when d.id is not null then d.state <> 'deleted' and ${isDiscussionReadable("d", "g", "m")}
    and coalesce(x.created_at >= ${contentReadableSince("d", "g", "m")}, true)
    else r.state = 'published' and (r.group_id is null or ${isContentReadable("r", "created_at", "g", "m")})
    end`;

/**
 * Selects list entries for these notification rows, in order. `materialized` excludes the rows from the cost
 * of the joins: without it, plans differed by less than one percent in cost, and PostgreSQL chose to scan
 * whole tables.
 */
const selectItems = (rows: ReturnType<typeof sql>) => sql<NotificationItem>`
  with n as materialized (${rows})
  select n.id, n.kind, n.reason, n.detail, n.words, n.moment, n.count, n.read_at is null as unread,
    n.updated_at as at, x.number,
    case when n.kind = 'post_removed' and x.number is null then n.latest_id end as "takenId",
    (select coalesce(json_agg(${personCard("a")} order by actor.place), '[]')
     from unnest(n.actors) with ordinality actor (id, place) join people a on a.id = actor.id
       where ${isPersonVisibleTo(sql`a.id`, "n")}) as actors,
    json_build_object('kind', n.object_kind, 'id', n.object_id, 'title',
      coalesce(n.stored_name, d.title, r.title, ev.title, dp.title, said.title, c.name, kept.name, ''),
      'language', case when n.stored_name is null then coalesce(d.language, r.language) end) as object,
    case when g.id is not null
      and (n.stored_name is null or ${isGroupVisible("g", "m")}) then json_build_object('id', g.id, 'slug',
        g.slug,
        'name', g.name) end as "group"
  from n
  left join discussions d on n.object_kind = 'discussion' and d.id = n.object_id
  left join resources r on n.object_kind = 'resource' and r.id = n.object_id
  left join calendar_events ev on n.object_kind = 'event' and ev.id = n.object_id
  left join date_polls dp on n.object_kind = 'date_poll' and dp.id = n.object_id
  left join conversations c on n.object_kind = 'conversation' and c.id = n.object_id
  left join announcements said on n.object_kind = 'announcement' and said.id = n.object_id
  left join saved_searches kept on n.object_kind = 'search' and kept.id = n.object_id
  left join groups g on g.id = coalesce(d.group_id, r.group_id, ev.group_id, dp.group_id, said.group_id, case
    when n.object_kind = 'group' then n.object_id end)
  ${joinMembership(sql`n.person_id`, "g", "m")}
  left join posts x on x.id = n.latest_id and not (n.kind = 'post_removed' and n.detail = 'discussion')
    and (x.state = 'published' or (n.kind = 'post_removed' and ${placeVisible}))
  order by n.updated_at desc, n.id desc`;
