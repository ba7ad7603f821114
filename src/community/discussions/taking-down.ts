import { maybeOne, sql, type Tx } from "#platform/database";
import { invalid, Refusal } from "#platform/refusal";
import type { SignedIn } from "#community/rules";
import { bringBack, takeAway } from "./changing.ts";
import { lockedPlace } from "./locked-place.ts";
import { apply, AS_IT_WAS, enterIntoLog, reasonIfAny } from "./moderating.ts";

/** Joins what the post `x` stands in, as `d` or as `s`, and its group `g`, where it is in one. */
export const withItsPlace = sql`
  left join discussions d on d.id = x.discussion_id left join resources s on s.id = x.resource_id left join groups g on g.id = coalesce(d.group_id, s.group_id)`;

/**
 * Whether others have deleted the discussion `d` that began with the post `x`, which went with it: not before, nor with it as its only post,
 * and not by whoever wrote it.
 */
export const wentWithDiscussion = sql<boolean>`
  (d.state = 'deleted' and x.number = 1 and d.author_id = x.author_id and d.deleted_by is distinct from d.author_id
    and (x.state in ('published', 'hidden') or (x.state = 'removed' and x.taken_at < d.deleted_at)))`;

/** Whoever removed the post `x`, with its discussion or alone, or the resource `s` itself, or put the sanction `put` upon somebody. */
export const removedBy = sql`case when x.id is null and s.id is null then put.given_by when x.id is null then s.removed_by
  when ${wentWithDiscussion} then d.deleted_by else x.taken_by end`;

/** Joins the post that the report `r` is about, and where it stands; or the resource, or the group; of an appeal against a sanction, that. */
export const withWhatIsReported = sql`
  left join posts x on x.id = r.post_id left join discussions d on d.id = x.discussion_id
  left join resources s on s.id = coalesce(x.resource_id, r.resource_id) left join groups g on g.id = coalesce(d.group_id, s.group_id, r.group_id)
  left join sanctions put on r.appeal and put.person_id = r.person_id`;

/**
 * Whether somebody else than `who`, and than who wrote the post `x` (or, where there is none, keeps the resource `s`, or is under the sanction), looks after the place
 * that it stands in: then an appeal is theirs to judge. In what stands for everybody that is staff.
 */
export const othersJudge = (who: ReturnType<typeof sql>) => sql<boolean>`exists (
  select from people other where other.id <> ${who} and other.id is distinct from case when x.id is not null then x.author_id when s.id is not null then s.keeper_id else put.person_id end
    and other.state = 'active'
    and case when g.id is null then other.site_role <> 'member' else exists (
      select from memberships lead where lead.group_id = g.id and lead.person_id = other.id and lead.state = 'member' and lead.role <> 'member') end)`;

/**
 * Takes away a post, or comment, about which a report was upheld; what is gone already stays as it is. Who may judge the report may
 * do this, also where they read nothing else of the place: whoever calls answers for that. Throws `invalid` on `reason`.
 */
export async function takeDown(tx: Tx, me: SignedIn, { postId, reason }: { postId: string; reason: string }): Promise<void> {
  if (reason.trim() === "") throw invalid("reason", "Say why: the author will read it.");
  const at = await lockedPlace(tx, postId);
  const post =
    at &&
    (await maybeOne(
      tx,
      sql<{ id: string; number: number; authorId: string }>`
        select id, number, author_id as "authorId" from posts where id = ${postId} and state in ('published', 'hidden') for no key update`,
    ));
  if (post) await takeAway(tx, me, at, { ...post, isOnly: at.isOnly }, reason.trim());
}

/**
 * Puts back a post, or comment, about whose removal an appeal was upheld, and the discussion that went with it, or with which it went; what
 * stands already stays as it is. Who may judge the appeal may do this, as above. Throws `invalid` on `reason`, and `gone` when its words are no longer kept.
 */
export async function putBack(tx: Tx, me: SignedIn, { postId, reason }: { postId: string; reason: string }): Promise<void> {
  if (reason.trim() === "") throw invalid("reason", "Say why: the author will read it.");
  const place = await lockedPlace(tx, postId);
  if (place && "discussionId" in place.at) await discussionBack(tx, me, { postId, ...place.at }, reason.trim());
  const post =
    place &&
    (await maybeOne(
      tx,
      sql<{ id: string; number: number; body: string }>`
        select id, number, body_md as body from posts where id = ${postId} and state = 'removed' for no key update`,
    ));
  if (!post) return;
  if (post.body === "") throw new Refusal("gone", "The words of this post are no longer kept.");
  await bringBack(tx, me, place, { ...post, isOnly: place.isOnly }, reason.trim());
}

async function discussionBack(tx: Tx, me: SignedIn, it: { postId: string; discussionId: string; groupId: string }, reason: string) {
  const went = await maybeOne(
    tx,
    sql`select from posts x join discussions d on d.id = x.discussion_id where x.id = ${it.postId} and ${wentWithDiscussion}`,
  );
  if (!went) return;
  const [discussion, change] = [
    { id: it.discussionId, group: { id: it.groupId } },
    { kind: "restored" as const, reason: reasonIfAny({ reason }) },
  ];
  await apply(tx, me, discussion, { ...change, set: AS_IT_WAS });
  await enterIntoLog(tx, me, discussion, change);
}
