import { many, run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { invalid, notFound } from "#platform/refusal";
import type { z } from "zod";
import { writeAudit } from "#community/audit";
import { requireSignedIn } from "#community/friends";
import type { SignedIn, Viewer } from "#community/rules";
import { clearAnswer } from "../posts/post-removal.ts";
import type { Discussion } from "../discussion-columns.ts";
import type { NewSplit } from "../discussion-inputs.ts";
import { addActivityEntry } from "./activity-entries.ts";
import { requireReason } from "./discussion-moderation.ts";
import { getModeratedDiscussion } from "./move-discussion.ts";
import { readPositionAfterMove } from "../reading/read-positions.ts";

type ChosenPost = { id: string; number: number };

/**
 * Splits posts off into a new discussion, where they are renumbered. Stubs keep the old numbers and link to
 * the moved posts, so that no link breaks.
 * @throws `not-found` (also for a post of another discussion), `not-allowed`, `invalid`
 */
export async function splitDiscussion(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof NewSplit>,
): Promise<{ id: string }> {
  const me = requireSignedIn(viewer);
  const discussion = await getModeratedDiscussion(tx, me, input.discussionId);
  const reason = requireReason(input);
  const posts = await getChosenPosts(tx, discussion, input.postIds);
  const id = tx.newId();
  await insertSplitDiscussion(tx, discussion, { id, title: input.title, posts });
  await moveReferences(tx, discussion, id, posts);
  await recountDiscussion(tx, discussion.id);
  await recountDiscussion(tx, id);
  await clearAnswer(
    tx,
    me,
    { discussionId: discussion.id, groupId: discussion.group.id },
    posts.map((post) => post.id),
  );
  await emitSplit(tx, me, discussion, { id, posts, reason });
  return { id };
}

async function getChosenPosts(tx: Tx, { id }: Discussion, postIds: string[]): Promise<ChosenPost[]> {
  const wanted = [...new Set(postIds)];
  const posts = await many(
    tx,
    sql<ChosenPost>`
      select id, number from posts
      where discussion_id = ${id} and id = any(${wanted}::uuid[]) and state <> 'moved'
      order by number for no key update`,
  );
  if (posts.length !== wanted.length) throw notFound();
  if (posts[0]?.number === 1) throw invalid("postIds", "The first post stays in its discussion.");
  return posts;
}

/** Inserts the new discussion, with author and time of its first post. */
const insertSplitDiscussion = (
  tx: Tx,
  from: Discussion,
  { id, title, posts }: { id: string; title: string; posts: ChosenPost[] },
) =>
  run(
    tx,
    sql`insert into discussions (id, group_id, author_id, title, language, language_known, audience,
      last_number, last_post_at, created_at)
        select ${id}, ${from.group.id}, author_id, ${title}, ${from.language}, true, ${from.audience},
          ${posts.length}, created_at, created_at
        from posts where id = ${posts[0]!.id}`,
  );

/** Moves the posts, inserts stubs, and copies read positions. */
async function moveReferences(tx: Tx, from: Discussion, to: string, posts: ChosenPost[]): Promise<void> {
  const ids = posts.map((post) => post.id);
  const numbers = posts.map((post) => post.number);
  const stubs = posts.map(() => tx.newId());
  await run(
    tx,
    sql`update posts p set discussion_id = ${to}, number = n.place
      from unnest(${ids}::uuid[]) with ordinality n(id, place) where p.id = n.id`,
  );
  await run(
    tx,
    sql`insert into posts (id, discussion_id, number, author_id, body_md, body_html, state, moved_to,
      created_at)
        select n.stub, ${from.id}, n.number, p.author_id, '', '', 'moved', p.id, p.created_at
        from unnest(${ids}::uuid[], ${numbers}::int[], ${stubs}::uuid[]) n(id, number, stub)
        join posts p on p.id = n.id`,
  );
  // Replies to a moved post refer to its stub. A moved reply keeps its reference only if the other post
  // moved too.
  await run(
    tx,
    sql`update posts r set reply_to = s.id from posts s
      where r.discussion_id = ${from.id} and s.discussion_id = ${from.id} and s.moved_to = r.reply_to`,
  );
  await run(
    tx,
    sql`update posts p set reply_to = null where p.discussion_id = ${to} and p.reply_to is not null
        and not exists (select from posts q where q.id = p.reply_to and q.discussion_id = ${to})`,
  );
  await run(
    tx,
    sql`insert into read_positions (person_id, discussion_id, last_read_number, level, level_chosen, read_at)
        select rs.person_id, ${to}, (select count(*) from unnest(${numbers}::int[]) n(number)
          where n.number <= rs.last_read_number), rs.level, rs.level_chosen, rs.read_at
        from read_positions rs where rs.discussion_id = ${from.id}`,
  );
  await advanceReadPositions(tx, from.id);
}

/** Advances read positions past stubs. Unread posts that were moved count in their new discussion. */
export const advanceReadPositions = (tx: Tx, id: string) =>
  run(
    tx,
    sql`update read_positions rs
      set last_read_number = ${readPositionAfterMove(sql`rs.last_read_number`, "d")}
      from discussions d
        where d.id = ${id} and rs.discussion_id = d.id
          and exists (select from posts gone
            where gone.discussion_id = d.id and gone.number = rs.last_read_number + 1
              and gone.state = 'moved')`,
  );

/** Recomputes post count and last post from the rows. */
export const recountDiscussion = (tx: Tx, id: string) =>
  run(
    tx,
    sql`update discussions d set last_post_at = last.created_at, last_post_by = last.author_id,
          posts_count = (select count(*) from posts p
            where p.discussion_id = d.id and (p.number = 1 or p.state in ('published', 'hidden')))
        from (select created_at, author_id from posts where discussion_id = ${id} and state <> 'moved'
          order by number desc limit 1) last
        where d.id = ${id}`,
  );

async function emitSplit(
  tx: Tx,
  me: SignedIn,
  from: Discussion,
  { id, posts, reason }: { id: string; posts: ChosenPost[]; reason: string },
) {
  const groupId = from.group.id;
  await addActivityEntry(tx, me, {
    discussionId: from.id,
    kind: "split",
    reason,
    otherDiscussionId: id,
    details: { posts: posts.length },
  });
  await addActivityEntry(tx, me, { discussionId: id, kind: "split-off", reason, otherDiscussionId: from.id });
  await writeAudit(tx, me, {
    act: "discussion.split",
    kind: "discussion",
    id: from.id,
    reason,
    details: { groupId, to: id, posts: posts.length },
  });
  await emit(tx, { type: "discussion.split", discussionId: from.id, groupId, to: id, by: me.id });
  await emit(tx, { type: "discussion.split-off", discussionId: id, groupId, from: from.id, by: me.id });
}
