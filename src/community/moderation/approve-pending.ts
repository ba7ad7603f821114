import type { Tx } from "#platform/database";
import { approvePostOrEvent } from "#community/calendar";
import { isPendingResource } from "#community/discussions";
import { approvePendingResource } from "#community/resources";
import type { Viewer } from "#community/rules";

/**
 * Publishes a pending post, event or resource.
 * @throws like `approvePostOrEvent` and `approvePendingResource`
 */
export async function approvePending(
  tx: Tx,
  viewer: Viewer,
  input: { pendingPostId: string },
): Promise<void> {
  const approve = (await isPendingResource(tx, input.pendingPostId))
    ? approvePendingResource
    : approvePostOrEvent;
  await approve(tx, viewer, input);
}
