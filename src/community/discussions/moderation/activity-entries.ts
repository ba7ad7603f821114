import { type Db, limit, many, run, sql, type Tx } from "#platform/database";
import type { PersonCard } from "#community/common";
import { visiblePersonCard } from "#community/friends";
import { isDiscussionReadable, isGroupVisible, viewerMembership } from "#community/groups";
import type { SignedIn, Viewer } from "#community/rules";

export const ACTIVITY_KINDS = [
  "locked",
  "unlocked",
  "pinned",
  "unpinned",
  "renamed",
  "tagged",
  "language-changed",
  "resolved",
  "reopened",
  "archived",
  "unarchived",
  "deleted",
  "restored",
  "slowed",
  "timed",
  "untimed",
  "moved",
  "split",
  "split-off",
  "merged",
] as const;
export type ActivityKind = (typeof ACTIVITY_KINDS)[number];

/**
 * Titles, tags, language codes, numbers and times of an entry. Content that the entry refers to is loaded
 * for each viewer.
 */
export type ActivityDetails = {
  was?: string;
  became?: string;
  until?: string;
  seconds?: number;
  posts?: number;
  timer?: "close" | "open";
  /** The change was scheduled earlier and made by a job. */
  byItself?: true;
};
/** A change of a discussion, shown between its posts. */
export type ActivityEntry = {
  id: string;
  kind: ActivityKind;
  at: Date;
  by: PersonCard | null;
  reason: string;
  /** Null if the change concerns no other discussion, or if the viewer may not see it. */
  otherDiscussion: { id: string; title: string } | null;
  otherGroup: { slug: string; name: string } | null;
  details: ActivityDetails;
};
type NewActivityEntry = {
  discussionId: string;
  kind: ActivityKind;
  reason?: string | undefined;
  details?: ActivityDetails | undefined;
  otherDiscussionId?: string | undefined;
  otherGroupId?: string | undefined;
};

/** Adds an activity entry, in the transaction of the change; `by` is null for an automatic one. */
export const addActivityEntry = (tx: Tx, by: Pick<SignedIn, "id"> | null, activityEntry: NewActivityEntry) =>
  run(
    tx,
    sql`insert into discussion_entries (id, discussion_id, kind, at, by_id, reason, other_discussion_id,
      other_group_id, details)
        values (${tx.newId()}, ${activityEntry.discussionId}, ${activityEntry.kind}, ${tx.now}, ${by?.id ?? null},
          ${activityEntry.reason ?? ""}, ${activityEntry.otherDiscussionId ?? null},
          ${activityEntry.otherGroupId ?? null}, ${JSON.stringify(activityEntry.details ?? {})})`,
  );

/** Entries beyond this number on a page are dropped. */
const MAX_ENTRIES = 40;

/**
 * Activity entries between the posts of a page of a readable discussion: from the time of the page's first
 * post (or the beginning, for post 1) to that of the next page's first post.
 */
export async function listActivityEntries(
  db: Db,
  viewer: Viewer,
  discussionId: string,
  { first, after }: { first: number; after: number },
) {
  const entries = await many(
    db,
    sql<ActivityEntry>`
      select l.id, l.kind, l.at, ${visiblePersonCard(viewer, "actor")} as by, l.reason, l.details,
        ${otherDiscussion(viewer)} as "otherDiscussion",
        ${otherGroup(viewer)} as "otherGroup"
      from discussion_entries l left join people actor on actor.id = l.by_id
      where l.discussion_id = ${discussionId}
        and (${first} = 1 or l.at >= (select p.created_at from posts p
          where p.discussion_id = ${discussionId} and p.number >= ${first} order by p.number limit 1))
        and l.at < coalesce((select p.created_at from posts p
          where p.discussion_id = ${discussionId} and p.number >= ${after} order by p.number limit 1),
            'infinity')
      order by l.at desc, l.id desc ${limit(MAX_ENTRIES)}`,
  );
  return entries.toReversed();
}

const otherDiscussion = (viewer: Viewer) => sql`
  (select json_build_object('id', d.id, 'title', d.title) from discussions d
  join groups g on g.id = d.group_id ${viewerMembership(viewer, "g", "m")}
   where d.id = l.other_discussion_id and d.state <> 'deleted' and ${isDiscussionReadable("d", "g", "m")})`;

const otherGroup = (viewer: Viewer) => sql`
  (select json_build_object('slug', g.slug, 'name', g.name)
  from groups g ${viewerMembership(viewer, "g", "m")}
  where g.id = l.other_group_id and ${isGroupVisible("g", "m")})`;
