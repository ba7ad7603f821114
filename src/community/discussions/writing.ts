import { later, MINUTE } from "#platform/clock";
import { lastly, maybeOne, run, sql, together, type Tx } from "#platform/database";
import { announce, announced, announcing, type Happening } from "#platform/outbox";
import { notFound, Refusal } from "#platform/refusal";
import type { z } from "zod";
import { dropSent } from "#community/common";
import { partedFrom, signedIn } from "#community/friends";
import { groupToChange } from "#community/groups";
import { discussionRules, type GroupFacts, groupRules, LIMITS, type SignedIn, type Viewer } from "#community/rules";
import { cannotReply, type DiscussionToAnswer, selectToAnswer, writesNothing } from "./discussion.ts";
import { atOnce, type Eyes, hold, mustWait, type Waits } from "./first-posts/holding.ts";
import { type NewDiscussion, type NewReply, place } from "./forms.ts";
import { calledIn, type CalledText, keepCalled } from "./mentions.ts";
import { languageOfText } from "./language.ts";
import { nowAt } from "./merging.ts";
import { assertNotCrowded, assertNotFull, assertMayReplyNow, assertMayStartNow, repliesOf, turnOf } from "./pace.ts";
import { openPoll } from "./polls.ts";
import { fullIsClosed } from "./timing.ts";

type Started = { id: string; postId: string; plain: string[] };

/**
 * Starts a discussion and follows it for the viewer; stored once per `clientId`. `plain` lists unresolved
 * mentions.
 * @throws `not-found` for a group the viewer may not know of, `not-allowed` if they may not write in it or
 * the text needs approval, `too-many` above the rate limit, `invalid` on `body` for too many links or
 * pictures, and on a poll field
 */
export const startDiscussion = async (tx: Tx, viewer: Viewer, input: z.output<typeof NewDiscussion>): Promise<Started> =>
  atOnce(await startOrWait(tx, viewer, input));

/**
 * Like `startDiscussion`, but keeps a text that needs approval as a pending post (`waits`).
 * @throws `too-many` for too many pending posts
 */
export const startOrWait = (tx: Tx, viewer: Viewer, input: z.output<typeof NewDiscussion>): Promise<Started | Waits> =>
  start(tx, signedIn(viewer), input, "first");

/** Approved posts (`passed`) are exempt from rate limits. */
export async function start(tx: Tx, me: SignedIn, input: z.output<typeof NewDiscussion>, eyes: Eyes): Promise<Started | Waits> {
  const group = await groupToChange(tx, me, input.groupId, "read");
  const sent = await startedAlready(tx, me, input);
  if (sent?.same) return { id: sent.id, postId: sent.postId, plain: [] };
  if (!groupRules.start(me, group)) throw cannotStart(me, group);
  if (eyes === "first") await assertMayStartNow(tx, me);
  const started = { id: tx.newId(), postId: tx.newId() };
  const text = await calledIn(tx, me, { groupId: group.id, audience: "group" }, input.body, started.postId);
  await assertNotCrowded(tx, me, text);
  if (eyes === "first" && (await mustWait(tx, me, { moderate: groupRules.moderate(me, group) }, text)))
    return hold(tx, me, { groupId: group.id }, input, text);
  const language = await languageOfText(tx, me.id, input);
  await run(
    tx,
    sql`with discussion as (
          insert into discussions (id, group_id, author_id, title, language, language_known, tags, posts_count, last_number, last_post_at, last_post_by, created_at)
          values (${started.id}, ${group.id}, ${me.id}, ${input.title}, ${language}, true, ${input.tags}::text[], 1, 1, ${tx.now}, ${me.id}, ${tx.now})),
        post as (
          insert into posts (id, discussion_id, number, author_id, body_md, body_html, client_id, created_at)
          values (${started.postId}, ${started.id}, 1, ${me.id}, ${input.body}, ${text.html}, ${sent ? null : (input.clientId ?? null)}, ${tx.now})),
        reading as (
          insert into read_states (person_id, discussion_id, last_read_number, level, read_at) values (${me.id}, ${started.id}, 1, 'tracking', ${tx.now})),
        draft as (${dropSent(me.id, place.group(group.id), input)})
        ${groupIsActive(tx, group.id)}`,
  );
  await openPoll(tx, started.postId, input);
  await announce(tx, { type: "discussion.started", discussionId: started.id, groupId: group.id, postId: started.postId, by: me.id });
  if (bringsAlong(text)) await keepCalled(tx, me, { postId: started.postId, discussionId: started.id, groupId: group.id }, text);
  return { ...started, plain: text.plain };
}

/** Why a person who can see a group cannot start a discussion in it. */
export function cannotStart(viewer: Viewer, group: GroupFacts): Refusal {
  if (group.state === "archived") return new Refusal("not-allowed", "This group is archived: it can be read, not written in.");
  if (group.state === "pending") return new Refusal("not-allowed", "This group waits to be let in: then you can write in it.");
  if (viewer.limited) return writesNothing();
  return groupRules.write(viewer, group)
    ? new Refusal("not-allowed", "Only those who look after the group start discussions here.")
    : new Refusal("not-allowed", "Join the group to write in it.");
}

/**
 * Two requests of one submission wait for each other here, so that the second finds the stored result. The
 * same client id with another text is a restored page that was edited, hence a new submission.
 */
async function startedAlready(tx: Tx, me: SignedIn, { clientId, title, body }: z.output<typeof NewDiscussion>) {
  if (!clientId) return undefined;
  await run(tx, sql`select pg_advisory_xact_lock(hashtextextended(${clientId}, 0))`);
  return maybeOne(
    tx,
    sql<{ id: string; postId: string; same: boolean }>`
      select p.discussion_id as id, p.id as "postId", p.number = 1 and p.body_md = ${body} and d.title = ${title} is true as same
      from posts p left join discussions d on d.id = p.discussion_id where p.author_id = ${me.id} and p.client_id = ${clientId}`,
  );
}

/** Most texts have no references: then no further statement is needed. */
const bringsAlong = ({ called, pictures, links, resources }: CalledText) =>
  called.length + pictures.length + links.length + resources.length > 0;

/** Precise to the minute: updating each time would make all writers of a group wait for one row. */
const groupIsActive = (tx: Tx, groupId: string) =>
  sql`update groups set last_active_at = ${tx.now} where id = ${groupId} and last_active_at < ${later(tx.now, -MINUTE)}`;

type Written = { id: string; number: number; discussionId: string; plain: string[] };
type WaitsThere = Waits & { discussionId: string };

/**
 * Replies in a discussion, with the next number without gaps. A reply to one merged meanwhile is stored in
 * the target, whose id is `discussionId`. Stored once per `clientId`; a repeat returns the first result even
 * if the viewer can no longer write. `plain` lists unresolved mentions.
 * @throws `not-found`, `not-allowed` if the viewer may not write or the text needs approval, `too-many` above
 * the rate limit, `conflict` after three in a row, when full, or while the same is sent elsewhere, `invalid`
 * on `body` for too many links or pictures, and on a poll field
 */
export const reply = async (tx: Tx, viewer: Viewer, input: z.output<typeof NewReply>): Promise<Written> =>
  atOnce(await replyOrWait(tx, viewer, input));

/**
 * Like `reply`, but keeps a text that needs approval as a pending post (`waits`).
 * @throws `too-many` for too many pending posts
 */
export const replyOrWait = (tx: Tx, viewer: Viewer, input: z.output<typeof NewReply>): Promise<Written | WaitsThere> =>
  answer(tx, signedIn(viewer), input, "first");

/** Approved posts (`passed`) are exempt from rate limits. */
export async function answer(tx: Tx, me: SignedIn, input: z.output<typeof NewReply>, eyes: Eyes): Promise<Written | WaitsThere> {
  const { discussion, sent, written } = await beforeReplying(tx, me, input);
  if (sent.same) return { id: sent.id, number: sent.number, discussionId: discussion.id, plain: [] };
  if (!discussionRules.reply(me, discussion)) throw cannotReply(me, discussion);
  assertNotFull(discussion);
  if (eyes === "first") await assertMayReplyNow(tx, me, discussion, written);
  const id = tx.newId();
  const text = await calledIn(tx, me, { groupId: discussion.group.id, audience: discussion.audience }, input.body, id);
  await assertNotCrowded(tx, me, text, { discussionId: discussion.id, groupId: discussion.group.id });
  if (eyes === "first" && (await mustWait(tx, me, { moderate: discussionRules.moderate(me, discussion) }, text)))
    return { ...(await hold(tx, me, { discussionId: discussion.id }, input, text)), discussionId: discussion.id };
  // The discussion's row is locked, so the next number is free, unless the post is stored already.
  const number = discussion.lastNumber + 1;
  const at = { discussionId: discussion.id, groupId: discussion.group.id, postId: id };
  const happening = { type: "post.written", ...at, number, by: me.id };
  const post = { ...input, id, number, html: text.html, clientId: sent.id === null ? input.clientId : undefined };
  // Without poll or references, no further statement follows.
  const isAll = !input.pollOptions?.length && !bringsAlong(text) && number < LIMITS.postsInDiscussion;
  const told = await (isAll ? lastly : maybeOne)(tx, insertReply(tx, me, discussion, post, happening));
  if (!told) throw new Refusal("conflict", "That is being sent somewhere else just now.");
  announced(tx, happening, told.id);
  await openPoll(tx, id, input);
  if (bringsAlong(text)) await keepCalled(tx, me, at, text);
  if (number >= LIMITS.postsInDiscussion) await fullIsClosed(tx, me, discussion);
  return { id, number, discussionId: discussion.id, plain: text.plain };
}

type Post = Pick<z.output<typeof NewReply>, "body" | "replyTo" | "draftVersion"> & {
  id: string;
  number: number;
  html: string;
  clientId: string | undefined;
};

/** Stores the post and its event in one statement; returns nothing if it is stored already. */
const insertReply = (tx: Tx, me: SignedIn, discussion: DiscussionToAnswer, post: Post, happening: Happening) => sql<{ id: string }>`
  with written as (
    insert into posts (id, discussion_id, number, author_id, reply_to, body_md, body_html, client_id, created_at)
    values (${post.id}, ${discussion.id}, ${post.number}, ${me.id}, ${answered(me, discussion, post.replyTo)},
      ${post.body}, ${post.html}, ${post.clientId ?? null}, ${tx.now})
    on conflict (author_id, client_id) where client_id is not null do nothing
    returning id, number),
  counted as (
    update discussions set posts_count = posts_count + 1, last_number = written.number, last_post_at = ${tx.now}, last_post_by = ${me.id}
    from written where discussions.id = ${discussion.id}),
  reading as (
    insert into read_states (person_id, discussion_id, last_read_number, level, level_chosen, read_at)
    select ${me.id}, ${discussion.id}, number, 'tracking', ${fromOutside(discussion)}, ${tx.now} from written
    on conflict (person_id, discussion_id) do update set read_at = excluded.read_at,
      last_read_number = case when read_states.last_read_number >= ${discussion.lastNumber} then excluded.last_read_number else read_states.last_read_number end,
      level = case when read_states.level = 'normal' and not read_states.level_chosen then 'tracking' else read_states.level end,
      level_chosen = read_states.level_chosen or excluded.level_chosen),
  active as (${groupIsActive(tx, discussion.group.id)}),
  draft as (${dropSent(me.id, place.discussion(discussion.id), post)} and exists (select from written))
  ${announcing(tx, happening, "written")}`;

/** A replying non-member follows the discussion by choice, since no group membership brings it up again. */
const fromOutside = ({ group }: DiscussionToAnswer) => group.viewerState !== "member";

/** The post replied to: in this discussion, and not across a block. */
const answered = (me: SignedIn, discussion: DiscussionToAnswer, replyTo: string | undefined) =>
  replyTo === undefined
    ? sql`null`
    : sql`(select q.id from posts q where q.id = ${replyTo} and q.discussion_id = ${discussion.id} and q.number > ${discussion.hiddenUpTo} and q.author_id <> all(${partedFrom(me)}))`;

/**
 * Locks the discussion, or the one it was merged into, takes the writer lock, and loads earlier activity.
 * @throws `not-found`
 */
async function beforeReplying(tx: Tx, me: SignedIn, input: z.output<typeof NewReply>) {
  for (let { discussionId: id } = input; ;) {
    const [[discussion], [sent], [written]] = await together(
      tx,
      selectToAnswer(me, id),
      sentAlready(me, { ...input, discussionId: id }),
      repliesOf(tx, me, id),
    );
    if (discussion) return { discussion, sent: sent!, written: written! };
    const now = await nowAt(tx, me, id);
    if (!now) throw notFound();
    id = now.discussion.id;
  }
}

type Sent = { id: string; number: number; same: boolean } | { id: null; number: null; same: false };

/** The reply stored earlier for this submission; `same` unless the text differs. Takes the writer lock. */
const sentAlready = (me: SignedIn, { discussionId, clientId, body }: z.output<typeof NewReply>) => sql<Sent>`
  select p.id, p.number, p.id is not null and p.discussion_id = ${discussionId} and p.body_md = ${body} is true as same
  from (${turnOf(me)}) turn left join posts p on p.author_id = ${me.id} and p.client_id = ${clientId ?? null}::uuid`;
