import { type Db, maybeOne, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { emit } from "#platform/outbox";
import { Refusal } from "#platform/refusal";
import { writeAudit } from "#community/audit";
import { requireSignedIn } from "#community/friends";
import { discussionRules, type Viewer, type Visibility, SERVER_LIMITS } from "#community/rules";
import { getDiscussion } from "../discussion.ts";
import { type Discussion } from "../discussion-columns.ts";
import { mergeDrafts } from "../drafts/drafts.ts";
import { addActivityEntry } from "./activity-entries.ts";
import { type RequiredReasonInput, requireReason } from "./discussion-moderation.ts";
import { assertVisibilityUnchanged, getModeratedDiscussion } from "./move-discussion.ts";
import { recountDiscussion, advanceReadPositions } from "./split.ts";

type MergeInput = RequiredReasonInput & { into: string; visibility: Visibility };

/**
 * Merges all posts of a discussion into another, ordered by time; old addresses redirect. The result is
 * members-only if either discussion was. `visibility` is that of the target group as shown to the moderator.
 * @throws `not-found` and `not-allowed` for either discussion, `conflict` for a merge into itself, too many
 * posts or a changed visibility, `invalid` on `reason`
 */
export async function mergeDiscussion(tx: Tx, viewer: Viewer, input: MergeInput): Promise<{ id: string }> {
  const me = requireSignedIn(viewer);
  if (input.into === input.discussionId)
    throw new Refusal("conflict", "A discussion cannot be merged into itself.");
  // A fixed lock order, so that two concurrent merges do not deadlock.
  const ids = [input.discussionId, input.into].toSorted();
  const both = [await getModeratedDiscussion(tx, me, ids[0]!), await getModeratedDiscussion(tx, me, ids[1]!)];
  const [from, into] = both[0]!.id === input.discussionId ? [both[0]!, both[1]!] : [both[1]!, both[0]!];
  assertVisibilityUnchanged(into.group, input.visibility);
  if (from.lastNumber + into.lastNumber > SERVER_LIMITS.postsInDiscussion)
    throw new Refusal("conflict", "The merged discussion would have too many posts.");
  const reason = requireReason(input);
  await deleteMovedStubs(tx, from.id, into.id);
  await mergeReadPositions(tx, from.id, into.id);
  await mergePosts(tx, from.id, into.id);
  await advanceReadPositions(tx, into.id);
  await redirectReferences(tx, from.id, into.id);
  await run(
    tx,
    sql`update discussions set audience = ${discussionRules.audienceOfBoth(from, into)}
      where id = ${into.id}`,
  );
  await addActivityEntry(tx, me, {
    discussionId: into.id,
    kind: "merged",
    reason,
    details: { was: from.title },
  });
  const groups = new Set([from.group.id, into.group.id]);
  for (const groupId of groups)
    await writeAudit(tx, me, {
      act: "discussion.merged",
      kind: "discussion",
      id: from.id,
      reason,
      details: { groupId, into: into.id },
    });
  await emit(tx, {
    type: "discussion.merged",
    discussionId: into.id,
    groupId: into.group.id,
    fromDiscussionId: from.id,
    fromGroupId: from.group.id,
    by: me.id,
  });
  return { id: into.id };
}

/**
 * Deletes stubs of posts that were moved between the two discussions: after the merge, stub and post would
 * be in one discussion.
 */
async function deleteMovedStubs(tx: Tx, from: string, into: string): Promise<void> {
  const kept = sql`s.state = 'moved' and s.discussion_id in (${from}, ${into})
    and exists (select from posts q where q.id = s.moved_to and q.discussion_id in (${from}, ${into}))`;
  await run(
    tx,
    sql`update posts r set reply_to = s.moved_to from posts s where r.reply_to = s.id and ${kept}`,
  );
  await run(tx, sql`delete from posts s where ${kept}`);
}

/** All posts of both discussions with their old and new numbers. The order within each discussion stays. */
const mergedNumbers = (from: string, into: string) => sql`
  numbered as materialized (
    select id, discussion_id, number,
      (row_number() over (order by created_at, discussion_id = ${from}, number))::int as place
    from posts where discussion_id in (${from}, ${into}))`;

/**
 * Order of precedence of follow levels: chosen before automatic ones, higher before lower ones, and the
 * target's before the source's.
 */
const followPrecedence = (from: string) =>
  sql`not level_chosen, not level_chosen and level = 'normal', discussion_id = ${from}`;

/**
 * Merges read positions: the first unread post is the first that was unread in its own discussion. A chosen
 * follow level has precedence, then the higher level.
 */
const mergeReadPositions = (tx: Tx, from: string, into: string) =>
  run(
    tx,
    sql`with ${mergedNumbers(from, into)},
        readers as (
          select person_id, max(last_read_number) filter (where discussion_id = ${from}) as f,
            max(last_read_number) filter (where discussion_id = ${into}) as i,
            (array_agg(level order by ${followPrecedence(from)}))[1] as level,
            (array_agg(level_chosen order by ${followPrecedence(from)}))[1] as chosen,
            max(read_at) as read_at, least(2000000000, sum(read_ms))::int as read_ms
          from read_positions where discussion_id in (${from}, ${into}) group by person_id)
        insert into read_positions (person_id, discussion_id, last_read_number, level, level_chosen, read_at,
          read_ms)
        select person_id, ${into}, coalesce(least(
            (select min(place) from numbered where discussion_id = ${from} and number > coalesce(f, 0)),
            (select min(place) from numbered where discussion_id = ${into} and number > coalesce(i, 0))) - 1,
            (select count(*) from numbered)),
          level, chosen, read_at, read_ms
        from readers
        on conflict (person_id, discussion_id) do update set last_read_number = excluded.last_read_number,
          level = excluded.level,
          level_chosen = excluded.level_chosen, read_at = excluded.read_at, read_ms = excluded.read_ms`,
  );

async function mergePosts(tx: Tx, from: string, into: string): Promise<void> {
  await run(
    tx,
    sql`insert into former_posts (discussion_id, number, post_id) select ${from}::uuid, number,
      coalesce(moved_to, id) from posts where discussion_id = ${from}`,
  );
  // Two updates, since numbers must be unique within a discussion at all times.
  await run(
    tx,
    sql`with ${mergedNumbers(from, into)}
        update posts p set discussion_id = ${into}, number = -n.place from numbered n where p.id = n.id`,
  );
  await run(tx, sql`update posts set number = -number where discussion_id = ${into}`);
  await run(
    tx,
    sql`update discussions d set author_id = first.author_id, created_at = first.created_at,
          last_number = (select max(number) from posts where discussion_id = ${into})
        from posts first where d.id = ${into} and first.discussion_id = ${into} and first.number = 1`,
  );
  await recountDiscussion(tx, into);
}

/** Changes all references to point to the target. Only the old address of the source remains. */
async function redirectReferences(tx: Tx, from: string, into: string): Promise<void> {
  await run(tx, sql`update discussion_entries set discussion_id = ${into} where discussion_id = ${from}`);
  await run(
    tx,
    sql`update discussion_entries set other_discussion_id = ${into} where other_discussion_id = ${from}`,
  );
  await run(tx, sql`update former_discussions set discussion_id = ${into} where discussion_id = ${from}`);
  await run(
    tx,
    sql`insert into former_discussions (id, discussion_id, merged_at) values (${from}, ${into}, ${tx.now})
    on conflict (id) do update set discussion_id = excluded.discussion_id, merged_at = excluded.merged_at`,
  );
  // Start-here entries belong to one group. If both discussions had an entry, only one remains.
  await run(
    tx,
    sql`update group_start_items s set discussion_id = ${into} from discussions d
        where s.discussion_id = ${from} and d.id = ${into} and d.group_id = s.group_id
          and not exists (select from group_start_items o
            where o.group_id = s.group_id and o.discussion_id = ${into})`,
  );
  await mergeDrafts(tx, from, into);
  await run(tx, sql`update pending_posts set discussion_id = ${into} where discussion_id = ${from}`);
  await run(tx, sql`delete from discussions where id = ${from}`);
}

/**
 * Target of a merged discussion and, for a given former number, the post there. Null if the discussion was
 * not merged or the viewer may not read the target.
 */
export async function findMergedDiscussion(
  db: Db,
  viewer: Viewer,
  formerId: string,
  number?: number,
): Promise<{ discussion: Discussion; post?: number } | null> {
  if (!isId(formerId)) return null;
  const found = await maybeOne(
    db,
    sql<{ id: string; post: number | null }>`
      select f.discussion_id as id, (select p.number from former_posts o
        join posts p on p.id = o.post_id and p.discussion_id = f.discussion_id
        where o.discussion_id = f.id and o.number = ${number ?? 0}) as post
      from former_discussions f where f.id = ${formerId}`,
  );
  if (!found) return null;
  try {
    return {
      discussion: await getDiscussion(db, viewer, found.id),
      ...(found.post !== null && { post: found.post }),
    };
  } catch (error) {
    if (error instanceof Refusal && error.reason === "not-found") return null;
    throw error;
  }
}
