import { run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { notFound, Refusal } from "#platform/refusal";
import type { z } from "zod";
import { writeAudit } from "#community/audit";
import { requireSignedIn } from "#community/friends";
import type { Viewer } from "#community/rules";
import { appendToDraft } from "../drafts/drafts.ts";
import type { PendingPostReturn } from "../discussion-inputs.ts";
import { detachPendingUploads, getContainerIds, draftTargetFor } from "./pending-post-storage.ts";
import {
  getPendingForApproval,
  toContainer,
  alreadyDecidedRefusal,
  type PendingRow,
  selectPending,
} from "./pending-post-rows.ts";

/**
 * Returns a post to its author with a reason. The text is put into their draft and can be sent again.
 * @throws `not-found`, `conflict` if it was decided already
 */
export async function returnPendingPost(
  tx: Tx,
  viewer: Viewer,
  { pendingPostId, answer }: z.output<typeof PendingPostReturn>,
): Promise<void> {
  const me = requireSignedIn(viewer);
  const pendingPost = await getPendingForApproval(tx, me, pendingPostId);
  const at = toContainer(pendingPost);
  const done = await run(
    tx,
    sql`update pending_posts set returned_at = ${tx.now}, answer = ${answer}, client_id = null
      where id = ${pendingPost.id} and returned_at is null`,
  );
  if (done === 0) throw alreadyDecidedRefusal();
  await returnToDraft(tx, pendingPost);
  const where = await getContainerIds(tx, at);
  await writeAudit(tx, me, {
    act: "post.returned",
    kind: "post",
    id: pendingPost.id,
    reason: answer,
    details: { ...where, personId: pendingPost.authorId },
  });
  await emit(tx, {
    type: "post.returned",
    pendingPostId: pendingPost.id,
    ...where,
    isResource: pendingPost.said.resource !== undefined,
    isProfile: pendingPost.said.profile !== undefined,
    personId: pendingPost.authorId,
    by: me.id,
  });
}

async function returnToDraft(tx: Tx, pendingPost: PendingRow): Promise<void> {
  // The author edits the hidden content itself.
  if (pendingPost.isChange) return;
  await detachPendingUploads(tx, pendingPost.id);
  const { title, body, tags, pollOptions, pollChoice, pollResults, resource } = pendingPost.said;
  const at = toContainer(pendingPost);
  // Only documents have a draft; other resources and texts of profiles are sent again from their pending entry.
  if ("profileOf" in at || (resource && resource.kind !== "document")) return;
  const texts = {
    why: resource?.["why"],
    pollChoice,
    pollResults,
    tags: joinTexts(tags, ", "),
    pollOptions: joinTexts(pollOptions, "\n"),
  };
  const more = Object.fromEntries(
    Object.entries(texts).filter(([, text]) => typeof text === "string" && text !== ""),
  );
  await appendToDraft(tx, pendingPost.authorId, draftTargetFor(at), {
    title: typeof title === "string" ? title : "",
    body: resource?.body ?? body,
    more,
  });
}
const joinTexts = (them: unknown, by: string) => (Array.isArray(them) ? them.join(by) : undefined);

/**
 * Withdraws the viewer's pending post into their draft, or dismisses a returned post.
 * @throws `not-found` if it no longer exists, `conflict` for changes of hidden content
 */
export async function withdrawPendingPost(
  tx: Tx,
  viewer: Viewer,
  input: { pendingPostId: string },
): Promise<void> {
  const me = requireSignedIn(viewer);
  const pendingPost = await selectPending(tx, me, input.pendingPostId);
  if (!pendingPost || pendingPost.authorId !== me.id) throw notFound();
  if (pendingPost.isChange) throw new Refusal("conflict", "Edit or delete your post instead.");
  if (
    (await run(
      tx,
      sql`delete from pending_posts
        where id = ${pendingPost.id} and (returned_at is not null) = ${pendingPost.sentBack}`,
    )) === 0
  )
    throw notFound();
  if (pendingPost.sentBack) return;
  await returnToDraft(tx, pendingPost);
  await emit(tx, {
    type: "post.withdrawn",
    pendingPostId: pendingPost.id,
    ...(await getContainerIds(tx, toContainer(pendingPost))),
    by: me.id,
  });
}
