import { sql } from "#platform/database";
import { blockedIds, blockedEitherWayIds } from "#community/friends";
import { isDiscussionVisible } from "#community/discussions";
import { canModerateGroup, contentReadableSince, viewerMembership } from "#community/groups";
import type { Viewer } from "#community/rules";
import { isOwnerBlocked, unlessOwnerBlocked } from "./blocked-owners.ts";
import { groupExistsCondition } from "./group-entities.ts";
import {
  columnRef,
  booleanColumn,
  commonColumns,
  compoundIdColumn,
  dateColumn,
  intColumn,
  jsonColumn,
  toOne,
  type SqlFragment,
  type ApiEntity,
  idColumn,
  toMany,
  stringColumn,
  textColumn,
} from "./entity.ts";

/** Condition: the viewer can read a discussion `d`, and a further condition is true. */
const existsReadableDiscussion = (
  viewer: Viewer,
  id: SqlFragment,
  holds: SqlFragment = sql`true`,
): SqlFragment => sql`exists (
  select from discussions d join groups g on g.id = d.group_id ${viewerMembership(viewer, "g", "m")}
  where d.id = ${id} and ${isDiscussionVisible(viewer, "d", "g", "m")} and ${holds})`;

export const Discussions: ApiEntity = {
  name: "Discussions",
  view: "discussions",
  about: "Discussions that the viewer can read. `updated` is the time of the latest post.",
  columns: [
    ...commonColumns(idColumn("objectId"), unlessOwnerBlocked),
    idColumn("groupId"),
    stringColumn("title"),
    jsonColumn("tags"),
    stringColumn("language"),
    stringColumn("state"),
    booleanColumn("locked"),
    stringColumn("lockedReason"),
    booleanColumn("pinned"),
    booleanColumn("resolved"),
    idColumn("answerId"),
    intColumn("replies"),
    intColumn("lastNumber"),
    dateColumn("lastPostAt"),
  ],
  relations: [
    toOne("group", "Groups", "group_id"),
    toOne("author", "Users", "owner_id"),
    toMany("posts", "Posts", "discussion_id"),
  ],
  visible: (viewer, alias) => existsReadableDiscussion(viewer, columnRef(alias, "object_id")),
};

/** SQL equivalent of `discussionRules.stub`. */
const postStub = (viewer: Viewer, alias: string): SqlFragment =>
  postStubColumn(
    viewer,
    alias,
    groupExistsCondition(viewer, columnRef(alias, "group_id"), canModerateGroup(viewer, "g", "m")),
  );

/**
 * The stub shown instead of a text, in order of precedence. A hidden text is readable for its author and,
 * with `moderates`, for moderators.
 */
export function postStubColumn(viewer: Viewer, alias: string, moderates: SqlFragment): SqlFragment {
  const [state, owner] = [columnRef(alias, "state"), columnRef(alias, "owner_id")];
  return sql`case when ${state} = 'deleted_by_author' then 'deleted'
    when ${state} in ('removed', 'moved') then ${state}
    when ${state} = 'hidden' and ${owner} is distinct from ${viewer.id}::uuid
    and not ${moderates} then 'hidden'
    when ${isOwnerBlocked(viewer, alias)} then 'blocked'
    when ${owner} = any(${blockedIds(viewer)}) then 'blocked-by-viewer' end`;
}

export const Posts: ApiEntity = {
  name: "Posts",
  view: "posts",
  about:
    "Posts in discussions that the viewer can read. If the text is hidden from them, `text` is null " +
    "and `stub` says why.",
  columns: [
    ...commonColumns(idColumn("objectId"), unlessOwnerBlocked),
    stringColumn("authorName", (viewer, alias) => unlessOwnerBlocked(viewer, alias, "author_name")),
    idColumn("discussionId"),
    idColumn("groupId"),
    intColumn("number"),
    textColumn(
      "text",
      (viewer, alias) =>
        sql`case when ${postStub(viewer, alias)} is null then ${columnRef(alias, "text")} end`,
    ),
    idColumn("replyTo"),
    stringColumn("stub", postStub),
    intColumn("version"),
  ],
  relations: [
    toOne("discussion", "Discussions", "discussion_id"),
    toOne("group", "Groups", "group_id"),
    toOne("author", "Users", "owner_id"),
    toMany("reactions", "Reactions", "post_id"),
  ],
  visible: (viewer, alias) =>
    existsReadableDiscussion(
      viewer,
      columnRef(alias, "discussion_id"),
      sql`coalesce(${columnRef(alias, "created")} >= ${contentReadableSince("d", "g", "m")}, true)`,
    ),
};

/** The viewer can read the text of a post. */
const isPostReadable = (viewer: Viewer, id: SqlFragment): SqlFragment => sql`exists (
  select from published.posts post where post.object_id = ${id} and ${Posts.visible(viewer, "post")}
    and ${postStub(viewer, "post")} is null)`;

export const Reactions: ApiEntity = {
  name: "Reactions",
  view: "reactions",
  about: "Reactions to posts that the viewer can read, except those of blocked people, either way.",
  columns: [
    ...commonColumns(compoundIdColumn(["post_id", "id"], ["owner_id", "id"], ["emoji", "text"])),
    idColumn("postId"),
    idColumn("discussionId"),
    idColumn("groupId"),
    stringColumn("emoji"),
  ],
  relations: [toOne("post", "Posts", "post_id"), toOne("author", "Users", "owner_id")],
  visible: (viewer, alias) =>
    sql`(${isPostReadable(viewer, columnRef(alias, "post_id"))}
      and ${columnRef(alias, "owner_id")} <> all(${blockedEitherWayIds(viewer)}))`,
};

export const Bookmarks: ApiEntity = {
  name: "Bookmarks",
  view: "bookmarks",
  about: "Your bookmarks of posts that you can still read.",
  columns: [
    ...commonColumns(compoundIdColumn(["post_id", "id"], ["owner_id", "id"])),
    idColumn("postId"),
    idColumn("discussionId"),
    stringColumn("note"),
    dateColumn("remindAt"),
  ],
  relations: [toOne("post", "Posts", "post_id"), toOne("discussion", "Discussions", "discussion_id")],
  visible: (viewer, alias) =>
    sql`(${columnRef(alias, "owner_id")} is not distinct from ${viewer.id}::uuid
      and ${isPostReadable(viewer, columnRef(alias, "post_id"))})`,
};
