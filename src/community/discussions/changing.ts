import { later, MINUTE } from "#platform/clock";
import { maybeOne, one, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { announce } from "#platform/outbox";
import { invalid, notFound, Refusal } from "#platform/refusal";
import type { z } from "zod";
import { audit } from "#community/audit";
import { blockedOf, blockersOf, partedFrom, signedIn } from "#community/friends";
import { discussionRules, type PostFacts, type SignedIn, type Viewer } from "#community/rules";
import { type Discussion, discussionToChange } from "./discussion.ts";
import type { NewReaction, PostChange } from "./forms.ts";
import { calledIn, keepCalled } from "./mentions.ts";
import { alone, assertFewLinks, assertMayEditNow, assertMayHaveReacted } from "./pace.ts";
import { pastBlocksIn } from "./posts.ts";

/** Within this time of writing, a change leaves no mark. */
const SILENT = 5 * MINUTE;

type PostFound = PostFacts & {
  /** A block parts the two, whatever the viewer sees as somebody who looks after the group. */
  parted: boolean;
  id: string;
  number: number;
  version: number;
  body: string;
  createdAt: Date;
  edited: boolean;
  isOnly: boolean;
};

/** A post with its discussion, both locked. `not-found` for what the viewer may not read. */
export async function postToChange(tx: Tx, me: SignedIn, postId: string): Promise<{ post: PostFound; discussion: Discussion }> {
  const place = isId(postId)
    ? await maybeOne(tx, sql<{ id: string | null }>`select discussion_id as id from posts where id = ${postId}`)
    : undefined;
  if (!place?.id) throw notFound();
  const discussion = await discussionToChange(tx, me, place.id);
  const post = await maybeOne(
    tx,
    sql<PostFound>`
      select id, number, version, body_md as body, author_id as "authorId", state, created_at as "createdAt", edited_at is not null as edited, ${discussion.lastNumber} = 1 as "isOnly",
        author_id = any(${blockersOf(me, pastBlocksIn(me, discussion))}) as "blocksViewer", author_id = any(${blockedOf(me)}) as "viewerBlocks",
        author_id = any(${partedFrom(me)}) as parted
      from posts where id = ${postId} and number > ${discussion.hiddenUpTo} for no key update`,
  );
  if (!post) throw notFound();
  return { post, discussion };
}

/**
 * Changes one's own post within its time, or, with a reason, another's where the viewer looks after the group; `plain` as
 * in `reply`. `version` is the one that the change was made from: `conflict` when the text has changed since. Sending the
 * same text twice changes it once. Throws `not-found`, `not-allowed`, `invalid` on `reason` and `body`, `too-many`.
 */
export async function editPost(tx: Tx, viewer: Viewer, input: z.output<typeof PostChange>): Promise<{ plain: string[] }> {
  const me = signedIn(viewer);
  const { post, discussion } = await postToChange(tx, me, input.postId);
  const own = post.authorId === me.id;
  if (own) assertMayEdit(tx, me, post, discussion);
  else if (!discussionRules.amendPost(me, post, discussion)) throw notYours();
  const reason = own ? "" : (input.reason ?? "").trim();
  if (!own && reason === "") throw invalid("reason", "Say why: the author will read it.");
  if (post.body === input.body) return { plain: [] };
  if (post.version !== input.version)
    throw new Refusal("conflict", "This post has been changed elsewhere meanwhile. Look at both texts, then save what shall stand.");
  // It stays its author's text, whoever's hand was in it: it calls whom they may call, and shows their pictures.
  const author = own ? me : await authorOf(tx, post.id);
  const text = await calledIn(tx, author, discussion.group.id, input.body, post.id);
  if (own) assertFewLinks(me, text);
  await assertMayEditNow(tx, me, discussion);
  const at = { discussionId: discussion.id, groupId: discussion.group.id };
  await store(tx, me, post, { body: input.body, html: text.html, reason });
  if (!own) await audit(tx, me, { act: "post.changed", kind: "post", id: post.id, reason, details: at });
  await announce(tx, { type: "post.edited", ...at, postId: post.id, number: post.number, by: me.id });
  await keepCalled(tx, author, { postId: post.id, ...at }, text);
  return { plain: text.plain };
}

const notYours = () => new Refusal("not-allowed", "This post cannot be changed by you.");

function assertMayEdit(tx: Tx, me: SignedIn, post: PostFound, discussion: Discussion) {
  if (!discussionRules.editPost(me, post, discussion)) throw notYours();
  if (later(post.createdAt, discussionRules.editWindow(me)) < tx.now)
    throw new Refusal("not-allowed", "The time to change this post is over.");
}

const authorOf = (tx: Tx, postId: string) =>
  one(
    tx,
    sql<SignedIn>`
      select a.id, a.site_role as role, a.trust, a.state = 'limited' as limited from posts p join people a on a.id = p.author_id where p.id = ${postId}`,
  );

/** A change leaves its mark, but for an author's own within the first minutes, while nobody else has changed anything. */
async function store(tx: Tx, me: SignedIn, post: PostFound, { body, html, reason }: { body: string; html: string; reason: string }) {
  const marked = post.authorId !== me.id || post.edited || later(post.createdAt, SILENT) < tx.now;
  if (marked)
    await run(
      tx,
      sql`insert into post_revisions (post_id, body_md, replaced_at, replaced_by, reason)
          select id, body_md, ${tx.now}, ${me.id}, ${reason} from posts where id = ${post.id}`,
    );
  await run(
    tx,
    sql`update posts set body_md = ${body}, body_html = ${html}, version = version + 1, edited_at = ${marked ? tx.now : sql`edited_at`} where id = ${post.id}`,
  );
}

/**
 * Takes a post away: one's own, or, with a reason, another's where the viewer moderates. A tombstone keeps its number;
 * a discussion that nobody answered goes with its only post. Throws `not-found`, `not-allowed`, `invalid` on `reason`.
 */
export async function deletePost(
  tx: Tx,
  viewer: Viewer,
  input: { postId: string; reason?: string | undefined },
): Promise<{ discussionId: string; discussionGone: boolean }> {
  const me = signedIn(viewer);
  const { post, discussion } = await postToChange(tx, me, input.postId);
  if (post.state !== "published" && post.state !== "hidden") throw notFound();
  const own = post.authorId === me.id;
  if (!own && !discussionRules.moderate(me, discussion))
    throw new Refusal("not-allowed", "Only its author and those who look after the group can remove this post.");
  if (!own && !input.reason?.trim()) throw invalid("reason", "Say why: the author will read it.");
  await takeAway(tx, me, discussion, post, own ? "" : (input.reason ?? "").trim().slice(0, 300));
  if (!own)
    await audit(tx, me, {
      act: "post.removed",
      kind: "post",
      id: post.id,
      reason: input.reason ?? null,
      details: { discussionId: discussion.id, groupId: discussion.group.id },
    });
  await announce(tx, {
    type: own ? "post.deleted" : "post.removed",
    discussionId: discussion.id,
    groupId: discussion.group.id,
    postId: post.id,
    number: post.number,
    by: me.id,
  });
  return { discussionId: discussion.id, discussionGone: post.isOnly };
}

async function takeAway(tx: Tx, me: SignedIn, discussion: Discussion, post: PostFound, reason: string) {
  const own = post.authorId === me.id;
  await run(
    tx,
    sql`update posts set state = ${own ? "deleted_by_author" : "removed"}, taken_at = ${tx.now}, taken_by = ${me.id}, taken_reason = ${reason} where id = ${post.id}`,
  );
  if (post.isOnly) {
    await run(tx, sql`update discussions set state = 'deleted', deleted_at = ${tx.now}, deleted_by = ${me.id} where id = ${discussion.id}`);
    await announce(tx, { type: "discussion.deleted", discussionId: discussion.id, groupId: discussion.group.id, by: me.id });
  } else if (post.number > 1) await run(tx, sql`update discussions set posts_count = posts_count - 1 where id = ${discussion.id}`);
}

/**
 * Brings back a post that was removed, within 30 days. Throws `not-found` for one that was not, `not-allowed`, `invalid`
 * on `reason`, and `gone` when its words are no longer kept.
 */
export async function restorePost(tx: Tx, viewer: Viewer, input: { postId: string; reason: string }): Promise<void> {
  const me = signedIn(viewer);
  const { post, discussion } = await postToChange(tx, me, input.postId);
  if (!discussionRules.moderate(me, discussion)) throw new Refusal("not-allowed", "Only those who look after the group can do this.");
  if (post.state !== "removed") throw notFound();
  if (!input.reason.trim()) throw invalid("reason", "Say why: the author will read it.");
  if (post.body === "") throw new Refusal("gone", "The words of this post are no longer kept.");
  await run(tx, sql`update posts set state = 'published', taken_at = null, taken_by = null, taken_reason = '' where id = ${post.id}`);
  if (post.number > 1) await run(tx, sql`update discussions set posts_count = posts_count + 1 where id = ${discussion.id}`);
  await audit(tx, me, {
    act: "post.restored",
    kind: "post",
    id: post.id,
    reason: input.reason.trim().slice(0, 300),
    details: { discussionId: discussion.id, groupId: discussion.group.id },
  });
  await announce(tx, {
    type: "post.restored",
    discussionId: discussion.id,
    groupId: discussion.group.id,
    postId: post.id,
    number: post.number,
    by: me.id,
  });
}

/** Leaves a reaction; leaving it twice is leaving it once. Throws `not-found`, `not-allowed`, `too-many` above fifty in a day. */
export async function react(tx: Tx, viewer: Viewer, input: z.output<typeof NewReaction>): Promise<void> {
  const { me, post, discussion } = await reacting(tx, viewer, input.postId);
  await alone(tx, me);
  const added = await run(
    tx,
    sql`insert into reactions (post_id, person_id, emoji, created_at) values (${post.id}, ${me.id}, ${input.emoji}, ${tx.now}) on conflict do nothing`,
  );
  if (added === 0) return;
  await assertMayHaveReacted(tx, me);
  await announce(tx, {
    type: "post.reacted",
    discussionId: discussion.id,
    groupId: discussion.group.id,
    postId: post.id,
    emoji: input.emoji,
    by: me.id,
  });
}

/** Takes a reaction back. */
export async function unreact(tx: Tx, viewer: Viewer, input: z.output<typeof NewReaction>): Promise<void> {
  const { me, post, discussion } = await reacting(tx, viewer, input.postId);
  const gone = await run(tx, sql`delete from reactions where post_id = ${post.id} and person_id = ${me.id} and emoji = ${input.emoji}`);
  if (gone > 0)
    await announce(tx, {
      type: "post.unreacted",
      discussionId: discussion.id,
      groupId: discussion.group.id,
      postId: post.id,
      emoji: input.emoji,
      by: me.id,
    });
}

async function reacting(tx: Tx, viewer: Viewer, postId: string) {
  const me = signedIn(viewer);
  const { post, discussion } = await postToChange(tx, me, postId);
  if (!discussionRules.react(me, discussion)) throw new Refusal("not-allowed", "Only members react here.");
  if (post.parted || discussionRules.stub(me, post, false)) throw new Refusal("not-allowed", "There is nothing to react to.");
  return { me, post, discussion };
}
