import { useEffect, useState } from "react";
import type { NotificationItem } from "#community/notifications";
import { onViewerUpdate } from "../client/live-state.ts";
import { fetchLiveData } from "../client/fetch-live-data.ts";
import { createResponseOrder } from "../live/response-order.ts";
import { DelayedTask } from "../live/delayed-task.ts";
import { urls } from "../urls.ts";

/** Milliseconds before the list is fetched again, after a new notification or one read in another tab. */
const BATCH_DELAY = 400;
type NotificationPage = { rows: NotificationItem[]; next: string | null };

/**
 * Returns the list, which is fetched again when notifications arrive. Pages other than the first do not
 * change.
 */
export function useLiveNotifications<
  Data extends NotificationPage & { tab: string; after: string | undefined },
>(data: Data): Data {
  const [read, setRead] = useState<{ of: Data; list: NotificationPage } | null>(null);
  useEffect(() => {
    if (data.after !== undefined) return;
    const asking = createResponseOrder();
    const soon = new DelayedTask(async () => {
      const isNews = asking();
      const list = await fetchLiveData<NotificationPage>(urls.notificationsNow(data.tab));
      if (list && list !== "shut" && isNews()) setRead({ of: data, list });
    });
    const stop = onViewerUpdate(
      ({ about }) => /^(notifications?|line)$/.test(about) && soon.within(BATCH_DELAY),
    );
    return () => {
      stop();
      soon.stop();
    };
  }, [data]);
  // A navigation loads newer data, which replaces the list fetched before.
  return read?.of === data ? { ...data, ...read.list } : data;
}
