import { sql } from "#platform/database";
import { blockedOf, partedFrom } from "#community/friends";
import { discussionReadable, groupModerated, readsFrom, viewersTie } from "#community/groups";
import type { Viewer } from "#community/rules";
import { keptFrom, unlessKept } from "./blocks.ts";
import { inGroup } from "./groups.ts";
import { at, boolean, common, compound, date, int, json, one, type Piece, type PublishedNoun, ref, several, string, text } from "./noun.ts";

/** The viewer can read a discussion `d`, and a further condition holds. */
const inDiscussion = (viewer: Viewer, id: Piece, holds: Piece = sql`true`): Piece => sql`exists (
  select from discussions d join groups g on g.id = d.group_id ${viewersTie(viewer)}
  where d.id = ${id} and ${discussionReadable} and (d.state <> 'deleted' or ${groupModerated(viewer)}) and ${holds})`;

export const Discussions: PublishedNoun = {
  name: "Discussions",
  view: "discussions",
  about: "Discussions, to whoever reads them. `updated` is when something was last said.",
  columns: [
    ...common(ref("objectId"), unlessKept),
    ref("groupId"),
    string("title"),
    json("tags"),
    string("language"),
    string("state"),
    boolean("locked"),
    string("lockedReason"),
    boolean("pinned"),
    boolean("resolved"),
    ref("answerId"),
    int("replies"),
    int("lastNumber"),
    date("lastPostAt"),
  ],
  relations: [one("group", "Groups", "group_id"), one("author", "Users", "owner_id"), several("posts", "Posts", "discussion_id")],
  visible: (viewer, alias) => inDiscussion(viewer, at(alias, "object_id")),
};

/** SQL twin of `discussionRules.stub`. */
const postStub = (viewer: Viewer, alias: string): Piece =>
  stubOf(viewer, alias, inGroup(viewer, at(alias, "group_id"), groupModerated(viewer)));

/**
 * The stub in place of a text, in order of precedence; only the author reads a hidden text, unless
 * `moderates`.
 */
export function stubOf(viewer: Viewer, alias: string, moderates: Piece): Piece {
  const [state, owner] = [at(alias, "state"), at(alias, "owner_id")];
  return sql`case when ${state} = 'deleted_by_author' then 'deleted' when ${state} in ('removed', 'moved') then ${state}
    when ${state} = 'hidden' and ${owner} is distinct from ${viewer.id}::uuid and not ${moderates} then 'hidden'
    when ${keptFrom(viewer, alias)} then 'blocked' when ${owner} = any(${blockedOf(viewer)}) then 'blocked-by-viewer' end`;
}

export const Posts: PublishedNoun = {
  name: "Posts",
  view: "posts",
  about: "What is said in discussions, to whoever reads it. Where the text is not for the viewer, `stub` says why and `text` is null.",
  columns: [
    ...common(ref("objectId"), unlessKept),
    string("authorName", (viewer, alias) => unlessKept(viewer, alias, "author_name")),
    ref("discussionId"),
    ref("groupId"),
    int("number"),
    text("text", (viewer, alias) => sql`case when ${postStub(viewer, alias)} is null then ${at(alias, "text")} end`),
    ref("replyTo"),
    string("stub", postStub),
    int("version"),
  ],
  relations: [
    one("discussion", "Discussions", "discussion_id"),
    one("group", "Groups", "group_id"),
    one("author", "Users", "owner_id"),
    several("reactions", "Reactions", "post_id"),
  ],
  visible: (viewer, alias) =>
    inDiscussion(viewer, at(alias, "discussion_id"), sql`coalesce(${at(alias, "created")} >= ${readsFrom("d")}, true)`),
};

/** The viewer can read the text of a post. */
const postRead = (viewer: Viewer, id: Piece): Piece => sql`exists (
  select from published.posts post where post.object_id = ${id} and ${Posts.visible(viewer, "post")} and ${postStub(viewer, "post")} is null)`;

export const Reactions: PublishedNoun = {
  name: "Reactions",
  view: "reactions",
  about: "Emojis under posts, to whoever reads the post and is not parted by a block from who left them.",
  columns: [
    ...common(compound(["post_id", "id"], ["owner_id", "id"], ["emoji", "text"])),
    ref("postId"),
    ref("discussionId"),
    ref("groupId"),
    string("emoji"),
  ],
  relations: [one("post", "Posts", "post_id"), one("author", "Users", "owner_id")],
  visible: (viewer, alias) => sql`(${postRead(viewer, at(alias, "post_id"))} and ${at(alias, "owner_id")} <> all(${partedFrom(viewer)}))`,
};

export const Bookmarks: PublishedNoun = {
  name: "Bookmarks",
  view: "bookmarks",
  about: "The posts that one keeps for oneself, as far as one still reads them.",
  columns: [
    ...common(compound(["post_id", "id"], ["owner_id", "id"])),
    ref("postId"),
    ref("discussionId"),
    string("note"),
    date("remindAt"),
  ],
  relations: [one("post", "Posts", "post_id"), one("discussion", "Discussions", "discussion_id")],
  visible: (viewer, alias) =>
    sql`(${at(alias, "owner_id")} is not distinct from ${viewer.id}::uuid and ${postRead(viewer, at(alias, "post_id"))})`,
};
