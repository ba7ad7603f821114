import type { Tx } from "#platform/database";
import { approvePostOrEvent } from "#community/calendar";
import { approveReturnedPost, getPendingKind } from "#community/discussions";
import { approvePendingResource, approveReturnedResource } from "#community/resources";
import type { Viewer } from "#community/rules";
import { approvePendingProfile } from "./pending-profiles.ts";

const COMMANDS = {
  post: approvePostOrEvent,
  resource: approvePendingResource,
  profile: approvePendingProfile,
  returned: approveReturnedPost,
  "returned resource": approveReturnedResource,
};

/**
 * Publishes a pending post, event, resource or profile text, or shows a post or resource again after changes.
 * @throws like `approvePostOrEvent`, `approvePendingResource`, `approvePendingProfile`, `approveReturnedPost` and
 * `approveReturnedResource`
 */
export async function approvePending(
  tx: Tx,
  viewer: Viewer,
  input: { pendingPostId: string },
): Promise<void> {
  await COMMANDS[await getPendingKind(tx, input.pendingPostId)](tx, viewer, input);
}
