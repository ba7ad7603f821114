import { KeyedQueue } from "#platform/queue";

/**
 * Maximum queued deliveries. A longer queue means that delivery has stalled; clients are then disconnected
 * and reload.
 */
const MAX_QUEUED = 2_000;

export type DeliveryQueue = {
  /** Runs a delivery after all earlier ones under the same key. */
  run: (key: string, deliver: () => Promise<void>) => void;
  /** Resolves when nothing is being delivered. */
  idle: () => Promise<void>;
};

/** Creates a queue. `onFailure` is called when a delivery fails, and when the queue is full. */
export function createDeliveryQueue(onFailure: (error: unknown) => void): DeliveryQueue {
  const queue = new KeyedQueue();
  return {
    run(key, deliver) {
      if (queue.size >= MAX_QUEUED) onFailure(new Error("too many events wait for delivery"));
      else queue.run(key, deliver).catch(onFailure);
    },
    idle: () => queue.idle(),
  };
}
