import { type Db, maybeOne, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { stripMedia } from "#platform/markup";
import { emit } from "#platform/outbox";
import { notFound, Refusal } from "#platform/refusal";
import type { z } from "zod";
import { wasDeletedWithDiscussion } from "#community/discussions";
import { requireSignedIn } from "#community/friends";
import { appealRules, type SignedIn, type Viewer } from "#community/rules";
import { storeReportFiles } from "#community/common";
import type { NewRemovalAppeal, NewResourceAppeal } from "./report-forms.ts";
import { assertReportLimit } from "./report-content.ts";
import { resourceSnapshot } from "./report-snapshots.ts";

/** Removed content of the viewer, with the appeal against its removal. */
export type OwnRemoval = {
  id: string;
  what: "discussion" | "post" | "comment" | "resource";
  html: string;
  reason: string;
  removedAt: Date;
  /** Null if the viewer has not appealed. */
  appeal: OwnAppeal | null;
};
export type OwnAppeal = {
  text: string;
  askedAt: Date;
  outcome: "upheld" | "rejected" | null;
  answer: string;
  answeredAt: Date | null;
};

const appealColumn = (removedAt: ReturnType<typeof sql>) => sql`
  (select json_build_object('text', r.reason, 'askedAt', r.created_at, 'outcome', r.outcome, 'answer',
    r.answer, 'answeredAt', r.resolved_at)
   from reports r where r.about_id = x.id and r.appeal and r.created_at >= ${removedAt}
   order by r.created_at desc limit 1)`;

/** Time of removal of the post `x`, with its discussion `d` or alone. */
const removedAtColumn = sql`case when ${wasDeletedWithDiscussion("x", "d")} then d.deleted_at
  else x.removed_at end`;

/** Does not require access to the discussion or resource, because it returns only the author's own text. */
async function findRemovedPost(db: Db, me: SignedIn, postId: string): Promise<OwnRemoval | undefined> {
  const row = await maybeOne(
    db,
    sql<OwnRemoval>`
      select x.id, case when ${wasDeletedWithDiscussion("x", "d")} then 'discussion'
          when x.resource_id is null then 'post'
        else 'comment' end as what, x.body_html as html,
        case when ${wasDeletedWithDiscussion("x", "d")} then d.deleted_reason else x.removed_reason
          end as reason, ${removedAtColumn} as "removedAt", ${appealColumn(removedAtColumn)} as appeal
      from posts x left join discussions d on d.id = x.discussion_id
      where x.id = ${postId} and x.author_id = ${me.id}
        and (${wasDeletedWithDiscussion("x", "d")} or (x.state = 'removed' and x.removed_at is not null))`,
  );
  return row && { ...row, html: stripMedia(row.html) };
}

type RemovedResource = Omit<OwnRemoval, "html" | "what"> & Parameters<typeof resourceSnapshot>[0];

/** Excludes resources that the owner removed: the owner can restore these without an appeal. */
async function findRemovedResource(
  db: Db,
  me: SignedIn,
  resourceId: string,
): Promise<OwnRemoval | undefined> {
  const row = await maybeOne(
    db,
    sql<RemovedResource>`
      select x.id, x.title, x.why, x.url, x.tags, x.body_html as "bodyHtml", x.removed_reason as reason,
        x.removed_at as "removedAt", ${appealColumn(sql`x.removed_at`)} as appeal
      from resources x where x.id = ${resourceId} and x.owner_id = ${me.id} and x.state = 'removed'
        and x.removed_by is distinct from x.owner_id`,
  );
  if (!row) return undefined;
  const { id, reason, removedAt, appeal } = row;
  return { id, what: "resource", html: stripMedia(resourceSnapshot(row)), reason, removedAt, appeal };
}

async function requireRemoval(
  db: Db,
  me: SignedIn,
  look: typeof findRemovedPost,
  id: string,
): Promise<OwnRemoval> {
  const row = isId(id) ? await look(db, me, id) : undefined;
  if (!row) throw notFound();
  const { appeal } = row;
  return {
    ...row,
    appeal: appeal && {
      ...appeal,
      askedAt: new Date(appeal.askedAt),
      answeredAt: appeal.answeredAt && new Date(appeal.answeredAt),
    },
  };
}

/**
 * The reason why the viewer's post or comment, or the discussion that started with it, was removed, and the
 * viewer's appeal.
 * @throws `not-signed-in`; `not-found` if it is not the viewer's or not removed
 */
export const getRemoval = async (db: Db, viewer: Viewer, postId: string): Promise<OwnRemoval> =>
  requireRemoval(db, requireSignedIn(viewer), findRemovedPost, postId);

/** Like `getRemoval`, but for a resource that the viewer owns and others removed. */
export const getResourceRemoval = async (db: Db, viewer: Viewer, resourceId: string): Promise<OwnRemoval> =>
  requireRemoval(db, requireSignedIn(viewer), findRemovedResource, resourceId);

/**
 * Appeals a removal; each can be appealed once. A moderator other than the remover decides, if there is one.
 * @throws `not-found` as `getRemoval`, `conflict` for a second appeal, `not-allowed` after twenty days,
 * `too-many` above the daily limit of reports, which counts appeals too
 */
export async function appealRemoval(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof NewRemovalAppeal>,
): Promise<{ id: string }> {
  const me = requireSignedIn(viewer);
  // Locks a row, so that concurrent appeals run one after the other.
  await run(
    tx,
    sql`select from posts where id = ${isId(input.postId) ? input.postId : null}
      and author_id = ${me.id} for no key update`,
  );
  const it = await requireRemoval(tx, me, findRemovedPost, input.postId);
  const id = await createAppeal(tx, me, it, input.text);
  await run(
    tx,
    sql`insert into reported_messages (report_id, seq, author_id, body_html, written_at, edited_at, chosen)
        select ${id}, number, author_id, body_html, created_at, edited_at, true from posts
        where id = ${it.id}`,
  );
  await storeReportFiles(tx, id);
  return { id };
}

/** Like `appealRemoval`, but for a resource. */
export async function appealResourceRemoval(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof NewResourceAppeal>,
): Promise<{ id: string }> {
  const me = requireSignedIn(viewer);
  await run(
    tx,
    sql`select from resources where id = ${isId(input.resourceId) ? input.resourceId : null}
      and owner_id = ${me.id} for no key update`,
  );
  const it = await requireRemoval(tx, me, findRemovedResource, input.resourceId);
  const id = await createAppeal(tx, me, it, input.text);
  await run(
    tx,
    sql`insert into reported_messages (report_id, seq, author_id, body_html, written_at, chosen)
        values (${id}, 0, ${me.id}, ${it.html}, ${tx.now}, true)`,
  );
  await storeReportFiles(tx, id);
  return { id };
}

async function createAppeal(tx: Tx, me: SignedIn, removal: OwnRemoval, text: string): Promise<string> {
  if (removal.appeal) throw new Refusal("conflict", "You have already appealed. An appeal can be made once.");
  if (!appealRules.askOfRemoval(me, { removedAt: removal.removedAt, asked: false }, tx.now))
    throw new Refusal("not-allowed", "The 20 days to appeal have passed.");
  await assertReportLimit(tx, me);
  const id = tx.newId();
  const [postId, resourceId] = removal.what === "resource" ? [null, removal.id] : [removal.id, null];
  await run(
    tx,
    sql`insert into reports (id, reporter_id, post_id, resource_id, reason, appeal, created_at)
        values (${id}, ${me.id}, ${postId}, ${resourceId}, ${text}, true, ${tx.now})`,
  );
  await emit(tx, { type: "report.created", reportId: id, by: me.id });
  return id;
}
