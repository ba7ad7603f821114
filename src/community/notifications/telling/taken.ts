import { sql } from "#platform/database";
import { contentReadable, discussionReadable, readsFrom } from "#community/groups";
import { type Telling, theirTie } from "./telling.ts";

type Removed = { postId: string };

/** Nobody is named: it is the place that decides. What went with its only post is told by the title that it had. */
const removed = ({ postId }: Removed, item: Telling["item"]) => ({
  candidates: sql`select author_id as person_id, 1 as rank, 'post_removed' as kind, 'your_post' as reason from posts where id = ${postId}`,
  actor: null,
  latest: postId,
  item,
  words: sql`x.taken_reason`,
});
const gone = (postId: string) => sql`join posts x on x.id = ${postId} and x.state = 'removed'`;

/** Whoever wrote a post that was removed is told so, and why, where they read what it stood in. */
export const postRemoved = (it: Removed, item: Telling["item"]): Telling => ({
  ...removed(it, item),
  sight: sql`
    ${gone(it.postId)} join discussions d on d.id = x.discussion_id join groups g on g.id = d.group_id ${theirTie}
    where ${discussionReadable} and coalesce(x.created_at >= ${readsFrom("d")}, true)`,
  object: { kind: "discussion", id: sql`d.id` },
  keptName: sql`d.title`,
});

/** And whoever wrote a comment. */
export const commentRemoved = (it: Removed, item: Telling["item"]): Telling => ({
  ...removed(it, item),
  sight: sql`
    ${gone(it.postId)} join resources r on r.id = x.resource_id left join groups g on g.id = r.group_id ${theirTie}
    where r.group_id is null or ${contentReadable("r", "created_at")}`,
  object: { kind: "resource", id: sql`r.id` },
  keptName: sql`r.title`,
});
