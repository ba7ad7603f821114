import { useEffect, useState } from "react";
import type { NotificationLine } from "#community/notifications";
import { onNudge } from "../client/live.ts";
import { readAgain } from "../client/read-again.ts";
import { inOrder } from "../live/in-order.ts";
import { Soon } from "../live/soon.ts";
import { urls } from "../urls.ts";

/** Milliseconds until the list is fetched after a new notification, or one read in another tab. */
const SOON = 400;
type List = { rows: NotificationLine[]; next: string | null };

/** The loaded list, fetched again when notifications arrive. A list beyond its first page stays unchanged. */
export function useFreshLines<Data extends List & { tab: string; after: string | undefined }>(data: Data): Data {
  const [read, setRead] = useState<{ of: Data; list: List } | null>(null);
  useEffect(() => {
    if (data.after !== undefined) return;
    const asking = inOrder();
    const soon = new Soon(async () => {
      const isNews = asking();
      const list = await readAgain<List>(urls.notificationsNow(data.tab));
      if (list && list !== "shut" && isNews()) setRead({ of: data, list });
    });
    const stop = onNudge(({ about }) => /^(notifications?|line)$/.test(about) && soon.within(SOON));
    return () => {
      stop();
      soon.stop();
    };
  }, [data]);
  // A navigation loads newer data, which replaces the fetched list.
  return read?.of === data ? { ...data, ...read.list } : data;
}
