import { useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";
import { readAgain } from "../client/read-again.ts";
import { Soon } from "../live/soon.ts";
import { useLine } from "../live/use-line.ts";
import { urls } from "../urls.ts";
import type { LogsPage } from "./logs-data.ts";

/** Milliseconds for which changes are collected into one request. */
const SOON = 400;

/** The current page, and whether it is live: while not paused, connected, and on the first page. */
export function useLiveLogs(page: LogsPage, wanted: boolean): { page: LogsPage; follows: boolean } {
  const line = useLine();
  const { search } = useLocation();
  const follows = wanted && line !== null && !new URLSearchParams(search).has("after");
  const [read, setRead] = useState<{ after: LogsPage; page: LogsPage } | null>(null);
  const latest = useRef(page);
  useEffect(() => void (latest.current = page), [page]);
  useEffect(() => {
    if (!follows) return;
    const soon = new Soon(async () => {
      const after = latest.current;
      const fresh = await readAgain<LogsPage>(urls.logsNow(search));
      if (fresh && fresh !== "shut") setRead({ after, page: fresh });
    });
    const stop = line.overhear(() => soon.within(SOON));
    return () => {
      stop();
      soon.stop();
    };
  }, [line, follows, search]);
  return { page: read?.after === page ? read.page : page, follows };
}
