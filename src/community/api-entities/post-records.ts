import { sql } from "#platform/database";
import { type DiscussionFacts, discussionRules, type PostFacts, type PostStub } from "#community/rules";
import { groupSubscriberColumns, type SubscriberFacts } from "./subscriber-facts.ts";
import { toMilliseconds, defineRecordReader } from "./api-record.ts";

type PostRow = {
  id: string;
  discussionId: string;
  groupId: string;
  discussionState: DiscussionFacts["state"];
  audience: DiscussionFacts["audience"];
  number: number;
  authorId: string;
  replyTo: string | null;
  body: string;
  state: PostFacts["state"];
  writtenAt: Date;
  editedAt: Date | null;
};

type PostContext = Pick<PostRow, "discussionState" | "audience" | "writtenAt">;

/** The discussion as of the time of the post: a new member may read only later posts. */
const toDiscussionFacts = (row: PostContext, subscriber: SubscriberFacts): DiscussionFacts => ({
  group: subscriber.group,
  state: row.discussionState,
  authorId: null,
  locked: false,
  audience: row.audience,
  lastPostAt: row.writtenAt,
});

/** The stub in place of the text for this viewer; undefined if they cannot read the discussion. */
function findStub(
  row: PostContext & Pick<PostRow, "authorId" | "state">,
  subscriber: SubscriberFacts,
): PostStub | null | undefined {
  const facts = toDiscussionFacts(row, subscriber);
  if (!discussionRules.see(subscriber.viewer, facts)) return undefined;
  return discussionRules.stub(
    subscriber.viewer,
    { ...subscriber, ...row },
    discussionRules.moderate(subscriber.viewer, facts),
  );
}

export const readPosts = defineRecordReader<PostRow, { stub: PostStub | null; unsigned: boolean }>({
  select: ({ ids }, people) => sql`
    select p.id, p.discussion_id as "discussionId", d.group_id as "groupId", d.state as "discussionState",
      d.audience, p.number, p.author_id as "authorId",
      p.reply_to as "replyTo", p.body_md as body, p.state, p.created_at as "writtenAt",
      p.edited_at as "editedAt", ${groupSubscriberColumns(people, sql`p.author_id`, "g")}
    from posts p join discussions d on d.id = p.discussion_id join groups g on g.id = d.group_id
    where p.id = ${ids.objectId}`,
  see(row, subscriber) {
    const stub = findStub(row, subscriber);
    return stub === undefined ? null : { stub, unsigned: subscriber.blocksViewer };
  },
  record: (row, { stub, unsigned }) => ({
    ___class: "Posts",
    objectId: row.id,
    ownerId: unsigned ? null : row.authorId,
    created: toMilliseconds(row.writtenAt),
    updated: toMilliseconds(row.editedAt),
    discussionId: row.discussionId,
    groupId: row.groupId,
    number: row.number,
    text: stub ? null : row.body,
    replyTo: row.replyTo,
    stub,
  }),
});

type ReactionRow = PostContext &
  Pick<PostRow, "discussionId" | "groupId" | "state" | "authorId"> & {
    createdAt: Date | null;
    blockedEitherWay: string[];
  };

/** Reads reactions, except those by people blocked either way and those on hidden texts. */
export const readReactions = defineRecordReader<ReactionRow, Record<string, never>>({
  select: ({ ids }, people) => sql`
    select p.discussion_id as "discussionId", d.group_id as "groupId", d.state as "discussionState",
      d.audience, p.created_at as "writtenAt",
      p.state, p.author_id as "authorId",
      r.created_at as "createdAt", ${groupSubscriberColumns(people, sql`p.author_id`, "g")},
      array(select v.id from people v
      join blocks b on (b.blocker_id = v.id and b.blocked_id = ${ids["ownerId"]}::uuid)
              or (b.blocked_id = v.id and b.blocker_id = ${ids["ownerId"]}::uuid)
            where v.id = any(${people}::uuid[]))::text[] as "blockedEitherWay"
    from posts p join discussions d on d.id = p.discussion_id join groups g on g.id = d.group_id
    left join reactions r on r.post_id = p.id and r.person_id = ${ids["ownerId"]}::uuid
      and r.emoji = ${ids["emoji"]}
    where p.id = ${ids["postId"]}`,
  see: (row, subscriber) =>
    findStub(row, subscriber) === null && !row.blockedEitherWay.includes(subscriber.viewer.id ?? "")
      ? {}
      : null,
  record: (row, _how, { ids }) => ({
    ___class: "Reactions",
    objectId: ids.objectId,
    ownerId: ids["ownerId"]!,
    created: toMilliseconds(row.createdAt),
    updated: null,
    postId: ids["postId"],
    discussionId: row.discussionId,
    groupId: row.groupId,
    emoji: ids["emoji"],
  }),
});
