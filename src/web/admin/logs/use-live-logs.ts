import { useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";
import { fetchLiveData } from "../../client/fetch-live-data.ts";
import { DelayedTask } from "../../live/delayed-task.ts";
import { useLiveConnection } from "../../live/use-live-connection.ts";
import { urls } from "../../urls.ts";
import type { LogsPage } from "./logs-data.ts";

/** Milliseconds during which changes are collected into one request. */
const BATCH_DELAY = 400;

/**
 * Returns the current page, and whether it follows new records: if not paused, connected and on the first
 * page.
 */
export function useLiveLogs(page: LogsPage, wanted: boolean): { page: LogsPage; follows: boolean } {
  const line = useLiveConnection();
  const { search } = useLocation();
  const follows = wanted && line !== null && !new URLSearchParams(search).has("after");
  const [read, setRead] = useState<{ after: LogsPage; page: LogsPage } | null>(null);
  const latest = useRef(page);
  useEffect(() => void (latest.current = page), [page]);
  useEffect(() => {
    if (!follows) return;
    const soon = new DelayedTask(async () => {
      const after = latest.current;
      const fresh = await fetchLiveData<LogsPage>(urls.logsNow(search));
      if (fresh && fresh !== "shut") setRead({ after, page: fresh });
    });
    const stop = line.tailLogs(() => soon.within(BATCH_DELAY));
    return () => {
      stop();
      soon.stop();
    };
  }, [line, follows, search]);
  return { page: read?.after === page ? read.page : page, follows };
}
