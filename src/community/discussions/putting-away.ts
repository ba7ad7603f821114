import { DAY, later, SECOND } from "#platform/clock";
import { limit, maybeOne, run, sql, type Tx } from "#platform/database";
import { invalid, Refusal } from "#platform/refusal";
import { signedIn } from "#community/friends";
import { discussionRules, type PostFacts, type SignedIn, type Viewer } from "#community/rules";
import { bringBack } from "./changing.ts";
import { type Discussion, discussionToChange } from "./discussion.ts";
import { groundOf } from "./ground.ts";
import { AS_IT_WAS, type Change, type Explained, moderate, type Reasoned, reasonIfAny, reasonOf, UNPINNED } from "./moderating.ts";

/** To be read, not written in, and out of the lists. All of these throw `not-found`, `not-allowed`, `invalid` on `reason`. */
export const archiveDiscussion = (tx: Tx, viewer: Viewer, input: Reasoned) =>
  moderate(tx, viewer, input, (me, { state }) => {
    if (state !== "open") throw new Refusal("conflict", "It is archived already.");
    return {
      kind: "archived",
      reason: reasonOf(input),
      set: sql`state = 'archived', archived_at = ${tx.now}, archived_by = ${me.id}, ${UNPINNED}`,
    };
  });

/** To be written in again, and in the lists. `conflict` where it is not archived; needs no reason. */
export const unarchiveDiscussion = (tx: Tx, viewer: Viewer, input: Explained) =>
  moderate(tx, viewer, input, (_me, { state }) => {
    if (state !== "archived") throw new Refusal("conflict", "It is not archived.");
    return { kind: "unarchived", reason: reasonIfAny(input), set: sql`state = 'open', archived_at = null, archived_by = null` };
  });

/**
 * Gone for everybody but those who look after the group, who can bring it back within 30 days. Whoever began it reads why, and may ask
 * that it comes back (`appealRemoval`).
 */
export const deleteDiscussion = (tx: Tx, viewer: Viewer, input: Reasoned) =>
  moderate(tx, viewer, input, (me) => {
    if (!input.reason.trim()) throw invalid("reason", "Say why: whoever began it will read it.");
    const reason = reasonOf(input);
    return {
      kind: "deleted",
      reason,
      set: sql`state = 'deleted', deleted_at = ${tx.now}, deleted_by = ${me.id}, deleted_reason = ${reason}, ${UNPINNED}`,
    };
  });

/**
 * Brings it back as it was: archived, where it had been archived, and with its only post, where it went with that. `conflict` where the
 * author took that away, and `gone` when its words are no longer kept.
 */
export async function restoreDiscussion(tx: Tx, viewer: Viewer, input: Explained): Promise<void> {
  const decide = (_me: SignedIn, { state }: Discussion): Change => {
    if (state !== "deleted") throw new Refusal("conflict", "It is not deleted.");
    return { kind: "restored", reason: reasonIfAny(input), set: AS_IT_WAS };
  };
  await moderate(tx, viewer, input, decide, discussionRules.moderate);
  await withItsOnlyPost(tx, viewer, input);
}

async function withItsOnlyPost(tx: Tx, viewer: Viewer, input: Explained): Promise<void> {
  const discussion = await discussionToChange(tx, viewer, input.discussionId);
  if (discussion.lastNumber > 1) return;
  const post = await maybeOne(
    tx,
    sql<{ id: string; number: number; state: PostFacts["state"]; body: string }>`
      select id, number, state, body_md as body from posts where discussion_id = ${discussion.id} for no key update`,
  );
  if (post?.state === "deleted_by_author")
    throw new Refusal("conflict", "Its author took away what stood there, and nobody else can bring that back.");
  if (post?.state !== "removed") return;
  if (post.body === "") throw new Refusal("gone", "The words of this post are no longer kept.");
  await bringBack(tx, signedIn(viewer), groundOf(viewer, discussion), { ...post, isOnly: true }, reasonIfAny(input));
}

const RESTORABLE = 30 * DAY;
const SHARE = 100;

/** Until when the deleted discussion `d` can be brought back. */
export const restorableUntil = sql<Date>`
  d.deleted_at + make_interval(secs => case when d.last_number = 1 and d.deleted_by = d.author_id then ${DAY / SECOND}::float8 else ${RESTORABLE / SECOND} end)`;

/** Its author has asked that it comes back, and nobody has answered yet: until then it is kept. */
const asksForIt = sql`(r.appeal and r.resolved_at is null)`;

/** A post whose author took it away before anybody had said something after it, and about which nothing is to be decided. */
const takenBack = sql`(
  state = 'deleted_by_author' and not exists (select from reports r where r.post_id = posts.id and r.resolved_at is null)
  and not exists (select from posts after where after.discussion_id = posts.discussion_id and after.number > posts.number)
  and not exists (select from posts after where after.resource_id = posts.resource_id and after.number > posts.number))`;

/**
 * For the clock: discussions deleted 30 days ago, or a day ago by an author whom nobody had answered; and the words of
 * posts that were taken away as long ago, with where they led and whom they called: their places stay. What they showed
 * belongs to nothing from then on. A share of each at a time.
 */
export async function purgeTakenAway(tx: Tx): Promise<void> {
  await run(
    tx,
    sql`with gone as (
          delete from discussions where id in (
            select d.id from discussions d where d.state = 'deleted' and ${restorableUntil} < ${tx.now}
              and not exists (select from posts p join reports r on r.post_id = p.id where p.discussion_id = d.id and ${asksForIt})
            order by d.deleted_at ${limit(SHARE)} for update skip locked)
          returning id)
        ${freeUploadsOf(sql`select p.id from gone join posts p on p.discussion_id = gone.id`)}`,
  );
  await run(
    tx,
    sql`with taken as (
          update posts set body_md = '', body_html = '', taken_at = null where id in (
            select id from posts where state in ('deleted_by_author', 'removed') and taken_at < ${later(tx.now, -DAY)}
              and (${takenBack} or (taken_at < ${later(tx.now, -RESTORABLE)} and not exists (select from reports r where r.post_id = posts.id and ${asksForIt})))
            order by taken_at ${limit(SHARE)} for update skip locked)
          returning id),
        asked as (delete from polls where post_id in (select id from taken)),
        led as (delete from post_links where post_id in (select id from taken)),
        called as (delete from post_mentions where post_id in (select id from taken)),
        freed as (${freeUploadsOf(sql`select id from taken`)})
        delete from post_revisions where post_id in (select id from taken)`,
  );
}

/** What these posts show belongs to nothing from now on; `posts` is a subquery with their ids. */
export const freeUploadsOf = (posts: ReturnType<typeof sql>) =>
  sql`update uploads set attached_kind = null, attached_id = null where attached_kind = 'post' and attached_id in (${posts})`;
