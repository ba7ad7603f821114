import { KeyedQueue } from "#platform/queue";

/** Maximum queued deliveries. More means that delivery hangs: then all clients reload instead. */
const MAX_QUEUED = 2_000;

export type DeliveryQueue = {
  /** Delivers after all that was queued earlier under the key. */
  run: (key: string, deliver: () => Promise<void>) => void;
  /** Resolves when nothing is being delivered. */
  idle: () => Promise<void>;
};

/** Opens a queue that calls `onFailure` for a delivery that fails or finds the queue full. */
export function openDeliveryQueue(onFailure: (error: unknown) => void): DeliveryQueue {
  const queue = new KeyedQueue();
  return {
    run(key, deliver) {
      if (queue.size >= MAX_QUEUED) onFailure(new Error("too many events wait for delivery"));
      else queue.run(key, deliver).catch(onFailure);
    },
    idle: () => queue.idle(),
  };
}
