import { startTransition } from "react";
import { fetchLiveData } from "../client/fetch-live-data.ts";
import { createResponseOrder } from "./response-order.ts";
import { DelayedTask } from "./delayed-task.ts";

/** Milliseconds after which a failed fetch is repeated. */
const RETRY_DELAY = 5_000;

/**
 * Returns a task that fetches the current data of an open page and retries until it succeeds. `onAccessLost`
 * is called if the viewer may no longer see the page.
 */
export function createRefetch<Now>(
  from: () => string,
  { took, onAccessLost }: { took: (now: Now) => void; onAccessLost: () => unknown },
): DelayedTask {
  const asking = createResponseOrder();
  const soon = new DelayedTask(async () => {
    const isNews = asking();
    const data = await fetchLiveData<Now>(from());
    if (data === "shut") return onAccessLost();
    if (data === null) return soon.within(RETRY_DELAY);
    // A transition keeps the page unchanged while a component that the new data needs is still being
    // fetched.
    if (isNews()) startTransition(() => took(data));
  });
  return soon;
}
