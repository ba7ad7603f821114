import { one, maybeOne, run, sql, type Tx } from "#platform/database";
import { readText } from "#platform/markup";
import { announce } from "#platform/outbox";
import { invalid, Refusal } from "#platform/refusal";
import type { z } from "zod";
import { dropSent } from "#community/common";
import { type FirstLook, firstPostRules, LIMITS, type SignedIn } from "#community/rules";
import { firstLook } from "#community/settings";
import { type NewComment, type NewDiscussion, type NewReply, place } from "../forms.ts";
import { type CalledText, PREVIEW } from "../mentions.ts";
import { assertPoll } from "../polls.ts";

/** Where a text is to stand. */
export type HeldAt = { groupId: string } | { discussionId: string } | { resourceId: string };
export type Said = z.output<typeof NewDiscussion> | z.output<typeof NewReply> | z.output<typeof NewComment>;
/** A text that waits until somebody has looked at it. */
export type Waits = { waits: string; plain: string[] };
/** Where it goes: into what is read before others read it, or past that, since it was. */
export type Eyes = "first" | "passed";

/** What was said at once; `not-allowed` for what would wait, where whoever sends it cannot be told so. Nothing is kept then. */
export function atOnce<It extends object>(it: It): Exclude<It, Waits> {
  if ("waits" in it)
    throw new Refusal("not-allowed", "What newcomers write is looked at first here. Write it on the page, where it can wait.");
  return it as Exclude<It, Waits>;
}

/** Whether this text waits. Asked of newcomers alone: nobody else's does. */
export async function mustWait(tx: Tx, me: SignedIn, may: { moderate: boolean }, { linksOut }: CalledText): Promise<boolean> {
  if (!firstPostRules.concerns(me, may)) return false;
  const { look, ...known } = await one(
    tx,
    sql<{ look: FirstLook; before: boolean; reportedBy: number }>`
      select ${firstLook} as look, exists (select from posts where author_id = ${me.id} and state = 'published') as before,
        (select count(distinct r.reporter_id)::int from posts p join reports r on r.post_id = p.id and not r.appeal
         where p.author_id = ${me.id} and (r.resolved_at is null or r.outcome = 'upheld')) as "reportedBy"`,
  );
  return firstPostRules.waits(me, look, may, { linksOut, ...known });
}

/** Throws `invalid` on `body` for links that a newcomer puts into what stands already: nobody would look at these first. */
export async function assertNoNewLinks(tx: Tx, me: SignedIn, may: { moderate: boolean }, before: string, now: CalledText): Promise<void> {
  const links = { before: readText(before, PREVIEW).linksOut, now: now.linksOut };
  // The stricter of what may be set: whether it is, is asked only then.
  if (!firstPostRules.addsLinks(me, "all", may, links)) return;
  const { look } = await one(tx, sql<{ look: FirstLook }>`select ${firstLook} as look`);
  if (firstPostRules.addsLinks(me, look, may, links))
    throw invalid("body", "Links of newcomers are looked at first here. Put it into a new reply, where it can wait.");
}

/**
 * Keeps a text until somebody who looks after the place has looked at it; sent again with the same name it is the same one. It is the
 * viewer's turn. Throws `too-many` where three of theirs wait already, and `invalid` on a field of its poll.
 */
export async function hold(tx: Tx, me: SignedIn, at: HeldAt, said: Said, text: CalledText): Promise<Waits> {
  const sent = await heldAlready(tx, me, said);
  if (sent?.same) return { waits: sent.id, plain: text.plain };
  if ("pollOptions" in said) assertPoll(tx, said);
  await assertFewWait(tx, me);
  const id = tx.newId();
  const kept = fieldsOf(said);
  await run(
    tx,
    sql`with answered as (
          delete from held_posts where author_id = ${me.id} and sent_back_at is not null and ${standsAt("held_posts", at)}),
        draft as (${dropSent(me.id, placeOf(at), said)})
        insert into held_posts (id, author_id, group_id, discussion_id, resource_id, visibility, said, body_html, client_id, created_at)
        values (${id}, ${me.id}, ${idAt(at, "groupId")}, ${idAt(at, "discussionId")}, ${idAt(at, "resourceId")},
          (select visibility from groups where id = ${idAt(at, "groupId")}), ${JSON.stringify(kept)}::jsonb, ${text.html}, ${sent ? null : (said.clientId ?? null)}, ${tx.now})`,
  );
  await run(
    tx,
    sql`update uploads set attached_kind = 'held', attached_id = ${id} where id = any(${text.pictures}::uuid[]) and owner_id = ${me.id} and attached_kind is null`,
  );
  await announce(tx, { type: "post.waits", heldId: id, ...(await groupAt(tx, at)), by: me.id });
  return { waits: id, plain: text.plain };
}

/** What was sent, without where, from which draft and under which name. */
function fieldsOf(said: Said): object {
  const { clientId: _, draftVersion: __, ...kept } = said;
  return Object.fromEntries(Object.entries(kept).filter(([name]) => !["groupId", "discussionId", "resourceId"].includes(name)));
}

/** What was sent under this name and waits; `same` unless it says something else now: a page that came back, and was written in again. */
const heldAlready = (tx: Tx, me: SignedIn, { clientId, body }: Said) =>
  clientId === undefined
    ? undefined
    : maybeOne(
        tx,
        sql<{ id: string; same: boolean }>`
          select id, said->>'body' = ${body} as same from held_posts where author_id = ${me.id} and client_id = ${clientId}`,
      );

async function assertFewWait(tx: Tx, me: SignedIn): Promise<void> {
  const { waiting } = await one(
    tx,
    sql<{ waiting: number }>`select count(*)::int as waiting from held_posts where author_id = ${me.id} and sent_back_at is null`,
  );
  if (waiting >= LIMITS.heldPosts.most)
    throw new Refusal("too-many", "Three of your texts wait to be looked at. As soon as one of them was, you can send more.");
}

const idAt = (at: HeldAt, name: "groupId" | "discussionId" | "resourceId") => (name in at ? (at as Record<string, string>)[name]! : null);

/** Whether the held post in the row of this name is for a place. */
export const standsAt = (row: string, at: HeldAt) => {
  const h = sql.ref(row);
  if ("groupId" in at) return sql<boolean>`${h}.group_id = ${at.groupId}`;
  return "discussionId" in at ? sql<boolean>`${h}.discussion_id = ${at.discussionId}` : sql<boolean>`${h}.resource_id = ${at.resourceId}`;
};

/** Where it is written, as drafts name it. */
export const placeOf = (at: HeldAt): string =>
  "groupId" in at ? place.group(at.groupId) : "discussionId" in at ? place.discussion(at.discussionId) : place.resource(at.resourceId);

/** What a happening says of where it is: the group, if it is in one, and what stands there already. */
export async function groupAt(tx: Tx, at: HeldAt): Promise<{ groupId: string | null; discussionId?: string; resourceId?: string }> {
  if ("groupId" in at) return at;
  const { groupId } = await one(
    tx,
    "discussionId" in at
      ? sql<{ groupId: string | null }>`select group_id as "groupId" from discussions where id = ${at.discussionId}`
      : sql<{ groupId: string | null }>`select group_id as "groupId" from resources where id = ${at.resourceId}`,
  );
  return { groupId, ...at };
}

/** Pictures of what waits no longer belong to nothing, as if they had come just now: a text may show them, or they go in two days. */
export const freePictures = (tx: Tx, heldId: string) =>
  run(
    tx,
    sql`update uploads set attached_kind = null, attached_id = null, created_at = ${tx.now} where attached_kind = 'held' and attached_id = ${heldId}`,
  );
