import { type Db, maybeOne, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { withoutSights } from "#platform/markup";
import { announce } from "#platform/outbox";
import { notFound, Refusal } from "#platform/refusal";
import type { z } from "zod";
import { signedIn } from "#community/friends";
import { appealRules, type SignedIn, type Viewer } from "#community/rules";
import type { NewRemovalAppeal } from "./forms.ts";
import { assertMayReport } from "./reporting.ts";

/** Something of the viewer's own that was removed, and what they asked for. */
export type OwnRemoval = {
  postId: string;
  comment: boolean;
  html: string;
  reason: string;
  removedAt: Date;
  /** Null before they ask. */
  appeal: { text: string; askedAt: Date; outcome: "upheld" | "rejected" | null; answer: string; answeredAt: Date | null } | null;
};

const ownRemoval = (me: SignedIn, postId: string) => sql<OwnRemoval>`
  select x.id as "postId", x.resource_id is not null as comment, x.body_html as html, x.taken_reason as reason, x.taken_at as "removedAt",
    (select json_build_object('text', r.reason, 'askedAt', r.created_at, 'outcome', r.outcome, 'answer', r.answer, 'answeredAt', r.resolved_at)
     from reports r where r.post_id = x.id and r.appeal and r.created_at >= x.taken_at order by r.created_at desc limit 1) as appeal
  from posts x where x.id = ${postId} and x.author_id = ${me.id} and x.state = 'removed' and x.taken_at is not null`;

async function found(db: Db, me: SignedIn, postId: string): Promise<OwnRemoval> {
  const row = isId(postId) ? await maybeOne(db, ownRemoval(me, postId)) : undefined;
  if (!row) throw notFound();
  const { appeal } = row;
  return {
    ...row,
    html: withoutSights(row.html),
    appeal: appeal && { ...appeal, askedAt: new Date(appeal.askedAt), answeredAt: appeal.answeredAt && new Date(appeal.answeredAt) },
  };
}

/**
 * Why a post or comment of the viewer's was removed, and what they asked for, whether or not they still read where it stood: nothing but their
 * own words is told of that. Throws `not-signed-in`, and `not-found` for what is not theirs, or not removed.
 */
export const removalFor = async (db: Db, viewer: Viewer, postId: string): Promise<OwnRemoval> => found(db, signedIn(viewer), postId);

/**
 * Asks, once for each time that it was removed, that somebody else looks at it than who removed it, where there is somebody else. Throws
 * `not-found` like `removalFor`, `conflict` for who has asked, `not-allowed` after twenty days, `too-many` with what one has reported.
 */
export async function appealRemoval(tx: Tx, viewer: Viewer, input: z.output<typeof NewRemovalAppeal>): Promise<{ id: string }> {
  const me = signedIn(viewer);
  // Two at once ask one after the other.
  await run(tx, sql`select from posts where id = ${isId(input.postId) ? input.postId : null} and author_id = ${me.id} for no key update`);
  const it = await found(tx, me, input.postId);
  if (it.appeal) throw new Refusal("conflict", "You have asked already. It is asked once.");
  if (!appealRules.askOfRemoval(me, { removedAt: it.removedAt, asked: false }, tx.now))
    throw new Refusal("not-allowed", "It is too late for that: it could be asked for twenty days.");
  await assertMayReport(tx, me);
  const id = tx.newId();
  await run(
    tx,
    sql`insert into reports (id, reporter_id, post_id, reason, appeal, created_at) values (${id}, ${me.id}, ${it.postId}, ${input.text}, true, ${tx.now})`,
  );
  await run(
    tx,
    sql`insert into reported_messages (report_id, seq, author_id, body_html, written_at, edited_at, chosen)
        select ${id}, number, author_id, body_html, created_at, edited_at, true from posts where id = ${it.postId}`,
  );
  await announce(tx, { type: "report.made", reportId: id, by: me.id });
  return { id };
}
