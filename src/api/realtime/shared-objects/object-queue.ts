import type { KeyedQueue } from "#platform/queue";
import { Refusal } from "#platform/refusal";

/** Maximum queued changes per object. */
const MAX_QUEUED = 2_000;

/**
 * Runs a change of an object after all changes queued before it, so that a busy object uses one database
 * connection and its changes are delivered in order.
 * @throws `too-many` when the queue is full, for changes that the client can request again
 */
export async function queueObjectChange(
  queue: KeyedQueue,
  name: string,
  work: () => Promise<void>,
): Promise<void> {
  if (queue.sizeOf(name) >= MAX_QUEUED)
    throw new Refusal("too-many", "Too many changes to this object at once. Try again.");
  return queue.run(name, work);
}
