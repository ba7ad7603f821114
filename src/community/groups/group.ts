import { type Db, maybeOne, run, sql } from "#platform/database";
import { isId } from "#platform/ids";
import { notFound } from "#platform/refusal";
import { type PersonCard, personCard } from "#community/common";
import { blockerIds, visiblePersonCard } from "#community/friends";
import {
  type GroupFacts,
  type GroupRole,
  groupRules,
  type JoinPolicy,
  type Viewer,
  type Visibility,
} from "#community/rules";
import {
  groupCardColumns,
  type GroupCard,
  canRequestAgainAt,
  groupMatchesSearch,
  groupFactsColumns,
  isGroupReadable,
  isGroupVisible,
  isGroupModerator,
  viewerMembership,
} from "./group-columns.ts";
import { isContentReadable } from "./content-visibility.ts";
import { hasOtherOwner, canOwnGroups } from "./ownership/owner-candidates.ts";

export type NotifyLevel = "all" | "highlights" | "mentions" | "mute";
/** A group page: the description for everyone who may see the group, details of its content for readers. */
export type Group = GroupCard & {
  aboutMd: string;
  aboutHtml: string;
  rules: string[];
  /** Increases with each change of the rules; null if they have never changed. */
  rulesVersion: number;
  rulesChangedAt: Date | null;
  questions: string[];
  /** Owners first. Everyone who may see the group sees them. */
  moderators: (PersonCard & { role: GroupRole })[];
  /** Cards of a few members, for signed-in readers. */
  faces: PersonCard[];
  /**
   * For the only active owner: possible successors. Moderators are first, then the members who joined first.
   */
  successors: PersonCard[] | null;
  /** Number of discussions, counted up to 1000; 0 for viewers who cannot read the group. */
  discussionsCount: number;
  resourcesCount: number;
  /** Number of pending join requests, for people who may decide them. */
  requestsCount: number;
  /** Number of pending appeals against bans, for moderators. */
  appealsCount: number;
  /** The person who invited the viewer. */
  invitedBy: PersonCard | null;
  notifyLevel: NotifyLevel;
  photoId: string | null;
  photoAlt: string;
  headerAlt: string;
  /** Reason given to a declined, removed or banned viewer. */
  reason: string;
  /** End of the viewer's ban; null if the ban lasts until it is lifted. */
  bannedUntil: Date | null;
  /** Scheduled visibility change, for members. */
  opening: { visibility: Visibility; joinPolicy: JoinPolicy; at: Date } | null;
};

/**
 * A group by id or slug.
 * @throws `not-found` for missing groups and for those the viewer may not see
 */
export async function getGroup(db: Db, viewer: Viewer, idOrSlug: string): Promise<Group> {
  const found = await maybeOne(
    db,
    sql<GroupRow>`
      select ${groupCardColumns(viewer, "g", "m")}, g.about_md as "aboutMd", g.about_html as "aboutHtml",
        g.rules,
        g.questions,
        coalesce(m.notify_level, 'highlights') as "notifyLevel",
        ${visiblePersonCard(viewer, "inviter")} as "invitedBy",
        g.rules_version as "rulesVersion", g.rules_changed_at as "rulesChangedAt", g.photo_id as "photoId",
        g.photo_alt as "photoAlt",
        g.header_alt as "headerAlt", coalesce(m.reason, '') as reason, m.banned_until as "bannedUntil",
        case when m.state = 'member' then g.wider_visibility
          end as "widerVisibility", g.wider_join_policy as "widerJoinPolicy", g.wider_at as "widerAt",
        ${moderatorsJson(viewer)} as moderators, ${successorsJson(viewer)} as successors,
        case when ${isGroupReadable("g", "m")}
          and ${viewer.id}::uuid is not null then ${newestMembersJson(viewer)}
          else '[]' end as faces,
        case when ${isGroupReadable("g", "m")} then ${countUpTo1000("discussions", "open", "last_post_at")}
          else 0
          end as "discussionsCount",
        case when ${isGroupReadable("g", "m")} then ${countUpTo1000("resources", "published", "created_at")}
          else 0
          end as "resourcesCount",
        case when m.state = 'member' and m.role <> 'member'
          then (select count(*)::int from memberships r where r.group_id = g.id and r.state = 'requested')
            else 0 end as "requestsCount",
        case when m.state = 'member' and m.role <> 'member' then ${pendingAppealsCount} else 0
          end as "appealsCount"
      from groups g ${viewerMembership(viewer, "g", "m")}
      left join people inviter on inviter.id = m.invited_by and m.state = 'invited'
      where ${groupMatchesSearch(idOrSlug, "g")} and ${isGroupVisible("g", "m")}`,
  );
  if (!found) throw notFound();
  const { widerVisibility: visibility, widerJoinPolicy: joinPolicy, widerAt: at, ...group } = found;
  return { ...group, opening: visibility && joinPolicy && at ? { visibility, joinPolicy, at } : null };
}

type GroupRow = Omit<Group, "opening"> & {
  widerVisibility: Visibility | null;
  widerJoinPolicy: JoinPolicy | null;
  widerAt: Date | null;
};

const pendingAppealsCount = sql`
  (select count(*)::int from memberships a
  where a.group_id = g.id and a.appealed_at is not null and a.appeal_declined_at is null)`;

/** Condition: the account `p` is not closed: it is open, suspended, or imported and not claimed yet. */
const isOpenAccount = sql`p.state in ('active', 'limited', 'suspended', 'ghost')`;

const moderatorsJson = (viewer: Viewer) => sql`
  (select coalesce(json_agg((${personCard("p")})::jsonb || jsonb_build_object('role', l.role)
    order by l.role desc, l.joined_at), '[]')
   from memberships l join people p on p.id = l.person_id
   where l.group_id = g.id and l.state = 'member' and l.role in ('owner', 'moderator') and ${isOpenAccount}
     and p.id <> all(${blockerIds(viewer, isGroupModerator("m"))}))`;

const successorsJson = (viewer: Viewer) => sql`
  case when m.state = 'member' and m.role = 'owner' and not ${hasOtherOwner(viewer.id, "g")} then (
    select coalesce(json_agg(${personCard("p")} order by h.role desc, h.joined_at), '[]')
    from (select o.* from memberships o join people p on p.id = o.person_id and ${canOwnGroups("p")}
          where o.group_id = g.id and o.state = 'member' and o.person_id is distinct from ${viewer.id}::uuid
            and p.id <> all(${blockerIds(viewer, isGroupModerator("m"))})
          order by o.role desc, o.joined_at limit 50) h
    join people p on p.id = h.person_id) end`;

const newestMembersJson = (viewer: Viewer) => sql`
  (select coalesce(json_agg(${personCard("p")} order by f.joined_at desc), '[]')
   from (select l.* from memberships l join people p on p.id = l.person_id and ${isOpenAccount}
         where l.group_id = g.id and l.state = 'member'
           order by l.role desc, l.joined_at desc, l.person_id desc limit 8) f
   join people p on p.id = f.person_id where p.id <> all(${blockerIds(viewer, isGroupModerator("m"))}))`;

const countUpTo1000 = (table: string, state: string, at: string) =>
  sql`(select count(*)::int
    from (select from ${sql.table(table)} x
      where x.group_id = g.id and x.state = ${state} and ${isContentReadable("x", at, "g", "m")}
        limit 1000) few)`;

export type GroupToChange = GroupFacts & {
  id: string;
  slug: string;
  name: string;
  questions: string[];
  membersCount: number;
  askAgainAt: Date | null;
};

/**
 * Locks memberships of the group until the transaction ends. Read membership only afterwards: a statement
 * that waits for a lock continues with its earlier snapshot of other rows.
 */
export const lockGroup = (db: Db, groupId: string) =>
  run(db, sql`select from groups where id = ${groupId} for no key update`);

/**
 * Facts of a group for a command. With a lock, its memberships cannot change before the transaction ends.
 * @throws `not-found` like `getGroup`
 */
export async function getGroupToChange(
  db: Db,
  viewer: Viewer,
  groupId: string,
  lock: "lock" | "read" = "lock",
): Promise<GroupToChange> {
  if (!isId(groupId)) throw notFound();
  if (lock === "lock") await lockGroup(db, groupId);
  const group = await maybeOne(
    db,
    sql<GroupToChange>`
      select g.id, g.slug, g.name, g.questions, g.members_count as "membersCount",
        ${groupFactsColumns("g", "m")},
        ${canRequestAgainAt("m")} as "askAgainAt"
      from groups g ${viewerMembership(viewer, "g", "m")} where g.id = ${groupId}`,
  );
  if (!group || !groupRules.see(viewer, group)) throw notFound();
  return group;
}
