import { sql } from "#platform/database";
import { wentWithDiscussion } from "#community/discussions";
import { contentReadable, discussionReadable, readsFrom } from "#community/groups";
import { type Telling, theirTie } from "./telling.ts";

type Sql = ReturnType<typeof sql>;
type Taken = { postId: string };
type Item = Telling["item"];

/**
 * No actor is named: the site decides. A discussion removed with its only post is identified by its former
 * title.
 */
const taken = ({ postId }: Taken, item: Item) => ({
  candidates: sql`select author_id as person_id, 1 as rank, 'post_removed' as kind, 'your_post' as reason from posts where id = ${postId}`,
  actor: null,
  latest: postId,
  item,
});

/** Notifies the author of the post `x` if `so` is true by now and they can read its discussion. */
const ofPost = (it: Taken, item: Item, so: Sql): Telling => ({
  ...taken(it, item),
  sight: sql`
    join posts x on x.id = ${it.postId} and ${so} join discussions d on d.id = x.discussion_id join groups g on g.id = d.group_id ${theirTie}
    where ${discussionReadable} and coalesce(x.created_at >= ${readsFrom("d")}, true)`,
  object: { kind: "discussion", id: sql`d.id` },
  keptName: sql`d.title`,
});

/** The same for the author of a comment. */
const ofComment = (it: Taken, item: Item, so: Sql): Telling => ({
  ...taken(it, item),
  sight: sql`
    join posts x on x.id = ${it.postId} and ${so} join resources r on r.id = x.resource_id left join groups g on g.id = r.group_id ${theirTie}
    where r.group_id is null or ${contentReadable("r", "created_at")}`,
  object: { kind: "resource", id: sql`r.id` },
  keptName: sql`r.title`,
});

const gone = sql`x.state = 'removed'`;
const why = { words: sql`x.taken_reason` };
export const postRemoved = (it: Taken, item: Item): Telling => ({ ...ofPost(it, item, gone), ...why });
export const commentRemoved = (it: Taken, item: Item): Telling => ({ ...ofComment(it, item, gone), ...why });

/** Others removed the owner's resource. */
export const resourceRemoved = ({ resourceId }: { resourceId: string }, item: Item): Telling => ({
  candidates: sql`select keeper_id as person_id, 1 as rank, 'post_removed' as kind, 'you_keep' as reason from resources where id = ${resourceId}`,
  sight: sql`
    join resources r on r.id = ${resourceId} and r.state = 'removed' and r.removed_by is distinct from c.person_id
    left join groups g on g.id = r.group_id ${theirTie} where r.group_id is null or ${contentReadable("r", "created_at")}`,
  object: { kind: "resource", id: sql`r.id` },
  keptName: sql`r.title`,
  words: sql`r.removed_reason`,
  detail: sql`'resource'`,
  actor: null,
  latest: null,
  item,
});

/** Others deleted a discussion with all its posts: notifies its starter, not each replier. */
export const discussionDeleted = ({ discussionId }: { discussionId: string }, item: Item): Telling => ({
  candidates: sql`select author_id as person_id, 1 as rank, 'post_removed' as kind, 'your_post' as reason from discussions where id = ${discussionId}`,
  sight: sql`
    join posts x on x.discussion_id = ${discussionId} and x.number = 1 join discussions d on d.id = x.discussion_id and ${wentWithDiscussion}
    join groups g on g.id = d.group_id ${theirTie} where ${discussionReadable}`,
  object: { kind: "discussion", id: sql`d.id` },
  keptName: sql`d.title`,
  words: sql`d.deleted_reason`,
  detail: sql`'discussion'`,
  actor: null,
  latest: sql`(select id from posts where discussion_id = ${discussionId} and number = 1)`,
  item,
});

/** Several people reported it: it is hidden until a moderator has reviewed it. */
const hidden = sql`x.state = 'hidden'`;
const saying = { detail: sql`'hidden'` };
export const postHidden = (it: Taken, item: Item): Telling => ({ ...ofPost(it, item, hidden), ...saying });
export const commentHidden = (it: Taken, item: Item): Telling => ({ ...ofComment(it, item, hidden), ...saying });
