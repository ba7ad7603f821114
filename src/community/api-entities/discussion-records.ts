import { sql } from "#platform/database";
import { type DiscussionFacts, discussionRules } from "#community/rules";
import { groupSubscriberColumns } from "./subscriber-facts.ts";
import { toMilliseconds, defineRecordReader } from "./api-record.ts";

type DiscussionRow = {
  id: string;
  groupId: string;
  authorId: string;
  title: string;
  tags: string[];
  state: DiscussionFacts["state"];
  audience: DiscussionFacts["audience"];
  lockedAt: Date | null;
  lockedReason: string | null;
  pinned: boolean;
  resolvedAt: Date | null;
  replies: number;
  lastNumber: number;
  lastPostAt: Date;
  createdAt: Date;
};

export const readDiscussions = defineRecordReader<DiscussionRow, { unsigned: boolean }>({
  select: ({ ids }, people) => sql`
    select d.id, d.group_id as "groupId", d.author_id as "authorId", d.title, d.tags, d.state, d.audience,
      d.locked_at as "lockedAt",
      d.locked_reason as "lockedReason", d.pinned_at is not null
        and coalesce(d.pinned_until > now(), true) as pinned, d.resolved_at as "resolvedAt",
          greatest(d.posts_count - 1, 0) as replies,
      d.last_number as "lastNumber", d.last_post_at as "lastPostAt", d.created_at as "createdAt",
      ${groupSubscriberColumns(people, sql`d.author_id`, "g")}
    from discussions d join groups g on g.id = d.group_id where d.id = ${ids.objectId}`,
  see(row, { viewer, group, blocksViewer }, { event }) {
    // A deletion is reported to subscribers who could read the discussion before its deletion.
    const state = event === "deleted" ? "open" : row.state;
    return discussionRules.see(viewer, { ...row, group, state, authorId: null, locked: false })
      ? { unsigned: blocksViewer }
      : null;
  },
  record: (row, { unsigned }) => ({
    ___class: "Discussions",
    objectId: row.id,
    ownerId: unsigned ? null : row.authorId,
    created: toMilliseconds(row.createdAt),
    updated: toMilliseconds(row.lastPostAt),
    groupId: row.groupId,
    title: row.title,
    tags: row.tags,
    state: row.state,
    locked: row.lockedAt !== null,
    lockedReason: row.lockedReason,
    pinned: row.pinned,
    resolved: row.resolvedAt !== null,
    replies: row.replies,
    lastNumber: row.lastNumber,
    lastPostAt: toMilliseconds(row.lastPostAt),
  }),
});
