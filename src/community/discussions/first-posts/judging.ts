import { DAY, later } from "#platform/clock";
import { limit, maybeOne, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { announce } from "#platform/outbox";
import { notFound, Refusal } from "#platform/refusal";
import type { z } from "zod";
import { audit } from "#community/audit";
import { signedIn } from "#community/friends";
import { contentReadable, discussionReadable, groupFactsJson, groupLed, groupReadable, viewersTie } from "#community/groups";
import { firstPostRules, type GroupFacts, LIMITS, type SignedIn, type Viewer, type Visibility } from "#community/rules";
import { say } from "../commenting.ts";
import { addToDraft } from "../drafts.ts";
import type { GivingBack } from "../forms.ts";
import { answer as answerIn, start } from "../writing.ts";
import { freePictures, groupAt, type HeldAt, placeOf, type Said, type Waits } from "./holding.ts";

type Held = {
  id: string;
  authorId: string;
  author: SignedIn & { state: string };
  groupId: string | null;
  discussionId: string | null;
  resourceId: string | null;
  said: Record<string, unknown> & { body: string };
  clientId: string | null;
  group: GroupFacts | null;
  visibility: Visibility | null;
  sees: boolean;
  sentBack: boolean;
};

/** Joins the container of the pending post `h`, and its group `g`, if any. */
export const withWhereItGoes = sql`
  left join discussions d on d.id = h.discussion_id left join resources s on s.id = h.resource_id
  left join groups g on g.id = coalesce(h.group_id, d.group_id, s.group_id)`;

/**
 * Whether the viewer can read the container of the pending post `h`; for a new discussion, whether they could
 * read one started at that time.
 */
export const seesPlace = sql<boolean>`
  (case when d.id is not null then ${discussionReadable} when s.id is not null then s.group_id is null or ${contentReadable("s", "created_at")}
    else ${groupLed} or (h.visibility = 'public' and ${groupReadable}) end)`;

/**
 * Publishes a pending post now, as if its author had just sent it. Returns where it is.
 * @throws `not-found` for people who may not approve it, `conflict` if it was decided already or its author
 * could no longer post there
 */
export async function letPostIn(tx: Tx, viewer: Viewer, input: { heldId: string }): Promise<{ at: HeldAt; number: number }> {
  const me = signedIn(viewer);
  const held = await heldToJudge(tx, me, input.heldId);
  await freePictures(tx, held.id);
  const { at, number, postId } = await saidBy(tx, held).catch(cannotStand);
  if ((await run(tx, sql`delete from held_posts where id = ${held.id} and sent_back_at is null`)) === 0) throw decided();
  const where = await groupAt(tx, at);
  await audit(tx, me, { act: "post.let_in", kind: "post", id: postId, details: { ...where, personId: held.authorId } });
  await announce(tx, { type: "post.let_in", ...where, postId, personId: held.authorId, by: me.id });
  return { at, number };
}

/** Posts of suspended or closed accounts are refused. */
async function saidBy(tx: Tx, held: Held): Promise<{ at: HeldAt; number: number; postId: string }> {
  const { author, said, clientId } = held;
  if (author.state !== "active") throw outOfPlace();
  if (held.visibility && held.group && !firstPostRules.stillFor(held.visibility, held.group)) throw outOfPlace();
  const input = { ...readSaid(said), ...(clientId && { clientId }) } as Said;
  const to = placeIn(held);
  if ("groupId" in to) {
    const it = stands(await start(tx, author, { ...input, ...to } as Parameters<typeof start>[2], "passed"));
    return { at: { discussionId: it.id }, number: 1, postId: it.postId };
  }
  if ("discussionId" in to) {
    const it = stands(await answerIn(tx, author, { ...input, ...to }, "passed"));
    return { at: { discussionId: it.discussionId }, number: it.number, postId: it.id };
  }
  const it = stands(await say(tx, author, { ...input, ...to }, "passed"));
  return { at: to, number: it.number, postId: it.id };
}

function stands<It extends object>(it: It): Exclude<It, Waits> {
  if ("waits" in it) throw new Error("what was looked at waits again");
  return it as Exclude<It, Waits>;
}

/** Any refusal for the author becomes a conflict for the approver. */
function cannotStand(error: unknown): never {
  if (!(error instanceof Refusal)) throw error;
  throw outOfPlace();
}
const outOfPlace = () => new Refusal("conflict", "It cannot stand there any more. Give it back, and say why.");

const decided = () => new Refusal("conflict", "Somebody has decided that already.");

/** Restores form values: dates are strings in the database. */
const readSaid = ({ pollCloses, ...said }: Held["said"]) => ({
  ...said,
  ...(typeof pollCloses === "string" && { pollCloses: new Date(pollCloses) }),
});

const placeIn = ({ groupId, discussionId, resourceId }: Held): HeldAt =>
  groupId ? { groupId } : discussionId ? { discussionId } : { resourceId: resourceId! };

/**
 * Returns a post to its author with an answer: the text goes back into their draft and can be sent again.
 * @throws `not-found`, `conflict` if it was decided already
 */
export async function sendPostBack(tx: Tx, viewer: Viewer, { heldId, answer }: z.output<typeof GivingBack>): Promise<void> {
  const me = signedIn(viewer);
  const held = await heldToJudge(tx, me, heldId);
  const at = placeIn(held);
  const done = await run(
    tx,
    sql`update held_posts set sent_back_at = ${tx.now}, answer = ${answer}, client_id = null where id = ${held.id} and sent_back_at is null`,
  );
  if (done === 0) throw decided();
  await backIntoDraft(tx, held);
  const where = await groupAt(tx, at);
  await audit(tx, me, { act: "post.sent_back", kind: "post", id: held.id, reason: answer, details: { ...where, personId: held.authorId } });
  await announce(tx, { type: "post.sent_back", heldId: held.id, ...where, personId: held.authorId, by: me.id });
}

async function backIntoDraft(tx: Tx, held: Held): Promise<void> {
  await freePictures(tx, held.id);
  const { title, body, tags, pollOptions, pollChoice, pollResults } = held.said;
  const texts = { pollChoice, pollResults, tags: joined(tags, ", "), pollOptions: joined(pollOptions, "\n") };
  const more = Object.fromEntries(Object.entries(texts).filter(([, text]) => typeof text === "string" && text !== ""));
  await addToDraft(tx, held.authorId, placeOf(placeIn(held)), { title: typeof title === "string" ? title : "", body, more });
}
const joined = (them: unknown, by: string) => (Array.isArray(them) ? them.join(by) : undefined);

/**
 * Withdraws an own pending post into its draft, or dismisses a returned one.
 * @throws `not-found` if it no longer exists
 */
export async function takeHeldBack(tx: Tx, viewer: Viewer, input: { heldId: string }): Promise<void> {
  const me = signedIn(viewer);
  const held = await heldRow(tx, me, input.heldId);
  if (!held || held.authorId !== me.id) throw notFound();
  if ((await run(tx, sql`delete from held_posts where id = ${held.id} and (sent_back_at is not null) = ${held.sentBack}`)) === 0)
    throw notFound();
  if (held.sentBack) return;
  await backIntoDraft(tx, held);
  await announce(tx, { type: "post.taken_back", heldId: held.id, ...(await groupAt(tx, placeIn(held))), by: me.id });
}

async function heldToJudge(tx: Tx, me: SignedIn, heldId: string): Promise<Held> {
  const held = await heldRow(tx, me, heldId);
  if (!held || !firstPostRules.judge(me, held)) throw notFound();
  if (held.sentBack) throw decided();
  return held;
}

/**
 * Not locked: concurrent decisions are detected at the write, which avoids a deadlock with the container's
 * lock.
 */
const heldRow = (tx: Tx, me: SignedIn, heldId: string) =>
  isId(heldId)
    ? maybeOne(
        tx,
        sql<Held>`
          select h.id, h.author_id as "authorId", h.group_id as "groupId", h.discussion_id as "discussionId", h.resource_id as "resourceId",
            h.said, h.client_id as "clientId", h.sent_back_at is not null as "sentBack", h.visibility, ${seesPlace} as sees, case when g.id is not null then ${groupFactsJson} end as "group",
            json_build_object('id', a.id, 'role', a.site_role, 'trust', a.trust, 'limited', a.state = 'limited', 'state', a.state) as author
          from held_posts h join people a on a.id = h.author_id ${withWhereItGoes} ${viewersTie(me)} where h.id = ${heldId}`,
      )
    : undefined;

/** Rows per transaction, which bounds its duration. */
const SHARE = 1_000;

/**
 * For jobs: deletes returned posts after a while and undecided ones after the retention period of drafts, and
 * detaches the pictures of these and of posts whose author or container is gone. Returns how many.
 */
export async function forgetHeldPosts(tx: Tx): Promise<number> {
  const gone = await run(
    tx,
    sql`delete from held_posts where id in (
          select id from held_posts where created_at < ${later(tx.now, -LIMITS.heldPosts.days * DAY)} or sent_back_at < ${later(tx.now, -LIMITS.heldPosts.givenBackDays * DAY)}
          order by created_at ${limit(SHARE)} for update skip locked)`,
  );
  await run(
    tx,
    sql`update uploads u set attached_kind = null, attached_id = null
        where u.attached_kind = 'held' and not exists (select from held_posts h where h.id = u.attached_id)`,
  );
  return gone;
}
