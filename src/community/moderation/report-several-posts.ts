import { type Db, many, sql, type Tx } from "#platform/database";
import { Refusal } from "#platform/refusal";
import type { z } from "zod";
import { listOtherPostsOfAuthor, type PostOption } from "#community/discussions";
import { isSignedIn, SERVER_LIMITS, type Viewer } from "#community/rules";
import { reportPost } from "./report-content.ts";
import type { NewPostReports, ReportDetails } from "./report-forms.ts";

/**
 * Other posts of the same author in the same place that a member can report together with the post, the twenty latest;
 * none for guests.
 * @throws `not-found` for a post in a place that the viewer cannot read
 */
export async function listFurtherReportable(db: Db, viewer: Viewer, postId: string): Promise<PostOption[]> {
  if (!isSignedIn(viewer)) return [];
  const posts = await listOtherPostsOfAuthor(db, viewer, postId, SERVER_LIMITS.reports.chosen);
  const reported = await many(
    db,
    sql<{ id: string }>`select about_id as id from reports
      where reporter_id = ${viewer.id} and resolved_at is null
        and about_id = any(${posts.map(({ id }) => id)}::uuid[])`,
  );
  return posts.filter((post) => !reported.some(({ id }) => id === post.id));
}

/**
 * Reports a post, and further ones with the same reason, each to the moderators of its place. Further posts that
 * were deleted, hidden or reported by the viewer in the meantime are skipped; a limit refuses all.
 * @throws like `reportPost` for the first post, `not-allowed` and `too-many` for all
 */
export async function reportPosts(
  tx: Tx,
  viewer: Viewer,
  { furtherIds, ...input }: z.output<typeof NewPostReports> & ReportDetails,
): Promise<void> {
  await reportPost(tx, viewer, input);
  // Posts are locked in id order, so that concurrent reports of the same posts do not deadlock.
  for (const postId of [...new Set(furtherIds)].sort())
    if (postId !== input.postId)
      try {
        await reportPost(tx, viewer, { ...input, postId });
      } catch (error) {
        if (!(error instanceof Refusal) || !["conflict", "not-found"].includes(error.reason)) throw error;
      }
}
