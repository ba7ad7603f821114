import { sql } from "#platform/database";
import { wentWithDiscussion } from "#community/discussions";
import { contentReadable, discussionReadable, readsFrom } from "#community/groups";
import { type Telling, theirTie } from "./telling.ts";

type Sql = ReturnType<typeof sql>;
type Taken = { postId: string };
type Item = Telling["item"];

/** Nobody is named: it is the place that decides. What went with its only post is told by the title that it had. */
const taken = ({ postId }: Taken, item: Item) => ({
  candidates: sql`select author_id as person_id, 1 as rank, 'post_removed' as kind, 'your_post' as reason from posts where id = ${postId}`,
  actor: null,
  latest: postId,
  item,
});

/** Whoever wrote the post `x`, of which `so` is true by now, is told so, where they read the discussion that it stands in. */
const ofPost = (it: Taken, item: Item, so: Sql): Telling => ({
  ...taken(it, item),
  sight: sql`
    join posts x on x.id = ${it.postId} and ${so} join discussions d on d.id = x.discussion_id join groups g on g.id = d.group_id ${theirTie}
    where ${discussionReadable} and coalesce(x.created_at >= ${readsFrom("d")}, true)`,
  object: { kind: "discussion", id: sql`d.id` },
  keptName: sql`d.title`,
});

/** And whoever wrote a comment. */
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

/** Somebody else has taken away what they keep. */
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

/** Others have deleted a discussion that they began, with all that stands in it. Those who answered there are not told one by one. */
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

/** Several have reported it: nobody else reads it until somebody has looked at it. */
const hidden = sql`x.state = 'hidden'`;
const saying = { detail: sql`'hidden'` };
export const postHidden = (it: Taken, item: Item): Telling => ({ ...ofPost(it, item, hidden), ...saying });
export const commentHidden = (it: Taken, item: Item): Telling => ({ ...ofComment(it, item, hidden), ...saying });
