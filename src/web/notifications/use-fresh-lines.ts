import { useEffect, useState } from "react";
import type { NotificationLine } from "#community/notifications";
import { onNudge } from "../client/live.ts";
import { readAgain } from "../client/read-again.ts";
import { inOrder } from "../live/in-order.ts";
import { Soon } from "../live/soon.ts";
import { urls } from "../urls.ts";

/** Milliseconds until the list is read again after somebody is told something, or has read it in another tab. */
const SOON = 400;
type List = { rows: NotificationLine[]; next: string | null };

/** The list as it came, read again when somebody is told of something more. One that was paged through stays as it is. */
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
  // A navigation brings a newer one: what was read before it is put away.
  return read?.of === data ? { ...data, ...read.list } : data;
}
