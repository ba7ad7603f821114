import { useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";
import { onViewerUpdate } from "../client/live-state.ts";
import { fetchLiveData } from "../client/fetch-live-data.ts";
import { DelayedTask } from "../live/delayed-task.ts";
import { urls } from "../urls.ts";
import type { FriendsPage } from "./friends-data.ts";

/** Milliseconds during which changes are collected into one request. */
const BATCH_DELAY = 300;

/** Returns the page's data: as loaded, then fetched again whenever a relationship of the viewer changes. */
export function useLiveFriends<Page extends FriendsPage>(page: Page): Page {
  const { search } = useLocation();
  const [read, setRead] = useState<{ after: Page; page: FriendsPage } | null>(null);
  const latest = useRef(page);
  useEffect(() => void (latest.current = page), [page]);
  useEffect(() => {
    const soon = new DelayedTask(async () => {
      const after = latest.current;
      const fresh = await fetchLiveData<FriendsPage>(urls.friendsNow(search));
      if (fresh && fresh !== "shut") setRead({ after, page: fresh });
    });
    const stop = onViewerUpdate(({ about }) => /^(friend|person)$/.test(about) && soon.within(BATCH_DELAY));
    return () => {
      stop();
      soon.stop();
    };
  }, [search]);
  return read?.after === page ? { ...page, ...read.page } : page;
}
