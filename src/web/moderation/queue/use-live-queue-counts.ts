import { useEffect, useState } from "react";
import type { QueueCounts } from "#community/moderation";
import { fetchLiveData } from "../../client/fetch-live-data.ts";
import { onViewerUpdate } from "../../client/live-state.ts";
import { DelayedTask } from "../../live/delayed-task.ts";
import { createResponseOrder } from "../../live/response-order.ts";
import { urls } from "../../urls.ts";

/** Milliseconds before the counts are fetched again, so that several reports in a row cause one request. */
const BATCH_DELAY = 800;
const QUEUE_UPDATES = /^(report|post|resource|profile|line)$/;

/**
 * Returns the counts of the queue's tabs, or of those of a group's management, which are fetched again when a case or
 * a pending text changes.
 */
export function useLiveQueueCounts(counts: QueueCounts, groupId?: string): QueueCounts {
  const [read, setRead] = useState<{ of: QueueCounts; counts: QueueCounts } | null>(null);
  useEffect(() => {
    const asking = createResponseOrder();
    const soon = new DelayedTask(async () => {
      const isNews = asking();
      const fresh = await fetchLiveData<QueueCounts>(urls.moderationNow({ group: groupId }));
      if (fresh && fresh !== "shut" && isNews()) setRead({ of: counts, counts: fresh });
    });
    const stop = onViewerUpdate(({ about }) => QUEUE_UPDATES.test(about) && soon.within(BATCH_DELAY));
    return () => {
      stop();
      soon.stop();
    };
  }, [counts, groupId]);
  // A navigation loads newer counts, which replace those fetched before.
  return read?.of === counts ? read.counts : counts;
}
