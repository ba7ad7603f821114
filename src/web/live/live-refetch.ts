import { startTransition } from "react";
import { fetchLiveData } from "../client/fetch-live-data.ts";
import { createResponseOrder } from "./response-order.ts";
import { DelayedTask } from "./delayed-task.ts";

/** Milliseconds after which a failed fetch is repeated. */
const RETRY_DELAY = 5_000;

/**
 * Fetches the current data of an open page on demand, and retries until it succeeds. `shut`: the viewer may
 * not see it any more.
 */
export function createRefetch<Now>(
  from: () => string,
  { took, shut }: { took: (now: Now) => void; shut: () => unknown },
): DelayedTask {
  const asking = createResponseOrder();
  const soon = new DelayedTask(async () => {
    const isNews = asking();
    const data = await fetchLiveData<Now>(from());
    if (data === "shut") return shut();
    if (data === null) return soon.within(RETRY_DELAY);
    // In a transition, since a component that few pages have may be fetched first: until then the page stays
    // as it is.
    if (isNews()) startTransition(() => took(data));
  });
  return soon;
}
