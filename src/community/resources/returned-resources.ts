import { maybeOne, run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { invalid, notFound } from "#platform/refusal";
import { writeAudit } from "#community/audit";
import { alreadyDecidedRefusal, getPendingForApproval } from "#community/discussions";
import { requireSignedIn } from "#community/friends";
import type { SignedIn, Viewer } from "#community/rules";
import { lockShownOrHidden, markResourceVisible } from "./resource-hiding.ts";

/**
 * Hides a resource after an upheld report, and asks its owner for changes. Their edit waits for approval like a new
 * resource. Does nothing if it was removed or has no owner. The caller has checked that the viewer may decide the
 * report.
 * @throws `invalid` on `reason`
 */
export async function returnReportedResource(
  tx: Tx,
  me: SignedIn,
  input: { resourceId: string; reason: string },
): Promise<void> {
  const reason = input.reason.trim();
  if (reason === "") throw invalid("reason", "Enter what should be changed. The author will read it.");
  const found = await lockShownOrHidden(tx, input.resourceId);
  const stored = found && (await storeReturnedResource(tx, found.id, reason));
  if (!stored) return;
  const { id: resourceId, groupId, state } = found;
  const at = { resourceId, groupId };
  await run(
    tx,
    sql`update resources set state = 'hidden', hidden_at = null, returned_at = ${tx.now},
        featured_at = null, featured_by = null
      where id = ${resourceId}`,
  );
  if (state === "published") await emit(tx, { type: "resource.hidden", ...at, by: null });
  const { id: pendingPostId, personId } = stored;
  await writeAudit(tx, me, {
    act: "resource.returned",
    kind: "resource",
    id: resourceId,
    reason,
    details: { groupId, personId },
  });
  await emit(tx, { type: "post.returned", pendingPostId, ...at, isResource: true, personId, by: me.id });
}

/** Fields of the resource `r` as those of a pending one. */
const pendingFields = sql`jsonb_build_object('title', r.title, 'tags', to_jsonb(r.tags),
  'resource', jsonb_strip_nulls(jsonb_build_object('kind', r.kind, 'why', r.why, 'url', r.url,
    'uploadId', r.upload_id, 'body', r.body_md)))`;

/** Stores the returned resource as it was published, with the reason; undefined if it has no owner. */
const storeReturnedResource = (tx: Tx, resourceId: string, reason: string) =>
  maybeOne(
    tx,
    sql<{ id: string; personId: string }>`
      insert into pending_posts (id, author_id, resource_id, said, body_html, created_at, returned_at, answer)
      select ${tx.newId()}, r.owner_id, r.id, ${pendingFields}, r.body_html, r.created_at, ${tx.now}, ${reason}
      from resources r where r.id = ${resourceId} and r.owner_id is not null
      on conflict (resource_id) where resource_id is not null and said->'resource' is not null
        do update set said = excluded.said, body_html = excluded.body_html,
          returned_at = excluded.returned_at, answer = excluded.answer
      returning id, author_id as "personId"`,
  );

/**
 * Lets the changes of a returned resource wait for approval. The entry gets a new id, so that a moderator cannot
 * approve a version that has changed since they read it. The caller has stored the changes in the resource.
 */
export async function resubmitReturnedResource(
  tx: Tx,
  me: SignedIn,
  at: { resourceId: string; groupId: string | null },
): Promise<void> {
  const pendingPostId = tx.newId();
  await run(
    tx,
    sql`update pending_posts h set id = ${pendingPostId}, returned_at = null, answer = '', created_at = ${tx.now},
        said = ${pendingFields}, body_html = r.body_html
      from resources r where r.id = ${at.resourceId} and h.resource_id = r.id and h.said->'resource' is not null`,
  );
  await emit(tx, { type: "post.pending", pendingPostId, ...at, isResource: true, by: me.id });
}

/**
 * Shows a resource again whose owner has changed it.
 * @throws `not-found` for people who may not approve it, and after a later change; `conflict` if it was decided
 * already
 */
export async function approveReturnedResource(
  tx: Tx,
  viewer: Viewer,
  input: { pendingPostId: string },
): Promise<void> {
  const me = requireSignedIn(viewer);
  const pending = await getPendingForApproval(tx, me, input.pendingPostId);
  const { id, authorId: personId, resourceId } = pending;
  const found = resourceId && (await lockShownOrHidden(tx, resourceId));
  if (!found) throw notFound();
  const waits = await maybeOne(
    tx,
    sql`select from pending_posts where id = ${id} and returned_at is null for update`,
  );
  if (!waits) throw alreadyDecidedRefusal();
  await markResourceVisible(tx, me, found);
  const at = { resourceId: found.id, groupId: found.groupId };
  await writeAudit(tx, me, {
    act: "resource.approved",
    kind: "resource",
    id: found.id,
    details: { groupId: found.groupId, personId },
  });
  await emit(tx, { type: "resource.approved", ...at, personId, by: me.id });
}
