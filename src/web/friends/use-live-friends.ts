import { useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";
import { onNudge } from "../client/live.ts";
import { readAgain } from "../client/read-again.ts";
import { Soon } from "../live/soon.ts";
import { urls } from "../urls.ts";
import type { FriendsPage } from "./friends-data.ts";

/** Milliseconds for which changes are collected into one request. */
const SOON = 300;

/** The current page: the loaded data until a relationship of this person changes. */
export function useLiveFriends<Page extends FriendsPage>(page: Page): Page {
  const { search } = useLocation();
  const [read, setRead] = useState<{ after: Page; page: FriendsPage } | null>(null);
  const latest = useRef(page);
  useEffect(() => void (latest.current = page), [page]);
  useEffect(() => {
    const soon = new Soon(async () => {
      const after = latest.current;
      const fresh = await readAgain<FriendsPage>(urls.friendsNow(search));
      if (fresh && fresh !== "shut") setRead({ after, page: fresh });
    });
    const stop = onNudge(({ about }) => /^(friend|person)$/.test(about) && soon.within(SOON));
    return () => {
      stop();
      soon.stop();
    };
  }, [search]);
  return read?.after === page ? { ...page, ...read.page } : page;
}
